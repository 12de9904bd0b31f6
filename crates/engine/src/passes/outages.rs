//! Telling an outage from accidents. A unit of work that a model gave no answer for is held back until it is known whether the model
//! answers others: then it is a failure like any other, and stored. Where nothing else is answered either, the pass ends and the unit
//! stays open.

use super::door::Door;
use crate::EngineError;
use std::collections::BTreeMap;
use std::sync::Arc;
use waterjar_core::ModelError;

/// So many without an answer between them are no accident.
const IN_A_ROW: usize = 8;
/// Of questions that may be at fault themselves, at a model that has answered others: those that are too long for it may be asked one
/// after the other, as when what failed is asked again.
const QUESTIONS_IN_A_ROW: usize = 64;

/// Why there is no answer.
pub(super) struct Reason {
    pub told: String,
    pub may_lie_in_the_question: bool,
}

impl Reason {
    pub fn of(error: &ModelError) -> Self {
        Self { told: error.to_string(), may_lie_in_the_question: error.may_lie_in_the_question() }
    }
}

/// Units of work held back, by the model that gave no answer.
pub(super) struct Outages<T> {
    door: Arc<Door>,
    models: BTreeMap<String, Silent<T>>,
}

struct Silent<T> {
    /// How many answers it had given when it fell silent.
    since: u64,
    /// How many calls were under way then. Errors are quicker than answers: so many may come before the first of those does.
    under_way: usize,
    held: Vec<T>,
    last: String,
}

impl<T> Outages<T> {
    /// The door counts the answers.
    pub fn new(door: &Arc<Door>) -> Self {
        Self { door: Arc::clone(door), models: BTreeMap::new() }
    }

    /// Holds the unit back, and gives those that an answer since then has made failures of their own. The error when it is one too many
    /// in a row.
    pub fn failed(&mut self, model: &str, reason: Reason, unit: T) -> Result<Vec<T>, EngineError> {
        let answers = self.door.answers(model);
        let under_way = self.door.under_way(model);
        let new = || Silent { since: answers, under_way, held: Vec::new(), last: String::new() };
        let silent = self.models.entry(model.to_owned()).or_insert_with(new);
        let failures = if answers > silent.since { std::mem::replace(silent, new()).held } else { Vec::new() };
        silent.held.push(unit);
        silent.last = reason.told;
        let is_question = reason.may_lie_in_the_question && self.door.has_answered(model);
        let most = if is_question { QUESTIONS_IN_A_ROW } else { IN_A_ROW };
        if silent.held.len() < most.max(silent.under_way) { Ok(failures) } else { Err(silent.outage(model)) }
    }

    /// What is still held back when all is done.
    pub fn rest(self) -> Vec<T> {
        self.models.into_values().flat_map(|silent| silent.held).collect()
    }

    pub fn holds_some(&self) -> bool {
        self.models.values().any(|silent| !silent.held.is_empty())
    }

    /// At the end of a part of a run in which so many units are open in all: a model that has answered nobody in this process since it fell silent is
    /// out, unless so few are left that one process would take them for failures too.
    pub fn unless_silent(self, open: u64) -> Result<Self, EngineError> {
        let is_silent = |id: &str, silent: &Silent<T>| !silent.held.is_empty() && self.door.answers(id) == silent.since;
        let out = self.models.iter().find(|(id, silent)| open >= IN_A_ROW as u64 && is_silent(id, silent));
        out.map_or(Ok(()), |(id, silent)| Err(silent.outage(id)))?;
        Ok(self)
    }

    /// The same as [`Self::rest`], where a model that has answered nothing in this run is out.
    pub fn rest_unless_out(self) -> Result<Vec<T>, EngineError> {
        let is_out = |id: &str, silent: &Silent<T>| !silent.held.is_empty() && !self.door.has_answered(id);
        let out = self.models.iter().find(|(id, silent)| is_out(id, silent));
        out.map_or(Ok(()), |(id, silent)| Err(silent.outage(id)))?;
        Ok(self.rest())
    }
}

impl<T> Silent<T> {
    fn outage(&self, id: &str) -> EngineError {
        EngineError::Outage { model: id.to_owned(), times: self.held.len(), problem: self.last.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stop;
    use async_trait::async_trait;
    use waterjar_core::{ChatModel, ChatReply, ChatRequest, ModelId};

    fn outages() -> (Arc<Door>, Outages<u32>) {
        let door = Door::new(Stop::default(), Vec::new(), ["old".to_owned()].into(), Arc::default());
        (Arc::clone(&door), Outages::new(&door))
    }

    fn failed(outages: &mut Outages<u32>, model: &str, times: u32) -> Vec<bool> {
        (0..times).map(|n| outages.failed(model, no_route(), n).is_ok()).collect()
    }

    fn no_route() -> Reason {
        Reason { told: "no route".to_owned(), may_lie_in_the_question: false }
    }

    #[test]
    fn eight_in_a_row_are_an_outage() {
        let (_, mut outages) = outages();
        assert_eq!(failed(&mut outages, "a", 8), [true, true, true, true, true, true, true, false]);
        let error = outages.failed("a", no_route(), 9).unwrap_err();
        assert_eq!(error.to_string(), "`a` gave no answer 9 times in a row, the last time: no route");
        assert!(error.hint().unwrap().contains("start the same command again"));
    }

    struct Thinking(ModelId);

    #[async_trait]
    impl ChatModel for Thinking {
        fn id(&self) -> &ModelId {
            &self.0
        }

        async fn chat(&self, _: &ChatRequest) -> Result<ChatReply, ModelError> {
            std::future::pending().await
        }
    }

    #[tokio::test]
    async fn errors_that_overtake_answers_are_no_outage() {
        let (door, mut outages) = outages();
        let slow = door.before(Arc::new(Thinking("a".into())));
        let request = ChatRequest::new("", "x", 0);
        let mut calls: Vec<_> = (0..20).map(|_| slow.chat(&request)).collect();
        for call in &mut calls {
            assert!(futures::poll!(call.as_mut()).is_pending());
        }
        assert_eq!(failed(&mut outages, "a", 20).iter().filter(|ok| **ok).count(), 19);
        drop(calls);
        assert_eq!(door.under_way("a"), 0);
    }

    #[test]
    fn an_answer_between_them_makes_them_failures_of_their_own() {
        let (door, mut outages) = outages();
        failed(&mut outages, "a", 7);
        door.count_answer("b");
        assert!(outages.failed("a", no_route(), 7).is_err(), "another model's answer says nothing");
        door.count_answer("a");
        assert_eq!(outages.failed("a", no_route(), 8).unwrap().len(), 8);
        assert!(failed(&mut outages, "a", 6).into_iter().all(|ok| ok));
        assert_eq!(outages.rest_unless_out().unwrap().len(), 7);
    }

    #[test]
    fn questions_that_are_too_long_are_no_outage_of_a_model_that_answers() {
        let too_long = || Reason { told: "too long".to_owned(), may_lie_in_the_question: true };
        let (_, mut outages) = outages();
        let tried = |outages: &mut Outages<u32>, model| {
            (0..80).take_while(|n| outages.failed(model, too_long(), *n).is_ok()).count()
        };
        assert_eq!(tried(&mut outages, "old"), 63);
        assert_eq!(tried(&mut outages, "new"), 7, "it may have been asked in a way it never answers");
    }

    #[test]
    fn a_part_that_nobody_answers_stores_nothing_unless_it_is_the_last() {
        let (_, mut few) = outages();
        failed(&mut few, "old", 2);
        assert!(few.unless_silent(100).is_err());
        let (_, mut last) = outages();
        failed(&mut last, "old", 2);
        assert_eq!(last.unless_silent(7).unwrap().rest().len(), 2);
        let (door, mut other) = outages();
        failed(&mut other, "old", 2);
        door.count_answer("old");
        assert_eq!(other.unless_silent(100).unwrap().rest().len(), 2, "another part was answered meanwhile");
    }

    #[test]
    fn asked_again_for_the_last_few_a_model_that_answered_before_is_not_out() {
        let (_, mut outages) = outages();
        failed(&mut outages, "old", 2);
        assert_eq!(outages.rest_unless_out().unwrap().len(), 2);
    }

    #[test]
    fn a_model_that_answered_nothing_is_out_however_few_they_are() {
        let (door, mut outages) = outages();
        door.count_answer("b");
        failed(&mut outages, "a", 1);
        failed(&mut outages, "b", 1);
        let error = outages.rest_unless_out().unwrap_err();
        assert_eq!(error.to_string(), "`a` gave no answer: no route");
    }
}
