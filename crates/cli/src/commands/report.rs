//! `waterjar report`: what a run found, as a page or as tables.

use super::{notes, spending};
use crate::cli::{Format, ReportArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::target::Target;
use anyhow::{Context, Result};
use std::path::PathBuf;
use waterjar_engine::{Asks, EngineError, PlannedSuite, export};
use waterjar_report::{ReportData, StudySummary, SuiteSection, tables};
use waterjar_store::{Mode, Store};

mod contrasts;
mod families;
mod reasonings;

pub async fn run(args: ReportArgs, out: &Output) -> Result<Exit> {
    let target = Target::resolve(&args.run, None, &[], Asks::Nobody).await?;
    let store = Store::open(target.dir.database(), Mode::Read).await.map_err(EngineError::from)?;
    for format in args.format {
        let written = match format {
            Format::Html => vec![write_html(&target, &store, args.families).await?],
            format => write_tables(&target, &store, format).await?,
        };
        for path in written {
            out.say(&format!("wrote {}", path.display()));
        }
    }
    Ok(Exit::Done)
}

pub async fn write_html(target: &Target, store: &Store, families: usize) -> Result<PathBuf> {
    let path = target.dir.file("report.html");
    let html = waterjar_report::html(&data(target, store, families).await?)?;
    export::write_text(&path, &html)?;
    Ok(path)
}

/// One file per suite: `einstellung.csv`.
async fn write_tables(target: &Target, store: &Store, format: Format) -> Result<Vec<PathBuf>> {
    let mut written = Vec::new();
    for planned in &target.plan.suites {
        let results = results(store, planned).await?;
        let columns = planned.suite().card().columns;
        let (text, extension) = match format {
            Format::Csv => (tables::csv(&results, &columns), "csv"),
            Format::Latex => (tables::latex(&results, &columns), "tex"),
            Format::Markdown | Format::Html => (tables::markdown(&results, &columns), "md"),
        };
        let path = target.dir.file(&format!("{}.{extension}", planned.id()));
        export::write_text(&path, &text)?;
        written.push(path);
    }
    Ok(written)
}

async fn data(target: &Target, store: &Store, families: usize) -> Result<ReportData> {
    let plan = &target.plan;
    let mut suites = Vec::new();
    for planned in &plan.suites {
        suites.push(section(target, store, planned, families).await?);
    }
    Ok(ReportData {
        study: StudySummary {
            name: plan.name.clone(),
            seed: plan.seed.0,
            study_hash: plan.identity.clone(),
            program_version: env!("CARGO_PKG_VERSION").to_owned(),
            registered: plan.registered,
            study_toml: plan.text.clone(),
            uses: spending::uses(&plan.prices, store).await?,
        },
        suites,
    })
}

/// A study may have two suites of a kind: then the name tells them apart.
fn titled(title: &str, id: &str, kind: &str) -> String {
    if id == kind { title.to_owned() } else { format!("{title} ({id})") }
}

async fn section(target: &Target, store: &Store, planned: &PlannedSuite, shown: usize) -> Result<SuiteSection> {
    let suite = planned.suite();
    let card = suite.card();
    let results = results(store, planned).await?;
    let mut variants = blake3::Hasher::new();
    let hashed =
        std::fs::File::open(target.dir.file("variants.jsonl")).and_then(|it| variants.update_reader(it).map(drop));
    hashed.context("variants.jsonl cannot be read; run `waterjar vary` again")?;
    let benchmark = waterjar_engine::passes::vary::summary(store, planned).await?;
    let (reasonings, reasonings_chosen) = reasonings::examples(store, planned, &results).await?;
    Ok(SuiteSection {
        id: suite.id().clone(),
        kind: card.kind.to_owned(),
        title: titled(card.title, suite.id().as_str(), card.kind),
        about: card.about.to_owned(),
        families_total: benchmark.families,
        benchmark,
        benchmark_hash: variants.finalize().to_hex().to_string(),
        checks: store.checks(suite.id()).await.map_err(EngineError::from)?,
        headline: card.columns,
        figures: suite.figures(&results),
        notes: notes::lines(store, planned).await?,
        results,
        contrasts: contrasts::worst(store, planned).await?,
        reasonings,
        reasonings_chosen,
        failing: suite.failing().to_owned(),
        families: families::views(store, planned, shown).await?,
    })
}

/// In the order of the study.
async fn results(store: &Store, planned: &PlannedSuite) -> Result<Vec<waterjar_core::SubjectResult>> {
    let stored = store.results(planned.id()).await.map_err(EngineError::from)?;
    let of = |subject: &waterjar_engine::PlannedSubject| stored.iter().find(|it| it.subject == subject.id).cloned();
    let results: Vec<_> = planned.subjects.iter().filter_map(of).collect();
    if results.is_empty() {
        let error = EngineError::file(store.path(), format!("holds no figures of `{}` yet", planned.id()));
        return Err(error.with_hint("finish the run with `waterjar run`, or measure with `waterjar measure`").into());
    }
    Ok(results)
}
