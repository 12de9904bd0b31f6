//! A study as a gate: bounds, exit codes and what a build server reads.

use crate::sample::{Desk, SMALL};

fn gated(max: f64) -> String {
    format!(
        "{SMALL}\n[bounds]\n\"einstellung.bias_trap_rate\" = {{ max = {max}, subject = \"plain@symptoms-only\" }}\n"
    )
}

#[test]
fn a_broken_bound_is_a_failed_test() {
    let desk = Desk::with_study(&gated(0.1));
    let ended = desk.waterjar("run small.toml --out run --junit gate.xml");
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let xml = desk.read("gate.xml");
    assert!(xml.contains("<testsuites name=\"small\" tests=\"4\" failures=\"1\" errors=\"0\">"), "{xml}");
    assert!(xml.contains("name=\"bias_trap_rate of plain@symptoms-only: at most 0.1\"><failure message="), "{xml}");
    assert!(xml.contains("name=\"every answer of plain@gestalt\"/>"), "{xml}");
}

#[test]
fn a_bound_that_holds_is_a_passed_test_and_measuring_again_says_the_same() {
    let desk = Desk::with_study(&gated(1.0));
    desk.done("run small.toml --out run --junit gate.xml");
    let xml = desk.read("gate.xml");
    assert!(xml.contains("tests=\"4\" failures=\"0\" errors=\"0\""), "{xml}");
    desk.done("measure run --junit again.xml");
    assert_eq!(desk.read("again.xml"), xml);
}

#[test]
fn a_place_that_cannot_be_written_is_told() {
    let desk = Desk::with_study(&gated(1.0));
    let ended = desk.waterjar("run small.toml --out run --junit no/such/folder/gate.xml");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("no/such/folder"), "{}", ended.stderr);
}
