//! Metrics and figures to HTML, SVG, CSV, LaTeX and Markdown.
