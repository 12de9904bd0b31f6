//! The six stages in their order, and what the graph makes of them.

use super::audit::{Experience, Sheet, Streams};
use super::evidence::{Evidence, Passage};
use super::graph::{CausalGraph, merge_or_prune};
use super::lexicon::Lexicon;
use super::likeness::Likeness;
use super::memory::{Exemplar, Memory};
use super::reasoner::stages::{Intuition, Opinion, Reexamination, Representation, Status, Verdict};
use super::reasoner::{Auditing, Differing, Dossier, Reasoner, Relating, Sight};
use super::settings::Settings;
use std::sync::Arc;
use waterjar_core::AgentError;

pub struct Pipeline {
    pub settings: Settings,
    pub lexicon: Arc<Lexicon>,
    pub likeness: Arc<Likeness>,
    pub reasoner: Arc<dyn Reasoner>,
    pub evidence: Arc<dyn Evidence>,
}

/// Everything that was thought about one case.
pub struct Thought {
    pub intuition: Intuition,
    pub candidates: Vec<String>,
    pub patient: Representation,
    pub graph: CausalGraph,
    pub sheet: Sheet,
    pub streams: Streams,
    pub exemplars: Vec<Arc<Exemplar>>,
    pub opinion: Opinion,
    /// How many expected features the second look was asked for, and how many it found.
    pub looked_again: (usize, usize),
    /// Sources that failed.
    pub notes: Vec<String>,
}

impl Pipeline {
    pub async fn think(&self, memory: &Memory, sight: &Sight<'_>) -> Result<Thought, AgentError> {
        let (reasoner, settings) = (&*self.reasoner, &self.settings);
        let intuition = self.named(reasoner.intuit(sight, settings.candidates).await?)?;
        let candidates: Vec<String> = intuition.candidates.iter().map(|it| it.condition.clone()).collect();
        let patient = reasoner.represent(sight).await?;
        let (passages, notes) = self.look_up(&candidates).await;
        let dossiers: Vec<Dossier<'_>> = candidates
            .iter()
            .zip(&passages)
            .map(|(condition, passages)| Dossier {
                condition,
                illness: memory.illness(condition).map(Arc::as_ref),
                passages,
            })
            .collect();
        let about = Differing { patient: &patient, dossiers: &dossiers, pivots: settings.pivots };
        let knowledge = reasoner.tell_apart(sight, &about).await?;
        checked(knowledge.check(candidates.len()))?;
        let features = merge_or_prune(knowledge.features, &dossiers, &self.likeness).await?;
        let about = Relating { patient: &patient, features: &features, dossiers: &dossiers };
        let relations = reasoner.relate(sight, &about).await?;
        checked(relations.check(patient.nodes.len(), features.len(), candidates.len()))?;
        let mut graph = CausalGraph::new(&patient, features, &candidates, &relations);
        let looked_again = self.look_back(sight, &mut graph).await?;
        let exemplars = self.recall(memory, sight).await?;
        let experience = experience(&exemplars, &candidates, &graph);
        let cases: Vec<f64> = dossiers.iter().map(Dossier::cases).collect();
        let sheet = Sheet::of(&graph, &graph.scores(&settings.weights, &experience), &cases);
        let streams = streams(&sheet, &experience);
        let recalled: Vec<&Exemplar> = exemplars.iter().map(Arc::as_ref).collect();
        let about = Auditing {
            candidates: &candidates,
            patient: &patient,
            sheet: &sheet,
            streams: &streams,
            doubt: settings.doubt,
            exemplars: &recalled,
        };
        let opinion = match settings.audit {
            true => reasoner.audit(sight, &about).await?,
            false => unaudited(&sheet),
        };
        checked(opinion.check(candidates.len()))?;
        Ok(Thought { intuition, candidates, patient, sheet, streams, exemplars, opinion, looked_again, notes, graph })
    }

    /// Candidates under their proper names, each once.
    fn named(&self, intuition: Intuition) -> Result<Intuition, AgentError> {
        let mut named = Intuition::default();
        for mut suspect in intuition.candidates {
            if let Some(name) = self.lexicon.condition(&suspect.condition) {
                suspect.condition = name.to_owned();
            }
            if named.candidates.iter().all(|known| known.condition != suspect.condition) {
                named.candidates.push(suspect);
            }
        }
        named.candidates.truncate(self.settings.candidates);
        match named.candidates.is_empty() {
            true => Err(AgentError::InvalidOutput("the first impression names no condition".to_owned())),
            false => Ok(named),
        }
    }

    /// A source that is down leaves the case to what was learnt, and the record says so.
    async fn look_up(&self, candidates: &[String]) -> (Vec<Vec<Passage>>, Vec<String>) {
        let (mut passages, mut notes) = (Vec::with_capacity(candidates.len()), Vec::new());
        for condition in candidates {
            let found = self.evidence.about(condition).await;
            for problem in found.down {
                let note = format!("answered without {problem}");
                // The same for every candidate: it is said once.
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
            passages.push(found.passages);
        }
        (passages, notes)
    }

    async fn look_back(&self, sight: &Sight<'_>, graph: &mut CausalGraph) -> Result<(usize, usize), AgentError> {
        if !self.settings.backward {
            return Ok((0, 0));
        }
        let expected = graph.expected_but_unseen();
        let found = if expected.is_empty() {
            Reexamination::default()
        } else {
            let features: Vec<_> = expected.iter().map(|&at| graph.feature(at)).collect();
            self.reasoner.reexamine(sight, &features).await?
        };
        checked(found.check(expected.len()))?;
        let seen = found.features.iter().filter(|it| it.status != Status::Missing).count();
        graph.cast_shadows(&expected, &found);
        Ok((expected.len(), seen))
    }

    async fn recall(&self, memory: &Memory, sight: &Sight<'_>) -> Result<Vec<Arc<Exemplar>>, AgentError> {
        if !self.settings.exemplars || memory.exemplars().is_empty() {
            return Ok(Vec::new());
        }
        let vector = self.likeness.fresh(&sight.prompt.text).await?;
        let near = memory.nearest(&vector, self.settings.recalled);
        Ok(near.into_iter().map(|(exemplar, _)| Arc::clone(exemplar)).collect())
    }
}

/// The share of each candidate among the cases recalled. A case speaks as loudly as its own pivots are there in this patient: one
/// that merely reads alike says nothing.
fn experience(exemplars: &[Arc<Exemplar>], candidates: &[String], graph: &CausalGraph) -> Vec<f64> {
    let mut votes = vec![0.0; candidates.len()];
    let has = |content: &String| graph.shows(content);
    for exemplar in exemplars {
        let Some(at) = candidates.iter().position(|name| *name == exemplar.label) else { continue };
        let verified = exemplar.pivots.iter().filter(|content| has(content)).count();
        votes[at] += verified as f64 / exemplar.pivots.len().max(1) as f64;
    }
    let all: f64 = votes.iter().sum();
    if all > 0.0 {
        votes.iter_mut().for_each(|vote| *vote /= all);
    }
    votes
}

fn streams(sheet: &Sheet, experience: &[f64]) -> Streams {
    let best = (0..).zip(experience).max_by(|a, b| a.1.total_cmp(b.1).then(b.0.cmp(&a.0)));
    Streams {
        intuition: 0,
        evidence: (!sheet.says_nothing()).then(|| sheet.ranking()[0] as u32),
        experience: best
            .filter(|(_, share)| **share > 0.0)
            .map(|(candidate, share)| Experience { candidate, share: *share }),
    }
}

fn unaudited(sheet: &Sheet) -> Opinion {
    let diagnosis = if sheet.says_nothing() { 0 } else { sheet.ranking()[0] as u32 };
    let verdict = if diagnosis == 0 { Verdict::Keep } else { Verdict::Overturn };
    Opinion { verdict, diagnosis, also: None, reasons: vec!["The best score wins; nothing was audited.".to_owned()] }
}

fn checked(outcome: Result<(), String>) -> Result<(), AgentError> {
    outcome.map_err(AgentError::InvalidOutput)
}
