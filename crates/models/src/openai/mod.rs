//! OpenAI chat completions, and the many that speak it in a dialect.

mod from_wire;
mod to_wire;

pub use from_wire::from_wire;
pub use to_wire::to_wire;
