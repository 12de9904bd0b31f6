//! Vectors from an OpenAI-compatible endpoint: `POST embeddings`.

use crate::http::Endpoint;
use crate::open::Opening;
use crate::{Api, EndpointPolicy, ModelSpec, OpenModelError, WireReply, WireRequest, open};
use async_trait::async_trait;
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use waterjar_core::{ChatRequest, Embedder, ModelError, ModelId, Payer, Usage, VectorRequest};

/// Texts per request: vendors take at least as many.
const AT_ONCE: NonZeroUsize = NonZeroUsize::MIN.saturating_add(63);

/// How an endpoint of vectors is asked. Of the gateway only the budget stands before it: it limits itself and tries again by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Requests under way at the same time, where the model has no `concurrency` of its own.
    pub at_once: NonZeroU32,
    /// For one attempt, where the model has no `timeout_seconds` of its own.
    pub timeout: Duration,
    /// Tries in all, for errors that may pass. Being asked to slow down does not count.
    pub attempts: NonZeroU32,
    /// Before the second attempt; doubles with each.
    pub first_wait: Duration,
    pub longest_wait: Duration,
    /// All attempts and the waits between them. Waiting for a place or for money is no fault of the endpoint and does not count.
    pub deadline: Duration,
}

impl Default for Patience {
    /// What a study has that says nothing of limits and retries.
    fn default() -> Self {
        Self {
            // One request holds a whole family: so many keep a server busy, and no vendor minds.
            at_once: NonZeroU32::MIN.saturating_add(7),
            timeout: Duration::from_secs(300),
            attempts: NonZeroU32::MIN.saturating_add(4),
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(30),
            deadline: Duration::from_secs(900),
        }
    }
}

pub struct EmbeddingModel {
    id: ModelId,
    /// The name sent.
    model: String,
    endpoint: Endpoint,
    patience: Patience,
    places: Semaphore,
}

impl EmbeddingModel {
    /// Keys, addresses and the policy are those of any model of the vendor.
    pub fn open(
        id: &str,
        spec: Option<&ModelSpec>,
        policy: EndpointPolicy,
        patience: Patience,
    ) -> Result<Self, OpenModelError> {
        let written = spec.cloned().unwrap_or_default();
        let opening = Opening { id, spec: &written, variable: &|_| None };
        // Before a key is missed, which would not help.
        if written.command.is_some() || opening.row()?.api != Api::Openai {
            return Err(OpenModelError::NoEmbeddings { model: id.to_owned() });
        }
        let vendor = open(id, spec, policy)?;
        let at_once = vendor.spec().concurrency.unwrap_or(patience.at_once);
        let has_timeout = vendor.spec().timeout_seconds.is_some();
        let model = vendor.model().to_owned();
        let mut endpoint = vendor.into_endpoint();
        if !has_timeout {
            endpoint.timeout = patience.timeout;
        }
        let places = Semaphore::new(at_once.get() as usize);
        Ok(Self { id: id.into(), model, endpoint, patience, places })
    }

    async fn embedded(&self, texts: &[&str], payer: Option<&dyn Payer>) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut vectors: Vec<Vec<f32>> = Vec::with_capacity(texts.len());
        // A text without words has no direction, and endpoints refuse it.
        let filled: Vec<&str> = texts.iter().copied().filter(|text| !text.trim().is_empty()).collect();
        for some in filled.chunks(AT_ONCE.get()) {
            vectors.extend(self.ask(some, payer).await?);
        }
        let width = vectors.first().map_or(0, Vec::len);
        if vectors.iter().any(|vector| vector.len() != width) {
            return Err(ModelError::InvalidOutput(format!("{} gave vectors of different lengths", self.id)));
        }
        let mut made = vectors.into_iter();
        let mut of = |text: &str| if text.trim().is_empty() { None } else { made.next() };
        Ok(texts.iter().map(|text| of(text).unwrap_or_else(|| vec![0.0; width])).collect())
    }

    async fn ask(&self, texts: &[&str], payer: Option<&dyn Payer>) -> Result<Vec<Vec<f32>>, ModelError> {
        // Whoever waits to ask again keeps its place: an endpoint that wants rest is not asked by the next in line meanwhile.
        let _place = self.places.acquire().await.expect("nobody closes it");
        let mut backoff = self.patience.first_wait;
        let mut waited = Duration::ZERO;
        let mut failures = 0;
        let request = Request { model: self, texts, taken: Mutex::default() };
        loop {
            // Every attempt is paid for by itself: one whose reply is lost costs money too.
            let outcome = match payer {
                Some(payer) => payer.pay(&request).await,
                None => request.send().await.map(|(vectors, _)| vectors).map_err(ModelError::uncharged),
            };
            let error = match outcome {
                Err(error) if error.may_pass() => error,
                outcome => return outcome,
            };
            // Being asked to slow down is an answer of a working endpoint: only the deadline ends it.
            failures += u32::from(!matches!(error, ModelError::RateLimited { .. }));
            let wait = error.retry_after().unwrap_or(backoff);
            // A wait that the deadline would cut short is not begun.
            let is_late = request.taken() + waited + wait >= self.patience.deadline;
            if is_late || failures >= self.patience.attempts.get() {
                return Err(error);
            }
            tokio::time::sleep(wait).await;
            waited += wait;
            backoff = (backoff * 2).min(self.patience.longest_wait);
        }
    }
}

/// Sent once for every attempt.
struct Request<'a> {
    model: &'a EmbeddingModel,
    texts: &'a [&'a str],
    /// At the endpoint, over all attempts.
    taken: Mutex<Duration>,
}

impl Request<'_> {
    fn taken(&self) -> Duration {
        *self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl VectorRequest for Request<'_> {
    fn texts(&self) -> &[&str] {
        self.texts
    }

    async fn send(&self) -> Result<(Vec<Vec<f32>>, Usage), ModelError> {
        let endpoint = &self.model.endpoint;
        let begun = Instant::now();
        let reply = endpoint.send(&to_wire(&self.model.model, self.texts)).await;
        *self.taken.lock().unwrap_or_else(PoisonError::into_inner) += begun.elapsed();
        reply.and_then(|reply| from_wire(&reply, self.texts.len())).map_err(|mut error| {
            endpoint.secrets.scrub_error(&mut error);
            error
        })
    }
}

#[async_trait]
impl Embedder for EmbeddingModel {
    /// Vectors are kept by it, so it names all that decides them: another model or another path makes others.
    fn id(&self) -> String {
        format!("{} ({}) at {}", self.id, self.model, place(&self.endpoint.url))
    }

    fn at_once(&self) -> NonZeroUsize {
        AT_ONCE
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.embedded(texts, None).await
    }

    async fn embed_paid(&self, texts: &[&str], payer: &dyn Payer) -> Result<Vec<Vec<f32>>, ModelError> {
        self.embedded(texts, Some(payer)).await
    }
}

/// The address without what may be secret: who asks is left out, and a query is told by its hash.
fn place(url: &Url) -> String {
    let mut shown = url.clone();
    // An address of HTTP takes both.
    _ = shown.set_username("");
    _ = shown.set_password(None);
    shown.set_query(None);
    shown.set_fragment(None);
    match url.query() {
        Some(query) => {
            let hash = format!("{:x}", Sha256::digest(query.as_bytes()));
            format!("{shown}?{}", &hash[..8])
        }
        None => shown.to_string(),
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

/// In the order of the texts, whatever order they come in. What cannot be used is charged for all the same.
fn from_wire(reply: &WireReply, wanted: usize) -> Result<(Vec<Vec<f32>>, Usage), ModelError> {
    let body = reply.good_body(&ChatRequest::default())?;
    let usage = usage(&body);
    let bad = |problem: String| {
        let told = format!("the embeddings cannot be used: {problem}");
        ModelError::InvalidOutput(told).charged((!usage.is_none()).then_some(usage))
    };
    let mut listed: Listed = serde_json::from_value(body).map_err(|error| bad(error.to_string()))?;
    listed.data.sort_by_key(|it| it.index);
    if listed.data.len() != wanted || listed.data.iter().zip(0..).any(|(it, at)| it.index != at) {
        return Err(bad(format!("{} came for {wanted} texts", listed.data.len())));
    }
    if listed.data.iter().any(|it| it.embedding.is_empty()) {
        return Err(bad("a vector has no numbers".to_owned()));
    }
    if listed.data.iter().flat_map(|it| &it.embedding).any(|value| !value.is_finite()) {
        return Err(bad("a number is not finite".to_owned()));
    }
    Ok((listed.data.into_iter().map(|it| it.embedding).collect(), usage))
}

/// Nothing is written in reply, so some vendors tell only the total.
fn usage(body: &Value) -> Usage {
    let told = |name: &str| body["usage"][name].as_u64().filter(|tokens| *tokens > 0);
    let input = told("prompt_tokens").or_else(|| told("total_tokens")).unwrap_or(0);
    Usage { input, ..Usage::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_is_read_however_the_vendor_tells_it() {
        let check = |told: Value, input: u64| assert_eq!(usage(&json!({ "data": [], "usage": told })).input, input);
        check(json!({ "prompt_tokens": 8, "total_tokens": 8 }), 8);
        check(json!({ "total_tokens": 8 }), 8);
        check(json!({ "prompt_tokens": 0, "total_tokens": 8 }), 8);
        check(json!({ "prompt_tokens": null }), 0);
        check(Value::Null, 0);
    }

    #[test]
    fn an_address_is_told_without_what_may_be_secret() {
        let told = |url: &str| place(&Url::parse(url).expect("the test writes a URL"));
        assert_eq!(told("http://127.0.0.1:8000/v1"), "http://127.0.0.1:8000/v1");
        let secret = told("https://ward:hush-1@gpu.example/v1?code=hush-2#hush-3");
        assert!(secret.starts_with("https://gpu.example/v1?") && !secret.contains("hush"), "{secret}");
        assert_ne!(secret, told("https://gpu.example/v1?code=another"));
    }
}
