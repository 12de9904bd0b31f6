//! A key: sent, and never shown.

use secrecy::{ExposeSecret, SecretString};
use std::fmt;

#[derive(Clone)]
pub(super) struct Key(SecretString);

impl Key {
    /// Nothing where the text is blank.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(SecretString::from(text)))
    }

    pub fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// Takes the key out of what a service said: some repeat it when they refuse it.
    pub fn scrub(&self, text: &str) -> String {
        text.replace(self.expose(), "[key]")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}
