//! Several sources asked as one. One that is down is told of, and the others answer.

use crate::{EvidenceError, EvidenceSource, Passage, Query};
use futures::future::join_all;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a source that is down is left alone: a thousand cases must not wait a thousand times for the same silence.
const REST: Duration = Duration::from_secs(60);

pub struct Sources {
    members: Vec<Member>,
    asking: Asking,
    rest: Duration,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Asking {
    /// All at the same time, each for as many passages as wanted.
    #[default]
    Together,
    /// One after the other, until there are as many passages as wanted.
    InTurn,
}

/// What was found, and who could not be asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// By source in their order, the best of each first: scores of different sources do not compare.
    pub passages: Vec<Passage>,
    pub down: Vec<SourceDown>,
    /// How many sources answered, if only that they know nothing.
    pub answered: usize,
}

/// A source that gave no answer, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceDown {
    pub id: String,
    pub why: String,
}

struct Member {
    source: Arc<dyn EvidenceSource>,
    health: Mutex<Health>,
}

#[derive(Default)]
struct Health {
    /// Until when it is left alone, and for what.
    resting: Option<(Instant, EvidenceError)>,
    /// Errors since its last answer.
    errors: u32,
}

/// One reply that cannot be read may lie in the question; so many in a row lie in the source: a page to sign in, say.
const ERRORS_IN_A_ROW: u32 = 3;

impl Sources {
    pub fn new(sources: Vec<Arc<dyn EvidenceSource>>) -> Self {
        let members = sources.into_iter().map(|source| Member { source, health: Mutex::default() }).collect();
        Self { members, asking: Asking::default(), rest: REST }
    }

    #[must_use]
    pub fn asking(self, asking: Asking) -> Self {
        Self { asking, ..self }
    }

    /// How long a source that is down is left alone; a minute unless said otherwise.
    #[must_use]
    pub fn resting(self, rest: Duration) -> Self {
        Self { rest, ..self }
    }

    pub fn ids(&self) -> Vec<&str> {
        self.members.iter().map(|member| member.source.id()).collect()
    }

    /// All that decides the answers, for the key of a unit of work.
    pub fn fingerprint(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for member in &self.members {
            for part in [member.source.id(), &member.source.fingerprint()] {
                hasher.update(&(part.len() as u64).to_le_bytes());
                hasher.update(part.as_bytes());
            }
        }
        hasher.update(&[self.asking as u8]);
        hasher.finalize().to_hex().to_string()
    }

    pub async fn search(&self, query: &Query, limit: usize) -> Found {
        let mut found = Found::default();
        match self.asking {
            Asking::Together => {
                let answers = join_all(self.members.iter().map(|member| member.ask(query, limit, self.rest))).await;
                for (member, answer) in self.members.iter().zip(answers) {
                    found.add(member, answer);
                }
            }
            Asking::InTurn => {
                for member in &self.members {
                    let wanted = limit.saturating_sub(found.passages.len());
                    if wanted == 0 {
                        break;
                    }
                    let answer = member.ask(query, wanted, self.rest).await;
                    found.add(member, answer);
                }
            }
        }
        found
    }
}

impl Member {
    async fn ask(&self, query: &Query, limit: usize, rest: Duration) -> Result<Vec<Passage>, EvidenceError> {
        if let Some(why) = self.still_down() {
            return Err(why);
        }
        let answer = self.source.search(query, limit).await;
        let mut health = self.health();
        health.errors = if answer.is_ok() { 0 } else { health.errors + 1 };
        let is_down = |error: &&EvidenceError| error.problem.lasts() || health.errors >= ERRORS_IN_A_ROW;
        let down = answer.as_ref().err().filter(is_down);
        health.resting = down.map(|error| (Instant::now() + rest, error.clone()));
        drop(health);
        answer
    }

    fn still_down(&self) -> Option<EvidenceError> {
        let health = self.health();
        health.resting.as_ref().filter(|(until, _)| Instant::now() < *until).map(|(_, why)| why.clone())
    }

    fn health(&self) -> MutexGuard<'_, Health> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Found {
    fn add(&mut self, member: &Member, answer: Result<Vec<Passage>, EvidenceError>) {
        match answer {
            Ok(passages) => {
                self.passages.extend(passages);
                self.answered += 1;
            }
            Err(error) => {
                self.down.push(SourceDown { id: member.source.id().to_owned(), why: error.problem.to_string() });
            }
        }
    }
}
