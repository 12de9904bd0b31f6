//! What can be looked up about a condition. The seam evidence sources are plugged into.

mod article;
mod words;

pub use article::{Article, ArticleReader, Weight};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use waterjar_core::Embedder;

/// A piece of text about a condition, and where it is from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    pub text: String,
    pub source: String,
}

/// What was found, and which sources could not be asked and why. Nothing known is not the same as nobody there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LookedUp {
    pub passages: Vec<Passage>,
    pub down: Vec<String>,
}

#[async_trait]
pub trait Evidence: Send + Sync {
    /// Changes whenever it would say something else.
    fn fingerprint(&self) -> String;

    /// A source that is down leaves the case to the others, and the record says so.
    async fn about(&self, condition: &str) -> LookedUp;
}

/// Opens what a study names as `evidence`. The program has one; this crate knows neither an index nor a network.
pub trait Library {
    /// Folders are relative to `folder`. The error says which name is wrong, and how.
    fn open(&self, names: &[String], folder: &Path) -> Result<Arc<dyn Evidence>, String>;

    /// What a study names as `embedder`, beside the lexical one, which needs no library.
    fn embedder(&self, name: &str) -> Result<Arc<dyn Embedder>, String> {
        Err(format!("there is no library here to find `{name}` in"))
    }
}

/// Knows nothing, and has nothing to open.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nothing;

#[async_trait]
impl Evidence for Nothing {
    fn fingerprint(&self) -> String {
        String::new()
    }

    async fn about(&self, _: &str) -> LookedUp {
        LookedUp::default()
    }
}

impl Library for Nothing {
    fn open(&self, names: &[String], _: &Path) -> Result<Arc<dyn Evidence>, String> {
        match names.first() {
            Some(name) => Err(format!("there is no library here to find `{name}` in")),
            None => Ok(Arc::new(Self)),
        }
    }
}
