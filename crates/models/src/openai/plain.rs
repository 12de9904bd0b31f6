//! By far the commonest reply, read without building a tree of it: one choice, a text, and nothing that would need another look.

use super::counts::Counts;
use crate::WireReply;
use crate::wire::settle;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::borrow::Cow;
use waterjar_core::{ChatReply, Finish};

/// `None` where the reply is anything else. What is not listed here is not looked at by `from_wire` either.
pub(super) fn read(reply: &WireReply) -> Option<ChatReply> {
    if reply.status != 200 {
        return None;
    }
    let plain: Plain = serde_json::from_slice(&reply.body).ok()?;
    let Plain { model, object, kind, error: None, choices: (choice,), usage } = plain else { return None };
    let Choice { message, finish_reason, error: None, logprobs: None } = choice else { return None };
    let Message { content, refusal: None, reasoning: None, reasoning_content: None, tool_calls } = message else {
        return None;
    };
    if object.as_deref() == Some("error") || kind.is_some() || tool_calls.is_some_and(|calls| !calls.is_empty()) {
        return None;
    }
    if finish_reason != "stop" {
        return None;
    }
    let settled = settle(ChatReply {
        text: content.into_owned(),
        finish: Finish::Stop,
        usage: usage.unwrap_or_default().usage(),
        served_by: model.map(Cow::into_owned),
        rest: reply.rest(),
        ..ChatReply::default()
    });
    settled.ok()
}

#[derive(Deserialize)]
struct Plain<'a> {
    #[serde(borrow)]
    model: Option<Cow<'a, str>>,
    #[serde(borrow)]
    object: Option<Cow<'a, str>>,
    #[serde(rename = "type")]
    kind: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
    #[serde(borrow)]
    choices: (Choice<'a>,),
    usage: Option<Counts>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(borrow)]
    message: Message<'a>,
    #[serde(borrow)]
    finish_reason: Cow<'a, str>,
    error: Option<IgnoredAny>,
    logprobs: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    content: Cow<'a, str>,
    refusal: Option<IgnoredAny>,
    reasoning: Option<IgnoredAny>,
    reasoning_content: Option<IgnoredAny>,
    tool_calls: Option<Vec<IgnoredAny>>,
}
