//! A small run: one family with awkward names, two answers and a verdict.

use std::collections::BTreeMap;
use waterjar_core::{
    Conclusion, Ending, Expectation, Failure, FailureState, FamilyVerdict, Outcome, Prompt, Response, Ruling, Variant,
};
use waterjar_exchange::Question;
use waterjar_exchange::inspect::LogHead;

/// Ids may hold slashes, spaces and any script.
pub const CONTROL: &str = "病例 1/a b/control";
pub const TRAP: &str = "病例 1/a b/trap";

pub fn variant(id: &str) -> Variant {
    let expectation = match id {
        TRAP => Expectation::Flips { from: "gout".into(), to: "sepsis".into() },
        _ => Expectation::Names { condition: "gout".into() },
    };
    Variant {
        id: id.into(),
        family: "病例 1/a b".into(),
        case: "病例 1".into(),
        text: "My toe hurts. 很痛。".to_owned(),
        facts: None,
        intervention: None,
        expectation,
        strata: BTreeMap::from([("edits".to_owned(), "1".to_owned())]),
        record: serde_json::Value::Null,
    }
}

pub fn question(variant: &Variant) -> Question {
    Question {
        prompt: Prompt::new("Name the condition.", variant.text.as_str()),
        instructions: "Name the condition.\n\nBe brief.".to_owned(),
        hash: format!("hash of {}", variant.id),
        expected: Some("Gout".to_owned()),
        beside: None,
    }
}

pub const SAME: &str = "the same answer as the original's";

/// A story of which nobody knows the right answer: what is kept of it names the one that was right before.
pub fn held() -> (Variant, Question) {
    let variant = Variant { expectation: Expectation::Holds { condition: "gout".into() }, ..variant(CONTROL) };
    let question = Question { expected: None, beside: Some(SAME), ..question(&variant) };
    (variant, question)
}

pub fn answer(variant: &str, text: &str) -> Response {
    let said = Conclusion { text: text.to_owned(), reasoning: Some("Because.".to_owned()), record: None };
    Response { variant: variant.into(), subject: "plain@x".into(), repeat: 0, ending: Ending::Ok(said) }
}

pub fn failure(variant: &str) -> Response {
    let failure = Failure::new(FailureState::Refused, "no medical advice");
    Response { ending: Ending::Failed(failure), ..answer(variant, "") }
}

pub fn verdict() -> FamilyVerdict {
    let mut right = Ruling::new(CONTROL.into(), "control", Outcome::Right, "Gout is right");
    right.named = Some("gout".into());
    let mut odd = Ruling::new(TRAP.into(), "trap", Outcome::Missing, "refused");
    // What is no number must not become one.
    odd.score = Some(f64::NAN);
    FamilyVerdict {
        family: "病例 1/a b".into(),
        subject: "plain@x".into(),
        repeat: 0,
        judge: "rules".into(),
        rulings: vec![right, odd],
        strata: BTreeMap::new(),
    }
}

pub fn head() -> LogHead {
    LogHead {
        study: "small".to_owned(),
        seed: 7,
        suite: "einstellung".into(),
        version: 1,
        about: "Pairs.".to_owned(),
        subject: "plain@x".into(),
        agent: "plain".to_owned(),
        model: "x".to_owned(),
        judge: "rules".into(),
        date: "2026-11-16".to_owned(),
        benchmark: "b".to_owned(),
        repeats: 1,
        variants: 2,
        answered: 2,
        failed: 1,
        metrics: BTreeMap::new(),
        main: Vec::new(),
        headline: None,
    }
}
