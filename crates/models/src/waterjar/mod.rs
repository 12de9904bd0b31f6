//! Our own small shape, for programs and servers that speak no vendor's: one object asks, one object replies.

mod from_wire;
mod to_wire;

pub use from_wire::from_wire;
pub use to_wire::to_wire;

pub(crate) use from_wire::read;
pub(crate) use to_wire::question;
