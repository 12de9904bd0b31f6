//! Report data to one HTML page. The template prints; everything it prints is worked out here.

pub(crate) mod benchmark;
pub(crate) mod changes;
mod contrast;
mod diff;
mod family;
pub(crate) mod part;
mod results;
mod summary;

use crate::figure::values::{ValueTable, values};
use crate::figure::{inline_graph, inline_svgs, is_wide, page_line, paper_svgs, style_sheet};
use crate::number::{count, counted};
use crate::ranking::{legend, note};
use crate::strata::tabulated;
use crate::{
    Better, FamilyView, MetricColumn, MetricKind, ModelUse, ReasoningView, ReportData, ReportError, Standing,
    StudySummary, SuiteSection,
};
use askama::Template;
use benchmark::{CheckRow, Stage, accounts, by_entry, checks, losses, stages};
use contrast::Contrast;
use family::{Example, FamilyCard};
use results::{ResultsTable, StrataView};
use waterjar_core::Figure;

pub(crate) fn render(data: &ReportData) -> Result<String, ReportError> {
    let page = Page {
        study: &data.study,
        registered: registered(&data.study),
        notice: notice(&data.study),
        uses: data.study.uses.iter().map(UseRow::new).collect(),
        style: style_sheet(),
        variants_hash: &data.variants_hash,
        suites: data.suites.iter().map(Section::new).collect(),
    };
    Ok(page.render()?)
}

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    study: &'a StudySummary,
    registered: (&'static str, Vec<String>),
    notice: &'static str,
    uses: Vec<UseRow<'a>>,
    style: String,
    variants_hash: &'a str,
    suites: Vec<Section<'a>>,
}

/// Who the cases are, and what that asks of whoever has the page.
fn notice(study: &StudySummary) -> &'static str {
    if study.own_cases {
        "Cases of your own: they may hold patients' data. Keep this page where the charts may be. Not for patient care."
    } else {
        "Illustrative cases; not for patient care."
    }
}

/// Whether the study was declared before it was asked; then by whose word, and everything that is another thing now.
fn registered(study: &StudySummary) -> (&'static str, Vec<String>) {
    let verdict = match study.standing() {
        Standing::Locked => "yes: locked before it was run",
        Standing::NotDeclared => "no: nobody declared it before it was run",
        Standing::AsDeclared => "yes: declared before the first question, and run as declared",
        Standing::AsFarAsDeclared => {
            "yes: declared before the first question, and run as declared as far as the lock goes"
        }
        Standing::Deviated => "declared before the first question, and deviated from",
        Standing::Late => "no: declared after the first question",
        Standing::LateAndDeviated => "no: declared after the first question, and deviated from",
    };
    (verdict, study.declaration())
}

/// What a model was asked, in words.
struct UseRow<'a> {
    model: &'a str,
    calls: String,
    input: String,
    output: String,
    cost: String,
}

impl<'a> UseRow<'a> {
    fn new(it: &'a ModelUse) -> Self {
        Self {
            model: &it.model,
            calls: count(it.calls),
            input: count(it.input_tokens),
            output: count(it.output_tokens),
            cost: it.usd.map_or_else(|| "no price known".to_owned(), |usd| format!("${usd:.2}")),
        }
    }
}

/// One suite, in the order the page tells it.
struct Section<'a> {
    data: &'a SuiteSection,
    summary: Vec<String>,
    example: Option<Example<'a>>,
    columns: Vec<Column<'a>>,
    tables: Vec<ResultsTable<'a>>,
    /// What is marked in them.
    legend: String,
    strata: Vec<StrataView>,
    figures: Vec<FigureView<'a>>,
    stages: Vec<Stage>,
    losses: Vec<(String, String, String)>,
    accounts: (Vec<String>, Vec<Vec<String>>),
    by_entry: (Vec<String>, Vec<Vec<String>>),
    checks: Vec<CheckRow<'a>>,
    reasonings: Vec<Thought<'a>>,
    contrasts: Vec<Contrast<'a>>,
    families: Vec<FamilyCard<'a>>,
    families_shown: String,
}

struct Thought<'a> {
    view: &'a ReasoningView,
    svg: String,
    /// The same drawn for paper.
    on_paper: Vec<String>,
}

impl<'a> Thought<'a> {
    fn new(view: &'a ReasoningView) -> Self {
        let (graph, title) = (&view.graph, &view.title);
        Self { view, svg: inline_graph(graph, title), on_paper: paper_svgs(graph, title) }
    }
}

struct Column<'a> {
    column: &'a MetricColumn,
    unit: &'static str,
    direction: &'static str,
}

struct FigureView<'a> {
    figure: &'a Figure,
    /// `Bias trap rate · n 29 to 316 · 95 % intervals`
    line: String,
    svgs: Vec<String>,
    wide: bool,
    values: ValueTable,
}

impl<'a> Section<'a> {
    fn new(data: &'a SuiteSection) -> Self {
        Self {
            data,
            summary: summary::sentences(data),
            example: example(&data.families).and_then(Example::new),
            columns: tabulated(&data.headline).map(Column::new).collect(),
            tables: results::tables(data),
            legend: legend(MARKS, &data.results, &data.headline, &data.leads).unwrap_or_else(note),
            strata: results::strata_views(data),
            figures: data.figures.iter().map(FigureView::new).collect(),
            stages: stages(&data.benchmark),
            losses: losses(&data.benchmark),
            accounts: accounts(&data.benchmark, &data.headline),
            by_entry: by_entry(&data.benchmark),
            checks: checks(&data.checks),
            contrasts: data.contrasts.iter().map(Contrast::new).collect(),
            reasonings: data.reasonings.iter().map(Thought::new).collect(),
            families: family::cards(data),
            families_shown: shown(data),
        }
    }
}

impl<'a> Column<'a> {
    fn new(column: &'a MetricColumn) -> Self {
        Self {
            column,
            unit: match column.kind {
                MetricKind::Share => "%",
                MetricKind::Number => "",
            },
            direction: match column.better {
                Better::Higher => "↑ higher is better",
                Better::Lower => "↓ lower is better",
                Better::Neither => "",
            },
        }
    }
}

impl<'a> FigureView<'a> {
    fn new(figure: &'a Figure) -> Self {
        Self {
            figure,
            line: page_line(&figure.chart),
            svgs: inline_svgs(figure),
            wide: is_wide(figure),
            values: values(&figure.chart),
        }
    }
}

/// How the page marks the best.
const MARKS: &str = "Best, or top where they are several";

/// The first typical family of those at hand, else the first.
fn example(families: &[FamilyView]) -> Option<&FamilyView> {
    families.iter().find(|it| it.is_typical).or(families.first())
}

fn shown(data: &SuiteSection) -> String {
    let shown = data.families.len() as u64;
    let all = counted(data.families_total, "family", "families");
    if shown >= data.families_total {
        format!("All {all} of this benchmark.")
    } else {
        format!("{} of {all}; {NOT_ALL}", count(shown))
    }
}

const NOT_ALL: &str = "the run directory holds them all.";

/// How many families of each suite a finished page shows in full, where that is not all of them.
pub fn families_cut_to(page: &str) -> Option<usize> {
    let shown = |cases: &str| cases.matches("<details class=\"case\" data-outcomes").count();
    page.contains(NOT_ALL).then(|| page.split("<div class=\"cases\">").skip(1).map(shown).max()).flatten()
}
