//! Asking a model what went wrong in a reasoning that mentions the evidence.

use crate::judging::unless_over;
use crate::prompts::rendered;
use askama::Template;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use waterjar_core::{ChatModel, Failure, FailureMode, ModelError};
use waterjar_structured::ask_checked;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FailureAudit {
    pub classification: Classification,
    /// The sentence of the reasoning this rests on, copied exactly; empty only for blindness.
    pub sentence: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Classification {
    Blindness,
    Underthinking,
    Overthinking,
}

#[derive(Template)]
#[template(path = "einstellung/prompts/failure_audit.md", escape = "none")]
pub(super) struct Question<'a> {
    pub right: &'a str,
    pub kept: &'a str,
    pub evidence: &'a [&'a str],
    pub story: &'a str,
    pub reasoning: &'a str,
}

/// What a model says went wrong, with its quote; or why there is no usable word of it.
pub(super) type Opinion = Result<(FailureMode, Option<String>), Failure>;

impl Question<'_> {
    /// What ends the run is an error; any other failure is the answer's own, and told.
    pub async fn put_to(&self, model: &dyn ChatModel) -> Result<Opinion, ModelError> {
        let prompt = rendered(self);
        let asked = ask_checked(model, &prompt, "failure_audit", |it: &FailureAudit| check(it, self.reasoning)).await;
        Ok(unless_over(asked)?.map_err(|error| Failure::from(&error)))
    }
}

/// Fewer words than this stand in every text and show nothing.
const FEWEST_WORDS: usize = 3;

fn check(audit: &FailureAudit, reasoning: &str) -> Result<(FailureMode, Option<String>), String> {
    let mode = match audit.classification {
        Classification::Blindness => FailureMode::Blindness,
        Classification::Underthinking => FailureMode::Underthinking,
        Classification::Overthinking => FailureMode::Overthinking,
    };
    let quote = audit.sentence.trim();
    if quote.is_empty() && mode == FailureMode::Blindness {
        return Ok((mode, None));
    }
    if quote.split_whitespace().count() < FEWEST_WORDS {
        return Err(format!("“{quote}” is no sentence of the reasoning"));
    }
    if !plain(reasoning).contains(&plain(quote)) {
        return Err(format!("“{quote}” does not stand in the reasoning like this"));
    }
    Ok((mode, Some(quote.to_owned())))
}

/// Copying changes spaces, quotation marks and emphasis, and no more than that is forgiven.
fn plain(text: &str) -> String {
    let letter = |c: char| match c {
        '“' | '”' | '„' | '«' | '»' => '"',
        '‘' | '’' => '\'',
        '–' | '—' | '‑' => '-',
        c => c,
    };
    let text: String = text.chars().filter(|c| !matches!(c, '*' | '`')).map(letter).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REASONING: &str = "She mentions a **recent flight**.\nThat is common, so I set it aside – the cough decides.";

    fn say(classification: Classification, sentence: &str) -> Result<(FailureMode, Option<String>), String> {
        check(&FailureAudit { classification, sentence: sentence.to_owned() }, REASONING)
    }

    #[test]
    fn a_sentence_of_the_reasoning_is_accepted() {
        let quote = "She mentions a recent flight.";
        assert_eq!(say(Classification::Underthinking, quote), Ok((FailureMode::Underthinking, Some(quote.to_owned()))));
        assert!(say(Classification::Overthinking, "That is common, so I set it aside - the cough decides.").is_ok());
    }

    #[test]
    fn an_invented_sentence_is_refused() {
        let told = say(Classification::Overthinking, "She denies having flown.").unwrap_err();
        assert!(told.contains("does not stand in the reasoning"), "{told}");
    }

    #[test]
    fn only_blindness_has_no_sentence() {
        assert_eq!(say(Classification::Blindness, " "), Ok((FailureMode::Blindness, None)));
        assert!(say(Classification::Underthinking, "").is_err());
        assert!(say(Classification::Underthinking, "cough").is_err());
    }
}
