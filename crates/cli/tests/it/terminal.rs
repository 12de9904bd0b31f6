//! What a terminal shows: lines that keep to its width and break between words.

use crate::sample::{Desk, Ended, SMALL};

const COLUMNS: usize = 80;

/// Says the same as in a pipe, word for word.
fn check(study: &str, words: &str) {
    let desk = Desk::with_study(study);
    let Some(shown) = desk.in_terminal(COLUMNS, words) else { return };
    let Ended { stdout, stderr, .. } = desk.waterjar(words);
    for line in shown.lines() {
        assert!(line.chars().count() <= COLUMNS, "{line}\n\n{shown}");
    }
    assert_eq!(said(&shown), said(&format!("{stdout}{stderr}")), "{shown}");
    let is_wide = |line: &str| line.chars().count() > COLUMNS;
    assert!(stdout.lines().any(is_wide), "nothing had to be broken: {stdout}");
}

/// How much of a disk is free changes by the moment.
fn said(text: &str) -> Vec<String> {
    let without_figures = |word: &str| word.replace(|letter: char| letter.is_ascii_digit(), "");
    text.split_whitespace().map(without_figures).collect()
}

#[test]
fn a_plan_keeps_to_the_terminal() {
    check(SMALL, "plan small.toml");
}

#[test]
fn a_visit_of_the_doctor_keeps_to_the_terminal() {
    let vendor = "[[subject]]\nagent = \"plain\"\nmodel = \"sim/x\"\n\
                  [models.\"sim/x\"]\nurl = \"http://127.0.0.1:9/v1\"\nkey_env = \"SIM_KEY\"\n";
    check(&format!("{SMALL}{vendor}"), "doctor small.toml");
}

/// Names of figures and of two subjects are wider than it together.
#[test]
fn a_plan_of_a_run_keeps_to_a_narrow_terminal() {
    let desk = Desk::with_shared_run();
    let Some(shown) = desk.in_terminal(60, "plan run") else { return };
    assert!(shown.contains(" and plain@"), "{shown}");
    for line in shown.lines() {
        assert!(line.chars().count() <= 60, "{line}\n\n{shown}");
    }
}
