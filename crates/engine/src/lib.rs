//! Planning and running a study: passes that can be repeated and resumed, events that tell how it goes.

pub mod bounds;
mod canonical;
mod differs;
pub mod error;
pub mod events;
pub mod export;
pub mod gateway;
pub mod key;
pub mod missing;
pub mod passes;
pub mod plan;
pub mod run;
pub mod stop;
pub mod study;
mod unheard;
pub mod work;

pub use error::EngineError;
pub use events::{Pass, RunEvent, Telling, ToJudge};
pub use plan::{Asks, Catalog, OpenedSuite, Plan, PlannedSubject, PlannedSuite, VendorModel};
pub use run::{Outcome, Run, RunDir, Tell};
pub use stop::Stop;
pub use study::StudyFile;
pub use unheard::Unheard;
pub use work::Others;
