//! A drawing as a picture, for slides and for editors that take no SVG.

use super::{Figure, figure_document, heat};
use crate::ReportError;
use resvg::{tiny_skia, usvg};
use std::sync::Arc;

/// Twice the drawing's own size: a column of print at 300 dots an inch.
const SCALE: f32 = 2.0;
/// Beyond this a picture helps nobody and takes gigabytes to draw.
const LARGEST_SIDE: f32 = 16_000.0;

/// Fonts of the machine, read once for many drawings.
pub struct Fonts(Arc<usvg::fontdb::Database>);

impl Fonts {
    pub fn of_this_machine() -> Result<Self, ReportError> {
        let mut fonts = usvg::fontdb::Database::new();
        fonts.load_system_fonts();
        let Some(any) = fonts.faces().find_map(|face| face.families.first().map(|(name, _)| name.clone())) else {
            return Err(ReportError::NoFont);
        };
        // Without fontconfig `sans-serif` means Arial, which a server rarely has; any font is better than no text.
        let usual = ["DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica", "Segoe UI"];
        let has = |name: &&str| fonts.faces().any(|face| face.families.iter().any(|(family, _)| family == name));
        let sans = usual.iter().copied().find(has).map_or(any, str::to_owned);
        fonts.set_sans_serif_family(sans);
        Ok(Self(Arc::new(fonts)))
    }
}

/// The drawing on white paper, in PNG.
pub fn figure_png(figure: &Figure, suite: &str, fonts: &Fonts) -> Result<Vec<u8>, ReportError> {
    let told = |reason: String| ReportError::Picture { figure: figure.id.clone(), reason };
    let options = usvg::Options { fontdb: Arc::clone(&fonts.0), ..usvg::Options::default() };
    let drawing = figure_document(figure, suite, &by_day());
    let tree = usvg::Tree::from_str(&drawing, &options).map_err(|it| told(it.to_string()))?;
    let size = tree.size();
    let scale = SCALE.min(LARGEST_SIDE / size.width().max(size.height()));
    let (width, height) = ((size.width() * scale).ceil() as u32, (size.height() * scale).ceil() as u32);
    let mut picture = tiny_skia::Pixmap::new(width, height)
        .ok_or_else(|| told(format!("{width} × {height} dots cannot be drawn")))?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut picture.as_mut());
    picture.encode_png().map_err(|it| told(it.to_string()))
}

/// The style sheet without what this renderer does not know: variables and dark mode. Each colour stands there twice for that.
fn by_day() -> String {
    let known = |line: &str| -> String { line.split_inclusive(';').filter(|it| !it.contains("var(")).collect() };
    let marks: Vec<String> = super::MARKS.lines().map(known).collect();
    format!("{}\n{}", marks.join("\n"), heat::by_day())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_keeps_a_colour_that_is_no_variable() {
        let sheet = by_day();
        assert!(!sheet.contains("var("));
        assert!(!sheet.contains("@media"));
        assert_eq!(
            super::super::MARKS.matches('{').count(),
            sheet.matches('{').count() - heat::by_day().matches('{').count()
        );
        assert!(sheet.contains(".chart .dot { fill: #0a5a72; stroke: #ffffff; stroke-width: 1.5; }"));
    }
}
