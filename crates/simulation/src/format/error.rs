//! What an endpoint says instead of an answer.

/// A status and its reason; each format has its own words and shape for it.
#[derive(Clone, Debug, PartialEq)]
pub struct ApiError {
    pub status: u16,
    pub kind: ErrorKind,
    pub message: String,
    /// In the body too, for vendors that say it there.
    pub retry_seconds: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    Invalid,
    /// Structured output in a form the endpoint does not take.
    SchemaUnsupported,
    ContextLength,
    ContentFilter,
    Unauthorized,
    Forbidden,
    ModelNotFound,
    PathNotFound,
    RateLimited,
    QuotaExhausted,
    Server,
    Overloaded,
}

impl ApiError {
    pub fn new(status: u16, kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { status, kind, message: message.into(), retry_seconds: None }
    }

    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(400, ErrorKind::Invalid, message)
    }

    /// What usually comes with a status.
    pub fn of_status(status: u16) -> Self {
        match status {
            401 => Self::new(401, ErrorKind::Unauthorized, "Incorrect API key provided."),
            403 => Self::new(403, ErrorKind::Forbidden, "You are not allowed to use this model."),
            404 => Self::new(404, ErrorKind::PathNotFound, "Not found."),
            429 => Self::new(429, ErrorKind::RateLimited, "Rate limit reached. Please slow down."),
            529 => Self::new(529, ErrorKind::Overloaded, "Overloaded"),
            503 => Self::new(503, ErrorKind::Overloaded, "The server is overloaded or not ready yet."),
            500..=599 => Self::new(status, ErrorKind::Server, "The server had an error while processing your request."),
            _ => Self::new(status, ErrorKind::Invalid, "The request cannot be served."),
        }
    }

    pub fn unknown_model(name: &str) -> Self {
        let message = format!("The model `{name}` does not exist or you do not have access to it.");
        Self::new(404, ErrorKind::ModelNotFound, message)
    }

    pub fn context_length(tokens: u64) -> Self {
        let most = tokens.saturating_sub(1).clamp(1, 128_000);
        let message = format!(
            "This model's maximum context length is {most} tokens. However, your messages resulted in {tokens} tokens. \
             Please reduce the length of the messages."
        );
        Self::new(400, ErrorKind::ContextLength, message)
    }
}
