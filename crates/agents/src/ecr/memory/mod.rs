//! What the agent has learnt from training cases: an illness graph per condition and an exemplar base.

mod folder;
mod illness;
mod journal;
mod leakage;
mod lesson;
mod manifest;
#[cfg(test)]
mod tests;
mod vectors;

pub use folder::MemoryError;
pub(super) use folder::note_origin;
pub use illness::{IllnessFeature, IllnessGraph};
pub use journal::Journal;
pub use leakage::TrainedOn;
pub use lesson::{Exemplar, Fact, JournalEntry, Learning, Lesson, narrative_hash};
pub use manifest::{Counts, Manifest, Mark, Origin};

use super::likeness::Likeness;
use std::collections::BTreeMap;
use std::sync::Arc;
use vectors::Vectors;
use waterjar_core::ModelError;

#[derive(Default)]
pub struct Memory {
    /// By the condition's name.
    illnesses: BTreeMap<String, Arc<IllnessGraph>>,
    exemplars: Vec<Arc<Exemplar>>,
    /// Of the exemplars' narratives, in their order.
    vectors: Vectors,
    fingerprint: String,
}

/// Features mentioned in a smaller share of cases than this are dropped when a graph is refined.
pub const LEAST_SHARE: f64 = 0.08;
/// A graph is not refined before it has this many cases: one mention in four cases tells nothing.
const FEW: u32 = 5;

impl Memory {
    pub fn illness(&self, condition: &str) -> Option<&Arc<IllnessGraph>> {
        self.illnesses.get(condition)
    }

    pub fn illnesses(&self) -> impl Iterator<Item = &IllnessGraph> {
        self.illnesses.values().map(Arc::as_ref)
    }

    pub fn exemplars(&self) -> &[Arc<Exemplar>] {
        &self.exemplars
    }

    pub fn is_empty(&self) -> bool {
        self.illnesses.is_empty()
    }

    /// A hash of all content; empty before anything was loaded.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Merges what one case taught, and keeps it as an exemplar.
    pub async fn learn(&mut self, lesson: &Lesson, likeness: &Likeness) -> Result<(), ModelError> {
        let graph = self.illnesses.entry(lesson.condition.clone());
        let graph = graph.or_insert_with(|| Arc::new(IllnessGraph::new(&lesson.condition)));
        Arc::make_mut(graph).merge(lesson, likeness).await?;
        let vector = likeness.fresh(&lesson.exemplar.narrative).await?;
        self.remember(lesson.exemplar.clone(), vector);
        Ok(())
    }

    /// Keeps a case to be recalled, by the vector of its narrative; nothing else is learnt from it.
    pub fn remember(&mut self, exemplar: Exemplar, vector: Vec<f32>) {
        self.vectors.push(vector);
        self.exemplars.push(Arc::new(exemplar));
    }

    /// Drops what was only mentioned by the way from every graph that has seen enough.
    pub fn refine(&mut self) {
        for graph in self.illnesses.values_mut().filter(|graph| graph.cases >= FEW) {
            Arc::make_mut(graph).refine(LEAST_SHARE);
        }
    }

    /// The `most` exemplars nearest to a narrative, nearest first, with their cosine. Vectors have length 1.
    pub fn nearest(&self, vector: &[f32], most: usize) -> Vec<(&Arc<Exemplar>, f32)> {
        self.vectors.nearest(vector, most).into_iter().map(|(at, near)| (&self.exemplars[at], near)).collect()
    }
}
