//! A reply that is not an answer → why.

use super::WireReply;
use super::retry_after::retry_after;
use serde_json::Value;
use waterjar_core::{ChatRequest, ModelError};

/// A reply whose status says that it failed.
pub(super) fn failure(request: &ChatRequest, reply: &WireReply) -> ModelError {
    let body: Option<Value> = serde_json::from_slice(&reply.body).ok();
    let complaint = body.as_ref().and_then(Complaint::read).unwrap_or_else(|| Complaint::unreadable(reply));
    judge(request, reply, reply.status, body.as_ref(), &complaint)
}

/// A body that reports an error although the status says that all is well.
pub(crate) fn failure_in(request: &ChatRequest, reply: &WireReply, body: &Value) -> ModelError {
    let complaint = Complaint::read(body).unwrap_or_else(|| Complaint::unreadable(reply));
    judge(request, reply, complaint.status().unwrap_or(500), Some(body), &complaint)
}

fn judge(
    request: &ChatRequest,
    reply: &WireReply,
    status: u16,
    body: Option<&Value>,
    complaint: &Complaint,
) -> ModelError {
    let message = complaint.message.clone();
    let retry_after = retry_after(reply, body);
    match status {
        300..400 => {
            let target = reply.header("location").and_then(|target| target.split('?').next()).unwrap_or("elsewhere");
            ModelError::Rejected {
                status,
                message: format!("it redirects to {target}, which is not followed; give the final address"),
            }
        }
        // Only these two are about what was asked. A 403 that names a policy is about the account, a 429 about time.
        400 | 422 if complaint.is_about(&FILTERED) => ModelError::Refused(message).charged(None),
        403 if complaint.flagged => ModelError::Refused(message),
        400 if complaint.is_about(&CUT) => ModelError::InvalidOutput(message).charged(None),
        400 | 413 | 422 | 500 if complaint.is_about(&TOO_LONG) => ModelError::Rejected {
            status,
            message: format!("the request is longer than the model can read: {message}"),
        },
        400 | 404 | 415 | 422 | 500 | 501 if request.schema.is_some() && complaint.is_about(&STRUCTURED) => {
            ModelError::SchemaUnsupported(message)
        }
        // Waiting does not refill an account.
        429 if complaint.is_about(&USED_UP) => ModelError::Rejected { status, message },
        429 => ModelError::RateLimited { message, retry_after },
        408 | 409 | 425 | 500.. => ModelError::Endpoint { status, message, retry_after },
        _ => ModelError::Rejected { status, message },
    }
}

// Words in codes, types and messages of the vendors' error bodies, in lower case.
const FILTERED: [&str; 12] = [
    "content_filter",
    "contentfilter",
    "content management policy",
    "content_policy_violation",
    "responsible ai",
    "invalid_prompt",
    "usage policy",
    "usage guidelines",
    "data_inspection_failed",
    "datainspectionfailed",
    "content exists risk",
    "moderation",
];
/// How OpenAI says that thinking used up the limit.
const CUT: [&str; 1] = ["could not finish the message"];
const TOO_LONG: [&str; 9] = [
    "context_length_exceeded",
    "maximum context length",
    "context length",
    "context window",
    "context size",
    "prompt is too long",
    "exceeds the maximum number of tokens",
    "too many tokens",
    "input is too long",
];
const STRUCTURED: [&str; 14] = [
    "response_format",
    "json_schema",
    "json_object",
    "json schema",
    "json mode",
    "structured output",
    "output_config",
    "output_format",
    "tool_choice",
    "responseschema",
    "response_schema",
    "response mime type",
    "responsemimetype",
    "grammar",
];
// Not "billing": Gemini names it in every 429, also when a minute's rest is all it wants.
const USED_UP: [&str; 3] = ["insufficient_quota", "exceeded_current_quota", "insufficient balance"];

struct Complaint {
    /// Code, type, status word and reason, in lower case and one string.
    labels: String,
    /// A number from 400 that the body itself gives.
    number: Option<u16>,
    /// How OpenRouter tells which words its filter minded, with a 403.
    flagged: bool,
    message: String,
}

impl Complaint {
    /// The shapes in use: `{error: {…}}`, `{error: "…"}`, `[{error: {…}}]`, `{message, code}`, `{detail}`.
    fn read(body: &Value) -> Option<Self> {
        let body = body.get(0).unwrap_or(body);
        let inner = body.get("error").filter(|error| !error.is_null()).unwrap_or(body);
        let message = match inner {
            Value::String(text) => text.clone(),
            _ => ["message", "detail", "msg", "errors"].iter().find_map(|key| inner.get(key)).map(words)?,
        };
        let reason = inner.pointer("/details/0/reason").or_else(|| inner.pointer("/innererror/code"));
        let named = ["code", "type", "status"].iter().filter_map(|key| inner.get(key));
        let labels: Vec<String> = named.chain(reason).map(|value| words(value).to_lowercase()).collect();
        let number = inner.get("code").and_then(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()));
        let number = number.and_then(|number| u16::try_from(number).ok()).filter(|number| (400..600).contains(number));
        let flagged = inner.pointer("/metadata/flagged_input").is_some();
        Some(Self { labels: labels.join(" "), number, flagged, message: short(&message) })
    }

    fn unreadable(reply: &WireReply) -> Self {
        let text = String::from_utf8_lossy(&reply.body);
        let message = match text.trim() {
            "" => "without a word".to_owned(),
            _ if reply.is_web_page() => "with a web page".to_owned(),
            text => short(text),
        };
        Self { labels: String::new(), number: None, flagged: false, message }
    }

    fn is_about(&self, words: &[&str]) -> bool {
        let message = self.message.to_lowercase();
        words.iter().any(|word| self.labels.contains(word) || message.contains(word))
    }

    /// The status this error would have had, had the endpoint sent one.
    fn status(&self) -> Option<u16> {
        let named = [
            (["rate_limit", "resource_exhausted", "too_many_requests"], 429),
            (["authentication", "unauthenticated", "invalid_api_key"], 401),
            (["permission", "forbidden", "access_denied"], 403),
            (["not_found", "model_not_found", "notfound"], 404),
            (["overloaded", "unavailable", "engine_overloaded"], 503),
            (["invalid_request", "invalid_argument", "badrequest"], 400),
            (["context_length", "content_filter", "invalid_prompt"], 400),
        ];
        let by_name = || named.iter().find(|(words, _)| words.iter().any(|word| self.labels.contains(word)));
        self.number.or_else(|| by_name().map(|(_, status)| *status))
    }
}

fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// One line of at most 500 characters: servers echo whole requests.
fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(500) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
