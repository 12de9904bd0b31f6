//! `waterjar agree`: how far raters agree.

mod judges;
mod key;

use crate::cli::{AgreeArgs, Scale};
use crate::exit::Exit;
use crate::output::{Output, table};
use anyhow::Result;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use waterjar_core::cell::unguarded;
use waterjar_core::{Seed, SourceError, counted};
use waterjar_engine::EngineError;
use waterjar_exchange::table::{BYTE_ORDER_MARK, bad_row, cells};
use waterjar_scoring::stats::agreement::{MOST_RESAMPLED, agreement_of};
use waterjar_scoring::stats::{AgreementReport, ENOUGH_FAMILIES, ScaleKind, StatsError};

pub async fn run(args: &AgreeArgs, out: &Output) -> Result<Exit> {
    if let Some(run) = &args.key {
        return key::run(args, run, out).await;
    }
    let rows = if args.file.is_dir() {
        let (judges, rows) = judges::read(&args.file, args.suite.as_deref()).await?;
        out.say(&format!("the raters are the judges {}", judges.join(", ")));
        rows
    } else {
        read(args).map_err(EngineError::from)?
    };
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
            _ => told,
        })
    })?;
    tell_without_intervals(&report, out);
    if args.json {
        out.json(&report.metrics(seed))?;
    } else {
        out.print(&table::agreement(&report));
    }
    Ok(Exit::Done)
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

fn read(args: &AgreeArgs) -> Result<Rows, SourceError> {
    match args.file.extension().and_then(|it| it.to_str()) {
        Some("csv") => read_csv(&args.file, &args.items),
        Some("jsonl" | "ndjson") => read_jsonl(&args.file),
        _ => Err(SourceError::at(&args.file, "is neither .csv nor .jsonl").with_hint("rename it to say which it is")),
    }
}

/// A row per item, a column per rater; an empty cell is no rating.
fn read_csv(path: &Path, not_raters: &[String]) -> Result<Rows, SourceError> {
    let mut reader = cells(path, &mut csv::ReaderBuilder::new())?;
    let header = reader.headers().map_err(|error| bad_row(path, &error))?.clone();
    let is_rater = |name: &str| not_raters.iter().all(|other| !other.eq_ignore_ascii_case(unguarded(name.trim())));
    let columns: Vec<usize> = header.iter().enumerate().filter(|(_, name)| is_rater(name)).map(|(at, _)| at).collect();
    if columns.len() < 2 {
        return Err(SourceError::at(path, "fewer than two columns are raters")
            .with_hint("a column per rater; name the other columns with --items"));
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| bad_row(path, &error))?;
        let rating = |at: &usize| record.get(*at).map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned);
        rows.push(columns.iter().map(rating).collect());
    }
    Ok(rows)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rating {
    item: String,
    rater: String,
    rating: Option<serde_json::Value>,
}

fn read_jsonl(path: &Path) -> Result<Rows, SourceError> {
    let text = std::fs::read_to_string(path).map_err(|error| SourceError::unreadable(path, &error))?;
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
    let mut items: BTreeMap<String, BTreeMap<String, Option<String>>> = BTreeMap::new();
    let mut raters = std::collections::BTreeSet::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let bad = |problem: String| {
            SourceError::at_line(path, at as u64 + 1, problem)
                .with_hint("a line is {\"item\": …, \"rater\": …, \"rating\": …}")
        };
        let row: Rating = serde_json::from_str(line).map_err(|error| bad(error.to_string()))?;
        let rating = match row.rating {
            None | Some(serde_json::Value::Null) => None,
            Some(serde_json::Value::String(text)) => Some(text),
            Some(other) => Some(other.to_string()),
        };
        raters.insert(row.rater.clone());
        if items.entry(row.item.clone()).or_default().insert(row.rater.clone(), rating).is_some() {
            return Err(bad(format!("`{}` rated `{}` twice", row.rater, row.item)));
        }
    }
    let of_item = |ratings: BTreeMap<String, Option<String>>| {
        raters.iter().map(|rater| ratings.get(rater).cloned().flatten()).collect()
    };
    Ok(items.into_values().map(of_item).collect())
}
