//! Metrics and figures to HTML, SVG, CSV, LaTeX and Markdown. Data in, text out: the same data gives the same bytes.

mod data;
mod figure;
mod junit;
mod number;
mod page;
mod parts;
mod ranking;
mod reason;
mod reasoning;
mod strata;
pub mod tables;

pub use data::{
    AnswerView, ContrastView, FamilyView, Lead, Leads, ModelUse, ReportData, RoleAnswer, Standing, StudySummary,
    SuiteSection, VariantView,
};
// What the figures are called and read as is said by the suites, in core's words.
pub use figure::{Fonts, figure_csv, figure_png, figure_svg, graph_svg};
pub use junit::{GateCase, GateVerdict, junit};
pub use number::count as grouped;
pub use page::benchmark::{Lost, lost};
pub use page::changes::{Change, Words};
pub use page::families_cut_to;
pub use ranking::{leader, ranked};
pub use reason::{EXHAUSTED, REASONS, meaning};
pub use reasoning::{BalanceItem, BalanceView, EdgeKind, GraphEdge, GraphNode, GraphView, NodeKind, ReasoningView};
pub use waterjar_core::{BenchmarkSummary, Better, MetricColumn, MetricKind};

/// The whole report as one file that asks nothing of the network and needs no script to be read.
pub fn html(data: &ReportData) -> Result<String, ReportError> {
    page::render(data)
}

/// What became of the bounds of a study: of all together, then one by one.
pub fn bounds_html(study: &StudySummary) -> Result<String, ReportError> {
    page::part::bounds(study)
}

/// The tables and figures of a suite, for a page that stands around them and has the `style`.
pub fn suite_html(section: &SuiteSection) -> Result<String, ReportError> {
    page::part::suite(section)
}

/// One family: its texts side by side, what should follow, what each subject made of it. `failing` is the suite's word.
pub fn family_html(
    view: &FamilyView,
    failing: &str,
    references: &std::collections::BTreeSet<waterjar_core::SubjectId>,
) -> Result<String, ReportError> {
    page::part::family(view, failing, references)
}

/// Texts as a page shows them.
pub struct MarkedTexts {
    pub html: String,
    /// Where two differ, in their order.
    pub changes: Vec<Change>,
}

/// One text, or two side by side with what differs marked, each under its title; in this language, where it is known.
pub fn texts_html(sides: &[(&str, &str)], language: Option<&str>) -> Result<MarkedTexts, ReportError> {
    page::part::texts(sides, language)
}

/// One reasoning: streams, audit, balance sheet, checklist, graph.
pub fn reasoning_html(view: &ReasoningView) -> Result<String, ReportError> {
    page::part::reasoning(view)
}

/// The style sheet of pages and figures.
pub fn style() -> String {
    format!("{}{}", figure::style_sheet(), include_str!("../templates/report.css"))
}

#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error("the report page could not be written")]
    Page(#[from] askama::Error),
    #[error("figure `{figure}` cannot be drawn as a picture: {reason}")]
    Picture { figure: String, reason: String },
    #[error(
        "this machine has no font to write labels with; install one (Debian: fonts-dejavu-core) or take the figures as SVG"
    )]
    NoFont,
}
