//! A source: a question in, passages out.

use crate::EvidenceError;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use waterjar_core::ConditionId;

#[async_trait]
pub trait EvidenceSource: Send + Sync {
    /// `starter`, `pubmed`, `open-targets`, or what the study calls a folder.
    fn id(&self) -> &str;

    /// All that decides its answers, as far as we know it: a hash of the texts, the address of a service.
    fn fingerprint(&self) -> String;

    /// The best passages first. The same question of the same texts gets the same passages in the same order.
    async fn search(&self, query: &Query, limit: usize) -> Result<Vec<Passage>, EvidenceError>;
}

/// What is looked up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Query {
    /// The name of the condition the passages should be about.
    pub condition: Option<String>,
    /// Findings or whatever else should occur, in anybody's words; may be empty beside a condition.
    pub text: String,
}

impl Query {
    pub fn text(text: impl Into<String>) -> Self {
        Self { condition: None, text: text.into() }
    }

    pub fn condition(name: impl Into<String>) -> Self {
        Self { condition: Some(name.into()), text: String::new() }
    }

    #[must_use]
    pub fn about(self, text: impl Into<String>) -> Self {
        Self { text: text.into(), ..self }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// The id of the source it comes from.
    pub source: String,
    /// Within the source: `gout`, `cardiology/angina.md#0002`, `31452104`, `EFO_0004274/phenotypes`.
    pub id: String,
    pub title: String,
    pub text: String,
    /// Where a person can read it.
    pub url: Option<String>,
    /// The condition it is about, where the text itself says so.
    pub condition: Option<ConditionId>,
    /// BM25, or 1/rank where a service only ranks. To be compared within one source and one query, never between sources.
    pub score: f32,
}
