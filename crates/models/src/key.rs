//! A key: read from the environment, sent, and never shown.

use secrecy::{ExposeSecret, SecretString};
use std::fmt;

/// What is read from the environment and sent.
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
    fn a_key_is_not_shown() {
        assert_eq!(format!("{:?}", Key::new("OPENAI_API_KEY", "sk-canary-1")), "Key(OPENAI_API_KEY: …)");
    }
}
