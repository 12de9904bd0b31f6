//! A model behind an endpoint.

use crate::http::Endpoint;
use crate::vendors::VendorRow;
use crate::{Api, Dialect, Form, ModelSpec, WireReply};
use async_trait::async_trait;
use serde_json::{Value, json};
use std::fmt;
use std::sync::Mutex;
use waterjar_core::{ChatModel, ChatReply, ChatRequest, ModelError, ModelId, Sampling};

/// Asks once per call: repeating, limiting and caching are the gateway's work. The only second request is the one in a plainer
/// form of structured output, after the endpoint refused the better one.
pub struct Vendor {
    id: ModelId,
    /// The name sent.
    model: String,
    api: Api,
    local: bool,
    dialect: Dialect,
    endpoint: Endpoint,
    spec: ModelSpec,
    /// The plainer form that worked where a better one was refused, and why it was.
    settled: Mutex<Option<(Form, String)>>,
}

impl Vendor {
    pub(crate) fn new(
        id: ModelId,
        model: String,
        row: &VendorRow,
        dialect: Dialect,
        endpoint: Endpoint,
        spec: ModelSpec,
    ) -> Self {
        Self { id, model, api: row.api, local: row.local, dialect, endpoint, spec, settled: Mutex::new(None) }
    }

    /// What of the request this model cannot do. It is not sent, or sent in a coarser way.
    pub fn unsupported(&self, request: &ChatRequest) -> Vec<&'static str> {
        self.dialect.unsupported(&self.resolved(request))
    }

    /// The request with the study's sampling where it leaves something open.
    pub fn resolved(&self, request: &ChatRequest) -> ChatRequest {
        ChatRequest { sampling: merge(&request.sampling, self.spec.sampling()), ..request.clone() }
    }

    /// All that decides a reply besides the request: a cache that keys by request must key by this, too.
    pub fn identity(&self) -> Value {
        json!({
            "api": self.api,
            "url": self.endpoint.url.as_str(),
            "model": self.model,
            "sampling": self.spec.sampling(),
            "dialect": self.dialect,
        })
    }

    /// Scheme, host and port: what shares limits.
    pub fn endpoint(&self) -> String {
        self.endpoint.url.origin().ascii_serialization()
    }

    /// Whether it is a server that people run themselves: no price is charged for a call.
    pub fn is_local(&self) -> bool {
        self.local
    }

    pub fn api(&self) -> Api {
        self.api
    }

    /// The name sent.
    pub fn model(&self) -> &str {
        &self.model
    }

    pub(crate) fn door(&self) -> &Endpoint {
        &self.endpoint
    }

    /// What a question is sent as, in the form that is known to work.
    pub(crate) fn wire_body(&self, request: &ChatRequest) -> Value {
        let dialect = Dialect { structured: self.form().0, ..self.dialect.clone() };
        self.api.to_wire(&self.model, &self.resolved(request), &dialect).body
    }

    /// What came back for a question, by whatever way.
    pub(crate) fn read(&self, request: &ChatRequest, reply: &WireReply) -> Result<ChatReply, ModelError> {
        let outcome = self.api.from_wire(&self.resolved(request), reply);
        let mut outcome = outcome.map_err(|error| self.helpful(error));
        self.endpoint.secrets.scrub_outcome(&mut outcome);
        outcome
    }

    pub(crate) fn into_endpoint(self) -> Endpoint {
        self.endpoint
    }

    /// Limits and timeouts are read by the gateway.
    pub fn spec(&self) -> &ModelSpec {
        &self.spec
    }

    pub fn dialect(&self) -> &Dialect {
        &self.dialect
    }

    /// The form structured output is asked for in, and what the endpoint said of the better one.
    pub fn form(&self) -> (Form, Option<String>) {
        match self.settled() {
            Some((form, why)) => (form, Some(why)),
            None => (self.dialect.structured, None),
        }
    }

    fn settled(&self) -> Option<(Form, String)> {
        self.settled.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }

    async fn ask(&self, request: &ChatRequest, dialect: &Dialect) -> Result<ChatReply, ModelError> {
        let reply = self.endpoint.send(&self.api.to_wire(&self.model, request, dialect)).await?;
        self.api.from_wire(request, &reply)
    }

    /// Asks, in plainer and plainer forms as long as the endpoint refuses the form.
    async fn ask_in_any_form(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let mut dialect = self.dialect.clone();
        dialect.structured = self.form().0;
        let mut refused: Option<String> = None;
        loop {
            let outcome = self.ask(request, &dialect).await;
            let form = dialect.form(request);
            match (outcome, form.and_then(|form| self.api.plainer(form))) {
                (Err(ModelError::SchemaUnsupported(why)), Some(plainer)) => {
                    refused.get_or_insert(why);
                    dialect.structured = plainer;
                }
                (Err(ModelError::SchemaUnsupported(message)), None) => {
                    return Err(ModelError::Rejected { status: 400, message });
                }
                (outcome, _) => {
                    // Only what worked is remembered, and only if tools were not the reason.
                    if let (Some(why), Some(form), Ok(_)) = (refused, form, &outcome)
                        && request.tools.is_empty()
                    {
                        *self.settled.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some((form, why));
                    }
                    return outcome;
                }
            }
        }
    }

    /// What the endpoint cannot know to say.
    fn helpful(&self, error: ModelError) -> ModelError {
        let ModelError::Rejected { status, message } = error else { return error };
        let words = message.to_lowercase();
        let about_key = words.contains("api key") || words.contains("api_key");
        let key = self.endpoint.key.as_ref().map(|key| key.variable.as_str());
        let help = match (status, key) {
            (401 | 403, Some(variable)) => Some(format!("the key in {variable} was not accepted")),
            (400, Some(variable)) if about_key => Some(format!("the key in {variable} was not accepted")),
            (401 | 403, None) => Some("it wants a key; name the variable that holds it with `key_env`".into()),
            (404, _) => Some(format!("{} has no model `{}`, or another path", self.endpoint.url.as_str(), self.model)),
            (402, _) => Some("the account has no credit left".into()),
            _ => None,
        };
        ModelError::Rejected { status, message: help.map_or(message.clone(), |help| format!("{help} ({message})")) }
    }
}

#[async_trait]
impl ChatModel for Vendor {
    fn id(&self) -> &ModelId {
        &self.id
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let mut outcome = self.ask_in_any_form(&self.resolved(request)).await.map_err(|error| self.helpful(error));
        self.endpoint.secrets.scrub_outcome(&mut outcome);
        outcome
    }

    fn most_output(&self, request: &ChatRequest) -> Option<u32> {
        let (sent, _) = self.dialect.admit(&merge(&request.sampling, self.spec.sampling()));
        self.api.limit(&sent, &self.dialect)
    }
}

impl fmt::Debug for Vendor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vendor")
            .field("id", &self.id.as_str())
            .field("model", &self.model)
            .field("url", &self.endpoint.url.as_str())
            .field("key", &self.endpoint.key)
            .finish_non_exhaustive()
    }
}

/// What was asked for, and the study's word where it leaves something open.
pub(crate) fn merge(asked: &Sampling, default: Sampling) -> Sampling {
    Sampling {
        temperature: asked.temperature.or(default.temperature),
        seed: asked.seed.or(default.seed),
        max_tokens: asked.max_tokens.or(default.max_tokens),
        stop: if asked.stop.is_empty() { default.stop } else { asked.stop.clone() },
        reasoning: asked.reasoning.or(default.reasoning),
        top_logprobs: asked.top_logprobs.or(default.top_logprobs),
    }
}
