//! A list of checks: what was found, and what to do.

use crate::commands::{Check, State};
use std::fmt::Write;

pub fn list(checks: &[Check]) -> String {
    let width = |part: fn(&Check) -> &str| checks.iter().map(|check| part(check).chars().count()).max().unwrap_or(0);
    let (what, of) = (width(|check| check.what), width(|check| &check.of).min(LONGEST));
    let mut text = String::new();
    for check in checks {
        let head = format!("{:4}  {:what$}  {:of$}", word(check.state), check.what, check.of);
        let _ = writeln!(text, "{head}  {}", check.found);
        if let Some(todo) = &check.todo {
            let _ = writeln!(text, "      {:what$}  → {todo}", "");
        }
    }
    text
}

/// Longer names push the rest of their line to the right, and only of theirs.
const LONGEST: usize = 36;

pub fn summary(checks: &[Check]) -> String {
    let count = |state| checks.iter().filter(|check| check.state == state).count();
    format!("{} ok, {} to look at, {} to put right", count(State::Ok), count(State::Warn), count(State::Fail))
}

fn word(state: State) -> &'static str {
    match state {
        State::Ok => "ok",
        State::Warn => "warn",
        State::Fail => "FAIL",
    }
}
