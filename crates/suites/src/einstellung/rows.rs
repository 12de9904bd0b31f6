//! Outputs made elsewhere: one row per pair and subject, JSON Lines or CSV.

use super::label::same;
use super::outcome::{PairOutcome, TrapOutcome};
use super::third::Third;
use crate::table::{Columns, Rows};
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use waterjar_core::SourceError;

/// `{"pair","subject"?,"gt","bias","control","trap","sham"?}`: the labels predicted for control, trap and sham.
/// `null`, or nothing in a CSV, is no answer.
#[derive(Clone, Debug, Deserialize)]
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

const COLUMNS: Columns = Columns {
    told: "the columns are: pair, subject (optional), gt, bias, control, trap, sham (optional)",
    texts: &["pair", "subject", "gt", "bias", "control", "trap", "sham"],
    others: &[],
    one_line: true,
    optional: &["subject", "sham"],
};

/// The subject of rows that name none.
const UNNAMED: &str = "outputs";

type Outcomes = BTreeMap<String, Vec<PairOutcome>>;

/// The outcomes by subject, and what should be known of the rows.
pub fn read(paths: &[&Path]) -> Result<(Outcomes, Vec<String>), SourceError> {
    let mut subjects = Outcomes::new();
    let mut seen = HashSet::new();
    let mut third = Third::default();
    let mut rows = Rows::new(&COLUMNS);
    for path in paths {
        rows.each(path, &mut |line, row: Row| {
            let subject = row.subject.clone().unwrap_or_else(|| UNNAMED.to_owned());
            let is_one_label = same(&row.gt, &row.bias) || same(&row.bias, &row.gt);
            if row.gt.trim().is_empty() || row.bias.trim().is_empty() || is_one_label {
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
            let said = [&row.control, &row.trap, &row.sham].into_iter().filter_map(|it| answer(it.as_ref()));
            said.filter(|it| !same(it, &row.gt) && !same(it, &row.bias)).for_each(|it| third.add(it));
            subjects.entry(subject).or_default().push(outcome(&row));
            Ok(())
        })?;
    }
    if subjects.is_empty() {
        let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(SourceError::new(names.join(", "), "no rows").with_hint(COLUMNS.told));
    }
    Ok((subjects, third.note().into_iter().chain(rows.note()).collect()))
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
