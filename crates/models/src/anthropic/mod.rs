//! Anthropic Messages.

mod from_wire;
mod to_wire;

pub use from_wire::from_wire;
pub(crate) use to_wire::max_tokens;
pub use to_wire::to_wire;
