//! `waterjar suggest`: the critical findings of vignettes, marked by rule or by a model, for somebody to review.

use super::calls::Calls;
use crate::catalog::Parts;
use crate::cli::SuggestArgs;
use crate::exit::Exit;
use crate::outlet;
use crate::output::Output;
use anyhow::Result;
use futures::{StreamExt, TryStreamExt};
use serde::Deserialize;
use std::path::PathBuf;
use toml::Spanned;
use waterjar_core::{ChatModel, ModelError, Seed, counted, in_plain_words};
use waterjar_engine::gateway::Purpose;
use waterjar_engine::{EngineError, StudyFile, export};
use waterjar_knowledge::starter;
use waterjar_suites::OpenError;
use waterjar_suites::parity::{self, RULES, Settings};
use waterjar_vignettes::{Span, Vignette, suggest_spans, tagged};

/// Vignettes a model is asked about at once; the study's limits may allow fewer.
const AT_ONCE: usize = 16;

pub async fn run(args: SuggestArgs, out: &Output) -> Result<Exit> {
    refuse_reviewed(&args)?;
    let study = StudyFile::read(&args.study, &args.set)?;
    let (written, settings) = suite(&study)?;
    let seed = Seed(study.study.seed);
    let mut vignettes = parity::load_drawn(&settings, study.folder(), seed).map_err(|error| match error {
        OpenError::Source(error) => EngineError::from(error),
        error => EngineError::study(study.place(written.span()), error.to_string()),
    })?;
    let (marked, open): (Vec<usize>, Vec<usize>) =
        (0..vignettes.len()).partition(|at| !args.anew && !vignettes[*at].spans.is_empty());
    if !marked.is_empty() {
        let who = counted(marked.len() as u64, "vignette has its", "vignettes have their");
        out.say(&format!("{who} findings marked already; --anew marks them too"));
    }
    let spans = match settings.author.as_str() {
        RULES => by_rule(&vignettes, &open)?,
        model => {
            let place = study.place_of_key(written.span(), "author");
            let vendor = study.vendor(&Parts, model, place.clone())?;
            let vendor = vendor.ok_or_else(|| EngineError::study(place, format!("no model is called `{model}`")))?;
            vendor.notes.iter().for_each(|note| out.warn(&format!("{model}: {note}")));
            let calls = Calls::open(&beside(&args.out), &study, &vendor, out).await?;
            let found = by_model(calls.model.as_ref(), &vignettes, &open, out).await;
            calls.close(out).await?;
            found?
        }
    };
    let without = spans.iter().filter(|it| it.is_empty()).count();
    for (at, spans) in open.into_iter().zip(spans) {
        vignettes[at].spans = spans;
    }
    export::write_text(&args.out, &tagged::write_all(&vignettes))?;
    let findings: usize = vignettes.iter().map(|it| it.spans.len()).sum();
    out.say(&format!(
        "{}, {} → {}",
        counted(vignettes.len() as u64, "vignette", "vignettes"),
        counted(findings as u64, "finding", "findings"),
        args.out.display()
    ));
    out.say("review the marks before you use them; then write source = \"tagged:FILE\"");
    if without > 0 {
        out.warn(&format!("{} no finding marked", counted(without as u64, "vignette has", "vignettes have")));
    }
    Ok(if without > 0 { Exit::MissingAnswers } else { Exit::Done })
}

/// Before anybody is asked: what is there may be reviewed already, which nobody does twice.
fn refuse_reviewed(args: &SuggestArgs) -> Result<(), EngineError> {
    let is_study = args.out.extension().is_some_and(|it| it.eq_ignore_ascii_case("toml"));
    if !args.out.is_file() || is_study {
        return outlet::check(&args.out);
    }
    outlet::among_no_run(&args.out)?;
    if args.force {
        return Ok(());
    }
    Err(EngineError::file(&args.out, "is there already, with marks that may be reviewed")
        .with_hint("name another file with --out, or write over it with --force"))
}

/// The study's first suite of vignettes.
fn suite(study: &StudyFile) -> Result<(&Spanned<toml::Table>, Settings), EngineError> {
    let is_parity =
        |it: &&Spanned<toml::Table>| it.get_ref().get("kind").and_then(toml::Value::as_str) == Some(parity::KIND);
    let written = study.suites.iter().find(is_parity).ok_or_else(|| {
        EngineError::study(study.path.display().to_string(), "has no vignettes to mark")
            .with_hint("name a study with the suite `parity`")
    })?;
    let wrong = |problem: String| EngineError::study(study.place(written.span()), problem);
    let settings =
        Settings::deserialize(written.get_ref().clone()).map_err(|error| wrong(in_plain_words(error.message())))?;
    match settings.problem() {
        Some(problem) => Err(wrong(problem)),
        None => Ok((written, settings)),
    }
}

/// `findings.txt` → `.findings.txt.calls.sqlite`
fn beside(out: &std::path::Path) -> PathBuf {
    let name = out.file_name().unwrap_or_default().to_string_lossy();
    out.with_file_name(format!(".{name}.calls.sqlite"))
}

fn by_rule(vignettes: &[Vignette], open: &[usize]) -> Result<Vec<Vec<Span>>> {
    let base = starter::base()?;
    let spans = |at: &usize| suggest_spans(&vignettes[*at].text, &base).into_iter().map(|it| it.span).collect();
    Ok(open.iter().map(spans).collect())
}

/// What a model cannot mark stays without marks, and is told.
async fn by_model(
    model: &dyn ChatModel,
    vignettes: &[Vignette],
    open: &[usize],
    out: &Output,
) -> Result<Vec<Vec<Span>>, EngineError> {
    let asked = open.iter().map(|at| async {
        let vignette = &vignettes[*at];
        match Purpose::author(vignette.id.as_str()).scope(parity::suggest(model, vignette)).await {
            Ok(spans) => Ok(spans),
            Err(error @ (ModelError::InvalidOutput(_) | ModelError::Refused(_))) => {
                out.warn(&format!("{}: {error}", vignette.id));
                Ok(Vec::new())
            }
            Err(ModelError::Budget(problem)) => Err(EngineError::Budget(problem)),
            Err(error) if error.may_pass() => {
                Err(EngineError::Outage { model: model.id().to_string(), times: 1, problem: error.to_string() })
            }
            Err(error) => Err(EngineError::Model { model: model.id().to_string(), problem: error.to_string() }),
        }
    });
    futures::stream::iter(asked).buffered(AT_ONCE).try_collect().await
}
