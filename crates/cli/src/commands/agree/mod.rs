//! `waterjar agree`: how far raters agree.

mod judges;
mod key;
mod odd;
mod ratings;

use crate::cli::{AgreeArgs, Scale};
use crate::exit::Exit;
use crate::output::{Output, table};
use anyhow::Result;
use ratings::Ratings;
use waterjar_core::{MetricsFile, Seed, SourceError, counted};
use waterjar_engine::EngineError;
use waterjar_scoring::stats::agreement::{AgreementFile, MOST_RESAMPLED, agreement_of};
use waterjar_scoring::stats::{AgreementReport, ENOUGH_FAMILIES, ScaleKind, StatsError};

pub async fn run(args: &AgreeArgs, out: &Output) -> Result<Exit> {
    if let Some(run) = &args.key {
        return key::run(args, run, out).await;
    }
    let Ratings { raters, rows, others, mut notes } = if args.file.is_dir() {
        let (judges, rows) = judges::read(&args.file, args.suite.as_deref()).await?;
        out.say(&format!("the raters are the judges {}", judges.join(", ")));
        Ratings { raters: judges, rows, others: None, notes: Vec::new() }
    } else {
        ratings::read(&args.file, &args.items).map_err(EngineError::from)?
    };
    notes.extend(others.map(|others| doubts(&raters, &rows, &others, args.scale)).unwrap_or_default());
    notes.iter().for_each(|note| out.warn(note));
    let kind = match args.scale {
        Scale::Nominal => ScaleKind::Nominal,
        Scale::Ordinal => ScaleKind::Ordinal,
        Scale::Interval => ScaleKind::Interval,
    };
    let seed = Seed(args.seed);
    let report = agreement_of(rows, kind, &args.categories, seed).map_err(|error| {
        let told = SourceError::at(&args.file, error.to_string());
        EngineError::from(match error {
            StatsError::NotANumberLabel { .. } => {
                told.with_hint("declare the scale in its order: --categories low,medium,high")
            }
            StatsError::OffScale { .. } => {
                told.with_hint(format!("the raters are {}: name columns that are none with --items", raters.join(", ")))
            }
            _ => told,
        })
    })?;
    tell_without_intervals(&report, out);
    if args.json {
        let file = report.file(seed);
        out.json(&AgreementFile { raters, metrics: MetricsFile { notes, ..file.metrics }, ..file })?;
    } else {
        out.print(&table::agreement(&report, &raters));
    }
    Ok(Exit::Done)
}

/// Columns that look like no rater's, and how to say that they are none: `--items` names all of them.
fn doubts(raters: &[String], rows: &Rows, others: &[String], scale: Scale) -> Vec<String> {
    let odd = odd::odd(raters, rows, scale == Scale::Interval);
    let names = others.iter().map(String::as_str).chain(odd.iter().map(|(rater, _)| *rater));
    let items = names.filter(|name| !name.is_empty()).collect::<Vec<_>>().join(",");
    let doubt = |(rater, why): &(&str, &str)| {
        format!(
            "`{rater}` counts as a rater and looks like none: {why}; if it is none, name what is no rater: --items '{items}'"
        )
    };
    odd.iter().map(doubt).collect()
}

fn tell_without_intervals(report: &AgreementReport, out: &Output) {
    let (categories, shared) = (report.categories.len(), report.shared_items);
    if categories > MOST_RESAMPLED {
        out.warn(&format!("{categories} categories are too many to resample: no intervals"));
    } else if shared < ENOUGH_FAMILIES {
        let rated = counted(shared as u64, "item was rated by two or more", "items were rated by two or more");
        out.say(&format!("{rated}: no intervals, for fewer than {ENOUGH_FAMILIES} are too few to resample"));
    }
}

type Rows = Vec<Vec<Option<String>>>;
