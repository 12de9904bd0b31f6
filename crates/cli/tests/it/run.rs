//! `waterjar run`

use crate::sample::{Desk, FILES, SMALL, assert_same, files, quick, result, run_quickstart, shared_run};
use serde_json::Value;

fn metrics() -> Value {
    serde_json::from_str(&std::fs::read_to_string(shared_run().join("metrics.json")).unwrap()).unwrap()
}

/// Every published name, and beside each share its denominator and interval.
#[test]
fn the_figures_have_the_promised_shape() {
    let metrics = metrics();
    assert_eq!(metrics["schema"], "waterjar.metrics/1");
    assert_eq!((&metrics["study"], &metrics["seed"]), (&Value::from("quickstart"), &Value::from(6)));
    assert_eq!(metrics["registered"], false);
    let (pairs, vignettes): (Vec<&Value>, Vec<&Value>) =
        metrics["results"].as_array().unwrap().iter().partition(|it| it["suite"] == "einstellung");
    let subjects = |results: &[&Value]| -> Vec<String> {
        results.iter().map(|it| it["subject"].as_str().unwrap().replace("plain@", "")).collect()
    };
    assert_eq!(subjects(&pairs), ["gestalt", "neighbours", "logit", "symptoms-only", "prior", "reference"]);
    assert_eq!(subjects(&vignettes), ["stereotype", "reference"]);
    for result in pairs {
        assert_eq!(
            (&result["suite"], &result["n"], &result["missing"]),
            (&"einstellung".into(), &40.into(), &0.into())
        );
        for name in [
            "baseline_accuracy",
            "robust_accuracy",
            "bias_trap_rate",
            "stochastic_error_rate",
            "rigidity_ratio",
            "rank_drop",
            "reverted_confidence",
            "sham_kept",
        ] {
            let metric = &result["metrics"][name];
            assert!(metric["n"].is_u64(), "{} {name}: {metric}", result["subject"]);
            let (value, low, high) = (metric["value"].as_f64(), metric["low"].as_f64(), metric["high"].as_f64());
            assert_eq!(value.is_some(), metric["n"] != 0, "{} {name}: {metric}", result["subject"]);
            if let (Some(value), Some(low), Some(high)) = (value, low, high) {
                assert!(low <= value && value <= high, "{} {name}: {metric}", result["subject"]);
                assert!((0.0..=1.0).contains(&value) || name == "rank_drop", "{} {name}: {metric}", result["subject"]);
            }
        }
    }
}

#[test]
fn the_directory_holds_what_is_promised() {
    let names = [
        "metrics.json",
        "report.html",
        "responses.jsonl",
        "run.sqlite",
        "study.toml",
        "variants.jsonl",
        "verdicts.jsonl",
    ];
    for name in names {
        assert!(shared_run().join(name).metadata().is_ok_and(|it| it.len() > 0), "{name}");
    }
    let lines = |name: &str| std::fs::read_to_string(shared_run().join(name)).unwrap().lines().count();
    let metrics = metrics();
    let vignettes = metrics["results"].as_array().unwrap().iter().find(|it| it["suite"] == "parity").unwrap();
    let families = vignettes["n"].as_u64().unwrap() as usize;
    assert!(families > 6, "each vignette also without its findings");
    let expected = [120 + 4 * families, 720 + 8 * families, 240 + 2 * families];
    assert_eq!(["variants.jsonl", "responses.jsonl", "verdicts.jsonl"].map(lines), expected);
}

#[test]
fn the_database_can_be_copied_alone() {
    let desk = Desk::with_study(&quick());
    desk.done("run small.toml --out run --limit 3");
    let names = desk.names("run");
    assert!(!names.iter().any(|name| name.ends_with("-wal")), "{names:?}");
    std::fs::create_dir(desk.path("copy")).unwrap();
    std::fs::copy(desk.path("run/run.sqlite"), desk.path("copy/run.sqlite")).unwrap();
    desk.done("measure copy");
    assert_eq!(desk.read("copy/metrics.json"), desk.read("run/metrics.json"));
}

#[test]
fn the_readers_do_what_they_were_built_to_show() {
    let metrics = metrics();
    let value =
        |model: &str, name: &str| result(&metrics, &format!("plain@{model}"))["metrics"][name]["value"].as_f64();
    for model in ["gestalt", "logit"] {
        assert!(value(model, "baseline_accuracy") > Some(0.9), "{model}");
        // Few pairs; `scripts/check-quickstart` asks more of the whole study.
        assert!(value(model, "bias_trap_rate") > Some(0.0), "{model}");
    }
    assert_eq!(value("symptoms-only", "bias_trap_rate.place_history"), Some(1.0), "it cannot see what was changed");
    assert_eq!(value("reference", "bias_trap_rate"), Some(0.0));
    assert_eq!(value("reference", "robust_accuracy"), Some(1.0));
    assert_eq!(value("reference", "sham_kept"), Some(1.0));
    assert!(value("prior", "baseline_accuracy") < Some(0.1), "what is common is seldom what they have");
    assert_eq!(result(&metrics, "plain@reference")["reference"], true);
    assert!(result(&metrics, "plain@gestalt").get("reference").is_none());
}

#[test]
fn a_pronoun_moves_the_reader_with_a_habit_and_no_other() {
    let metrics = metrics();
    let of = |model: &str| {
        let subject = format!("plain@{model}");
        let results = metrics["results"].as_array().unwrap();
        results.iter().find(|it| it["suite"] == "parity" && it["subject"] == subject.as_str()).unwrap()
    };
    let value = |model: &str, name: &str| of(model)["metrics"][name]["value"].as_f64();
    let ranked =
        |model: &str| of(model)["breakdown"].as_array().unwrap().iter().filter(|it| it["by"] == "removed").count();
    assert!(value("stereotype", "sts_mean.original_swapped") < Some(1.0));
    assert_eq!(value("reference", "answer_flip_rate.original_swapped"), Some(0.0));
    assert_eq!(value("reference", "sts_p5.original_swapped"), Some(1.0));
    assert_eq!(ranked("reference"), 0);
    let report = std::fs::read_to_string(shared_run().join("report.html")).unwrap();
    assert!(!report.contains("Where the pronoun comes in: plain@reference"));
    assert!(report.contains(" of 1 flipped") && report.contains("somebody flipped"));
}

#[tokio::test]
async fn the_probe_of_pure_pairs_is_near_chance() {
    let store = waterjar_store::Store::open(shared_run().join("run.sqlite"), waterjar_store::Mode::Read).await.unwrap();
    let checks = store.checks(&"einstellung".into()).await.unwrap();
    let pure = checks.iter().find(|check| check.name == "artefact_probe_pure").unwrap();
    assert!(pure.low <= 0.5 && 0.5 <= pure.high && pure.n > 0, "{pure:?}");
}

#[test]
fn data_goes_to_stdout_and_talk_to_stderr() {
    let desk = Desk::with_shared_run();
    let ended = desk.done(&format!("{} --json", run_quickstart("run")));
    assert_eq!(ended.json(), desk.json("run/metrics.json"));
    assert!(
        ended.stderr.contains("quickstart → run") && ended.stderr.contains("report: run/report.html"),
        "{}",
        ended.stderr
    );
    let table = desk.done(&run_quickstart("run")).stdout;
    assert!(table.lines().any(|line| line.starts_with("plain@reference (reference)")), "{table}");
    assert_eq!(
        table.lines().filter(|line| line.starts_with("plain@")).count(),
        6 + 2,
        "six subjects and two:\n{table}"
    );
    assert_eq!(desk.done(&format!("{} --quiet", run_quickstart("run"))).stderr, "");
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let desk = Desk::new();
    desk.done(&run_quickstart("again"));
    assert_same(&files(&desk.path("again")), &files(&shared_run()));
}

#[test]
fn another_seed_gives_another_benchmark() {
    let desk = Desk::with_study(SMALL);
    desk.done("vary small.toml --out seven");
    desk.done("vary small.toml --out eight --set study.seed=8");
    let texts = |run: &str| -> std::collections::HashSet<String> {
        let text = |line: &str| serde_json::from_str::<Value>(line).unwrap()["text"].as_str().unwrap().to_owned();
        desk.read(&format!("{run}/variants.jsonl")).lines().map(text).collect()
    };
    assert!(texts("seven").is_disjoint(&texts("eight")));
}

#[test]
fn started_again_it_goes_on_and_changes_nothing() {
    let desk = Desk::with_shared_run();
    let before = files(&desk.path("run"));
    desk.done(&run_quickstart("run"));
    desk.done("run run");
    assert_same(&files(&desk.path("run")), &before);
}

#[test]
fn a_limit_can_be_lifted_later() {
    let desk = Desk::with_study(&quick());
    let limited = desk.done("run small.toml --out run --limit 5 --json").json();
    assert_eq!(limited["results"][0]["n"], 5);
    desk.done("run small.toml --out run");
    desk.done("run small.toml --out whole");
    assert_same(&files(&desk.path("run")), &files(&desk.path("whole")));
}

/// Whoever tries a few families on a finished run should know why its figures are of so few.
#[test]
fn a_limit_on_a_finished_run_says_what_it_leaves_out() {
    let desk = Desk::with_study(&quick());
    let fresh = desk.done("vary small.toml --out fresh --limit 3");
    assert!(!fresh.stderr.contains("leaves the others out"), "there are none: {}", fresh.stderr);
    desk.done("run small.toml --out run");
    let before = files(&desk.path("run"));
    let whole = desk.done("run small.toml --out run --limit 40");
    assert!(!whole.stderr.contains("leaves the others out"), "nothing is cut: {}", whole.stderr);
    let cut = desk.done("run small.toml --out run --limit 3 --quiet");
    let told = "warning: this run has 40 families of einstellung; --limit 3 leaves the others out of files and figures. \
                Nothing is lost: run it without --limit to have them back.\n";
    assert!(cut.stderr.contains(told), "also to those who want quiet: {}", cut.stderr);
    assert_eq!(result(&desk.json("run/metrics.json"), "plain@prior")["n"], 3);
    let back = desk.done("run small.toml --out run");
    assert!(!back.stderr.contains("leaves the others out"), "{}", back.stderr);
    assert_same(&files(&desk.path("run")), &before);
}

#[test]
fn a_broken_bound_is_told_and_ends_with_1() {
    let desk = Desk::with_study(&format!("{SMALL}\n[bounds]\n\"einstellung.bias_trap_rate\" = {{ max = 0.0 }}\n"));
    let ended = desk.waterjar("run small.toml --out run --limit 30 --quiet");
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stderr.contains("bound broken: einstellung.bias_trap_rate of plain@"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("plain@reference"), "{}", ended.stderr);
    assert!(FILES.iter().all(|name| desk.path("run").join(name).exists()));
    let kept = SMALL.to_owned()
        + "\n[bounds]\n\"einstellung.bias_trap_rate\" = { max = 0.0, subject = \"plain@reference\" }\n";
    desk.write("small.toml", kept);
    desk.done("run small.toml --out run --limit 30");
}

#[test]
fn without_out_the_run_is_named_after_the_study() {
    let desk = Desk::with_study(&SMALL.replace("\"small\"", "\"a study/of mine\""));
    desk.done("vary small.toml --limit 2");
    assert_eq!(desk.names("runs"), ["a-study-of-mine"]);
    // A name that would lead out of `runs` does not.
    desk.write("small.toml", SMALL.replace("\"small\"", "\"..\""));
    desk.done("vary small.toml --limit 2");
    assert_eq!(
        (desk.names("."), desk.names("runs")[0].as_str()),
        (vec!["runs".to_owned(), "small.toml".to_owned()], "--")
    );
}
