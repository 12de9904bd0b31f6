//! One sample of a log → what was answered, or why nothing was.

use crate::recorded::{Recorded, failed, of_error};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};
use std::path::Path;
use waterjar_core::{Conclusion, Ending, FailureState, SourceError};

#[derive(Deserialize)]
pub(super) struct Sample {
    id: Id,
    /// Counted from 1.
    epoch: u32,
    input: Input,
    #[serde(default)]
    output: Option<Output>,
    #[serde(default)]
    metadata: Map<String, Value>,
    #[serde(default)]
    error: Option<Told>,
    #[serde(default)]
    limit: Option<Limit>,
    /// Somebody has set the sample aside.
    #[serde(default)]
    invalidation: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Text(String),
    Number(i64),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Input {
    Text(String),
    Messages(Vec<Message>),
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Content,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

impl Default for Content {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

/// Pictures and the like are no text.
#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    reasoning: Option<String>,
    #[serde(default)]
    summary: Option<String>,
    #[serde(default)]
    redacted: bool,
}

#[derive(Deserialize)]
struct Output {
    #[serde(default)]
    choices: Vec<Choice>,
    #[serde(default)]
    completion: Option<String>,
    /// Why a vendor's moderation withheld the answer.
    #[serde(default)]
    error: Option<String>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    #[serde(default)]
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
struct Told {
    message: String,
}

#[derive(Deserialize)]
struct Limit {
    r#type: String,
    #[serde(default)]
    limit: Option<f64>,
    #[serde(default)]
    reason: Option<String>,
}

impl Sample {
    pub fn recorded(self, path: &Path) -> Result<Recorded, SourceError> {
        let id = match &self.id {
            Id::Text(id) => id.clone(),
            Id::Number(id) => id.to_string(),
        };
        let place = format!("{}, sample `{id}`", path.display());
        let Some(repeat) = self.epoch.checked_sub(1) else {
            return Err(SourceError::new(place, "epoch 0; epochs are counted from 1"));
        };
        let text_of = |key: &str| self.metadata.get(key).and_then(Value::as_str).map(str::to_owned);
        let (suite, question) = (text_of("suite"), text_of("question"));
        let asked = match &self.input {
            Input::Text(text) => vec![text.clone()],
            Input::Messages(messages) => messages.iter().map(|it| it.content.text()).collect(),
        };
        Ok(Recorded { id, suite, question, asked, repeat, ending: self.ending(), place })
    }

    /// What stands before a limit or an error is not what would have been answered.
    fn ending(self) -> Ending {
        if self.invalidation.is_some() {
            return failed(FailureState::NotApplicable, "the sample was set aside in the log");
        }
        if let Some(error) = &self.error {
            return of_error(&error.message);
        }
        if let Some(limit) = &self.limit {
            return limit.ending();
        }
        self.output.map_or_else(no_output, Output::ending)
    }
}

fn no_output() -> Ending {
    failed(FailureState::InvalidOutput, "the log holds no output for the sample")
}

impl Limit {
    fn ending(&self) -> Ending {
        let state = match self.r#type.as_str() {
            "time" | "working" => FailureState::Timeout,
            _ => FailureState::InvalidOutput,
        };
        let size = self.limit.map(|limit| format!(" of {limit}")).unwrap_or_default();
        let reason = self.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        failed(state, format!("stopped at the {} limit{size}{reason}", self.r#type))
    }
}

impl Output {
    fn ending(self) -> Ending {
        if let Some(error) = self.error.filter(|error| !error.is_empty()) {
            return failed(FailureState::Refused, error);
        }
        let Some(choice) = self.choices.into_iter().next() else { return no_output() };
        match choice.stop_reason.as_deref() {
            Some("max_tokens" | "model_length") => {
                return failed(FailureState::InvalidOutput, "the answer was cut at the token limit");
            }
            Some("content_filter") => return failed(FailureState::Refused, "withheld by the vendor's content filter"),
            _ => {}
        }
        // A solver may have worked on it: this is what Inspect's own scorers look at.
        let completion = self.completion.filter(|text| !text.trim().is_empty());
        let text = completion.unwrap_or_else(|| choice.message.content.text());
        if text.trim().is_empty() {
            return failed(FailureState::InvalidOutput, "the answer is empty");
        }
        Ending::Ok(Conclusion { text, reasoning: choice.message.content.reasoning(), record: None })
    }
}

impl Content {
    fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Parts(parts) => parts.iter().filter_map(|it| it.text.as_deref()).collect::<Vec<_>>().join("\n"),
        }
    }

    fn reasoning(&self) -> Option<String> {
        let Self::Parts(parts) = self else { return None };
        let of = |part: &Part| if part.redacted { part.summary.clone() } else { part.reasoning.clone() };
        let thoughts: Vec<String> = parts.iter().filter_map(of).filter(|it| !it.trim().is_empty()).collect();
        (!thoughts.is_empty()).then(|| thoughts.join("\n\n"))
    }
}
