//! OpenAI chat completions, and the many that speak it in a dialect.

mod counts;
mod from_wire;
mod plain;
mod to_wire;

pub use from_wire::from_wire;
pub use to_wire::to_wire;
