//! Outputs made elsewhere: one row per pair and subject, JSON Lines or CSV.

use super::outcome::{PairOutcome, TrapOutcome};
use crate::table::for_each_row;
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use waterjar_core::SourceError;

/// `{"pair","subject"?,"gt","bias","control","trap","sham"?}`: the labels predicted for control, trap and sham.
/// `null`, or nothing in a CSV, is no answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    pair: String,
    subject: Option<String>,
    gt: String,
    bias: String,
    control: Option<String>,
    trap: Option<String>,
    #[serde(default)]
    sham: Option<String>,
}

const COLUMNS: &str = "the columns are: pair, subject (optional), gt, bias, control, trap, sham (optional)";

/// The subject of rows that name none.
const UNNAMED: &str = "outputs";

/// The outcomes by subject.
pub fn read(paths: &[&Path]) -> Result<BTreeMap<String, Vec<PairOutcome>>, SourceError> {
    let mut subjects: BTreeMap<String, Vec<PairOutcome>> = BTreeMap::new();
    let mut seen = HashSet::new();
    for path in paths {
        for_each_row(path, COLUMNS, &mut |line, row: Row| {
            let subject = row.subject.clone().unwrap_or_else(|| UNNAMED.to_owned());
            if row.gt.trim().is_empty() || row.bias.trim().is_empty() || same(&row.gt, &row.bias) {
                return Err(SourceError::at_line(
                    path,
                    line,
                    format!("pair `{}`: gt and bias must be two different labels", row.pair),
                ));
            }
            if !seen.insert((subject.clone(), row.pair.clone())) {
                return Err(SourceError::at_line(
                    path,
                    line,
                    format!("pair `{}` of `{subject}` is there twice", row.pair),
                )
                .with_hint("each subject answers each pair once; give repeats a subject name of their own"));
            }
            subjects.entry(subject).or_default().push(outcome(&row));
            Ok(())
        })?;
    }
    if subjects.is_empty() {
        let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(SourceError::new(names.join(", "), "no rows").with_hint(COLUMNS));
    }
    Ok(subjects)
}

fn outcome(row: &Row) -> PairOutcome {
    let trap = answer(row.trap.as_ref()).map(|label| match label {
        label if same(label, &row.bias) => TrapOutcome::Robust,
        label if same(label, &row.gt) => TrapOutcome::Rigid,
        _ => TrapOutcome::Stochastic,
    });
    let kept = |said: Option<&String>| answer(said).map(|label| same(label, &row.gt));
    let control = kept(row.control.as_ref());
    PairOutcome {
        family: row.pair.clone(),
        incomplete: control.is_none() || trap.is_none(),
        control,
        trap,
        sham: kept(row.sham.as_ref()),
        strata: BTreeMap::from([
            ("condition".to_owned(), row.gt.trim().to_owned()),
            ("pair".to_owned(), format!("{} > {}", row.gt.trim(), row.bias.trim())),
        ]),
        ..PairOutcome::default()
    }
}

fn answer(said: Option<&String>) -> Option<&str> {
    said.map(|label| label.trim()).filter(|label| !label.is_empty())
}

fn same(a: &str, b: &str) -> bool {
    a.trim().to_lowercase() == b.trim().to_lowercase()
}
