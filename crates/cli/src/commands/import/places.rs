//! Where an answer made elsewhere belongs in a run.

use crate::commands::export::question;
use std::collections::HashMap;
use waterjar_core::{Response, SourceError, SubjectId, SuiteId, counted};
use waterjar_engine::key::key_of;
use waterjar_engine::{EngineError, Plan};
use waterjar_exchange::Recorded;
use waterjar_store::{NewResponse, Store};

/// Families read at a time.
const PAGE: u32 = 128;

/// Every question of a run, found by the variant's id. Texts are kept as hashes: a run may be large.
pub struct Places {
    suites: Vec<SuiteId>,
    repeats: u32,
    by_id: HashMap<String, Vec<Place>>,
    /// How many each suite has.
    questions: Vec<u64>,
}

#[derive(Clone, Debug)]
struct Place {
    suite: usize,
    position: i64,
    ord: u32,
    question: String,
    text: blake3::Hash,
}

/// One of the questions, asked for the n-th time.
pub type Slot = (usize, i64, u32, u32);

impl Places {
    pub async fn of(plan: &Plan, store: &Store) -> Result<Self, EngineError> {
        let suites = plan.suites.iter().map(|it| it.id().clone()).collect();
        let mut places =
            Self { suites, repeats: plan.repeats, by_id: HashMap::new(), questions: vec![0; plan.suites.len()] };
        for (at, planned) in plan.suites.iter().enumerate() {
            let suite = planned.suite();
            let mut after = Some(0);
            while let Some(position) = after {
                let page = store.families_page(suite.id(), position, PAGE).await?;
                for family in &page.items {
                    for (variant, ord) in family.variants.iter().zip(0..) {
                        let asked = question::of(suite, variant);
                        let text = text_hash(&asked.prompt.text);
                        let place = Place { suite: at, position: family.position, ord, question: asked.hash, text };
                        places.by_id.entry(variant.id.to_string()).or_default().push(place);
                        places.questions[at] += 1;
                    }
                }
                after = page.next;
            }
        }
        Ok(places)
    }

    pub fn suite(&self, at: usize) -> &SuiteId {
        &self.suites[at]
    }

    /// How many answers a suite wants.
    pub fn asked(&self, at: usize) -> u64 {
        self.questions[at] * u64::from(self.repeats)
    }

    /// The response it is, and its slot. An answer to something else is refused.
    pub fn place(
        &self,
        recorded: Recorded,
        subject: &SubjectId,
        suite: Option<&str>,
    ) -> Result<(Slot, NewResponse), SourceError> {
        let place = self.find(&recorded, suite)?;
        let Recorded { id, repeat, ending, place: told, .. } = recorded;
        if repeat >= self.repeats {
            let times = counted(u64::from(self.repeats), "time", "times");
            let problem = format!("it answers for the {}. time; the run asks {times}", repeat + 1);
            return Err(SourceError::new(told, problem).with_hint(format!(
                "answer each question {times}, or let the run ask more often: study.repeats = {}",
                repeat + 1
            )));
        }
        let suite = self.suites[place.suite].clone();
        let key = key_of(&("elsewhere", &suite, subject, &id, &place.question, repeat, &ending));
        let response = Response { variant: id.as_str().into(), subject: subject.clone(), repeat, ending };
        let slot = (place.suite, place.position, place.ord, repeat);
        Ok((slot, NewResponse { suite, position: place.position, ord: place.ord, key, response }))
    }

    fn find(&self, recorded: &Recorded, wanted: Option<&str>) -> Result<&Place, SourceError> {
        let bad = |problem: String, hint: &str| SourceError::new(&recorded.place, problem).with_hint(hint);
        let known = self.by_id.get(&recorded.id).map(Vec::as_slice).unwrap_or_default();
        if known.is_empty() {
            let problem = format!("the run has no variant `{}`", recorded.id);
            return Err(bad(problem, "its questions are what `waterjar export RUN --format …` wrote for the tool"));
        }
        let suite = wanted.or(recorded.suite.as_deref());
        let of_suite = |place: &&Place| suite.is_none_or(|name| self.suites[place.suite].as_str() == name);
        let mut of_suite: Vec<&Place> = known.iter().filter(of_suite).collect();
        if of_suite.is_empty() {
            let problem = format!("`{}` is no variant of the suite `{}` here", recorded.id, suite.unwrap_or_default());
            return Err(bad(problem, "was it made with another run?"));
        }
        match &recorded.question {
            Some(question) => of_suite.retain(|place| place.question == *question),
            // Whoever left the hash away may still have asked the same.
            None => of_suite.retain(|place| recorded.asked.iter().any(|text| text_hash(text) == place.text)),
        }
        match of_suite.as_slice() {
            [place] => Ok(place),
            [] => Err(bad(
                format!("it answers another question than the run's `{}`", recorded.id),
                "the answers were made with another benchmark, or another version of this one: export its questions again",
            )),
            _ => Err(bad(format!("several suites have `{}`", recorded.id), "say which one with --suite")),
        }
    }
}

fn text_hash(text: &str) -> blake3::Hash {
    blake3::hash(text.trim().as_bytes())
}
