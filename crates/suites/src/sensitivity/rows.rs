//! Outputs made elsewhere: one row per case and intervention, or per case for CMS, JSON Lines or CSV.

use super::catalog::FamilyOf;
use super::coverage::Coverage;
use super::outcome::{CaseOutcome, TupleOutcome};
use crate::table::{Columns, Rows};
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use waterjar_core::SourceError;

/// `{"case","intervention","family","subject"?,"score"}`, or a case's coverage: `{"case","strong_recall",…}`.
#[derive(Clone, Debug, Deserialize)]
struct Row {
    case: String,
    subject: Option<String>,
    #[serde(default)]
    intervention: Option<String>,
    #[serde(default)]
    family: Option<String>,
    #[serde(default)]
    score: Option<f64>,
    #[serde(default)]
    latent: Option<bool>,
    #[serde(default)]
    consensus: Option<String>,
    #[serde(default)]
    cancer: Option<String>,
    #[serde(default)]
    strong_recall: Option<f64>,
    #[serde(default)]
    tacit_recall: Option<f64>,
    #[serde(default)]
    refusal_rate: Option<f64>,
    #[serde(default)]
    extra_plausibility: Option<f64>,
}

const COLUMNS: Columns = Columns {
    told: "the columns are: case, subject (optional), intervention, family, score (0, 0.5, 1 or nothing), \
                       and optional strata latent (true, false), consensus, cancer; a row on coverage has \
                       case, subject (optional), strong_recall, tacit_recall, refusal_rate, extra_plausibility",
    texts: &["case", "subject", "intervention", "family", "consensus", "cancer"],
    others: &["score", "latent", "strong_recall", "tacit_recall", "refusal_rate", "extra_plausibility"],
    one_line: true,
    optional: &["subject", "latent", "consensus", "cancer"],
};

/// The subject of rows that name none.
const UNNAMED: &str = "outputs";

type Cases = BTreeMap<String, CaseOutcome>;
type Outcomes = BTreeMap<String, Vec<CaseOutcome>>;

/// The outcomes by subject, and what should be known of the rows.
pub fn read(paths: &[&Path]) -> Result<(Outcomes, Vec<String>), SourceError> {
    let mut subjects: BTreeMap<String, Cases> = BTreeMap::new();
    let mut seen = HashSet::new();
    let mut rows = Rows::new(&COLUMNS);
    for path in paths {
        rows.each(path, &mut |line, row: Row| {
            let bad = |problem: String| SourceError::at_line(path, line, problem).with_hint(COLUMNS.told);
            let subject = row.subject.clone().unwrap_or_else(|| UNNAMED.to_owned());
            let what = row.intervention.clone().unwrap_or_else(|| "its coverage".to_owned());
            if !seen.insert((subject.clone(), row.case.clone(), row.intervention.clone())) {
                return Err(bad(format!("case `{}` of `{subject}`: {what} is there twice", row.case)));
            }
            let case = subjects
                .entry(subject)
                .or_default()
                .entry(row.case.clone())
                .or_insert_with(|| CaseOutcome { case: row.case.clone(), ..CaseOutcome::default() });
            if row.intervention.is_some() {
                let tuple = tuple(row).map_err(bad)?;
                case.incomplete |= tuple.score.is_none();
                case.tuples.push(tuple);
            } else {
                case.coverage = Some(coverage(&row).map_err(bad)?);
            }
            Ok(())
        })?;
    }
    if subjects.is_empty() {
        let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(SourceError::new(names.join(", "), "no rows").with_hint(COLUMNS.told));
    }
    let outcomes = subjects.into_iter().map(|(subject, cases)| (subject, cases.into_values().collect())).collect();
    Ok((outcomes, rows.note().into_iter().collect()))
}

fn tuple(row: Row) -> Result<TupleOutcome, String> {
    let named = row.family.unwrap_or_default();
    let known: Vec<&str> = FamilyOf::ALL.iter().map(|family| family.name()).collect();
    let family = FamilyOf::named(&named)
        .ok_or_else(|| format!("no family is called `{named}`; the families are: {}", known.join(", ")))?;
    if let Some(score) = row.score.filter(|score| ![0.0, 0.5, 1.0].contains(score)) {
        return Err(format!("a score of {score}: it is 0, 0.5 or 1"));
    }
    let latent = row.latent.map(|latent| if latent { "yes" } else { "no" }.to_owned());
    let strata = [("latent", latent), ("consensus", row.consensus), ("cancer", row.cancer)];
    Ok(TupleOutcome {
        strata: strata.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))).collect(),
        intervention: row.intervention.unwrap_or_default(),
        family: family.name().to_owned(),
        score: row.score,
        ..TupleOutcome::default()
    })
}

fn coverage(row: &Row) -> Result<Coverage, String> {
    let parts = [row.strong_recall, row.tacit_recall, row.refusal_rate, row.extra_plausibility];
    if parts.iter().all(Option::is_none) {
        return Err(format!("case `{}` has neither an intervention nor a part of its coverage", row.case));
    }
    if let Some(part) = parts.iter().flatten().find(|part| !(0.0..=1.0).contains(*part)) {
        return Err(format!("{part} is not a share"));
    }
    let [strong, tacit, refusal, extra] = parts;
    Ok(Coverage { strong, tacit, refusal, extra })
}
