//! What a build server is told of a run: every bound, and every subject whose answers are not all there.

use crate::output::Output;
use anyhow::Result;
use std::path::Path;
use waterjar_engine::{EngineError, Outcome, export};
use waterjar_report::{GateCase, GateVerdict, junit};

/// Before anybody is asked: a place that cannot be written to, and one where the study or the run lies. What else is there is written over, as the
/// file of the run before is.
pub fn check_place(path: Option<&Path>, study: &Path, run: &Path) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    let bad = |problem: &str, hint: &str| Err(EngineError::file(path, problem).with_hint(hint).into());
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if path.is_dir() {
        return bad("is a directory", "name a file for the JUnit XML");
    }
    let Ok(folder) = folder.canonicalize() else {
        return bad("lies in no folder that is there", "make the folder first");
    };
    let real = path.canonicalize().unwrap_or_else(|_| folder.join(path.file_name().unwrap_or_default()));
    if study.canonicalize().is_ok_and(|it| it == real) {
        return bad("is the study", "name another file for the JUnit XML");
    }
    // Nothing that a run is made of ends so, what it has yet to write included.
    let is_xml = real.extension().is_some_and(|it| it.eq_ignore_ascii_case("xml"));
    if !is_xml && run.canonicalize().is_ok_and(|it| real.starts_with(it)) {
        return bad("lies among the files of the run", "name a file that ends in .xml, or one elsewhere");
    }
    Ok(())
}

/// Nothing where no file is wanted.
pub fn write(outcome: &Outcome, path: Option<&Path>, out: &Output) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    export::write_where_told(path, &junit(&outcome.metrics.study, &cases(outcome)))?;
    out.say(&format!("gate: {}", path.display()));
    Ok(())
}

fn cases(outcome: &Outcome) -> Vec<GateCase> {
    let bounds = outcome.metrics.bounds.iter().map(|bound| {
        let (suite, figure) = bound.figure.split_once('.').unwrap_or(("", &bound.figure));
        GateCase {
            suite: suite.to_owned(),
            name: format!("{figure} of {}: {}", bound.subject, bound.demand),
            verdict: bound.broken.clone().map_or(GateVerdict::Kept, GateVerdict::Broken),
        }
    });
    let complete = outcome.metrics.results.iter().map(|result| GateCase {
        suite: result.suite.to_string(),
        name: format!("every answer of {}", result.subject),
        verdict: match result.missing {
            0 => GateVerdict::Kept,
            missing => GateVerdict::Incomplete(super::shortfall::families(missing)),
        },
    });
    bounds.chain(complete).collect()
}
