//! The nouns of the pipeline, in reading order, and what can be plugged into it.
//!
//! ```text
//! case ─vary▶ variants ─ask▶ prompts ─answer▶ responses ─judge▶ verdicts ─measure▶ metrics ─▶ report
//! ```

mod id;

pub mod agent;
pub mod batch;
pub mod benchmark;
pub mod case;
pub mod cell;
pub mod column;
pub mod counted;
pub mod embedder;
pub mod expectation;
pub mod figure;
pub mod intervention;
pub mod metric;
pub mod model;
pub mod plain;
pub mod prompt;
pub mod recommendation;
pub mod registration;
pub mod response;
pub mod seed;
pub mod shares;
pub mod slip;
pub mod source;
pub mod strata;
pub mod suite;
pub mod variant;
pub mod verdict;

pub use agent::{Agent, AgentError};
pub use batch::{BatchAnswer, BatchBounds, BatchLook, BatchModel, BatchReply, BatchState, SentBatch};
pub use benchmark::{Account, BenchmarkSummary};
pub use case::{Candidate, Case, Facts, FindingState, Observation, Sex};
pub use column::{Better, MetricColumn, MetricKind};
pub use counted::counted;
pub use embedder::{Embedder, Payer, VectorRequest, cosine};
pub use expectation::{Expectation, Shift, TimingShift};
pub use figure::{Chart, Figure};
pub use id::{AgentId, CaseId, ConditionId, FamilyId, FindingId, JudgeId, ModelId, SubjectId, SuiteId, VariantId};
pub use intervention::{Edit, Intervention};
pub use metric::{BoundCheck, Breakdown, Interval, Metric, MetricsFile, SubjectResult};
pub use model::{
    AnswerSchema, ChatModel, ChatReply, ChatRequest, Finish, Message, ModelError, Reasoning, Role, Sampling,
    TokenLogprob, Tool, ToolCall, Usage,
};
pub use plain::in_plain_words;
pub use prompt::{Form, Prompt};
pub use recommendation::{Intent, Recommendation, Recommendations, Timing, TreatmentClass};
pub use registration::{Registration, Stamp};
pub use response::{Conclusion, Ending, Failure, FailureState, Family, Member, Response};
pub use seed::Seed;
pub use shares::{Shares, Sharing};
pub use source::{AS_UTF_8, Away, CaseSource, Kept, NOT_UTF_8, SourceError};
pub use strata::Strata;
pub use suite::{
    Audited, Check, Likeness, Loss, Measured, Quota, Roles, Suite, SuiteCard, SuiteContext, SuiteError, Together,
    Varied,
};
pub use variant::Variant;
pub use verdict::{Audit, FailureMode, FamilyVerdict, KeyEvidence, Outcome, RankedLabel, Ruling, SilentJudge};
