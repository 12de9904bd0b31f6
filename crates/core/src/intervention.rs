//! One named, declared change to a case.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Intervention {
    /// `trap`, `sham`: the role of the variant it makes.
    pub name: String,
    pub edits: Vec<Edit>,
}

/// What was taken out and what was put in, in the words of the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    pub removed: String,
    pub inserted: String,
}
