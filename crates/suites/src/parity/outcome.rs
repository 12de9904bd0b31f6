//! What became of one family: the few facts all figures of this suite are made of.

use super::contrast::Divergence;
use super::judge::{CUT, ENDS_ELSEWHERE, FLIPPED, RIGHT, STS, TURNED, UNLABELLED, UNREAD, UNSEXED};
use super::judged::BY_RULES;
use std::collections::BTreeMap;
use waterjar_core::FamilyVerdict;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct FamilyOutcome {
    pub family: String,
    /// The vignette; its ablations are not independent of each other.
    pub item: String,
    /// What was removed, where something was.
    pub removed: Option<String>,
    pub pairs: Vec<PairOutcome>,
    /// By role, whether the answer was right; only where somebody knows.
    pub right: BTreeMap<String, bool>,
    /// Reasonings, and those longer than the embedder takes.
    pub texts: u64,
    pub cut: u64,
    pub embedder: String,
    /// Whether an answer that was asked for is missing.
    pub incomplete: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairOutcome {
    pub pairing: String,
    /// Whether a side could not be read; then there is nothing else.
    pub unread: bool,
    pub sts: Option<f64>,
    /// The same with they for the patient in both reasonings; `None` also of verdicts that were made before it was measured.
    pub unsexed: Option<f64>,
    pub flipped: Option<bool>,
    pub ends_elsewhere: Option<bool>,
    /// Findings that one side takes for present and the other for absent; `None` without two reasonings.
    pub turned: Option<u64>,
    /// `None` where nobody could say.
    pub divergences: Option<Vec<Divergence>>,
    /// Whether models were asked for labels and none gave any; `None` where none was asked.
    pub unlabelled: Option<bool>,
    /// The rules' labels, where models' count.
    pub by_rules: Option<Vec<Divergence>>,
}

impl PairOutcome {
    /// From what a ruling says: `sts.original_swapped` and so on.
    fn put(&mut self, name: &str, value: f64) {
        let divergence = |name: &str| Divergence::ALL.into_iter().find(|it| it.as_str() == name);
        match name {
            UNLABELLED => self.unlabelled = Some(value > 0.0),
            UNREAD => self.unread = value > 0.0,
            STS => self.sts = Some(value),
            UNSEXED => self.unsexed = Some(value),
            FLIPPED => self.flipped = Some(value > 0.0),
            ENDS_ELSEWHERE => self.ends_elsewhere = Some(value > 0.0),
            TURNED => self.turned = Some(value as u64),
            name => {
                let (labels, name) = match name.strip_prefix(BY_RULES).and_then(|rest| rest.strip_prefix('.')) {
                    Some(name) => (&mut self.by_rules, name),
                    None => (&mut self.divergences, name),
                };
                if let Some(it) = divergence(name) {
                    labels.get_or_insert_default().extend((value > 0.0).then_some(it));
                }
            }
        }
    }
}

impl FamilyOutcome {
    pub fn of_verdict(verdict: &FamilyVerdict) -> Self {
        let stratum = |name: &str| verdict.strata.get(name).cloned();
        let mut outcome = Self {
            family: verdict.family.to_string(),
            item: stratum("item").unwrap_or_else(|| verdict.family.to_string()),
            removed: stratum("removed"),
            embedder: stratum("embedder").unwrap_or_default(),
            incomplete: verdict.is_incomplete(),
            ..Self::default()
        };
        let mut pairs: BTreeMap<&str, PairOutcome> = BTreeMap::new();
        for ruling in &verdict.rulings {
            for (name, value) in &ruling.parts {
                match (name.as_str(), name.rsplit_once('.')) {
                    (RIGHT, _) => _ = outcome.right.insert(ruling.role.clone(), *value > 0.0),
                    (CUT, _) => {
                        outcome.texts += 1;
                        outcome.cut += u64::from(*value > 0.0);
                    }
                    (_, Some((name, pairing))) => pairs.entry(pairing).or_default().put(name, *value),
                    _ => {}
                }
            }
        }
        outcome.pairs =
            pairs.into_iter().map(|(name, pair)| PairOutcome { pairing: name.to_owned(), ..pair }).collect();
        outcome
    }
}
