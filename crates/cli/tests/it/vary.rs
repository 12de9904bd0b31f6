//! `waterjar vary`

use crate::sample::{Desk, SMALL};

#[test]
fn the_benchmark_is_summed_up_as_json() {
    let desk = Desk::with_study(SMALL);
    let summary = desk.done("vary small.toml --out run --json").json();
    let suites = summary.as_array().unwrap();
    assert_eq!(suites.len(), 1);
    let suite = suites[0].as_object().unwrap();
    let keys: Vec<&str> = suite.keys().map(String::as_str).collect();
    let expected = ["cases", "eligible", "families", "losses", "suite", "variants"];
    assert!(keys.len() == expected.len() && expected.iter().all(|key| suite.contains_key(*key)), "{keys:?}");
    assert_eq!((&suite["suite"], &suite["cases"]), (&"einstellung".into(), &3600.into()));
    assert_eq!((&suite["families"], &suite["variants"]), (&40.into(), &120.into()));
    let losses = suite["losses"].as_object().unwrap();
    assert!(losses.values().all(|n| n.as_u64().is_some_and(|n| n > 0)), "{losses:?}");
    // What is not eligible was lost in screening, and nowhere else are there so many.
    let screened: u64 = ["not_hard", "no_rival"].iter().filter_map(|reason| losses[*reason].as_u64()).sum();
    assert_eq!(suite["eligible"].as_u64().unwrap() + screened, 3600);
}

#[test]
fn it_may_be_repeated() {
    let desk = Desk::with_study(SMALL);
    let first = desk.done("vary small.toml --out run --json");
    let variants = desk.read("run/variants.jsonl");
    assert_eq!(desk.done("vary run --json").stdout, first.stdout);
    assert_eq!(desk.read("run/variants.jsonl"), variants);
}

#[test]
fn the_table_tells_the_losses() {
    let desk = Desk::with_study(SMALL);
    let table = desk.done("vary small.toml --out run").stdout;
    assert!(table.contains("eligible") && table.contains("lost: not hard"), "{table}");
}

#[test]
fn the_losses_that_are_told_add_up_to_the_cases_that_were_read() {
    let desk = Desk::with_study(SMALL);
    let told = desk.done("vary small.toml --out run").stderr;
    let lost = told.lines().find_map(|line| line.strip_prefix("einstellung: lost cases: ")).unwrap();
    assert!(lost.contains("not needed "), "{told}");
    let counts = lost.split(", ").map(|it| it.rsplit(' ').next().unwrap().parse::<u64>().unwrap());
    assert_eq!(counts.sum::<u64>() + 40, 3600, "{told}");
}

#[test]
fn two_suites_of_a_kind_have_names_of_their_own() {
    let second = "max_edits = 2\n\n[[suite]]\nkind = \"einstellung\"\nname = \"one-edit\"\npatients = 500\ngap = 0.7\nmax_edits = 1\n";
    let desk = Desk::with_study(&SMALL.replace("max_edits = 2\n", second));
    let summary = desk.done("vary small.toml --out run --limit 5 --json").json();
    let names: Vec<&str> = summary.as_array().unwrap().iter().map(|suite| suite["suite"].as_str().unwrap()).collect();
    assert_eq!(names, ["einstellung", "one-edit"]);
    let suites: std::collections::BTreeSet<String> = desk
        .read("run/variants.jsonl")
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["suite"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(suites.len(), 2, "{suites:?}");
}

#[test]
fn fewer_families_than_the_study_asks_for_are_told() {
    let told =
        |study: &str, words: &str| Desk::with_study(study).done(&format!("vary small.toml --out run {words}")).stderr;
    let fewer = told(&SMALL.replace("pairs = 40", "pairs = 100000"), "");
    assert!(
        fewer.contains(" of the 100,000 families asked for: 3,600 cases give no more; the losses say why"),
        "{fewer}"
    );
    assert!(!told(SMALL, "--limit 10").contains("asked for"), "as few as were wanted");
}
