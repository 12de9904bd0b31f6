//! A study as a gate: bounds, exit codes and what a build server reads.

use crate::sample::{Desk, SMALL, quick};
use crate::served::Served;

fn gated(max: f64) -> String {
    format!(
        "{SMALL}\n[bounds]\n\"einstellung.bias_trap_rate\" = {{ max = {max}, subject = \"plain@symptoms-only\" }}\n"
    )
}

#[test]
fn a_broken_bound_is_a_failed_test() {
    let desk = Desk::with_study(&gated(0.01));
    let ended = desk.waterjar("run small.toml --out run --junit gate.xml");
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let xml = desk.read("gate.xml");
    assert!(xml.contains("<testsuites name=\"small\" tests=\"4\" failures=\"1\" errors=\"0\">"), "{xml}");
    assert!(xml.contains("name=\"bias_trap_rate of plain@symptoms-only: at most 0.01\"><failure message="), "{xml}");
    assert!(xml.contains("name=\"every answer of plain@gestalt\"/>"), "{xml}");
    let bound = &desk.json("run/metrics.json")["bounds"][0];
    assert_eq!((&bound["figure"], &bound["demand"]), (&"einstellung.bias_trap_rate".into(), &"at most 0.01".into()));
    assert!(bound["broken"].as_str().is_some_and(|why| why.ends_with("above 0.01")), "{bound}");
    let report = desk.read("run/report.html");
    assert!(report.contains("1 of 1 broken") && report.contains("<strong>broken</strong>: einstellung.bias_trap"));
}

#[test]
fn a_broken_bound_is_seen_in_the_list_of_runs_and_told_on_the_page_of_the_run() {
    let desk = Desk::with_study(&gated(0.01));
    assert_eq!(desk.waterjar("run small.toml --out broken").code, Some(1));
    desk.write("small.toml", gated(1.0));
    desk.done("run small.toml --out kept");
    let served = Served::start(&[&desk.path("broken"), &desk.path("kept")]);
    let list = served.page("/");
    let state = |run: &str| list.split(&format!("href=\"/runs/{run}\"")).nth(1).unwrap().split("</tr>").next().unwrap();
    assert!(state("broken").contains("✗</span> bound broken"), "{}", state("broken"));
    assert!(state("kept").contains("✓</span> finished"), "{}", state("kept"));
    let broken = served.page("/runs/broken");
    assert!(broken.contains("1 of 1 broken") && broken.contains("<strong>broken</strong>: einstellung.bias_trap"));
    let kept = served.page("/runs/kept");
    let told = "kept: einstellung.bias_trap_rate of plain@symptoms-only, at most 1";
    assert!(kept.contains("all kept") && kept.contains(told), "{kept}");
}

#[test]
fn a_bound_set_afterwards_is_told_alike_by_page_and_figures() {
    let desk = Desk::with_study(&gated(1.0));
    desk.done("register small.toml");
    desk.done("run small.toml --out run");
    assert!(desk.read("run/report.html").contains("all kept"));
    let bound = "bounds.\"einstellung.bias_trap_rate\".max=0.01";
    let ended = desk.waterjar(&format!("measure run --set {bound}"));
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert_eq!(desk.json("run/metrics.json")["registered"], false);
    let page = desk.read("run/report.html");
    assert!(page.contains("1 of 1 broken") && page.contains("and deviated from"), "{}", ended.stderr);
    let served = Served::start(&[&desk.path("run")]).page("/runs/run");
    assert!(served.contains("declared before the first question, and deviated from"), "{served}");
    assert!(served.contains("changed since it was declared"), "{served}");
    desk.done("measure run");
    assert!(desk.read("run/report.html").contains("all kept"), "the bound held for one command");
}

#[test]
fn a_page_that_shows_few_pairs_is_written_anew_with_as_many() {
    let desk = Desk::with_study(&quick());
    desk.done("run small.toml --out run --families 2");
    let pairs = || desk.read("run/report.html").matches("<details class=\"case\" data-outcomes").count();
    assert_eq!(pairs(), 2);
    desk.done("measure run");
    assert_eq!(pairs(), 2);
}

#[test]
fn what_the_gate_would_write_over_is_left_alone() {
    let desk = Desk::with_study(&gated(1.0));
    desk.done("run small.toml --out run --junit gate.xml");
    for (place, told) in [
        ("small.toml", "is the study"),
        ("run/metrics.json", "lies among the files of the run"),
        ("run/einstellung.csv", "lies among the files of the run"),
        ("run", "is a directory"),
    ] {
        let ended = desk.waterjar(&format!("run small.toml --out run --junit {place}"));
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(ended.stderr.contains(told), "{}", ended.stderr);
    }
    std::os::unix::fs::symlink("run/metrics.json", desk.path("figures.xml")).unwrap();
    assert_eq!(
        desk.waterjar("run small.toml --out run --junit figures.xml").code,
        Some(2),
        "what the link names counts"
    );
    assert!(desk.json("run/metrics.json")["results"].is_array());
    // Again to where it was, behind a link, and to what is no file.
    std::os::unix::fs::symlink("gate.xml", desk.path("link.xml")).unwrap();
    std::fs::write(desk.path("gate.xml"), "").unwrap();
    desk.done("run small.toml --out run --junit link.xml");
    assert!(desk.read("gate.xml").contains("<testsuites"), "what the link names is written");
    assert!(desk.path("link.xml").is_symlink());
    let ended = desk.waterjar("run small.toml --out run --json --junit /dev/stdout");
    assert!(ended.stdout.contains("<testsuites"), "{}", ended.stderr);
}

#[test]
fn a_gate_in_the_folder_of_the_run_is_written_over_whatever_it_holds() {
    let desk = Desk::with_study(&gated(1.0));
    for before in [None, Some(""), Some("<html>of an earlier build</html>")] {
        if let Some(text) = before {
            desk.write("run/gate.xml", text);
        }
        desk.done("run small.toml --out run --junit run/gate.xml");
        assert!(desk.read("run/gate.xml").contains("<testsuites"), "{before:?}");
    }
}

#[test]
fn a_bound_in_percent_is_no_gate() {
    for (bound, told) in [("max = 90", "90 percent are 0.9"), ("min = 0.9, max = 0.1", "at least 0.9 and at most 0.1")]
    {
        let desk = Desk::with_study(&format!("{SMALL}\n[bounds]\n\"einstellung.bias_trap_rate\" = {{ {bound} }}\n"));
        let ended = desk.waterjar("run small.toml --out run");
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(ended.stderr.contains(told), "{}", ended.stderr);
    }
}

#[test]
fn a_stratum_that_is_not_there_ends_before_anybody_is_asked() {
    for (stratum, told) in [
        ("edist_1", "did you mean `edits_1`?"),
        ("women", "the strata of `bias_trap_rate` are: edits_…, place_…, purity_…"),
        // Only the pairs tell which values there are.
        ("purity_pur", "bound `einstellung.bias_trap_rate.purity_pur`: no family is in the stratum `purity_pur`"),
        ("purity_pur", "did you mean `purity_pure`? there are: purity_"),
    ] {
        let bound = format!("\"einstellung.bias_trap_rate.{stratum}\" = {{ max = 1.0 }}");
        let desk = Desk::with_study(&format!("{SMALL}\n[bounds]\n{bound}\n"));
        let ended = desk.waterjar("run small.toml --out run");
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(ended.stderr.contains(told), "{}", ended.stderr);
        assert!(!desk.path("run/responses.jsonl").exists());
        let rehearsed = desk.waterjar("rehearse small.toml");
        assert_eq!(rehearsed.code, Some(2), "{}", rehearsed.stderr);
        assert!(rehearsed.stderr.contains(told), "{}", rehearsed.stderr);
    }
}

#[test]
fn a_stratum_that_is_not_there_is_told_by_a_pass_of_its_own_too() {
    let desk =
        Desk::with_study(&format!("{SMALL}\n[bounds]\n\"einstellung.bias_trap_rate.edits_9\" = {{ max = 1.0 }}\n"));
    desk.done("vary small.toml --out run");
    let ended = desk.waterjar("answer run");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("no family is in the stratum `edits_9`"), "{}", ended.stderr);
    assert!(!desk.path("run/responses.jsonl").exists());
    desk.done("vary small.toml --out cut --limit 3");
    desk.done("answer cut");
    desk.done("rehearse small.toml --limit 3");
}

#[test]
fn names_in_what_pages_say_of_a_bound_are_set_as_code() {
    let bound = "\"einstellung.bias_trap_rate.edits_9\" = { max = 1.0 }";
    let desk = Desk::with_study(&format!("{SMALL}\n[bounds]\n{bound}\n"));
    let ended = desk.waterjar("run small.toml --out run --limit 3");
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let told = "no figure is called <code>bias_trap_rate.edits_9</code>; there are: ";
    assert!(desk.read("run/report.html").contains(told));
    let served = Served::start(&[&desk.path("run")]);
    let page = served.page("/runs/run");
    assert!(page.contains(told), "{page}");
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
