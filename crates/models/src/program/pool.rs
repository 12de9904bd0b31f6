//! The processes of one program: as many as are needed and no more than allowed, started again a bounded number of times.

use super::Start;
use super::process::{Asked, Process, Told};
use serde_json::{Map, Value};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;
use waterjar_core::ModelError;

/// Before the second start in a row; doubles with each. Whoever asks again waits for longer on its own.
const FIRST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

pub(super) struct Pool {
    start: Arc<Start>,
    most: usize,
    restarts: u32,
    health: Arc<Health>,
    processes: Mutex<Vec<Process>>,
}

/// How the program has done lately.
#[derive(Default)]
pub(super) struct Health(Mutex<Lately>);

#[derive(Default)]
struct Lately {
    /// Bad ends since the last reply.
    failures: u32,
    last: String,
    not_before: Option<Instant>,
}

impl Health {
    pub fn replied(&self) {
        *self.lately() = Lately::default();
    }

    pub fn failed(&self, why: &str) {
        let mut lately = self.lately();
        lately.failures += 1;
        lately.last = why.to_owned();
        // The first is started again at once.
        let wait = match lately.failures {
            1 => Duration::ZERO,
            n => FIRST_WAIT.saturating_mul(1 << (n - 2).min(20)).min(LONGEST_WAIT),
        };
        lately.not_before = Some(Instant::now() + wait);
    }

    fn lately(&self) -> MutexGuard<'_, Lately> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Chosen {
    Asked(Asked),
    /// Nothing can be asked before then.
    Wait(Instant),
}

impl Pool {
    pub fn new(start: Start, most: usize, restarts: u32) -> Self {
        Self { start: Arc::new(start), most, restarts, health: Arc::default(), processes: Mutex::default() }
    }

    /// The reply, whatever it holds.
    pub async fn ask(&self, question: Map<String, Value>) -> Result<Value, ModelError> {
        loop {
            match self.choose(&question)? {
                Chosen::Asked(asked) => match asked.told().await {
                    Told::Reply(reply) => return Ok(reply),
                    Told::Failed(error) => return Err(error),
                    Told::NotHeard => {}
                },
                Chosen::Wait(until) => tokio::time::sleep_until(until).await,
            }
        }
    }

    /// An idle process, or a new one where one more is allowed, or the one with the least to do.
    fn choose(&self, question: &Map<String, Value>) -> Result<Chosen, ModelError> {
        let mut processes = self.processes.lock().unwrap_or_else(PoisonError::into_inner);
        processes.retain(|process| !process.is_over());
        processes.sort_by_key(Process::under_way);
        let idle = processes.first().is_some_and(|process| process.under_way() == 0);
        if !idle && processes.len() < self.most {
            match self.may_start() {
                Ok(None) => processes.insert(0, self.start()?),
                Ok(Some(until)) if processes.is_empty() => return Ok(Chosen::Wait(until)),
                Err(given_up) if processes.is_empty() => return Err(given_up),
                _ => {}
            }
        }
        match processes.first().and_then(|process| process.ask(question)) {
            Some(asked) => Ok(Chosen::Asked(asked)),
            // It ended this very moment: look again.
            None => Ok(Chosen::Wait(Instant::now())),
        }
    }

    /// `None`, or when; the error is that it was started often enough.
    fn may_start(&self) -> Result<Option<Instant>, ModelError> {
        let lately = self.health.lately();
        if lately.failures > self.restarts {
            let why =
                format!("{}; that was {} times in a row, and it is not started again", lately.last, lately.failures);
            return Err(ModelError::Transport(why));
        }
        Ok(lately.not_before.filter(|until| *until > Instant::now()))
    }

    fn start(&self) -> Result<Process, ModelError> {
        Process::start(&self.start, &self.health).map_err(|error| {
            let why = format!("{} cannot be started: {error}", self.start.command.join(" "));
            self.health.failed(&why);
            ModelError::Transport(why)
        })
    }
}
