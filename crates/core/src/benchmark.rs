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
    /// Cases that passed the suite's screening; interventions that applied, where a suite catalogs them.
    pub eligible: u64,
    pub families: u64,
    pub variants: u64,
    pub losses: BTreeMap<String, u64>,
    /// What became of every intervention that could have been made.
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
    /// To how many cases each intervention applied (`APPLIES`), or why not, by its name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub by_entry: BTreeMap<String, BTreeMap<String, u64>>,
}

impl Account {
    /// The reason of `by_entry` that is none against it.
    pub const APPLIES: &str = "applies";

    /// All groups together.
    pub fn total(accounts: &[Self]) -> Self {
        let mut total = Self { group: "all".to_owned(), ..Self::default() };
        accounts.iter().for_each(|account| total.add(account));
        total
    }

    /// One account for each group, in the order of their names.
    pub fn by_group(accounts: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut groups: BTreeMap<String, Self> = BTreeMap::new();
        for account in accounts {
            let group = groups.entry(account.group.clone());
            group.or_insert_with(|| Self { group: account.group.clone(), ..Self::default() }).add(&account);
        }
        groups.into_values().collect()
    }

    fn add(&mut self, other: &Self) {
        self.eligible += other.eligible;
        self.asked += other.asked;
        self.clean += other.clean;
        for (why, n) in &other.lost {
            *self.lost.entry(why.clone()).or_default() += n;
        }
        for (flag, n) in &other.flagged {
            *self.flagged.entry(flag.clone()).or_default() += n;
        }
        for (intervention, reasons) in &other.by_entry {
            let known = self.by_entry.entry(intervention.clone()).or_default();
            for (why, n) in reasons {
                *known.entry(why.clone()).or_default() += n;
            }
        }
    }
}
