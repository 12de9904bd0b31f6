//! What a model says where a type was asked for.

use crate::text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use waterjar_structured::{Read, read, schema_of};

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Opinion {
    diagnosis: String,
    #[schemars(range(min = 1, max = 10))]
    plausibility: u8,
    stance: Stance,
    #[serde(default)]
    #[schemars(length(max = 3))]
    reasons: Vec<Reason>,
    note: Option<String>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Stance {
    Supports,
    Opposes,
    CannotTell,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Reason {
    finding: String,
    weight: i32,
}

pub fn check(data: &[u8]) {
    let Some(said) = text(data) else { return };
    let schema = schema_of::<Opinion>();
    let opinion = match read::<Opinion>(said, &schema) {
        Ok(Read { value, .. }) => value,
        Err(unusable) => return assert!(!unusable.0.trim().is_empty()),
    };
    // Read tolerantly, accepted strictly.
    assert!((1..=10).contains(&opinion.plausibility) && opinion.reasons.len() <= 3, "{opinion:?}");
    // Written well, it is read as it is; in a fence behind a thought, it is the same.
    let written = serde_json::to_string(&opinion).expect("an opinion can be written");
    let again: Read<Opinion> = read(&written, &schema).expect("what follows the schema is taken");
    assert!(!again.repaired, "{written}");
    assert_eq!(again.value, opinion);
    // A tag inside a text ends the thought, so such a text cannot stand behind one.
    if !written.contains('<') {
        let wrapped = format!("<think>{{\"diagnosis\": \"none\"}}</think>So:\n```json\n{written}\n```");
        assert_eq!(read::<Opinion>(&wrapped, &schema).expect("the last one counts").value, opinion);
    }
}
