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
}

impl Persona {
    /// Reads everything, never errs beyond the knowledge base.
    pub const CAREFUL: Self = Self { knows: Scope::All, stubbornness: 0.0, noise: 0.0, verbosity: 3 };

    /// Falls for every trap in the antecedents.
    pub const STUBBORN: Self = Self { stubbornness: 1.0, ..Self::CAREFUL };
}

impl Default for Persona {
    /// Falls for a good third of the traps, as the better models of MedEinst do.
    fn default() -> Self {
        Self { stubbornness: 0.4, ..Self::CAREFUL }
    }
}
