//! What a log says of itself, as far as we ask.

use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct Head {
    pub version: u64,
    /// Not there while an eval is under way.
    #[serde(default)]
    pub status: Option<String>,
    pub eval: Eval,
}

#[derive(Deserialize)]
pub(super) struct Eval {
    pub model: String,
}
