//! `waterjar show`

use crate::sample::{Desk, shared_run};

#[test]
fn what_there_is_is_listed() {
    let desk = Desk::new();
    let check = |what: &str, names: &[&str]| {
        let list = desk.done(&format!("show {what}")).stdout;
        for name in names {
            assert!(list.lines().any(|line| line.starts_with(name)), "{what}: no {name} in\n{list}");
        }
    };
    check("suites", &["einstellung"]);
    check("agents", &["plain"]);
    check("models", &["gestalt", "neighbours", "logit", "symptoms-only", "prior", "reference"]);
}

#[test]
fn a_case_is_shown_with_what_its_variants_change() {
    let desk = Desk::new();
    let run = shared_run();
    let first = desk.done(&format!("show case {}", run.display())).stdout;
    for part in [
        "== control (right answer: ",
        "== trap (right answer flips from ",
        "== sham (right answer holds: ",
        "\n- ",
        "\n+ ",
        "odds for the right answer here: ",
    ] {
        assert!(first.contains(part), "no `{part}` in\n{first}");
    }
    let (id, _) = first.split_once(':').unwrap();
    assert_eq!(desk.done(&format!("show case {} {id}", run.display())).stdout, first);
}

#[test]
fn an_unknown_case_or_run_is_told() {
    let desk = Desk::new();
    let ended = desk.waterjar(&format!("show case {} nobody", shared_run().display()));
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("no family of the run is called `nobody`\nhint: "), "{}", ended.stderr);
    assert_eq!(desk.waterjar("show case .").code, Some(2));
}
