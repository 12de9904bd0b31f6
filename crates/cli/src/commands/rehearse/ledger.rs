//! The calls of a rehearsal, counted as they are heard.

use super::assumed::Assumed;
use super::cast::Part;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};
use waterjar_core::{ModelId, SuiteId};
use waterjar_engine::gateway::{Call, GatewayEvent};
use waterjar_engine::{Pass, RunEvent};
use waterjar_store::CallRole;

pub struct Ledger {
    assumed: Assumed,
    parts: BTreeMap<ModelId, Part>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// What is going on: passes follow each other.
    at: Option<(SuiteId, Pass)>,
    lines: Vec<Line>,
    /// Calls for each case an author worked on.
    cases: HashMap<(SuiteId, String), u32>,
    failed: u64,
    first_failure: Option<String>,
}

/// All calls of one kind, in one pass of one suite.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub suite: SuiteId,
    pub pass: Pass,
    pub role: CallRole,
    pub model: ModelId,
    pub calls: f64,
    pub input: f64,
    pub output: f64,
    /// Spent at the endpoint, if the calls were made one after the other.
    pub seconds: f64,
}

/// What was heard.
pub struct Heard {
    pub lines: Vec<Line>,
    /// Calls for each case an author worked on, by suite. Cases that needed none are not among them.
    pub cases: Vec<(SuiteId, u32)>,
    pub parts: BTreeMap<ModelId, Part>,
    pub failed: u64,
    pub first_failure: Option<String>,
}

impl Ledger {
    pub fn new(assumed: Assumed, parts: BTreeMap<ModelId, Part>) -> Self {
        Self { assumed, parts, state: Mutex::default() }
    }

    pub fn hear(&self, event: &RunEvent) {
        match event {
            RunEvent::Started { suite, pass, .. } => self.lock().at = Some((suite.clone(), *pass)),
            // What comes from the cache is not asked again in a run either.
            RunEvent::Gateway(GatewayEvent::Called(call)) if !call.course.cached => self.count(call),
            _ => {}
        }
    }

    pub fn heard(&self) -> Heard {
        let state = self.lock();
        Heard {
            lines: state.lines.clone(),
            cases: state.cases.iter().map(|((suite, _), calls)| (suite.clone(), *calls)).collect(),
            parts: self.parts.clone(),
            failed: state.failed,
            first_failure: state.first_failure.clone(),
        }
    }

    fn count(&self, call: &Call) {
        let mut state = self.lock();
        if let Err(error) = &call.outcome {
            state.failed += 1;
            state.first_failure.get_or_insert_with(|| format!("{}: {error}", call.model));
        }
        let (Some((suite, pass)), Some(part)) = (state.at.clone(), self.parts.get(&call.model)) else { return };
        if pass == Pass::Vary {
            *state.cases.entry((suite.clone(), call.item.clone())).or_default() += 1;
        }
        let usage = self.assumed.usage(part, &call.request, call.outcome.as_ref().ok());
        let line = state.line(suite, pass, call);
        line.calls += 1.0;
        line.input += usage.input as f64;
        line.output += usage.output as f64;
        line.seconds += self.assumed.seconds(usage.output);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn line(&mut self, suite: SuiteId, pass: Pass, call: &Call) -> &mut Line {
        let is_it = |line: &Line| {
            line.suite == suite && line.pass == pass && line.role == call.role && line.model == call.model
        };
        let at = self.lines.iter().position(is_it).unwrap_or_else(|| {
            let (role, model) = (call.role, call.model.clone());
            let none = Line { suite, pass, role, model, calls: 0.0, input: 0.0, output: 0.0, seconds: 0.0 };
            self.lines.push(none);
            self.lines.len() - 1
        });
        &mut self.lines[at]
    }
}

impl Line {
    /// So many times as much.
    pub fn times(&self, factor: f64) -> Self {
        Self {
            calls: self.calls * factor,
            input: self.input * factor,
            output: self.output * factor,
            seconds: self.seconds * factor,
            ..self.clone()
        }
    }
}
