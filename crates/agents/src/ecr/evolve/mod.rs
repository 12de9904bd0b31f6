//! Growing a memory from training cases: answer, be criticised, answer again, and keep what was learnt from those that came right.

use super::memory::{
    Exemplar, Fact, Journal, JournalEntry, Learning, Lesson, Manifest, Memory, MemoryError, Origin, narrative_hash,
};
use super::pipeline::{Pipeline, Thought};
use super::reasoner::stages::Feedback;
use super::reasoner::{Critic, Criticising, Sight};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use waterjar_core::{AgentError, ChatModel, ModelError, Prompt};

/// Rounds with feedback before a case is given up, as published.
pub const ROUNDS: u32 = 3;

/// A training case: what is shown to the agent, and what only the critic may know.
pub struct Training {
    pub id: String,
    pub prompt: Prompt,
    /// The condition's proper name.
    pub condition: String,
    /// The patient behind the words, where a test could be made of the same one.
    pub patient: Option<String>,
}

/// A memory being grown. Cases come one by one; each is in the journal before the next begins.
pub struct Evolution {
    pipeline: Pipeline,
    critic: Arc<dyn Critic>,
    memory: Memory,
    journal: Journal,
    entries: Vec<JournalEntry>,
    done: HashSet<String>,
    /// Cases seen, by condition.
    taken: HashMap<String, u32>,
    folder: PathBuf,
    origin: Origin,
}

/// What became of a case that was offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Learnt after so many rounds with feedback.
    Learnt {
        rounds: u32,
    },
    Discarded {
        reason: String,
    },
    /// In the journal already.
    Known,
    /// The condition has had its share.
    Enough,
}

#[derive(Debug, thiserror::Error)]
pub enum EvolveError {
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The model failed in a way that says nothing about the case: the purse is empty, the endpoint down, the key wrong.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl Evolution {
    /// Begins a memory, or goes on with one of the same origin.
    pub async fn open(
        folder: &Path,
        origin: Origin,
        pipeline: Pipeline,
        critic: Arc<dyn Critic>,
    ) -> Result<Self, EvolveError> {
        super::memory::note_origin(folder, &origin)?;
        let (journal, entries) = Journal::open(folder)?;
        let mut evolution = Self {
            pipeline,
            critic,
            memory: Memory::default(),
            journal,
            entries: Vec::new(),
            done: HashSet::new(),
            taken: HashMap::new(),
            folder: folder.to_owned(),
            origin,
        };
        for entry in entries {
            evolution.take_in(entry).await?;
        }
        Ok(evolution)
    }

    /// One training case, from the first answer to the journal.
    pub async fn learn(&mut self, model: &dyn ChatModel, case: &Training) -> Result<Step, EvolveError> {
        if self.done.contains(&case.id) {
            return Ok(Step::Known);
        }
        if self.taken.get(&case.condition).is_some_and(|taken| *taken >= self.origin.per_condition) {
            return Ok(Step::Enough);
        }
        let (rounds, outcome) = self.rounds(model, case).await?;
        let step = match &outcome {
            Learning::Learnt { .. } => Step::Learnt { rounds },
            Learning::Discarded { reason } => Step::Discarded { reason: reason.clone() },
        };
        let entry = JournalEntry {
            case: case.id.clone(),
            narrative: narrative_hash(&case.prompt.text),
            patient: case.patient.as_deref().map(narrative_hash),
            condition: case.condition.clone(),
            rounds,
            outcome,
        };
        self.journal.append(&entry)?;
        self.take_in(entry).await?;
        Ok(step)
    }

    /// Writes graphs, exemplars and manifest. The folder is a memory from here on; learning may go on.
    pub fn save(&mut self) -> Result<Manifest, EvolveError> {
        self.journal.sync()?;
        self.memory.refine();
        Ok(self.memory.save(&self.folder, self.origin.clone(), &self.entries)?)
    }

    pub fn cases(&self) -> usize {
        self.entries.len()
    }

    async fn rounds(&self, model: &dyn ChatModel, case: &Training) -> Result<(u32, Learning), EvolveError> {
        let mut feedback: Vec<Feedback> = Vec::new();
        loop {
            let sight = Sight { model, prompt: &case.prompt, repeat: 0, feedback: &feedback };
            let rounds = feedback.len() as u32;
            let thought = match self.pipeline.think(&self.memory, &sight).await {
                Ok(thought) => thought,
                Err(error) => return Ok((rounds, self.give_up(error)?)),
            };
            let answered = thought.candidates[thought.opinion.diagnosis as usize].clone();
            if answered == case.condition {
                let lesson = Box::new(lesson(case, &thought, &feedback));
                return Ok((rounds, Learning::Learnt { lesson }));
            }
            if rounds == ROUNDS {
                let reason = format!("answered {answered} after {ROUNDS} rounds");
                return Ok((rounds, Learning::Discarded { reason }));
            }
            let about = Criticising {
                patient: &thought.patient,
                candidates: &thought.candidates,
                sheet: &thought.sheet,
                answered: &answered,
                right: &case.condition,
                illness_of_answered: self.memory.illness(&answered).map(Arc::as_ref),
                illness_of_right: self.memory.illness(&case.condition).map(Arc::as_ref),
            };
            match self.critic.feedback(&sight, &about).await {
                Ok(said) => feedback.push(said),
                Err(error) => return Ok((rounds, self.give_up(error)?)),
            }
        }
    }

    /// Of a case alone is what the model said of it, or would not say. Everything else would end the next case, too.
    fn give_up(&self, error: AgentError) -> Result<Learning, EvolveError> {
        let of_the_case = match &error {
            AgentError::InvalidOutput(_) => true,
            AgentError::Model(ModelError::InvalidOutput(_) | ModelError::Refused(_)) => true,
            // A case may be too long; but an endpoint that has never answered rejects the study and not the case.
            AgentError::Model(ModelError::Rejected { status: 400 | 413 | 422, .. }) => !self.memory.is_empty(),
            AgentError::Model(_) => false,
        };
        match error {
            AgentError::Model(error) if !of_the_case => Err(error.into()),
            error => Ok(Learning::Discarded { reason: error.to_string() }),
        }
    }

    /// What the journal says is what is known: going on after a kill and never having been killed are the same.
    async fn take_in(&mut self, entry: JournalEntry) -> Result<(), EvolveError> {
        *self.taken.entry(entry.condition.clone()).or_default() += 1;
        self.done.insert(entry.case.clone());
        if let Learning::Learnt { lesson } = &entry.outcome {
            self.memory.learn(lesson, &self.pipeline.likeness).await?;
        }
        self.entries.push(entry);
        Ok(())
    }
}

fn lesson(case: &Training, thought: &Thought, feedback: &[Feedback]) -> Lesson {
    let sheet = &thought.sheet.candidates[thought.opinion.diagnosis as usize];
    let pivots: Vec<String> = sheet.won.iter().map(|(content, _)| content.clone()).collect();
    let fact = |(content, status): (&str, _)| Fact { content: content.to_owned(), status };
    let all = |pick: fn(&Feedback) -> &Vec<String>| -> Vec<String> {
        feedback.iter().flat_map(pick).map(|content| thought.graph.name_of(content).to_owned()).collect()
    };
    Lesson {
        condition: case.condition.clone(),
        facts: thought.graph.facts().map(fact).collect(),
        pivots: pivots.clone(),
        ignored: all(|it| &it.ignored),
        misleading: all(|it| &it.misleading),
        exemplar: Exemplar {
            case: case.id.clone(),
            narrative: case.prompt.text.clone(),
            label: case.condition.clone(),
            path: thought.opinion.reasons.clone(),
            pivots,
        },
    }
}

#[cfg(test)]
mod tests;
