//! `waterjar compare`

use crate::sample::{Desk, SMALL, quick, shared_run};

#[test]
fn subjects_of_a_run_are_compared_pair_by_pair() {
    let desk = Desk::new();
    let run = shared_run();
    let ended = desk.done(&format!("compare {} --json", run.display()));
    assert!(ended.stderr.contains("plain@prior and plain@gestalt are left out"), "{}", ended.stderr);
    let comparisons = ended.json();
    let comparisons = comparisons.as_array().unwrap();
    // The reference is no competitor and `prior` has no right control, so nothing of it can be compared.
    let firsts: Vec<&str> = comparisons.iter().map(|it| it["subject"].as_str().unwrap()).collect();
    assert_eq!(firsts, ["plain@logit", "plain@neighbours", "plain@symptoms-only"]);
    for it in comparisons {
        assert_eq!(
            (&it["against"], &it["metric"], &it["families"]),
            (&"plain@gestalt".into(), &"bias_trap_rate".into(), &40.into())
        );
        let [value, first, second] = ["value", "first", "second"].map(|key| it[key].as_f64().unwrap());
        assert!((first - second - value).abs() < 1e-9, "{it}");
        let p = ["p", "holm_p", "mcnemar_p"].map(|key| it[key].as_f64().unwrap());
        assert!(p.iter().all(|p| (0.0..=1.0).contains(p)) && p[0] <= p[1], "{it}");
        assert!(
            it["interval"]["low"].as_f64() <= Some(value) && it["interval"]["high"].as_f64() >= Some(value),
            "{it}"
        );
    }
    // Its own seed makes the bootstrap repeatable.
    let again = desk.done(&format!("compare {} --json", run.display())).json();
    assert_eq!(again.as_array().unwrap(), comparisons);
}

#[test]
fn runs_of_the_same_benchmark_are_compared_subject_by_subject() {
    let desk = Desk::with_study(SMALL);
    desk.done("run small.toml --out one");
    std::fs::create_dir(desk.path("two")).unwrap();
    for name in desk.names("one") {
        std::fs::copy(desk.path("one").join(&name), desk.path("two").join(&name)).unwrap();
    }
    let comparisons = desk.done("compare one two --json").json();
    for it in comparisons.as_array().unwrap() {
        assert_eq!((it["value"].as_f64(), it["p"].as_f64()), (Some(0.0), Some(1.0)), "{it}");
    }
    assert_eq!(comparisons[0]["against"], "plain@gestalt (two)");
}

#[test]
fn runs_of_different_benchmarks_are_not_compared() {
    let desk = Desk::with_study(&quick());
    desk.done("run small.toml --out seven --set suite.patients=300 --set suite.ranking=any");
    desk.done("run small.toml --out eight --set suite.patients=300 --set suite.ranking=any --set study.seed=8");
    // The ids of simulated patients are the same, the patients are not.
    let ended = desk.waterjar("compare seven eight --json");
    assert_eq!(ended.code, Some(2), "{}", ended.stdout);
    assert!(ended.stderr.contains("the cases of `seven` are others than those of `eight`\nhint: "), "{}", ended.stderr);
}

#[test]
fn a_run_of_the_reference_alone_has_nobody_to_compare() {
    let head = SMALL.split("[[subject]]").next().unwrap();
    let desk = Desk::with_study(&format!("{head}[[subject]]\nagent = \"plain\"\nmodel = \"reference\"\n"));
    desk.done("run small.toml --out run --limit 3");
    let ended = desk.waterjar("compare run");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("there is nothing to compare"), "{}", ended.stderr);
}

fn check(words: &str, says: &str) {
    let ended = Desk::new().waterjar(&words.replace("RUN", &shared_run().to_string_lossy()));
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains(says), "{}", ended.stderr);
}

#[test]
fn what_cannot_be_compared_is_told() {
    check("compare RUN --metric bias_trap_rat", "has no metric `bias_trap_rat`\nhint: did you mean `bias_trap_rate`?");
    check(
        "compare RUN --metric nonsense",
        "hint: the metrics of `einstellung` that it can be compared by are: baseline_accuracy, ",
    );
    check(
        "compare RUN --against plain@logitt",
        "no subject of the run is called `plain@logitt`\nhint: did you mean `plain@logit`?",
    );
    check("compare nowhere", "there is no run at nowhere/run.sqlite");
}
