//! The three streams: what came to mind, what the graph says, what cases like this one were.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Streams {
    /// The candidate that came to mind first.
    pub intuition: u32,
    /// The candidate with the best score; `None` where nothing is known of any.
    pub evidence: Option<u32>,
    pub experience: Option<Experience>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Experience {
    /// What most cases like this one had.
    pub candidate: u32,
    /// Its share among them.
    pub share: f64,
}
