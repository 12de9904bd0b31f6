//! `waterjar score`: figures from outputs made elsewhere.

use crate::catalog::suite_kind;
use crate::cli::ScoreArgs;
use crate::embedders;
use crate::exit::Exit;
use crate::output::{Output, table};
use anyhow::Result;
use std::path::Path;
use waterjar_core::{MetricsFile, Seed, SubjectResult};
use waterjar_engine::study::Privacy;
use waterjar_engine::{EngineError, plan::suggest};
use waterjar_models::Patience;
use waterjar_suites::{Score, Scored, parity};

pub async fn run(args: &ScoreArgs, out: &Output) -> Result<Exit> {
    let kind =
        suite_kind(&args.suite).ok_or_else(|| {
            let kinds: Vec<&str> = waterjar_suites::all().iter().map(|known| known.kind).collect();
            EngineError::study("waterjar score", format!("no suite is called `{}`", args.suite))
                .with_hint(suggest::hint(&args.suite, "suites", kinds))
        })?;
    let scored = match kind.score {
        Score::Plainly(score) => {
            let files: Vec<&Path> = args.files.iter().map(AsRef::as_ref).collect();
            score(Seed(args.seed), &files)
        }
        Score::Embedding(score) => {
            let embedder = embedders::open(&args.embedder, None, Privacy::default(), Patience::default())
                .map(embedders::remembering)
                .map_err(|problem| EngineError::study("waterjar score", problem))?;
            out.say(&format!("likeness by {}", embedder.id()));
            score(Seed(args.seed), args.files.clone(), embedder).await
        }
    };
    let Scored { subjects, notes } = scored.map_err(EngineError::from)?;
    let results = waterjar_suites::results(kind.kind, subjects);
    notes.iter().for_each(|note| out.warn(note));
    let missing: u64 = results.iter().map(|result| result.missing).sum();
    if let Some(warning) = without_neutral(kind.kind, &results) {
        out.warn(&warning);
    }
    if args.json {
        out.json(&MetricsFile { notes, ..MetricsFile::new("score", args.seed, results) })?;
    } else {
        let columns = (kind.card)().columns;
        let told = table::results(kind.kind, &columns, &results.iter().collect::<Vec<_>>());
        out.print(&told.text);
        out.print(&table::legend(told.marked, "--json"));
    }
    if missing > 0 {
        out.warn(&super::shortfall::families(missing));
    }
    Ok(if missing > 0 { Exit::MissingAnswers } else { Exit::Done })
}

/// Subjects of whom nobody brought a neutral wording: told once, since each of their families counts as missing for it.
fn without_neutral(kind: &str, results: &[SubjectResult]) -> Option<String> {
    let has = |it: &&SubjectResult| it.metrics.iter().any(|(name, metric)| name.contains("neutral") && metric.n > 0);
    let without = results.iter().filter(|it| kind == parity::KIND && !has(it));
    let names: Vec<String> = without.map(|it| format!("`{}`", it.subject)).collect();
    (!names.is_empty()).then(|| {
        format!(
            "no pair with a `neutral` wording is there of {}: their families count as missing for it, and only the other pairs have figures",
            names.join(", ")
        )
    })
}
