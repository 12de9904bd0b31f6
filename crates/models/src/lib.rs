//! Models: what answers a question in text. Built-in readers need no key, no network and no download; vendors are reached
//! over HTTP in one of four wire formats, each two pure functions around one shared send; any program can be one, too.
//!
//! ```text
//! id + spec ─open▶ Vendor ─to_wire▶ request ─send▶ reply ─from_wire▶ ChatReply
//! ```

pub mod embedded;

pub mod anthropic;
pub mod gemini;
pub mod openai;
pub mod waterjar;

mod api;
mod batch;
mod description;
mod dialect;
mod download;
mod embeddings;
mod http;
mod key;
mod look;
mod open;
mod policy;
mod prices;
mod program;
mod schema;
mod secrets;
mod spec;
mod vendor;
mod vendors;
mod wire;

pub use api::Api;
pub use batch::Batches;
pub use description::{Description, Need, Thinking, describe};
pub use dialect::{Dialect, Form, MaxTokens, ReasoningStyle, SeedField, SystemRole, Temperature};
pub use download::download;
pub use embeddings::{EmbeddingModel, Patience};
pub use http::plain_client;
pub use look::{Looked, look};
pub use open::{OpenModelError, open, open_with};
pub use policy::EndpointPolicy;
pub use prices::PRICES;
#[cfg(unix)]
pub use program::read_replies;
pub use program::{Program, find_program, program_needs};
pub use spec::{Mode, ModelSpec};
pub use vendor::Vendor;
pub use vendors::{KeyNeed, VendorRow, all};
pub use wire::{WireReply, WireRequest};
