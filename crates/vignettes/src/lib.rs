//! One question about one patient, with the findings that decide it marked; its wordings for he, she and they, and its ablations.

pub mod vignette;

pub use vignette::{Choice, Span, Vignette};
