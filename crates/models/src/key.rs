//! A key: read from the environment, sent, and never shown.

use secrecy::{ExposeSecret, SecretString};
use std::fmt;
use waterjar_core::{ChatReply, ModelError};

/// Shorter "keys" are words such as `EMPTY`, which local servers are given and which answers may contain.
const SHORTEST: usize = 8;

#[derive(Clone)]
pub(crate) struct Key {
    /// The environment variable it came from.
    pub variable: String,
    secret: SecretString,
}

impl Key {
    pub fn new(variable: impl Into<String>, text: &str) -> Self {
        Self { variable: variable.into(), secret: SecretString::from(text.trim()) }
    }

    pub fn expose(&self) -> &str {
        self.secret.expose_secret()
    }

    /// Takes the key out of what a server sent.
    pub fn scrub_bytes(&self, body: Vec<u8>) -> Vec<u8> {
        let key = self.expose().as_bytes();
        if key.len() < SHORTEST || !body.windows(key.len()).any(|window| window == key) {
            return body;
        }
        let mut clean = Vec::with_capacity(body.len());
        let mut rest = body.as_slice();
        while let Some((first, after)) = rest.split_first() {
            if let Some(after) = rest.strip_prefix(key) {
                clean.extend_from_slice(b"[key]");
                rest = after;
            } else {
                clean.push(*first);
                rest = after;
            }
        }
        clean
    }

    fn scrub(&self, text: &mut String) {
        let key = self.expose();
        if key.len() >= SHORTEST && text.contains(key) {
            *text = text.replace(key, "[key]");
        }
    }

    /// Takes the key out of everything that is kept of a call: it may have been hidden by escapes in the body.
    pub fn scrub_outcome(&self, outcome: &mut Result<ChatReply, ModelError>) {
        use ModelError::*;
        match outcome {
            Ok(reply) => {
                self.scrub(&mut reply.text);
                reply.reasoning.iter_mut().for_each(|text| self.scrub(text));
            }
            Err(InvalidOutput(text) | Refused(text) | Timeout(text) | Transport(text)) => self.scrub(text),
            Err(SchemaUnsupported(text) | Budget(text) | Forbidden(text)) => self.scrub(text),
            Err(Stopped) => {}
            Err(RateLimited { message, .. } | Endpoint { message, .. } | Rejected { message, .. }) => {
                self.scrub(message);
            }
        }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({}: …)", self.variable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_taken_out_wherever_it_stands() {
        let key = Key::new("K", " sk-canary-1 \n");
        let clean = key.scrub_bytes(b"sk-canary-1 and sk-canary-1".to_vec());
        assert_eq!(String::from_utf8_lossy(&clean), "[key] and [key]");
        let mut outcome = Err(ModelError::Rejected { status: 401, message: "bad sk-canary-1".into() });
        key.scrub_outcome(&mut outcome);
        assert_eq!(outcome, Err(ModelError::Rejected { status: 401, message: "bad [key]".into() }));
    }

    #[test]
    fn a_placeholder_leaves_answers_alone() {
        let key = Key::new("K", "EMPTY");
        assert_eq!(key.scrub_bytes(b"EMPTY bladder".to_vec()), b"EMPTY bladder");
    }

    #[test]
    fn a_key_is_not_shown() {
        assert_eq!(format!("{:?}", Key::new("OPENAI_API_KEY", "sk-canary-1")), "Key(OPENAI_API_KEY: …)");
    }
}
