//! Findings ↔ words, in the layout of MedEinst's figure 8: a header, symptoms, antecedents. Told text reads back exactly.

mod read;
mod tell;

pub use read::{Narrative, Reader};
pub use tell::{sentence, tell};

pub(crate) const SYMPTOMS: &str = "Symptoms:";
pub(crate) const ANTECEDENTS: &str = "Antecedents:";
pub(crate) const VALUE: &str = "{value}";
