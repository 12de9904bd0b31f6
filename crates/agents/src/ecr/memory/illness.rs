//! What was learnt of one condition: who has it, and what they say.

use super::lesson::Lesson;
use crate::ecr::likeness::Likeness;
use crate::ecr::reasoner::stages::Status;
use serde::{Deserialize, Serialize};
use waterjar_core::ModelError;

/// The cases of one condition laid over one another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct IllnessGraph {
    pub condition: String,
    pub cases: u32,
    /// By content.
    pub features: Vec<IllnessFeature>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IllnessFeature {
    pub content: String,
    /// Cases that had it, and cases that denied it; the others did not mention it.
    pub present: u32,
    pub denied: u32,
    /// Cases in which it told the condition from its rivals.
    pub decisive: u32,
    /// Cases in which a critic said it should have decided, less those in which it misled.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub credit: i32,
}

fn is_zero(credit: &i32) -> bool {
    *credit == 0
}

impl IllnessGraph {
    pub fn new(condition: &str) -> Self {
        Self { condition: condition.to_owned(), ..Self::default() }
    }

    pub fn feature(&self, content: &str) -> Option<&IllnessFeature> {
        let at = self.features.binary_search_by(|known| known.content.as_str().cmp(content)).ok()?;
        Some(&self.features[at])
    }

    /// How often it is there, with half a case of each kind before the first (Jeffreys), so that nothing is certain after few.
    pub fn share(&self, content: &str) -> f64 {
        let present = self.feature(content).map_or(0, |it| it.present);
        (f64::from(present) + 0.5) / (f64::from(self.cases) + 1.0)
    }

    /// Merges the graph of one more case: a fact that says the same as a known feature counts for it, others are new.
    pub async fn merge(&mut self, lesson: &Lesson, likeness: &Likeness) -> Result<(), ModelError> {
        self.cases += 1;
        let known: Vec<&str> = self.features.iter().map(|it| it.content.as_str()).collect();
        let facts: Vec<&str> = lesson.facts.iter().map(|fact| fact.content.as_str()).collect();
        let same = likeness.same(&facts, &known).await?;
        let names: Vec<String> = same
            .into_iter()
            .zip(&lesson.facts)
            .map(|(at, fact)| at.map_or_else(|| fact.content.clone(), |at| self.features[at].content.clone()))
            .collect();
        // A fact told twice is one fact.
        let mut told = std::collections::BTreeSet::new();
        for (name, fact) in names.iter().zip(&lesson.facts) {
            if !told.insert((name, fact.status)) {
                continue;
            }
            let feature = self.feature_mut(name);
            match fact.status {
                Status::Present => feature.present += 1,
                Status::Absent => feature.denied += 1,
                Status::Missing => {}
            }
            if lesson.pivots.contains(&fact.content) {
                feature.decisive += 1;
            }
        }
        for content in &lesson.ignored {
            self.feature_mut(content).credit += 1;
        }
        for content in &lesson.misleading {
            self.feature_mut(content).credit -= 1;
        }
        Ok(())
    }

    /// Drops what was only ever mentioned by the way.
    pub fn refine(&mut self, least_share: f64) {
        let cases = f64::from(self.cases);
        self.features.retain(|it| {
            f64::from(it.present) >= least_share * cases
                || it.decisive > 0
                || it.credit != 0
                || f64::from(it.denied) >= least_share * cases
        });
    }

    fn feature_mut(&mut self, content: &str) -> &mut IllnessFeature {
        let at = match self.features.binary_search_by(|known| known.content.as_str().cmp(content)) {
            Ok(at) => at,
            Err(at) => {
                let new = IllnessFeature { content: content.to_owned(), present: 0, denied: 0, decisive: 0, credit: 0 };
                self.features.insert(at, new);
                at
            }
        };
        &mut self.features[at]
    }
}
