//! Who does the thinking at each stage: a language model, or rules. Graph, scores, memory and audit sheet are the same for both.

pub mod model;
pub mod rules;
pub mod stages;

use super::audit::{Sheet, Streams};
use super::evidence::Passage;
use super::memory::{Exemplar, IllnessGraph};
use async_trait::async_trait;
use stages::{Feedback, Intuition, Knowledge, KnowledgeNode, Opinion, Reexamination, Relations, Representation};
use waterjar_core::{AgentError, ChatModel, Prompt};

/// Six stages, each one question; the agent asks them in this order, each once.
#[async_trait]
pub trait Reasoner: Send + Sync {
    /// Changes whenever it would say something else: prompts, rules.
    fn fingerprint(&self) -> String;

    /// 1. At most `most` candidates at first sight, most likely first; at least one.
    async fn intuit(&self, sight: &Sight<'_>, most: usize) -> Result<Intuition, AgentError>;

    /// 2. The patient's facts. A fact is absent only where the text denies it.
    async fn represent(&self, sight: &Sight<'_>) -> Result<Representation, AgentError>;

    /// 3. Telling and expected features of the candidates, from what was learnt and looked up about each.
    async fn tell_apart(&self, sight: &Sight<'_>, about: &Differing<'_>) -> Result<Knowledge, AgentError>;

    /// 4. How facts bear on features, and features on candidates.
    async fn relate(&self, sight: &Sight<'_>, about: &Relating<'_>) -> Result<Relations, AgentError>;

    /// 5. A second look for all expected features no fact speaks of, in one batch. Those left out stay missing.
    async fn reexamine(&self, sight: &Sight<'_>, expected: &[&KnowledgeNode]) -> Result<Reexamination, AgentError>;

    /// 6. Keep the first impression, or overturn it.
    async fn audit(&self, sight: &Sight<'_>, about: &Auditing<'_>) -> Result<Opinion, AgentError>;
}

/// Says why an answer to a training case was wrong. It knows the right one; the reasoner only hears the feedback.
#[async_trait]
pub trait Critic: Send + Sync {
    fn fingerprint(&self) -> String;

    async fn feedback(&self, sight: &Sight<'_>, about: &Criticising<'_>) -> Result<Feedback, AgentError>;
}

/// The patient, and the model to ask. With rules the model is a built-in reader.
pub struct Sight<'a> {
    pub model: &'a dyn ChatModel,
    pub prompt: &'a Prompt,
    pub repeat: u32,
    /// What a critic said of earlier rounds on this case; empty outside evolution.
    pub feedback: &'a [Feedback],
}

/// What is known of one candidate.
pub struct Dossier<'a> {
    pub condition: &'a str,
    /// Its illness graph, where cases were learnt from.
    pub illness: Option<&'a IllnessGraph>,
    /// What the evidence source says of it.
    pub passages: &'a [Passage],
}

/// An article is trusted like so many cases: what it says is general, and may be misread.
const ARTICLE_TRUST: f64 = 2.0;

impl Dossier<'_> {
    /// How many cases' worth is known of it.
    pub fn cases(&self) -> f64 {
        let read = if self.passages.is_empty() { 0.0 } else { ARTICLE_TRUST };
        self.illness.map_or(0.0, |graph| f64::from(graph.cases)) + read
    }
}

/// For stage 3.
pub struct Differing<'a> {
    pub patient: &'a Representation,
    pub dossiers: &'a [Dossier<'a>],
    /// Whether features may be pivots; an ablation says no.
    pub pivots: bool,
}

/// For stage 4.
pub struct Relating<'a> {
    pub patient: &'a Representation,
    pub features: &'a [KnowledgeNode],
    pub dossiers: &'a [Dossier<'a>],
}

/// For stage 6.
pub struct Auditing<'a> {
    /// Names of the candidates, by their number.
    pub candidates: &'a [String],
    pub patient: &'a Representation,
    /// Three tiers: fatal conflicts, pivots, coverage and shadows, with score and summary per candidate.
    pub sheet: &'a Sheet,
    /// What intuition, evidence and experience each say.
    pub streams: &'a Streams,
    /// A challenger should lead the first impression in S by this over the cases of the less known of the two.
    pub doubt: f64,
    /// Cases like this one, with the path that led to their diagnosis.
    pub exemplars: &'a [&'a Exemplar],
}

/// For the critic.
pub struct Criticising<'a> {
    pub patient: &'a Representation,
    pub candidates: &'a [String],
    pub sheet: &'a Sheet,
    pub answered: &'a str,
    pub right: &'a str,
    /// The illness graphs of what was answered and of what is right, where there are any.
    pub illness_of_answered: Option<&'a IllnessGraph>,
    pub illness_of_right: Option<&'a IllnessGraph>,
}
