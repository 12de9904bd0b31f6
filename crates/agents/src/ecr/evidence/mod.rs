//! What can be looked up about a condition. The seam evidence sources are plugged into.

mod article;
mod folder;
mod words;

pub use article::{Article, ArticleReader, Weight};
pub use folder::Folder;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

/// A piece of text about a condition, and where it is from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    pub text: String,
    pub source: String,
}

#[async_trait]
pub trait Evidence: Send + Sync {
    /// Changes whenever it would say something else.
    fn fingerprint(&self) -> String;

    /// Nothing found is an empty list. The error says which source failed and why; the agent goes on without it and says so.
    async fn about(&self, condition: &str) -> Result<Vec<Passage>, String>;
}

/// Knows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nothing;

#[async_trait]
impl Evidence for Nothing {
    fn fingerprint(&self) -> String {
        String::new()
    }

    async fn about(&self, _: &str) -> Result<Vec<Passage>, String> {
        Ok(Vec::new())
    }
}
