//! What a condition looks like: who has it, and how often each finding is there.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use waterjar_core::{ConditionId, FindingId, Sex};

#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    pub id: ConditionId,
    pub name: String,
    pub icd10: String,
    /// Other names, for reading free-text answers.
    pub synonyms: Vec<String>,
    pub specialty: String,
    /// 1 life-threatening … 5 self-limiting.
    pub severity: u8,
    pub sex: Option<Sex>,
    pub age: AgeRange,
    pub prior: Prior,
    /// Conditions a good clinician would have to tell apart from this one; empty where the source names none.
    pub rivals: Vec<ConditionId>,
    pub findings: BTreeMap<FindingId, Likelihood>,
    pub values: BTreeMap<FindingId, ValueChance>,
}

/// A diagnosis that several conditions are forms of, such as stroke: which of them an answer means shows in what was asked.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Umbrella {
    /// Names and ICD-10 codes, the usual one first.
    pub names: Vec<String>,
    pub members: Vec<ConditionId>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likelihood {
    /// P(finding | condition)
    pub p: f64,
    /// The condition is hardly thinkable without it.
    pub essential: bool,
    /// Seen in hardly anything else.
    pub pathognomonic: bool,
}

/// How the detail of a finding is spread in a condition.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueChance {
    /// Of a choice, shares that sum to 1; of a multi, each value's own chance.
    Shares(BTreeMap<String, f64>),
    /// A number from 0 to 10.
    Scale { mean: f64, sd: f64 },
}

/// Relative weight by sex at ages 0–14, 15–39, 40–64 and 65 or more.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prior {
    #[serde(rename = "F")]
    pub f: [f64; 4],
    #[serde(rename = "M")]
    pub m: [f64; 4],
}

/// Both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgeRange(pub u8, pub u8);

impl AgeRange {
    pub const ANY: Self = Self(0, 120);

    pub fn contains(self, age: u8) -> bool {
        (self.0..=self.1).contains(&age)
    }
}

impl Prior {
    /// The ages a band covers; people above 95 are not simulated.
    pub const BANDS: [AgeRange; 4] = [AgeRange(0, 14), AgeRange(15, 39), AgeRange(40, 64), AgeRange(65, 95)];

    pub const UNIFORM: Self = Self { f: [1.0; 4], m: [1.0; 4] };

    pub fn bands(&self, sex: Sex) -> &[f64; 4] {
        match sex {
            Sex::F => &self.f,
            Sex::M => &self.m,
        }
    }

    pub fn weight(&self, sex: Sex, age: u8) -> f64 {
        let band = match age {
            0..=14 => 0,
            15..=39 => 1,
            40..=64 => 2,
            _ => 3,
        };
        self.bands(sex)[band]
    }
}

impl Condition {
    /// Relative weight in a person of this sex and age; zero where it cannot be.
    pub fn weight(&self, sex: Sex, age: u8) -> f64 {
        let possible = self.sex.is_none_or(|only| only == sex) && self.age.contains(age);
        if possible { self.prior.weight(sex, age) } else { 0.0 }
    }

    pub fn lists(&self, finding: &FindingId) -> bool {
        self.findings.contains_key(finding)
    }
}
