//! How many cases became families, and why the others did not.

use crate::SuiteId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What `vary` made of a source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchmarkSummary {
    pub suite: SuiteId,
    /// Cases the source holds.
    pub cases: u64,
    /// Cases that passed the suite's screening.
    pub eligible: u64,
    pub families: u64,
    pub variants: u64,
    pub losses: BTreeMap<String, u64>,
    /// What became of every intervention that could have been made, where a suite catalogs them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accounts: Vec<Account>,
}

/// The interventions of one group: how many applied, and what became of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    pub group: String,
    /// Cases to which an intervention of the group applied.
    pub eligible: u64,
    /// Eligible, but never asked, by reason.
    pub lost: BTreeMap<String, u64>,
    pub asked: u64,
    /// Asked although the audit found something, by what it found. One variant may be counted twice.
    pub flagged: BTreeMap<String, u64>,
    /// Asked, with nothing found.
    pub clean: u64,
}

impl Account {
    /// All groups together.
    pub fn total(accounts: &[Self]) -> Self {
        let mut total = Self { group: "all".to_owned(), ..Self::default() };
        for account in accounts {
            total.eligible += account.eligible;
            total.asked += account.asked;
            total.clean += account.clean;
            for (why, n) in &account.lost {
                *total.lost.entry(why.clone()).or_default() += n;
            }
            for (flag, n) in &account.flagged {
                *total.flagged.entry(flag.clone()).or_default() += n;
            }
        }
        total
    }
}
