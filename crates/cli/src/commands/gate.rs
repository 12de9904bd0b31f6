//! What a build server is told of a run: every bound, and every subject whose answers are not all there.

use crate::output::Output;
use anyhow::Result;
use std::path::Path;
use waterjar_engine::{Outcome, export};
use waterjar_report::{GateCase, GateVerdict, junit};

/// Nothing where no file is wanted.
pub fn write(outcome: &Outcome, path: Option<&Path>, out: &Output) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    export::write_text(path, &junit(&outcome.metrics.study, &cases(outcome)))?;
    out.say(&format!("gate: {}", path.display()));
    Ok(())
}

fn cases(outcome: &Outcome) -> Vec<GateCase> {
    let bounds = outcome.bounds.iter().map(|bound| {
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
