//! What a variant asks, as other tools are told it.

use waterjar_agents::plain;
use waterjar_core::{Expectation, Shift, Suite, Variant};
use waterjar_engine::key::key_of;
use waterjar_exchange::Question;

/// The hash holds all that decides what an answer answers.
pub fn of(suite: &dyn Suite, variant: &Variant) -> Question {
    let prompt = suite.ask(variant);
    let hash = key_of(&(suite.id(), &variant.id, &prompt));
    let beside = suite.expects(variant);
    let expected = if beside.is_none() { expected(suite, variant) } else { None };
    Question { instructions: plain::instructions(&prompt), prompt, hash, expected, beside }
}

/// What a sound reader says, where it can be said in a line.
fn expected(suite: &dyn Suite, variant: &Variant) -> Option<String> {
    match &variant.expectation {
        Expectation::Recommends => None,
        Expectation::Shifts(shift) => Some(shifts(shift)).filter(|told| !told.is_empty()),
        about => about.condition().map(|condition| suite.name_of(condition)),
    }
}

fn shifts(shift: &Shift) -> String {
    let dropped = shift.must_drop.iter().map(|it| format!("without {}", it.replace(" | ", " and ")));
    let added = shift.must_add.iter().map(|it| format!("with {}", it.replace(" | ", " or ")));
    let moved = shift.timing.iter().map(|it| {
        let what = it.treatment.as_deref().unwrap_or("a treatment");
        let to = serde_json::to_value(it.to).ok().and_then(|to| to.as_str().map(str::to_owned));
        format!("{what} now {}", to.unwrap_or_default())
    });
    let said = shift.rationale.iter().map(|it| format!("because of {it}"));
    dropped.chain(added).chain(moved).chain(said).collect::<Vec<_>>().join("; ")
}
