//! Judged answers made elsewhere: one row per answer, JSON Lines or CSV.

use super::outcome::{AnswerOutcome, FamilyOutcome, Graded};
use super::stance::{Claim, Stance};
use crate::table::{Columns, Rows};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use waterjar_core::SourceError;

#[derive(Clone, Debug, Deserialize)]
struct Row {
    /// The patient.
    case: String,
    /// The letter; `control` is the raw question.
    question: String,
    #[serde(default)]
    subject: Option<String>,
    /// 0, 50 or 100; empty where there is no answer.
    #[serde(default)]
    accuracy: Option<f64>,
    #[serde(default)]
    rumor_stance: Option<Claim>,
    #[serde(default)]
    fact_stance: Option<Claim>,
    #[serde(default)]
    evidence: Option<f64>,
    #[serde(default)]
    treatment: Option<f64>,
    #[serde(default)]
    lifestyle: Option<f64>,
    #[serde(default)]
    diagnosis: Option<String>,
}

const COLUMNS: Columns = Columns {
    told: "the columns are: case, question (`control` for the raw one), subject (optional), accuracy (0, 50 or 100; empty where there is \
                       no answer), rumor_stance and fact_stance (supports, opposes or cannot_tell), evidence, treatment, lifestyle (0, 50 or 100), \
                       diagnosis",
    texts: &["case", "question", "subject", "diagnosis"],
    others: &["accuracy", "rumor_stance", "fact_stance", "evidence", "treatment", "lifestyle"],
    one_line: false,
    optional: &["subject"],
};
const UNNAMED: &str = "outputs";
const CONTROL: &str = "control";

type Outcomes = BTreeMap<String, Vec<FamilyOutcome>>;

/// The outcomes by subject, and what should be known of the rows.
pub fn read(paths: &[&Path]) -> Result<(Outcomes, Vec<String>), SourceError> {
    let mut subjects: BTreeMap<String, BTreeMap<String, FamilyOutcome>> = BTreeMap::new();
    let mut rows = Rows::new(&COLUMNS);
    for path in paths {
        rows.each(path, &mut |line, row: Row| {
            let bad = |problem: String| SourceError::at_line(path, line, problem).with_hint(COLUMNS.told);
            let subject = row.subject.clone().unwrap_or_else(|| UNNAMED.to_owned());
            let family = subjects.entry(subject).or_default().entry(row.case.clone()).or_default();
            family.family.clone_from(&row.case);
            let answer = row.outcome().map_err(bad)?;
            let twice = || bad(format!("the question `{}` of `{}` is there twice", row.question, row.case));
            if row.question == CONTROL {
                return family.control.replace(answer).map_or(Ok(()), |_| Err(twice()));
            }
            if family.letters.iter().any(|it| it.role == row.question) {
                return Err(twice());
            }
            family.letters.push(answer);
            Ok(())
        })?;
    }
    if subjects.is_empty() {
        let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
        return Err(SourceError::new(names.join(", "), "no rows").with_hint(COLUMNS.told));
    }
    let outcomes =
        subjects.into_iter().map(|(subject, families)| (subject, families.into_values().collect())).collect();
    Ok((outcomes, rows.note().into_iter().collect()))
}

impl Row {
    fn outcome(&self) -> Result<AnswerOutcome, String> {
        let accuracy = grade("accuracy", self.accuracy)?;
        let answered = accuracy.is_some();
        // What was answered and not judged is the judge's failure, not the subject's.
        // Without an answer there is nothing to judge, whatever else the row says.
        let graded = |score: Option<f64>| match score {
            _ if !answered => Graded::Missing,
            Some(score) => Graded::Score(score),
            None => Graded::Invalid,
        };
        let stance = match (self.rumor_stance, self.fact_stance) {
            (Some(rumor @ (Claim::Supports | Claim::CannotTell)), _) => Some(Stance::of(rumor, Claim::CannotTell)),
            (Some(rumor), Some(fact)) => Some(Stance::of(rumor, fact)),
            _ => None,
        };
        Ok(AnswerOutcome {
            role: self.question.clone(),
            accuracy: graded(accuracy),
            // Rows say whether it came first; how deep it stood otherwise they do not.
            first: accuracy.map(|it| it == 1.0),
            veracity: graded(stance.map(Stance::strict)),
            stance: stance.filter(|_| answered),
            help: [
                graded(grade("evidence", self.evidence)?),
                graded(grade("treatment", self.treatment)?),
                graded(grade("lifestyle", self.lifestyle)?),
            ],
            diagnosis: self
                .diagnosis
                .as_ref()
                .map(|it| it.trim().to_lowercase())
                .filter(|it| answered && !it.is_empty()),
            ..AnswerOutcome::default()
        })
    }
}

fn grade(name: &str, score: Option<f64>) -> Result<Option<f64>, String> {
    match score {
        None => Ok(None),
        Some(score) if [0.0, 50.0, 100.0].contains(&score) => Ok(Some(score / 100.0)),
        Some(score) => Err(format!("{name}: {score} is none of 0, 50 and 100")),
    }
}
