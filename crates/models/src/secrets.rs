//! What must not be found in anything that is kept: the key, and what headers take from the environment.

use crate::key::Key;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;
use waterjar_core::{ChatReply, ModelError};

/// A shorter one is taken out only where it stands as a word: within words it would be found by chance.
const SURELY: usize = 8;
/// A still shorter one is no secret, and answers are full of such letters.
const SHORTEST: usize = 4;
/// Words that local servers are given for a key, which hold nothing and which answers may contain.
const PLACEHOLDERS: [&str; 8] = ["empty", "none", "null", "dummy", "test", "local", "token", "ollama"];
const IN_ITS_PLACE: &str = "[key]";

#[derive(Clone, Default)]
pub(crate) struct Secrets(Vec<String>);

impl Secrets {
    pub fn of(key: Option<&Key>) -> Self {
        let mut secrets = Self::default();
        key.into_iter().for_each(|key| secrets.add(key.expose()));
        secrets
    }

    /// A header may hold more than the secret, as in `Bearer …`: each long word counts by itself.
    pub fn add(&mut self, text: &str) {
        let words = text.split_whitespace().filter(|word| word.len() >= SURELY);
        let counts = |word: &&str| word.len() >= SHORTEST && !PLACEHOLDERS.contains(&word.to_lowercase().as_str());
        self.0.extend([text.trim()].into_iter().filter(counts).chain(words).map(str::to_owned));
        // The longest first: one may be part of another.
        self.0.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        self.0.dedup();
    }

    /// Takes them out of what a server sent.
    pub fn scrub_bytes(&self, body: Vec<u8>) -> Vec<u8> {
        let clean = match std::str::from_utf8(&body) {
            Ok(text) => self.clean(text).map(String::into_bytes),
            // Letters of another encoding do not hide it: what is not text is kept as well as it can be.
            Err(_) => self.clean(&String::from_utf8_lossy(&body)).map(String::into_bytes),
        };
        clean.unwrap_or(body)
    }

    /// Takes them out of everything that is kept of a call: in the body they may have been hidden by escapes.
    pub fn scrub_outcome(&self, outcome: &mut Result<ChatReply, ModelError>) {
        match outcome {
            _ if self.0.is_empty() => {}
            Ok(reply) => self.scrub_reply(reply),
            Err(error) => self.scrub_error(error),
        }
    }

    fn scrub_reply(&self, reply: &mut ChatReply) {
        let mut found = self.scrub(&mut reply.text);
        for text in reply.reasoning.iter_mut().chain(&mut reply.served_by) {
            found |= self.scrub(text);
        }
        for call in &mut reply.tool_calls {
            self.scrub(&mut call.id);
            self.scrub(&mut call.name);
            self.scrub_value(&mut call.arguments);
        }
        reply.vendor_state.iter_mut().for_each(|state| self.scrub_value(state));
        // Cut into tokens it could be put together again.
        if found {
            reply.logprobs = None;
        }
    }

    pub fn scrub_error(&self, error: &mut ModelError) {
        use ModelError::*;
        match error {
            InvalidOutput(text)
            | Refused(text)
            | Timeout(text)
            | Transport(text)
            | SchemaUnsupported(text)
            | Budget(text)
            | Forbidden(text)
            | Closed(text) => _ = self.scrub(text),
            Stopped => {}
            RateLimited { message, .. } | Endpoint { message, .. } | Rejected { message, .. } => {
                self.scrub(message);
            }
            Charged { error, .. } => self.scrub_error(error),
        }
    }

    fn scrub_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => _ = self.scrub(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.scrub_value(item)),
            Value::Object(fields) => {
                if fields.keys().any(|name| self.clean(name).is_some()) {
                    let all = std::mem::take(fields).into_iter();
                    fields.extend(all.map(|(name, field)| (self.clean(&name).unwrap_or(name), field)));
                }
                fields.values_mut().for_each(|field| self.scrub_value(field));
            }
            _ => {}
        }
    }

    /// Whether there was one.
    fn scrub(&self, text: &mut String) -> bool {
        self.clean(text).map(|clean| *text = clean).is_some()
    }

    /// `None` where there is nothing to take out.
    fn clean(&self, text: &str) -> Option<String> {
        let mut clean = Cow::Borrowed(text);
        for secret in &self.0 {
            if clean.contains(secret.as_str()) {
                clean = Cow::Owned(without(&clean, secret));
            }
        }
        (clean != text).then(|| clean.into_owned())
    }
}

fn without(text: &str, secret: &str) -> String {
    if secret.len() >= SURELY {
        return text.replace(secret, IN_ITS_PLACE);
    }
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(secret) {
        let (before, after) = (&rest[..at], &rest[at + secret.len()..]);
        let of_a_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let is_part = of_a_word(before.chars().next_back()) || of_a_word(after.chars().next());
        clean.push_str(before);
        clean.push_str(if is_part { secret } else { IN_ITS_PLACE });
        rest = after;
    }
    clean + rest
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets({})", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use waterjar_core::{TokenLogprob, ToolCall};

    fn secrets(texts: &[&str]) -> Secrets {
        let mut secrets = Secrets::default();
        texts.iter().for_each(|text| secrets.add(text));
        secrets
    }

    fn check(secret: &str, text: &str, clean: &str) {
        let found = secrets(&[secret]).scrub_bytes(text.as_bytes().to_vec());
        assert_eq!(String::from_utf8_lossy(&found), clean);
    }

    #[test]
    fn a_secret_is_taken_out_wherever_it_stands() {
        check(" sk-canary-1 \n", "sk-canary-1 and xsk-canary-1y", "[key] and x[key]y");
        check("Bearer sk-canary-1", "got sk-canary-1", "got [key]");
        let body = [b"\xff sk-canary-1 ".as_slice(), &[0xfe]].concat();
        assert!(!String::from_utf8_lossy(&secrets(&["sk-canary-1"]).scrub_bytes(body)).contains("canary"));
    }

    #[test]
    fn a_short_secret_is_taken_out_as_a_word_and_a_placeholder_is_left() {
        check("w4rd-3", "w4rd-3, w4rd-33, Xw4rd-3", "[key], w4rd-33, Xw4rd-3");
        check("EMPTY", "EMPTY bladder", "EMPTY bladder");
        check("1", "1. Angina", "1. Angina");
    }

    #[test]
    fn nothing_that_is_kept_holds_one() {
        let canaries = ["sk-canary-1", "ward-canary-2"];
        let text = || canaries.join(" ");
        let reply = ChatReply {
            text: text(),
            reasoning: Some(text()),
            tool_calls: vec![ToolCall { id: text(), name: text(), arguments: json!({ text(): [text()] }) }],
            served_by: Some(text()),
            vendor_state: Some(json!({ "anthropic": [{ "text": text() }] })),
            logprobs: Some(vec![TokenLogprob { token: "canary".into(), logprob: 0.0, top: Vec::new() }]),
            ..ChatReply::default()
        };
        for outcome in [
            Ok(reply),
            Err(ModelError::Rejected { status: 401, message: text() }),
            Err(ModelError::InvalidOutput(text()).charged(None)),
        ] {
            let mut outcome = outcome;
            secrets(&canaries).scrub_outcome(&mut outcome);
            let kept = format!("{outcome:?}");
            assert!(!kept.contains("canary") && kept.contains("[key] [key]"), "{kept}");
        }
    }
}
