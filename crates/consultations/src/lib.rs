//! One patient's question in their own voice: a seed patient, the words of a language, and what confounds a reader (a trap, a voice, a
//! rumor). Everything is drawn by seed, question and purpose. Illustrative; not for patient care.

pub mod author;
pub mod doctor;
pub mod dx;
mod gate;
mod hearing;
mod kinship;
pub mod language;
mod lint;
pub mod names;
mod patient;
mod persona;
mod points;
mod rumor;
mod telling;
pub mod words;

pub use author::{Author, Criterion, Design, Plan, Question, State, Trap};
pub use gate::{Candidate, Refused, gate};
pub use hearing::{Heard, Hearing};
pub use kinship::Kinship;
pub use language::{Language, LanguageError};
pub use lint::lint;
pub use names::{Mention, Names};
pub use patient::{Complaint, Patient};
pub use persona::{Communication, Level, Persona, Style};
pub use points::{Point, Points};
pub use rumor::{Category, Rumor, Symptom};
pub use telling::{Teller, Untold};
