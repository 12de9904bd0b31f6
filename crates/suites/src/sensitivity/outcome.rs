//! What became of one case: the few facts all figures of this suite are made of.

use super::coverage::{Coverage, EXTRA_PLAUSIBILITY};
use std::collections::BTreeMap;
use waterjar_core::{FamilyVerdict, Outcome, Ruling};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct CaseOutcome {
    pub case: String,
    pub coverage: Option<Coverage>,
    pub tuples: Vec<TupleOutcome>,
    /// Tool calls by section, for every answer that made any.
    pub calls: Vec<BTreeMap<&'static str, f64>>,
    /// Whether an answer that was asked for is missing.
    pub incomplete: bool,
    pub strata: BTreeMap<String, String>,
}

/// One intervention on one case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TupleOutcome {
    pub intervention: String,
    /// `A`, `allergy`
    pub family: String,
    /// 0, 0.5 or 1; `None` without an answer.
    pub score: Option<f64>,
    /// Whether the audit found nothing; `None` where there was no audit.
    pub clean: Option<bool>,
    /// The control's list already did what was required.
    pub already_met: bool,
    /// The rule's grade, where a model's is the score.
    pub rules: Option<f64>,
    /// The grade of each model that graded, by its name.
    pub judges: BTreeMap<String, f64>,
    /// Models that were to grade and could not.
    pub silent: Vec<String>,
    /// What a refusal of an incoherent change would be worth; `None` where no model graded.
    pub refusal_credit: Option<f64>,
    pub strata: BTreeMap<String, String>,
}

impl CaseOutcome {
    pub fn of_verdict(verdict: &FamilyVerdict) -> Self {
        let control = verdict.ruling("control").filter(|ruling| ruling.outcome != Outcome::Missing);
        let part = |ruling: &Ruling, name: &str| ruling.parts.get(name).copied();
        let covered = control.filter(|ruling| ruling.parts.contains_key(EXTRA_PLAUSIBILITY));
        let coverage = covered.map(|ruling| Coverage::of_parts(&ruling.parts));
        let tuples = verdict.rulings.iter().filter(|ruling| ruling.role != "control").map(|ruling| TupleOutcome {
            intervention: ruling.role.clone(),
            family: ruling.strata.get("family").cloned().unwrap_or_default(),
            score: ruling.score.filter(|_| ruling.outcome != Outcome::Missing),
            clean: ruling.strata.get("clean").map(|clean| clean == "yes"),
            already_met: part(ruling, "already_met") == Some(1.0),
            rules: part(ruling, super::judged::RULES_SCORE),
            judges: ruling
                .parts
                .iter()
                .filter_map(|(name, grade)| Some((name.strip_prefix(super::judged::JUDGE)?.to_owned(), *grade)))
                .collect(),
            silent: ruling
                .parts
                .keys()
                .filter_map(|name| Some(name.strip_prefix(super::judged::UNGRADED)?.to_owned()))
                .collect(),
            refusal_credit: part(ruling, super::judged::REFUSAL_CREDIT),
            strata: ruling.strata.clone(),
        });
        Self {
            case: verdict.family.to_string(),
            coverage,
            tuples: tuples.collect(),
            calls: verdict.rulings.iter().map(super::calls::of_ruling).filter(|calls| !calls.is_empty()).collect(),
            incomplete: verdict.is_incomplete(),
            strata: verdict.strata.clone(),
        }
    }
}
