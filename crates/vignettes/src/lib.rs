//! One question about one patient, with the findings that decide it marked; its wordings for he, she and they, and its ablations.

pub mod ablate;
pub mod attributes;
pub mod doubts;
pub mod import;
pub mod rewrite;
pub mod same;
pub mod starter;
pub mod suggest;
pub mod tagged;
mod token;
pub mod vignette;
mod words;

pub use ablate::{Ablated, ROUGH, ablate, mended};
pub use attributes::{Attribute, intervene};
pub use doubts::Doubts;
pub use import::{Import, ImportOptions};
pub use rewrite::{
    AMBIGUOUS, Edit, IDENTITY, NotApplicable, Rewritten, Warning, Who, Wording, reword, rewrite, told_sex, unsexed,
};
pub use same::{gendered_edits, only_gendered_words_differ};
pub use starter::starter;
pub use suggest::{Reason, Suggestion, suggest_spans};
pub use vignette::{Choice, Span, Vignette};
pub use words::gendered::is_kin;
