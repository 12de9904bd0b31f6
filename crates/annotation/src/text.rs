//! A text in the languages it was written in.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// In a form: `"Is it plausible?"`, or `{ en = "Is it plausible?", zh = "是否合理？" }`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Text {
    One(String),
    Many(BTreeMap<String, String>),
}

impl Text {
    /// In the language, else in English, else in any.
    pub fn in_language(&self, language: &str) -> &str {
        match self {
            Self::One(text) => text,
            Self::Many(texts) => {
                let found = texts.get(language).or_else(|| texts.get("en")).or_else(|| texts.values().next());
                found.map_or("", String::as_str)
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::One(text) => text.trim().is_empty(),
            Self::Many(texts) => texts.is_empty() || texts.values().any(|text| text.trim().is_empty()),
        }
    }
}
