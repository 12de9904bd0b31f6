//! Reasoning without a language model: words of the lexicon, illness graphs that were learnt, articles that were looked up.

mod audit;
mod critic;
mod first_sight;
mod profile;
#[cfg(test)]
mod tests;

pub use critic::RulesCritic;

use super::stages::{
    Bearing, BearingKind, FeatureKind, Intuition, Knowledge, KnowledgeNode, Link, LinkKind, Opinion, PatientNode,
    Reexamination, Reexamined, Relations, Representation, Status,
};
use super::{Auditing, Differing, Reasoner, Relating, Sight};
use crate::ecr::evidence::ArticleReader;
use crate::ecr::lexicon::{Lexicon, Said};
use crate::ecr::likeness::Likeness;
use async_trait::async_trait;
use profile::{Bears, Profiles};
use std::collections::BTreeSet;
use std::sync::Arc;
use waterjar_core::{AgentError, FindingState, Sex, counted};

/// Raised whenever the rules would say something else.
pub const VERSION: u32 = 1;

/// A site or a character varies from patient to patient, and one finding has several: each weighs less than a finding.
const DETAIL: f64 = 0.3;

pub struct Rules {
    lexicon: Arc<Lexicon>,
    likeness: Arc<Likeness>,
    profiles: Profiles,
}

impl Rules {
    pub fn new(lexicon: Arc<Lexicon>, likeness: Arc<Likeness>) -> Self {
        let profiles = Profiles::new(ArticleReader::new(&lexicon));
        Self { lexicon, likeness, profiles }
    }
}

#[async_trait]
impl Reasoner for Rules {
    fn fingerprint(&self) -> String {
        format!("rules v{VERSION}")
    }

    /// The built-in reader's first sight.
    async fn intuit(&self, sight: &Sight<'_>, most: usize) -> Result<Intuition, AgentError> {
        first_sight::ask(sight, most).await
    }

    async fn represent(&self, sight: &Sight<'_>) -> Result<Representation, AgentError> {
        let said = self.lexicon.read(&sight.prompt.text);
        let node = |content: String| PatientNode { original: content.clone(), content, status: Status::Present };
        let mut nodes: Vec<PatientNode> = person(&said).into_iter().map(node).collect();
        nodes.extend(said.statements.iter().map(|statement| PatientNode {
            content: statement.content.clone(),
            original: statement.original.clone(),
            status: match statement.state {
                FindingState::Present => Status::Present,
                FindingState::Denied => Status::Absent,
            },
        }));
        Ok(Representation { one_liner: one_liner(&said), nodes })
    }

    async fn tell_apart(&self, sight: &Sight<'_>, about: &Differing<'_>) -> Result<Knowledge, AgentError> {
        let profiles: Vec<_> = about.dossiers.iter().map(|dossier| self.profiles.of(dossier)).collect();
        let contents: BTreeSet<&str> = profiles.iter().flat_map(|profile| profile.contents()).collect();
        let ignored = |content: &str| sight.feedback.iter().any(|it| it.ignored.iter().any(|known| known == content));
        let misled = |content: &str| sight.feedback.iter().any(|it| it.misleading.iter().any(|known| known == content));
        let mut features = Vec::with_capacity(contents.len());
        for content in contents {
            let (mut supports, mut rules_out) = (Vec::new(), Vec::new());
            let (mut most, mut least) = (0.0_f64, 1.0_f64);
            for (number, profile) in (0..).zip(&profiles) {
                let strength = match profile.bears(content) {
                    Bears::For { strength, .. } => {
                        supports.push(number);
                        strength
                    }
                    Bears::Against { .. } => {
                        rules_out.push(number);
                        0.0
                    }
                    Bears::Nothing => continue,
                };
                (most, least) = (most.max(strength), least.min(strength));
            }
            // It tells candidates apart when it speaks against at least as many as it speaks for.
            let pivot = about.pivots && !supports.is_empty() && rules_out.len() >= supports.len();
            let mut importance = if pivot { 1.0 } else { 0.5 + 0.5 * (most - least).max(0.0) };
            let credit: i32 = profiles.iter().map(|profile| profile.credit(content)).sum();
            importance += 0.1 * f64::from(credit);
            if self.lexicon.is_detail(content) {
                importance *= DETAIL;
            }
            if misled(content) {
                importance *= 0.5;
            }
            if ignored(content) {
                importance = 1.0;
            }
            let importance = importance.clamp(0.0, 1.0);
            let kind = if pivot { FeatureKind::Pivot } else { FeatureKind::General };
            features.push(KnowledgeNode { content: content.to_owned(), kind, importance, supports, rules_out });
        }
        Ok(Knowledge { features })
    }

    async fn relate(&self, _: &Sight<'_>, about: &Relating<'_>) -> Result<Relations, AgentError> {
        let mut relations = Relations::default();
        let facts: Vec<&str> = about.patient.nodes.iter().map(|node| node.content.as_str()).collect();
        let features: Vec<&str> = about.features.iter().map(|feature| feature.content.as_str()).collect();
        let same = self.likeness.same(&facts, &features).await?;
        for ((patient, node), feature) in (0..).zip(&about.patient.nodes).zip(same) {
            let kind = match node.status {
                Status::Present => LinkKind::Match,
                Status::Absent => LinkKind::Conflict,
                Status::Missing => continue,
            };
            if let Some(feature) = feature {
                relations.links.push(Link { patient, feature: feature as u32, kind });
            }
        }
        let profiles: Vec<_> = about.dossiers.iter().map(|dossier| self.profiles.of(dossier)).collect();
        for (feature, node) in (0..).zip(about.features) {
            for &candidate in node.supports.iter().chain(&node.rules_out) {
                let (kind, strength, if_denied) = match profiles[candidate as usize].bears(&node.content) {
                    // Nobody expects a sex or an age to be mentioned twice.
                    Bears::For { strength, .. } if is_person(&node.content) => (BearingKind::Support, strength, 0.0),
                    Bears::For { strength, if_denied } => (BearingKind::Support, strength, if_denied),
                    Bears::Against { strength } => (BearingKind::RuleOut, strength, 0.0),
                    Bears::Nothing => continue,
                };
                relations.bearings.push(Bearing { feature, candidate, kind, strength, if_denied });
            }
        }
        Ok(relations)
    }

    /// Looks again at the sentences the first reading did not recognise.
    async fn reexamine(&self, sight: &Sight<'_>, expected: &[&KnowledgeNode]) -> Result<Reexamination, AgentError> {
        let unread = self.lexicon.read(&sight.prompt.text).unread;
        let mut found = Reexamination::default();
        if unread.is_empty() {
            return Ok(found);
        }
        let sentences: Vec<&str> = unread.iter().map(String::as_str).collect();
        for (feature, node) in (0..).zip(expected) {
            let denial = self.lexicon.denial_of(&node.content);
            for (words, status) in [(Some(node.content.as_str()), Status::Present), (denial, Status::Absent)] {
                let Some(words) = words else { continue };
                if let Some(at) = self.likeness.same(&[words], &sentences).await?.pop().flatten() {
                    found.features.push(Reexamined { feature, status, original: unread[at].clone() });
                    break;
                }
            }
        }
        Ok(found)
    }

    async fn audit(&self, _: &Sight<'_>, about: &Auditing<'_>) -> Result<Opinion, AgentError> {
        Ok(audit::audit(about))
    }
}

/// Sex and age as facts like others. Ages are told in bands: hardly two patients share one age.
fn person(said: &Said) -> Vec<String> {
    let sex = said.sex.map(|sex| format!("{PERSON}{}.", if sex == Sex::F { "female" } else { "male" }));
    let age = said.age.map(|age| {
        let band = match age {
            0..=14 => "a child",
            15..=39 => "a young adult",
            40..=64 => "of middle age",
            _ => "65 or older",
        };
        format!("{PERSON}{band}.")
    });
    sex.into_iter().chain(age).collect()
}

/// How facts about the person begin, which no statement of a base does.
const PERSON: &str = "The patient is ";

fn is_person(content: &str) -> bool {
    content.starts_with(PERSON)
}

fn one_liner(said: &Said) -> String {
    let is_child = said.age.is_some_and(|age| age < 18);
    let sex = said.sex.map_or("person", |sex| match (sex, is_child) {
        (Sex::F, true) => "girl",
        (Sex::F, false) => "woman",
        (Sex::M, true) => "boy",
        (Sex::M, false) => "man",
    });
    let who = said.age.map_or_else(|| format!("A {sex}"), |age| format!("{} {age}-year-old {sex}", article(age)));
    let count = |state| said.statements.iter().filter(|it| it.state == state).count();
    let (present, denied) = (count(FindingState::Present), count(FindingState::Denied));
    format!("{who} who reports {} and denies {denied}.", counted(present as u64, "finding", "findings"))
}

/// An eight-year-old, an eleven-year-old; a seven-year-old.
fn article(age: u8) -> &'static str {
    if matches!(age, 8 | 11 | 18 | 80..=89) { "An" } else { "A" }
}
