//! Vectors from an OpenAI-compatible endpoint: `POST embeddings`.

use crate::http::Endpoint;
use crate::{Api, EndpointPolicy, ModelSpec, OpenModelError, WireReply, WireRequest, open};
use async_trait::async_trait;
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;
use waterjar_core::{ChatRequest, Embedder, ModelError, ModelId};

/// Texts per request: vendors take at least as many.
const AT_ONCE: usize = 64;
/// Nobody stands between it and the endpoint, so it tries again by itself.
const ATTEMPTS: u32 = 4;

pub struct EmbeddingModel {
    id: ModelId,
    /// The name sent.
    model: String,
    endpoint: Endpoint,
}

impl EmbeddingModel {
    /// Keys, addresses and the policy are those of any model of the vendor.
    pub fn open(id: &str, spec: Option<&ModelSpec>, policy: EndpointPolicy) -> Result<Self, OpenModelError> {
        if spec.is_some_and(|spec| spec.command.is_some()) {
            return Err(OpenModelError::NoEmbeddings { model: id.to_owned() });
        }
        let vendor = open(id, spec, policy)?;
        if vendor.api() != Api::Openai {
            return Err(OpenModelError::NoEmbeddings { model: id.to_owned() });
        }
        Ok(Self { id: id.into(), model: vendor.model().to_owned(), endpoint: vendor.into_endpoint() })
    }

    async fn ask(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut waited = Duration::from_millis(200);
        let mut attempt = 1;
        loop {
            let reply = self.endpoint.send(&to_wire(&self.model, texts)).await;
            let mut outcome = reply.and_then(|reply| from_wire(&reply, texts.len()));
            if let Err(error) = &mut outcome {
                self.endpoint.secrets.scrub_error(error);
            }
            match outcome {
                Err(error) if attempt < ATTEMPTS && error.may_pass() => {
                    tokio::time::sleep(waited).await;
                    waited *= 2;
                    attempt += 1;
                }
                outcome => return outcome,
            }
        }
    }
}

#[async_trait]
impl Embedder for EmbeddingModel {
    fn id(&self) -> String {
        format!("{} at {}", self.id, self.endpoint.url.origin().ascii_serialization())
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut vectors: Vec<Vec<f32>> = Vec::with_capacity(texts.len());
        // A text without words has no direction, and endpoints refuse it.
        let filled: Vec<&str> = texts.iter().copied().filter(|text| !text.trim().is_empty()).collect();
        for some in filled.chunks(AT_ONCE) {
            vectors.extend(self.ask(some).await?);
        }
        let width = vectors.first().map_or(0, Vec::len);
        if vectors.iter().any(|vector| vector.len() != width) {
            return Err(ModelError::InvalidOutput(format!("{} gave vectors of different lengths", self.id)));
        }
        let mut made = vectors.into_iter();
        let mut of = |text: &str| if text.trim().is_empty() { None } else { made.next() };
        Ok(texts.iter().map(|text| of(text).unwrap_or_else(|| vec![0.0; width])).collect())
    }
}

fn to_wire(model: &str, texts: &[&str]) -> WireRequest {
    let body = json!({ "model": model, "input": texts, "encoding_format": "float" });
    WireRequest { path: "embeddings".to_owned(), headers: Vec::new(), body }
}

#[derive(Deserialize)]
struct Listed {
    data: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    index: usize,
    embedding: Vec<f32>,
}

/// In the order of the texts, whatever order they come in.
fn from_wire(reply: &WireReply, wanted: usize) -> Result<Vec<Vec<f32>>, ModelError> {
    let body = reply.good_body(&ChatRequest::default())?;
    let bad = |problem: String| ModelError::InvalidOutput(format!("the embeddings cannot be used: {problem}"));
    let mut listed: Listed = serde_json::from_value(body).map_err(|error| bad(error.to_string()))?;
    listed.data.sort_by_key(|it| it.index);
    if listed.data.len() != wanted || listed.data.iter().zip(0..).any(|(it, at)| it.index != at) {
        return Err(bad(format!("{} came for {wanted} texts", listed.data.len())));
    }
    if listed.data.iter().flat_map(|it| &it.embedding).any(|value| !value.is_finite()) {
        return Err(bad("a number is not finite".to_owned()));
    }
    Ok(listed.data.into_iter().map(|it| it.embedding).collect())
}
