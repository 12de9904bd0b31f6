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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_not_shown_and_taken_out_of_what_is_said() {
        let key = Key::new(" c0ffee-canary\n").expect("it is not blank");
        assert_eq!(format!("{key:?}"), "Key(…)");
        assert_eq!(key.scrub("bad c0ffee-canary, c0ffee-canary"), "bad [key], [key]");
    }

    #[test]
    fn a_blank_key_is_none() {
        assert!(Key::new(" \n").is_none());
    }
}
