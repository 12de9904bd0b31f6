//! One question about one patient, with the findings that decide it marked; its wordings for he, she and they, and its ablations.

pub mod rewrite;
mod token;
pub mod vignette;
mod words;

pub use rewrite::{Edit, NotApplicable, Rewritten, Warning, Who, Wording, reword, rewrite};
pub use vignette::{Choice, Span, Vignette};
