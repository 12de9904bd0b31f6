//! A simulated vendor endpoint with faults, scripted models, sample cases and temporary stores.

pub mod clinician;
pub mod endpoint;
pub mod format;
pub mod raw;

mod flaky;
mod sample;
mod scripted;

pub use clinician::{Clinician, Consultation, Persona, ToolPolicy};
pub use endpoint::{
    Admission, Content, Endpoint, EndpointSettings, Fault, Faults, Latency, RetryAfter, Rule, Script, Stats, Takes,
};
pub use flaky::FlakyModel;
pub use format::{Asked, Format};
pub use sample::{TempStore, sample_cases, simulated_cases, starter, temp_store};
pub use scripted::ScriptedModel;
