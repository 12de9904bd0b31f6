//! The benchmark for Inspect's solvers: JSON Lines that `inspect_ai.dataset.json_dataset` reads without being told how.

use crate::Question;
use serde_json::{Value, json};
use waterjar_core::{SuiteId, Variant};

/// One line. The id and the metadata come back in the log.
pub fn row(suite: &SuiteId, variant: &Variant, question: &Question) -> Value {
    json!({
        "id": variant.id,
        "input": [
            { "role": "system", "content": question.instructions },
            { "role": "user", "content": question.prompt.text },
        ],
        "target": question.target(),
        "metadata": question.metadata(suite, variant),
    })
}
