//! What a rule asks of a reading: `metastatic`, `not operated`, `HER2+`.

use super::Reading;
use super::reading::Operation;
use super::rules::GUIDELINE;
use crate::boards::{BoardError, Formulary};
use std::collections::BTreeSet;

pub(super) struct Condition {
    holds: bool,
    what: What,
}

enum What {
    Metastatic,
    LocallyAdvanced,
    Localized,
    Untreated,
    Pretreated,
    Planned,
    Operated,
    Pregnant,
    Postmenopausal,
    Anticoagulated,
    Positive(String),
    Negative(String),
    Failed(String),
    Completed(String),
    Responding(String),
    Allergic(String),
    On(String),
    Site(String),
    Word(String),
    Stage(String),
    EgfrBelow(u16),
    PdL1AtLeast(u16),
    EcogAtLeast(u8),
    AgeBelow(u8),
}

pub(super) fn all_hold(conditions: &[Condition], reading: &Reading, formulary: &Formulary) -> bool {
    conditions.iter().all(|condition| condition.what.of(reading, formulary) == condition.holds)
}

impl What {
    fn of(&self, reading: &Reading, formulary: &Formulary) -> bool {
        let any =
            |told: &BTreeSet<String>, name: &str| drugs_named(formulary, name).iter().any(|drug| told.contains(drug));
        match self {
            Self::Metastatic => reading.metastatic,
            Self::LocallyAdvanced => reading.locally_advanced,
            Self::Localized => !reading.metastatic && !reading.locally_advanced && !reading.distant,
            Self::Untreated => {
                reading.failed.is_empty() && reading.completed.is_empty() && reading.responding.is_empty()
            }
            // What was completed may have come before the operation, for the same aim.
            Self::Pretreated => !reading.failed.is_empty() || !reading.responding.is_empty(),
            Self::Planned => reading.operation == Operation::Planned,
            Self::Operated => reading.operation == Operation::Done,
            Self::Pregnant => reading.pregnant,
            Self::Postmenopausal => reading.postmenopausal,
            Self::Anticoagulated => !reading.anticoagulants.is_empty(),
            Self::Positive(marker) => reading.marker(marker) == Some(true),
            Self::Negative(marker) => reading.marker(marker) == Some(false),
            Self::Failed(name) => any(&reading.failed, name),
            Self::Completed(name) => any(&reading.completed, name),
            Self::Responding(name) => any(&reading.responding, name),
            Self::Allergic(name) => reading.allergies.contains(name) || any(&reading.allergies, name),
            Self::On(name) => reading.anticoagulants.contains(name),
            Self::Site(site) => reading.sites.contains(site),
            Self::Word(word) => reading.words.contains(word),
            Self::Stage(group) => reading.stage.as_deref().is_some_and(|told| told.starts_with(group.as_str())),
            Self::EgfrBelow(least) => reading.egfr.is_some_and(|told| told < *least),
            Self::PdL1AtLeast(least) => reading.pd_l1.is_some_and(|told| told >= *least),
            Self::EcogAtLeast(least) => reading.performance.is_some_and(|told| told >= *least),
            Self::AgeBelow(least) => reading.age.is_some_and(|told| told < *least),
        }
    }
}

impl Reading {
    /// The germline genes may be told together or one by one.
    fn marker(&self, name: &str) -> Option<bool> {
        let told = |name: &str| self.markers.get(name).copied();
        if name != "BRCA" {
            return told(name);
        }
        let genes = ["BRCA1", "BRCA2", "BRCA1/2"].map(told);
        if genes.contains(&Some(true)) { Some(true) } else { genes.into_iter().flatten().next() }
    }
}

/// A drug, the drugs of a regimen, or all drugs of a class.
pub(super) fn drugs_named(formulary: &Formulary, name: &str) -> BTreeSet<String> {
    let named = formulary.drugs_of(name);
    if !named.is_empty() {
        return named.into_iter().map(str::to_owned).collect();
    }
    let of_class = formulary.drugs().filter(|(_, drug)| drug.class == name);
    of_class.map(|(drug, _)| drug.to_owned()).collect()
}

pub(super) fn conditions(written: &[String]) -> Result<Vec<Condition>, BoardError> {
    written.iter().map(|text| condition(text)).collect()
}

/// `metastatic`, `not operated`, `HER2+`, `failed platinum`, `eGFR < 50`
fn condition(text: &str) -> Result<Condition, BoardError> {
    let (holds, text) = text.strip_prefix("not ").map_or((true, text), |rest| (false, rest));
    let unknown = || BoardError::new(GUIDELINE, format!("`{text}` is no condition we know"));
    let number = |text: &str| text.trim().parse::<u16>().map_err(|_| unknown());
    let what = match text {
        "metastatic" => What::Metastatic,
        "locally advanced" => What::LocallyAdvanced,
        "localized" => What::Localized,
        "untreated" => What::Untreated,
        "pretreated" => What::Pretreated,
        "planned" => What::Planned,
        "operated" => What::Operated,
        "pregnant" => What::Pregnant,
        "postmenopausal" => What::Postmenopausal,
        "anticoagulated" => What::Anticoagulated,
        _ => {
            let after = |stem: &str| text.strip_prefix(stem).map(str::to_owned);
            if let Some(name) = after("failed ") {
                What::Failed(name)
            } else if let Some(name) = after("completed ") {
                What::Completed(name)
            } else if let Some(name) = after("responding to ") {
                What::Responding(name)
            } else if let Some(name) = after("allergic to ") {
                What::Allergic(name)
            } else if let Some(name) = after("on ") {
                What::On(name)
            } else if let Some(site) = after("spread to ") {
                What::Site(site)
            } else if let Some(word) = after("with ") {
                What::Word(word)
            } else if let Some(group) = after("stage ") {
                What::Stage(group)
            } else if let Some(least) = after("eGFR < ") {
                What::EgfrBelow(number(&least)?)
            } else if let Some(least) = after("PD-L1 >= ") {
                What::PdL1AtLeast(number(&least)?)
            } else if let Some(least) = after("ECOG >= ") {
                What::EcogAtLeast(number(&least)? as u8)
            } else if let Some(least) = after("age < ") {
                What::AgeBelow(number(&least)? as u8)
            } else if let Some(marker) = text.strip_suffix('+') {
                What::Positive(marker.to_owned())
            } else if let Some(marker) = text.strip_suffix('-') {
                What::Negative(marker.to_owned())
            } else {
                return Err(unknown());
            }
        }
    };
    Ok(Condition { holds, what })
}
