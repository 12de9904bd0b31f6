//! Findings ↔ words, in the layout of MedEinst's figure 8: a header, symptoms, antecedents. Told text reads back exactly.
//!
//! Of small children the header says that a parent answers. The sentences stay the child's, as in a questionnaire that is filled in for one.

mod read;
mod tell;

pub use read::{Narrative, Reader};
pub use tell::{sentence, tell};

pub(crate) const SYMPTOMS: &str = "Symptoms:";
pub(crate) const ANTECEDENTS: &str = "Antecedents:";
/// Children answer questions on how they feel from this age on (so do those of PROMIS); for younger ones a parent does.
pub(crate) const ANSWERS_FROM: u8 = 8;
/// What the header says then. Without a colon: it is no field.
pub(crate) const BY_PARENT: &str = ", a parent answers for the child (\"I\" is the child)";
pub(crate) const VALUE: &str = "{value}";
