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
    let models = desk.done("show models").stdout;
    let names: Vec<&str> = models.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names.iter().filter(|name| **name == "reference").count(), 1, "{models}");
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
    let vignettes = std::fs::read_to_string(shared_run().join("variants.jsonl")).unwrap();
    let id = vignettes.lines().find_map(|line| line.split_once("~0\"")?.0.rsplit_once('"')).unwrap().1;
    let ended = desk.waterjar(&format!("show case {} {id}", shared_run().display()));
    assert!(ended.stderr.contains(&format!("hint: there are: {id}~0, {id}~1")), "{}", ended.stderr);
    assert_eq!(desk.waterjar("show case .").code, Some(2));
}

#[test]
fn the_record_of_an_answer_is_shown_and_its_graph_written() {
    let desk = Desk::with_study(
        r#"
[study]
name = "small"
seed = 7

[[suite]]
kind = "einstellung"
patients = 3600
pairs = 4
gap = 0.7

[[subject]]
agent = "plain"
model = "prior"

[[subject]]
agent = "ecr"
model = "rules"
evidence = "starter"
"#,
    );
    desk.done("run small.toml --out run");
    let shown = desk.done("show case run --graph graph.svg").stdout;
    for part in [
        "== how ecr@rules came to its answer to the trap\n",
        "\nFirst impression   ",
        "\nVerdict            first impression ",
        "\n  1 Fatal conflicts ",
        "\n  2 Pivots ",
        "\n  3 Coverage and gaps ",
        "\nEvidence balance sheet (◆ pivot, ✗ denied; the strongest of each)\n  S = 1·match − 1·conflict",
        "\n    supports ",
        "\nFor the next visit",
    ] {
        assert!(shown.contains(part), "no `{part}` in\n{shown}");
    }
    assert!(desk.read("graph.svg").starts_with("<svg "));
    desk.done("show case run --variant control --subject ecr@rules --graph graph.dot");
    assert!(desk.read("graph.dot").starts_with("digraph ecr {"));
    desk.done("show case run --graph graph.json");
    assert!(desk.json("graph.json")["nodes"].as_array().unwrap().len() > 5);
    let check = |words: &str, told: &str| {
        let ended = desk.waterjar(&format!("show case run {words}"));
        assert_eq!(ended.code, Some(2), "{words}");
        assert!(ended.stderr.contains(told), "{}", ended.stderr);
    };
    check("--graph graph.png", "end it in .svg, .dot or .json");
    check("--variant nosuch", "this case has no variant `nosuch`");
    check("--subject plain@prior", "`plain@prior` left no record of an answer to the trap");
    let report = desk.read("run/report.html");
    assert!(report.contains("How an answer came about") && report.contains("class=\"chart graph\""));
    assert!(report.contains("the first answer to a trap, in the benchmark’s order of chance"));
}
