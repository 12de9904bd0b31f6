//! What a study may say about this suite.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use waterjar_knowledge::Reading;

/// Every key of `[[suite]] kind = "einstellung"`, with its default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    pub kind: String,
    /// What results call it; needed when a study has two suites of a kind.
    pub name: Option<String>,
    /// `starter`, `base:FOLDER`, `ddxplus:FILE_OR_FOLDER`, `jsonl:FILE`, `medeinst:FILE` or `staged:FILE`
    pub source: String,
    /// The folder with the source's conditions and findings, where it is not the source's own.
    pub knowledge: Option<PathBuf>,
    /// How many patients to simulate where the source simulates them.
    pub patients: u64,
    /// How many pairs to make; all that can be made when left out.
    pub pairs: Option<u64>,
    /// Capped balanced sampling: at most so many pairs per condition. 20 as in MedEinst when left out; no cap on pairs that
    /// come finished.
    pub per_condition: Option<u64>,
    /// What subjects are asked for.
    pub ask: Ask,
    /// Who writes the pairs: `rules`, or a model.
    pub author: String,
    /// Who votes on the pairs a model wrote: `rules`, or models, a majority of which must accept.
    pub judges: Vec<String>,
    /// Who looks into why an answer kept the old diagnosis: `rules`, or a model.
    pub auditor: String,
    /// Where the rival comes from.
    pub ranking: Ranking,
    /// A case is hard when its condition and the strongest rival are nearer than this. 0.005 in MedEinst.
    pub gap: f64,
    /// What a finding may be exchanged for. `family` in the starter base, `kind` in DDXPlus, whose families are guessed.
    pub exchange: Option<Alike>,
    /// Swaps at most, in a pair that keeps some of the old evidence.
    pub max_edits: usize,
    /// Swaps at most, in a pair that keeps none of it.
    pub max_pure_edits: usize,
    /// The share of cases tried first as a pair that keeps none of it. The least change that flips sometimes is one anyway.
    pub pure: f64,
    /// The judge's margin: the right condition must be so many times as likely as the other, before and after.
    pub odds: f64,
    /// The judge's least probability of a finding (offline.md 1.4: what flips depends on it).
    pub floor: f64,
    /// Whether the judge weighs details such as the site of a pain. Not in DDXPlus, which publishes no table of them.
    pub details: Option<bool>,
    /// Whether the judge weighs how common the conditions are.
    pub prior: bool,
    /// A sham beside every trap: edits that must not change the answer.
    pub shams: bool,
}

/// What subjects are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// The five likeliest at most, each with a confidence.
    Top5,
    /// One diagnosis.
    One,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ranking {
    /// The source's own differential where it has one, else `symptoms`.
    Auto,
    /// The source's own differential; a case without one is lost.
    Given,
    /// A ranking on symptoms and signs alone.
    Symptoms,
    /// As `auto`, but every case counts as hard: departs from the paper.
    Any,
}

/// How much alike an exchanged finding and its stand-in must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Alike {
    /// Same kind and same family: a drug for a drug, a pain for a pain.
    Family,
    /// Same kind: any symptom for any symptom.
    Kind,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            kind: super::KIND.to_owned(),
            name: None,
            source: "starter".to_owned(),
            knowledge: None,
            patients: 6000,
            pairs: None,
            per_condition: None,
            ask: Ask::Top5,
            author: super::RULES.to_owned(),
            judges: vec![super::RULES.to_owned()],
            auditor: super::RULES.to_owned(),
            ranking: Ranking::Auto,
            gap: 0.005,
            exchange: None,
            max_edits: 3,
            max_pure_edits: 5,
            pure: 0.1,
            odds: 3.0,
            floor: Reading::JUDGE.floor,
            details: None,
            prior: true,
            shams: true,
        }
    }
}

impl Settings {
    /// How the rule judge reads a patient.
    pub fn judge_reading(&self) -> Reading {
        let details = self.details.unwrap_or(!self.is_ddxplus());
        Reading { floor: self.floor, details, prior: self.prior, ..Reading::JUDGE }
    }

    pub(super) fn alike(&self) -> Alike {
        self.exchange.unwrap_or(if self.is_ddxplus() { Alike::Kind } else { Alike::Family })
    }

    pub(super) fn per_condition(&self) -> Option<u64> {
        self.per_condition.or(if self.comes_finished() { None } else { Some(20) })
    }

    /// Whether the source brings pairs instead of patients to make pairs of.
    pub(super) fn comes_finished(&self) -> bool {
        self.source.starts_with("medeinst:") || self.comes_staged()
    }

    /// Whether the source brings cases told in stages: controls, and no traps.
    pub(super) fn comes_staged(&self) -> bool {
        self.source.starts_with("staged:")
    }

    fn is_ddxplus(&self) -> bool {
        self.source.starts_with("ddxplus:")
    }

    /// Values that parse but make no sense, as `key: problem`.
    pub fn problem(&self) -> Option<String> {
        let rules_only = |who: &str| who == super::RULES;
        if !(self.floor > 0.0 && self.floor < 1.0) {
            Some(format!("floor: {} is not between 0 and 1", self.floor))
        } else if !(self.gap > 0.0 && self.gap <= 1.0) {
            Some(format!("gap: {} is not above 0 and at most 1", self.gap))
        } else if !(self.odds >= 1.0 && self.odds.is_finite()) {
            Some(format!("odds: {} is not a number of at least 1", self.odds))
        } else if !(1..=5).contains(&self.max_edits) {
            Some(format!("max_edits: {} is not 1 to 5", self.max_edits))
        } else if self.max_pure_edits > 8 {
            Some(format!("max_pure_edits: {} is more than 8", self.max_pure_edits))
        } else if !(0.0..=1.0).contains(&self.pure) {
            Some(format!("pure: {} is not a share", self.pure))
        } else if self.pairs == Some(0) {
            Some("pairs: 0 is too few".to_owned())
        } else if self.per_condition == Some(0) {
            Some("per_condition: 0 is too few".to_owned())
        } else if self.patients == 0 {
            Some("patients: 0 is too few".to_owned())
        } else if self.judges.is_empty() {
            Some("judges: name at least one, or \"rules\"".to_owned())
        } else if self.comes_finished() && !rules_only(&self.author) {
            Some(
                "author: the cases of this source come finished, so there is nothing to write; leave it out".to_owned(),
            )
        } else if self.comes_finished() && self.knowledge.is_some() {
            Some(
                "knowledge: the cases of this source come with their own labels and need none; leave it out".to_owned(),
            )
        } else if rules_only(&self.author) && !self.judges.iter().all(|judge| rules_only(judge)) {
            Some(
                "judges: models vote on pairs a model wrote; with author = \"rules\" the judge is \"rules\"".to_owned(),
            )
        } else {
            None
        }
    }
}
