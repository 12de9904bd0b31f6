//! A list of checks: what was found, and what to do.

use super::screen;
use crate::commands::{Check, State};
use std::fmt::Write;

pub fn list(checks: &[Check]) -> String {
    // Endpoints write part of what was found.
    screen::harmless(&within(checks, screen::width_of_stdout()))
}

fn within(checks: &[Check], most: usize) -> String {
    let width = |part: fn(&Check) -> &str| checks.iter().map(|check| part(check).chars().count()).max().unwrap_or(0);
    let (what, of) = (width(|check| check.what), width(|check| &check.of).min(LONGEST));
    let mut text = String::new();
    for check in checks {
        let head = format!("{:4}  {:what$}  {:of$}", word(check.state), check.what, check.of);
        let taken = head.chars().count() + 2;
        // Below what it is of, and beside it only where there is room.
        let below = what + 8;
        if taken + check.found.chars().count() <= most {
            let _ = writeln!(text, "{head}  {}", check.found);
        } else if taken + NARROWEST <= most {
            let _ = writeln!(text, "{head}  {}", screen::beside(taken, &check.found, most));
        } else {
            let found = screen::beside(below, &check.found, most);
            let _ = writeln!(text, "{}\n{:below$}{found}", head.trim_end(), "");
        }
        if let Some(todo) = &check.todo {
            let _ = writeln!(text, "{:below$}→ {}", "", screen::beside(below + 2, todo, most));
        }
    }
    text
}

/// Longer names push the rest of their line to the right, and only of theirs.
const LONGEST: usize = 36;
/// In fewer columns nobody reads a sentence.
const NARROWEST: usize = 24;

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

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(of: &str) -> Check {
        Check {
            what: "endpoint",
            of: of.to_owned(),
            state: State::Fail,
            found: "127.0.0.1 takes no connection at port 8000: Connection refused".to_owned(),
            todo: Some("start the server, or correct `url` in the model's table".to_owned()),
        }
    }

    fn check(of: &str, most: usize, told: &str) {
        assert_eq!(within(&[refused(of)], most), told);
    }

    #[test]
    fn in_a_terminal_lines_break_between_words_and_go_on_below_where_they_began() {
        check(
            "local/qwen",
            60,
            "FAIL  endpoint  local/qwen  127.0.0.1 takes no connection at\n\
             \u{20}                           port 8000: Connection refused\n\
             \u{20}               → start the server, or correct `url` in the\n\
             \u{20}                 model's table\n",
        );
    }

    #[test]
    fn beside_a_long_name_there_is_no_room_and_the_line_goes_on_below_it() {
        check(
            "/srv/waterjar/studies/of/2026/runs",
            60,
            "FAIL  endpoint  /srv/waterjar/studies/of/2026/runs\n\
             \u{20}               127.0.0.1 takes no connection at port 8000:\n\
             \u{20}               Connection refused\n\
             \u{20}               → start the server, or correct `url` in the\n\
             \u{20}                 model's table\n",
        );
    }

    #[test]
    fn files_and_pipes_get_whole_lines() {
        check(
            "local/qwen",
            usize::MAX,
            "FAIL  endpoint  local/qwen  127.0.0.1 takes no connection at port 8000: Connection refused\n\
             \u{20}               → start the server, or correct `url` in the model's table\n",
        );
    }
}
