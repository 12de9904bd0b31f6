//! Sources: can they be read?

use super::{Check, State};
use waterjar_engine::Plan;

/// They were opened with the study; here the first case is read.
pub fn check(plan: &Plan) -> Vec<Check> {
    let one = |planned: &waterjar_engine::PlannedSuite| {
        let source = &planned.opened.source;
        let of = format!("{} of {}", source.name(), planned.id());
        match source.cases().next() {
            Some(Ok(_)) => match source.read_through() {
                Ok(None) => Check::ok("source", of, "it can be read"),
                Ok(Some(read)) => Check::ok("source", of, one_line(&read)),
                Err(error) => Check::fail("source", of, error.to_string(), "correct the file, or take it out"),
            },
            Some(Err(error)) => {
                let todo = error.hint.clone().unwrap_or_else(|| "correct the file, or name another".to_owned());
                Check::fail("source", of, error.to_string(), todo)
            }
            None => Check::fail("source", of, "it holds no cases", "name another source"),
        }
    };
    let doubt = |told: String| Check { state: State::Warn, ..Check::ok("source", "cases", told) };
    plan.suites.iter().map(one).chain(plan.doubts().into_iter().map(doubt)).collect()
}

fn one_line(text: &str) -> String {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join("; ")
}
