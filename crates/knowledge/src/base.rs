//! All that is known: conditions and findings, checked once and then looked up by name or by place in the table.

use crate::{Condition, Finding, Likelihood, Umbrella};
use std::collections::HashMap;
use waterjar_core::{ConditionId, FindingId};

/// Everything is sorted by id, so that the same knowledge gives the same bytes whatever order it was written in.
#[derive(Clone, Debug)]
pub struct KnowledgeBase {
    pub name: String,
    conditions: Vec<Condition>,
    findings: Vec<Finding>,
    umbrellas: Vec<Umbrella>,
    parents_answer: bool,
    condition_at: HashMap<ConditionId, usize>,
    finding_at: HashMap<FindingId, usize>,
    /// By row and column, what the conditions list: every patient and every differential goes through it.
    listed: Vec<Option<Likelihood>>,
}

#[derive(Debug, thiserror::Error)]
pub enum BaseError {
    #[error("{place}: {problem}")]
    Invalid { place: String, problem: String },
    #[error("cannot read {path}: {source}")]
    Unreadable { path: String, source: std::io::Error },
}

impl KnowledgeBase {
    /// Takes what was read and refuses what does not hold together.
    pub fn new(name: &str, mut conditions: Vec<Condition>, mut findings: Vec<Finding>) -> Result<Self, BaseError> {
        conditions.sort_by(|a, b| a.id.cmp(&b.id));
        findings.sort_by(|a, b| a.id.cmp(&b.id));
        let condition_at = places(name, "condition", conditions.iter().map(|it| &it.id))?;
        let finding_at = places(name, "finding", findings.iter().map(|it| &it.id))?;
        let mut listed = vec![None; conditions.len() * findings.len()];
        for (row, condition) in conditions.iter().enumerate() {
            let named = condition.findings.keys().chain(condition.values.keys());
            for finding in named {
                if !finding_at.contains_key(finding) {
                    return Err(invalid(
                        format!("{name}, condition `{}`", condition.id),
                        format!("no finding is called `{finding}`"),
                    ));
                }
            }
            for (finding, likelihood) in &condition.findings {
                listed[row * findings.len() + finding_at[finding]] = Some(*likelihood);
            }
        }
        for finding in &findings {
            if let Some(parent) = &finding.parent
                && !finding_at.contains_key(parent)
            {
                return Err(invalid(
                    format!("{name}, finding `{}`", finding.id),
                    format!("its parent `{parent}` does not exist"),
                ));
            }
        }
        let (umbrellas, parents_answer) = (Vec::new(), false);
        Ok(Self {
            name: name.to_owned(),
            conditions,
            findings,
            umbrellas,
            parents_answer,
            condition_at,
            finding_at,
            listed,
        })
    }

    /// Names that fit several of the conditions.
    #[must_use]
    pub fn with_umbrellas(self, umbrellas: Vec<Umbrella>) -> Self {
        Self { umbrellas, ..self }
    }

    /// Stories of small children say that a parent answers. Other sources' stories stay as they are published.
    #[must_use]
    pub fn with_parents_answering(self) -> Self {
        Self { parents_answer: true, ..self }
    }

    pub fn parents_answer(&self) -> bool {
        self.parents_answer
    }

    /// For a source that names conditions and tells nothing of them.
    pub fn nothing() -> Self {
        Self::new("nothing", Vec::new(), Vec::new()).expect("nothing contradicts nothing")
    }

    /// A hash of all that patients are made of. Umbrellas only tell how answers are read: see [`Self::umbrellas_hash`].
    pub fn fingerprint(&self) -> String {
        let mut known = format!("{:?} {:?}", self.conditions, self.findings);
        if self.parents_answer {
            known.push_str(" parents answer");
        }
        blake3::hash(known.as_bytes()).to_hex().to_string()
    }

    /// A hash of the names that fit several conditions, if there are any: with others, the same answers are read as other diagnoses.
    pub fn umbrellas_hash(&self) -> Option<String> {
        let known = || format!("{:?}", self.umbrellas);
        (!self.umbrellas.is_empty()).then(|| blake3::hash(known().as_bytes()).to_hex().to_string())
    }

    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    pub fn umbrellas(&self) -> &[Umbrella] {
        &self.umbrellas
    }

    pub fn condition(&self, id: &ConditionId) -> Option<&Condition> {
        self.condition_index(id).map(|at| &self.conditions[at])
    }

    pub fn finding(&self, id: &FindingId) -> Option<&Finding> {
        self.finding_index(id).map(|at| &self.findings[at])
    }

    pub fn condition_index(&self, id: &ConditionId) -> Option<usize> {
        self.condition_at.get(id).copied()
    }

    pub fn finding_index(&self, id: &FindingId) -> Option<usize> {
        self.finding_at.get(id).copied()
    }

    /// What the condition lists of the finding, by their places.
    pub fn listed(&self, condition: usize, finding: usize) -> Option<&Likelihood> {
        self.listed[condition * self.findings.len() + finding].as_ref()
    }

    /// P(finding | condition); zero where the condition does not list the finding.
    pub fn chance(&self, condition: usize, finding: usize) -> f64 {
        self.listed(condition, finding).map_or(0.0, |it| it.p)
    }

    /// How much a finding tells of a condition against all others: its chance there over its mean chance elsewhere.
    /// Unlisted counts as `floor`, so that a finding no other condition lists is not infinitely specific.
    pub fn specificity(&self, condition: usize, finding: usize, floor: f64) -> f64 {
        let others = self.conditions.len().saturating_sub(1).max(1) as f64;
        let elsewhere: f64 = (0..self.conditions.len())
            .filter(|&other| other != condition)
            .map(|other| self.chance(other, finding).max(floor))
            .sum();
        self.chance(condition, finding).max(floor) / (elsewhere / others)
    }
}

fn places<'a, Id: Clone + Eq + std::hash::Hash + std::fmt::Display + 'a>(
    base: &str,
    noun: &str,
    ids: impl Iterator<Item = &'a Id>,
) -> Result<HashMap<Id, usize>, BaseError> {
    let mut places = HashMap::new();
    for (at, id) in ids.enumerate() {
        if places.insert(id.clone(), at).is_some() {
            return Err(invalid(base.to_owned(), format!("two {noun}s are called `{id}`")));
        }
    }
    Ok(places)
}

fn invalid(place: String, problem: String) -> BaseError {
    BaseError::Invalid { place, problem }
}
