//! One run: what it is, how far it is, its suites.

use super::{Address, Frame, Page, count, html, percent};
use crate::Site;
use crate::error::PageError;
use crate::shelf::ServedRun;
use crate::summary::SuiteSummary;
use crate::texts::{self, Texts};
use askama::Template;
use axum::extract::{Path, State};
use axum::response::Html;
use waterjar_report::{Standing, StudySummary};

#[derive(Template)]
#[template(path = "run.html")]
struct Run {
    frame: Frame,
    study: StudySummary,
    /// As the report says it.
    registered: &'static str,
    declaration: Vec<String>,
    bounds: String,
    progress: Progress,
    uses: Vec<[String; 5]>,
}

/// The part that changes while a run goes on; asked for again by itself.
#[derive(Template)]
#[template(path = "progress.html")]
struct Progress {
    t: &'static Texts,
    address: String,
    running: bool,
    suites: Vec<SuiteRow>,
}

struct SuiteRow {
    id: String,
    title: String,
    results: String,
    cases: String,
    /// Where there is anybody to compare.
    compare: Option<String>,
    measured: bool,
    families: String,
    subjects: usize,
    answered: String,
    expected: String,
    percent: u64,
    missing: u64,
    stopped: Vec<String>,
}

pub async fn page(State(site): State<Site>, Path(run): Path<String>) -> Page {
    let run = site.shelf.run(&run).await?;
    let summary = run.summary().await?;
    let study = waterjar_views::study(run.open()).await?;
    let study = StudySummary { bounds: summary.bounds.clone(), ..study };
    let uses = summary.uses.iter().map(|it| {
        let cost = it.usd.map_or_else(|| "no price known".to_owned(), |usd| format!("${usd:.2}"));
        [it.model.clone(), count(it.calls), count(it.input_tokens), count(it.output_tokens), cost]
    });
    html(&Run {
        frame: Frame::new(study.name.as_str()).under_runs(),
        uses: uses.collect(),
        registered: registered(study.standing(), texts::spoken()),
        declaration: study.declaration(),
        bounds: waterjar_report::bounds_html(&study)?,
        study,
        progress: told(&run).await?,
    })
}

fn registered(standing: Standing, t: &'static Texts) -> &'static str {
    match standing {
        Standing::Locked => &t.locked,
        Standing::NotDeclared => &t.not_declared,
        Standing::AsDeclared => &t.as_declared,
        Standing::AsFarAsDeclared => &t.as_far_as_declared,
        Standing::Deviated => &t.deviated,
        Standing::Late => &t.declared_late,
        Standing::LateAndDeviated => &t.late_and_deviated,
    }
}

pub async fn progress(State(site): State<Site>, Path(run): Path<String>) -> Page {
    let run = site.shelf.run(&run).await?;
    Ok(Html(told(&run).await?.render()?))
}

async fn told(run: &ServedRun) -> Result<Progress, PageError> {
    let summary = run.summary().await?;
    let row = |suite: &SuiteSummary| SuiteRow {
        id: suite.id.to_string(),
        title: suite.title.clone(),
        results: Address::suite(&run.name, suite.id.as_str()),
        cases: Address::families(&run.name, suite.id.as_str()),
        compare: (suite.measured && suite.subjects > 1).then(|| Address::compare(&run.name, suite.id.as_str())),
        measured: suite.measured,
        families: count(suite.families),
        subjects: suite.subjects,
        answered: count(suite.answered),
        expected: count(suite.expected),
        percent: percent(suite.answered, suite.expected),
        missing: suite.missing,
        stopped: suite.stopped.clone(),
    };
    Ok(Progress {
        t: texts::spoken(),
        address: format!("{}/progress", Address::run(&run.name)),
        running: run.is_running().await,
        suites: summary.suites.iter().map(row).collect(),
    })
}
