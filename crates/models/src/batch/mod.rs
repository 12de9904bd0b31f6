//! Batches of OpenAI and Anthropic: the same questions as one by one, in one piece.

mod anthropic;
mod openai;

use crate::http::Endpoint;
use crate::{Api, OpenModelError, Vendor, WireReply};
use async_trait::async_trait;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use waterjar_core::{
    BatchAnswer, BatchBounds, BatchLook, BatchModel, BatchReply, ChatModel, ChatReply, ChatRequest, ModelError,
    SentBatch,
};

/// Two hundred megabytes go up, and as much comes down.
const CARRYING: Duration = Duration::from_secs(1800);
const LOOKING: Duration = Duration::from_secs(60);
/// A list of batches is looked through so far.
const PAGES: usize = 10;

/// The batches of one model.
pub struct Batches {
    vendor: Arc<Vendor>,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Openai,
    Anthropic,
}

impl Batches {
    pub fn of(vendor: &Arc<Vendor>) -> Result<Self, OpenModelError> {
        let kind = match vendor.api() {
            Api::Openai => Kind::Openai,
            Api::Anthropic => Kind::Anthropic,
            Api::Gemini | Api::Waterjar => {
                return Err(OpenModelError::NoBatches { model: vendor.id().to_string() });
            }
        };
        Ok(Self { vendor: Arc::clone(vendor), kind })
    }

    fn endpoint(&self, timeout: Duration) -> Endpoint {
        Endpoint { timeout, ..self.vendor.door().clone() }
    }

    /// What is there to be read, as JSON.
    async fn get(&self, path: &str, query: &[(&str, &str)]) -> Result<Value, ModelError> {
        let reply = self.endpoint(LOOKING).get(path, query, &self.vendor.api().headers()).await?;
        body(&reply)
    }

    /// Each line of what is there, as JSON.
    async fn lines(&self, path: &str, hear: &mut (dyn FnMut(Value) + Send)) -> Result<(), ModelError> {
        let mut heard = |line: &[u8]| {
            let value = serde_json::from_slice(line).map_err(|error| {
                ModelError::Transport(format!("a line of the results is cut off or not JSON: {error}"))
            })?;
            hear(value);
            Ok(())
        };
        self.endpoint(CARRYING).get_lines(path, &self.vendor.api().headers(), &mut heard).await
    }
}

/// The body of a good reply, or why it is none.
fn body(reply: &WireReply) -> Result<Value, ModelError> {
    reply.good_body(&ChatRequest::default()).map_err(ModelError::uncharged)
}

/// Whether the vendor says that there is no such thing.
fn is_gone(error: &ModelError) -> bool {
    matches!(error, ModelError::Rejected { status: 404 | 410, .. })
}

#[async_trait]
impl BatchModel for Batches {
    fn bounds(&self) -> BatchBounds {
        match self.kind {
            Kind::Openai => openai::BOUNDS,
            Kind::Anthropic => anthropic::BOUNDS,
        }
    }

    fn written(&self, name: &str, request: &ChatRequest) -> Vec<u8> {
        let body = self.vendor.wire_body(request);
        let line = match self.kind {
            Kind::Openai => openai::item(name, body),
            Kind::Anthropic => anthropic::item(name, body),
        };
        serde_json::to_vec(&line).expect("a JSON value is JSON")
    }

    async fn submit(&self, sent: &SentBatch, written: &[Vec<u8>]) -> Result<String, ModelError> {
        match self.kind {
            Kind::Openai => openai::submit(self, sent, written).await,
            Kind::Anthropic => anthropic::submit(self, written).await,
        }
    }

    async fn find(&self, sent: &SentBatch) -> Result<Vec<String>, ModelError> {
        match self.kind {
            Kind::Openai => openai::find(self, sent).await,
            Kind::Anthropic => anthropic::find(self, sent).await,
        }
    }

    async fn look(&self, id: &str) -> Result<BatchLook, ModelError> {
        match self.kind {
            Kind::Openai => openai::look(self, id).await,
            Kind::Anthropic => anthropic::look(self, id).await,
        }
    }

    async fn results(&self, id: &str, hear: &mut (dyn FnMut(String, BatchAnswer) + Send)) -> Result<(), ModelError> {
        match self.kind {
            Kind::Openai => openai::results(self, id, hear).await,
            Kind::Anthropic => anthropic::results(self, id, hear).await,
        }
    }

    fn read(&self, request: &ChatRequest, answer: &BatchReply) -> Result<ChatReply, ModelError> {
        self.vendor.read(request, &WireReply::new(answer.status, answer.body.clone()))
    }
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).map(str::to_owned)
}

fn count(value: &Value, key: &str) -> usize {
    value.pointer(key).and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok()).unwrap_or(0)
}

fn bytes(value: &Value) -> Vec<u8> {
    serde_json::to_vec(value).expect("a JSON value is JSON")
}
