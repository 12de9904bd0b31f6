//! How a clinician errs.

use waterjar_knowledge::Scope;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Persona {
    /// What of the patient is taken into account at all.
    pub knows: Scope,
    /// The chance, by lot over seed and symptoms, of answering by the symptoms alone. Control and trap of a pair that
    /// differ in an antecedent draw the same lot, so a stubborn answer falls for the trap.
    pub stubbornness: f64,
    /// Standard deviation of what is added to the log probability of each condition, drawn per patient.
    pub noise: f64,
    /// How many findings the reasoning quotes; none leaves the list alone.
    pub verbosity: usize,
    /// What a stubborn answer says of the antecedents it does not go by.
    pub heed: Heed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Heed {
    /// Nothing.
    #[default]
    Overlooks,
    /// That they are there.
    Mentions,
    /// Why they do not matter.
    ArguesAway,
    /// One of the three, by lot over seed and symptoms.
    Mixed,
}

impl Heed {
    /// The lot lies between 0 and 1. A third overlooks, two in five mention, the rest argues away: about as MedEinst's
    /// auditors found it of GPT-5.
    pub(super) fn by_lot(self, lot: f64) -> Self {
        match self {
            Self::Mixed if lot < 0.35 => Self::Overlooks,
            Self::Mixed if lot < 0.78 => Self::Mentions,
            Self::Mixed => Self::ArguesAway,
            settled => settled,
        }
    }
}

impl Persona {
    /// Reads everything, never errs beyond the knowledge base.
    pub const CAREFUL: Self =
        Self { knows: Scope::All, stubbornness: 0.0, noise: 0.0, verbosity: 3, heed: Heed::Overlooks };

    /// Falls for every trap in the antecedents.
    pub const STUBBORN: Self = Self { stubbornness: 1.0, ..Self::CAREFUL };
}

impl Default for Persona {
    /// Falls for a good third of the traps, as the better models of MedEinst do.
    fn default() -> Self {
        Self { stubbornness: 0.4, heed: Heed::Mixed, ..Self::CAREFUL }
    }
}
