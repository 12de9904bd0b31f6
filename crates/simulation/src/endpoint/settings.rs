//! What kind of endpoint it is.

use super::{Admission, Faults, Latency, Script};
use crate::clinician::{Clinician, Persona};
use crate::format::AnswerForm;
use waterjar_core::Seed;

#[derive(Clone)]
pub struct EndpointSettings {
    /// 0 for a free one.
    pub port: u16,
    /// Of latencies; faults and the clinician have their own.
    pub seed: Seed,
    pub clinician: Clinician,
    pub latency: Latency,
    /// Faults by chance.
    pub faults: Faults,
    /// Faults to order; they come before those by chance.
    pub script: Script,
    pub admission: Admission,
    /// The models there are; any name will do where none is listed.
    pub models: Vec<String>,
    pub takes: Takes,
    /// Whether the OpenAI format is refused without a key. The other two always are.
    pub openai_needs_key: bool,
    /// Requests with more tokens than this do not fit.
    pub context: Option<u64>,
    pub batches: BatchManner,
}

/// How batches go.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchManner {
    /// So many looks find it under way.
    pub looks: u32,
    /// The share of questions that fail.
    pub failed: f64,
    /// The share of questions that run out of time when first sent.
    pub expired: f64,
    /// The first so many looks are answered with 500.
    pub broken_looks: u32,
    /// The first so many batches are made, and nobody is told.
    pub lost_replies: u32,
    /// Of the first; those after it end well.
    pub end: BatchEnd,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BatchEnd {
    #[default]
    Well,
    /// Somebody cancelled it half way.
    Cancelled,
    /// It was not taken.
    Failed,
}

/// The most demanding form of structured output the endpoint understands. Asked for more, it answers with 400.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Takes {
    Text,
    JsonObject,
    #[default]
    JsonSchema,
}

impl Takes {
    pub(super) fn understands(self, form: AnswerForm) -> bool {
        let needed = match form {
            AnswerForm::Text => Self::Text,
            AnswerForm::JsonObject => Self::JsonObject,
            AnswerForm::JsonSchema => Self::JsonSchema,
        };
        needed <= self
    }
}

impl Default for EndpointSettings {
    /// Answers at once and always.
    fn default() -> Self {
        Self {
            port: 0,
            seed: Seed(7),
            clinician: Clinician::new(Persona::default(), Seed(7)),
            latency: Latency::None,
            faults: Faults::none(),
            script: Script::default(),
            admission: Admission::default(),
            models: Vec::new(),
            takes: Takes::default(),
            openai_needs_key: false,
            context: None,
            batches: BatchManner::default(),
        }
    }
}

impl EndpointSettings {
    pub fn with_clinician(clinician: Clinician) -> Self {
        Self { clinician, ..Self::default() }
    }

    pub fn with_script(script: Script) -> Self {
        Self { script, ..Self::default() }
    }

    pub fn with_faults(faults: Faults) -> Self {
        Self { faults, ..Self::default() }
    }
}
