//! Runs in the formats of other tools, and back. Data in, files out: it knows neither the store nor who asks.

pub mod hf;
pub mod inspect;
pub mod lm_eval;
pub mod promptfoo;
pub mod table;

mod error;
mod json_list;
mod line_file;
mod python_json;
mod question;
mod recorded;

pub use error::WriteError;
pub use line_file::LineFile;
pub use question::Question;
pub use recorded::{Each, Recorded, Recording};
