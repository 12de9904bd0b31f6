//! Keeps what was said: request, reply or error, and how it went.

use super::events::{Call, GatewayEvent, GatewayEvents, Quiet};
use super::notes::noted;
use super::purpose::{Sitting, now_ms};
use async_trait::async_trait;
use std::sync::{Arc, Mutex};
use tokio::time::Instant;
use waterjar_core::{ChatModel, ChatReply, ChatRequest, ModelError, ModelId};
use waterjar_store::{CallRole, Course, NewCall, StoreError, StoredCall, Writer};

pub struct Recorded {
    inner: Arc<dyn ChatModel>,
    sink: Arc<dyn Sink>,
    events: Arc<dyn GatewayEvents>,
    /// For calls outside any purpose.
    unknown: Arc<Sitting>,
}

/// Where transcripts go.
#[async_trait]
pub trait Sink: Send + Sync {
    async fn keep(&self, call: &NewCall<'_>) -> Result<(), StoreError>;
}

impl Recorded {
    pub fn new(inner: Arc<dyn ChatModel>, sink: Arc<dyn Sink>) -> Self {
        Self { inner, sink, events: Arc::new(Quiet), unknown: Arc::new(Sitting::unknown()) }
    }

    pub fn telling(mut self, events: Arc<dyn GatewayEvents>) -> Self {
        self.events = events;
        self
    }
}

#[async_trait]
impl ChatModel for Recorded {
    fn id(&self) -> &ModelId {
        self.inner.id()
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let sitting = Sitting::current().unwrap_or_else(|| Arc::clone(&self.unknown));
        let ord = sitting.next();
        let (began, started) = (now_ms(), Instant::now());
        let (outcome, notes) = noted(self.inner.chat(request)).await;
        if outcome == Err(ModelError::Stopped) {
            // Nobody was asked.
            return outcome;
        }
        let reply_key = notes.reply_key.take();
        let course = Course {
            cached: notes.cached.get(),
            attempts: notes.attempts.get(),
            began,
            took: ms(started.elapsed()),
            queued: ms(notes.queued.get()),
            usage: outcome.as_ref().map(|reply| reply.usage).unwrap_or_default(),
            picodollars: notes.picodollars.get(),
        };
        let call = NewCall {
            role: sitting.purpose.role,
            item: &sitting.purpose.item,
            sitting: sitting.begun,
            ord,
            model: self.inner.id(),
            request,
            outcome: outcome.as_ref(),
            course: &course,
            reply_key: reply_key.as_deref(),
        };
        // The reply is good whether or not it could be recorded. A store that fails repeats its error to everyone who writes, and so stops
        // the run.
        let _ = self.sink.keep(&call).await;
        if self.events.hears_calls() {
            self.events.on(GatewayEvent::Called(Box::new(Call {
                role: call.role,
                item: call.item.to_owned(),
                model: call.model.clone(),
                request: request.clone(),
                outcome: outcome.as_ref().cloned().map_err(ToString::to_string),
                course,
            })));
        }
        outcome
    }
}

fn ms(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[async_trait]
impl Sink for Writer {
    async fn keep(&self, call: &NewCall<'_>) -> Result<(), StoreError> {
        self.call(call).await
    }
}

/// Keeps everything in memory, for tests and rehearsals.
#[derive(Default)]
pub struct MemorySink(Mutex<Vec<(CallRole, String, StoredCall)>>);

impl MemorySink {
    /// The calls made for a piece of work, in their order.
    pub fn transcript(&self, role: CallRole, item: &str) -> Vec<StoredCall> {
        let kept = super::lock(&self.0);
        let mut calls: Vec<StoredCall> = kept
            .iter()
            .filter(|(its_role, its_item, _)| *its_role == role && its_item == item)
            .map(|(_, _, call)| call.clone())
            .collect();
        calls.sort_by_key(|call| call.ord);
        calls
    }
}

#[async_trait]
impl Sink for MemorySink {
    async fn keep(&self, call: &NewCall<'_>) -> Result<(), StoreError> {
        let stored = StoredCall {
            ord: call.ord,
            model: call.model.clone(),
            state: if call.outcome.is_ok() { "ok" } else { "failed" }.to_owned(),
            course: *call.course,
            request: call.request.clone(),
            outcome: call.outcome.cloned().map_err(ToString::to_string),
        };
        super::lock(&self.0).push((call.role, call.item.to_owned(), stored));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Purpose;
    use super::super::purpose::carried;
    use super::super::tests::{Fake, request};
    use super::*;

    #[tokio::test]
    async fn each_piece_of_work_has_its_own_transcript_in_order() {
        let sink = Arc::new(MemorySink::default());
        let model = Arc::new(Recorded::new(Fake::echo(), sink.clone()));
        let ask = async |item: &str, texts: &[&str]| {
            Purpose::subject(item)
                .scope(async {
                    for text in texts {
                        model.chat(&request(text)).await.unwrap();
                    }
                })
                .await;
        };
        tokio::join!(ask("a", &["1", "2"]), ask("b", &["3"]));
        model.chat(&request("4")).await.unwrap();
        let said = |role, item| -> Vec<String> {
            let calls = sink.transcript(role, item);
            calls.iter().map(|call| call.request.last_user_text().to_owned()).collect()
        };
        assert_eq!(said(CallRole::Subject, "a"), ["1", "2"]);
        assert_eq!(said(CallRole::Subject, "b"), ["3"]);
        assert_eq!(said(CallRole::Other, ""), ["4"]);
    }

    #[tokio::test]
    async fn errors_are_kept_and_passed_on() {
        let sink = Arc::new(MemorySink::default());
        let error = ModelError::Refused("no".to_owned());
        let model = Recorded::new(Fake::failing(error.clone()), sink.clone());
        assert_eq!(Purpose::judge("j").scope(model.chat(&request("x"))).await, Err(error.clone()));
        assert_eq!(sink.transcript(CallRole::Judge, "j")[0].outcome, Err(error.to_string()));
    }

    #[tokio::test]
    async fn a_purpose_can_be_carried_into_a_spawned_task() {
        let sink = Arc::new(MemorySink::default());
        let model = Arc::new(Recorded::new(Fake::echo(), sink.clone()));
        let work = async {
            let model = Arc::clone(&model);
            tokio::spawn(carried(async move { model.chat(&request("x")).await })).await.unwrap()
        };
        Purpose::author("case").scope(work).await.unwrap();
        assert_eq!(sink.transcript(CallRole::Author, "case").len(), 1);
    }
}
