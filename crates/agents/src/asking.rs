//! Asking a model for one stage of an answer that takes several: who answers, about whom, in which shape.

use askama::Template;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ops::RangeInclusive;
use waterjar_core::{AgentError, ChatModel, ChatRequest, ModelError, Prompt};
use waterjar_structured::{Asked, ask_fitting};

/// What an agent was asked, and whom it may ask in turn.
#[derive(Clone, Copy)]
pub(crate) struct Asking<'a> {
    pub model: &'a dyn ChatModel,
    pub prompt: &'a Prompt,
    pub repeat: u32,
}

/// The patient is in every question: no stage relies on what an earlier one made of it.
#[derive(Template)]
#[template(path = "case.md", escape = "none")]
struct CaseOf<'a> {
    task: &'a str,
    text: &'a str,
    part: &'a str,
}

impl Asking<'_> {
    /// `role` says who answers and `part` what is theirs to do. What breaks the schema or fails the check is asked again once.
    pub async fn ask<T: DeserializeOwned + JsonSchema>(
        &self,
        role: &str,
        part: &impl Template,
        name: &str,
        check: impl Fn(&T) -> Result<(), String>,
    ) -> Result<T, AgentError> {
        let request = ChatRequest::new(role.trim_end(), self.question(part), self.repeat);
        Ok(fitting(self.model, request, name, check).await?.value)
    }

    pub fn question(&self, part: &impl Template) -> String {
        let Prompt { task, text, .. } = self.prompt;
        rendered(&CaseOf { task: task.trim_end(), text: text.trim_end(), part: &rendered(part) })
    }
}

/// An output that cannot be used is the agent's failure, told with the name of the stage; everything else is the model's.
pub(crate) async fn fitting<T: DeserializeOwned + JsonSchema>(
    model: &dyn ChatModel,
    request: ChatRequest,
    name: &str,
    check: impl Fn(&T) -> Result<(), String>,
) -> Result<Asked<T>, AgentError> {
    ask_fitting(model, request, name, check).await.map_err(|error| match error {
        ModelError::InvalidOutput(problem) => {
            AgentError::InvalidOutput(match problem.starts_with(&format!("`{name}`")) {
                true => problem,
                // The vendor's own word: an empty reply, say.
                false => format!("`{name}`: {problem}"),
            })
        }
        error => AgentError::Model(error),
    })
}

/// All at once. The results are in the order of the questions, and of several errors the first in that order is told, so
/// that who answers sooner changes nothing.
pub(crate) async fn all<T>(
    asked: impl IntoIterator<Item = impl Future<Output = Result<T, AgentError>>>,
) -> Result<Vec<T>, AgentError> {
    futures::future::join_all(asked).await.into_iter().collect()
}

pub(crate) fn rendered(prompt: &impl Template) -> String {
    prompt.render().expect("writing to a String cannot fail").trim_end().to_owned()
}

/// On one line, so that a list stays a list.
pub(crate) fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Somebody's words, as prompts quote them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Said {
    pub who: String,
    pub what: String,
}

impl Said {
    pub fn new(who: impl Into<String>, what: impl Into<String>) -> Self {
        Self { who: who.into(), what: what.into() }
    }
}

/// For what no schema can state: text that is there.
pub(crate) fn said(what: &str, text: &str) -> Result<(), String> {
    if text.trim().is_empty() { Err(format!("{what}: it is empty")) } else { Ok(()) }
}

/// A setting that has its limits.
pub(crate) fn within(key: &str, value: usize, limits: RangeInclusive<usize>) -> Result<(), String> {
    let (least, most) = limits.clone().into_inner();
    if limits.contains(&value) { Ok(()) } else { Err(format!("{key}: {value} is not between {least} and {most}")) }
}

/// An agent's fingerprint: its version, its settings and every word it puts into a model's mouth.
pub(crate) fn fingerprint(version: u32, settings: &impl Serialize, prompts: &[&str]) -> String {
    let mut words = blake3::Hasher::new();
    for prompt in [include_str!("../prompts/case.md"), include_str!("../prompts/ranked.md")].iter().chain(prompts) {
        words.update(&(prompt.len() as u64).to_le_bytes());
        words.update(prompt.as_bytes());
    }
    let settings = serde_json::to_string(settings).expect("settings are strings, numbers and lists of them");
    format!("version {version}, prompts {}, {settings}", words.finalize().to_hex())
}
