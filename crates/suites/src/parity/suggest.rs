//! Critical findings suggested by a model, for somebody to review before they are used.

use crate::prompts::rendered;
use askama::Template;
use schemars::JsonSchema;
use serde::Deserialize;
use waterjar_core::{ChatModel, ModelError};
use waterjar_structured::ask_checked;
use waterjar_vignettes::import::locate;
use waterjar_vignettes::{Choice, Span, Vignette};

/// As many as the paper marks in a vignette.
const MOST: usize = 12;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Findings {
    /// Each copied from the account letter by letter.
    findings: Vec<String>,
}

#[derive(Template)]
#[template(path = "parity/prompts/mark.md", escape = "none")]
struct Mark<'a> {
    most: usize,
    question: &'a str,
    options: &'a [Choice],
    text: &'a str,
}

/// The spans, in order and apart. What does not stand in the story is asked for again once.
pub async fn suggest(model: &dyn ChatModel, vignette: &Vignette) -> Result<Vec<Span>, ModelError> {
    let Vignette { text, question, options, .. } = vignette;
    let prompt = rendered(&Mark { most: MOST, question, options, text });
    ask_checked(model, &prompt, "critical_findings", |it: &Findings| placed(text, &it.findings)).await
}

fn placed(text: &str, findings: &[String]) -> Result<Vec<Span>, String> {
    let findings: Vec<&str> = findings.iter().map(|it| it.trim()).filter(|it| !it.is_empty()).collect();
    if findings.is_empty() {
        return Err("no finding is named".to_owned());
    }
    if findings.len() > MOST {
        return Err(format!("{} findings are more than {MOST}", findings.len()));
    }
    let (spans, missing) = locate(text, &findings);
    match missing.first() {
        Some(missing) => Err(format!("“{missing}” does not stand in the account like this")),
        None if spans.len() < findings.len() => Err("two of the findings share words".to_owned()),
        None => Ok(spans),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "He has a fever of 39.2°C, a stiff neck and a rash.";

    fn check(findings: &[&str]) -> Result<Vec<&'static str>, String> {
        let findings: Vec<String> = findings.iter().map(|it| (*it).to_owned()).collect();
        Ok(placed(TEXT, &findings)?.into_iter().map(|span| span.of(TEXT)).collect())
    }

    #[test]
    fn findings_are_placed_in_the_order_of_the_text() {
        assert_eq!(check(&["a stiff neck", "fever of 39.2°C"]), Ok(vec!["fever of 39.2°C", "a stiff neck"]));
    }

    #[test]
    fn what_is_not_there_or_twice_is_told() {
        assert!(check(&["neck stiffness"]).unwrap_err().contains("“neck stiffness”"));
        assert!(check(&["a stiff neck", "stiff neck"]).unwrap_err().contains("share words"));
        assert!(check(&[" "]).unwrap_err().contains("no finding"));
    }
}
