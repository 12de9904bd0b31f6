//! A simulated vendor endpoint: a plausible clinician who answers over real HTTP in three wire formats, and the faults of
//! real vendors. Rehearsals, tests and benches ask it instead of a vendor.

pub mod clinician;
pub mod endpoint;
pub mod format;
pub mod raw;

mod patients;

pub use clinician::{Clinician, Consultation, Heed, Persona, ToolPolicy};
pub use endpoint::{
    Admission, BatchEnd, BatchManner, Content, Endpoint, EndpointSettings, Fault, Faults, Latency, RetryAfter, Rule,
    Script, Stats, Takes,
};
pub use format::{Asked, Format};
pub use patients::{sample_cases, simulated_cases, starter};
