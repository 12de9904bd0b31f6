//! List prices of well-known models.

/// The table as it is written, in the shape in which a study overrides it. `engine::gateway::Prices` reads it.
pub const PRICES: &str = include_str!("prices.toml");
