//! What one rater said, held against the key.

use super::{Pick, Story};
use std::collections::{BTreeMap, HashSet};
use waterjar_core::{Expectation, FamilyId, Metric, SubjectId, SubjectResult, SuiteId, Variant, metric::rounded};
use waterjar_scoring::stats::wilson;

/// How often the rater chose what the key says.
#[derive(Clone, Debug, Default)]
pub struct Held {
    parts: BTreeMap<Part, Count>,
    stories: u64,
    /// Those of which a story was answered.
    families: HashSet<FamilyId>,
    /// Nothing is not wrong.
    pub unanswered: u64,
}

/// The stories that a share is of, in the order in which they are told.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    All,
    Role(String),
    /// `purity`, `mixed`
    OfTraps {
        by: &'static str,
        value: String,
    },
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    agreed: u64,
    n: u64,
}

/// What traps are told apart by, where they say it.
const STRATA: [&str; 2] = ["place", "purity"];

impl Held {
    pub fn add(&mut self, story: &Story<'_>, said: Option<Pick>) {
        let agrees = said.map(|pick| pick == story.key());
        self.stories += 1;
        if agrees.is_some() {
            self.families.insert(story.variant.family.clone());
        }
        self.unanswered += u64::from(agrees.is_none());
        for part in Part::of(story.variant) {
            let count = self.parts.entry(part).or_default();
            count.n += u64::from(agrees.is_some());
            count.agreed += u64::from(agrees == Some(true));
        }
    }

    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        self.parts.keys()
    }

    /// The share with Wilson's interval. In all there is one only where no family was answered twice: versions of a patient are not
    /// independent.
    pub fn metric(&self, part: &Part) -> Metric {
        let Count { agreed, n } = self.parts.get(part).copied().unwrap_or_default();
        let is_independent = *part != Part::All || self.families.len() as u64 == n;
        let interval = wilson(agreed, n).filter(|_| is_independent);
        Metric {
            value: (n > 0).then(|| rounded(agreed as f64 / n as f64)),
            low: interval.map(|it| rounded(it.low)),
            high: interval.map(|it| rounded(it.high)),
            n,
            ..Metric::default()
        }
    }

    /// In the shape of metrics.json, beside the agreement between raters.
    pub fn result(&self, rater: &str) -> SubjectResult {
        SubjectResult {
            suite: SuiteId::from("agreement"),
            subject: SubjectId::from(rater),
            n: self.stories,
            missing: self.unanswered,
            reference: false,
            metrics: self.parts().map(|part| (part.metric(), self.metric(part))).collect(),
            breakdown: Vec::new(),
        }
    }
}

impl Part {
    fn of(variant: &Variant) -> Vec<Self> {
        let mut parts = vec![Self::All, Self::Role(variant.role().to_owned())];
        if matches!(variant.expectation, Expectation::Flips { .. }) {
            let of_traps = |by| Some(Self::OfTraps { by, value: variant.strata.get(by)?.clone() });
            parts.extend(STRATA.into_iter().filter_map(of_traps));
        }
        parts
    }

    /// `key_agreement.purity_mixed`
    pub fn metric(&self) -> String {
        match self {
            Self::All => "key_agreement".to_owned(),
            Self::Role(role) => format!("key_agreement.{role}"),
            Self::OfTraps { by, value } => format!("key_agreement.{by}_{value}"),
        }
    }

    /// `trap, purity mixed`
    pub fn title(&self) -> String {
        match self {
            Self::All => "all stories".to_owned(),
            Self::Role(role) => role.clone(),
            Self::OfTraps { by, value } => format!("trap, {by} {value}"),
        }
    }
}
