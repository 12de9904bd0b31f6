//! `waterjar plan`, and subjects that are asked no more when they are known well enough.

use crate::sample::{Desk, SMALL, assert_same, files, quick, result};
use crate::served::Served;
use serde_json::Value;
use std::path::Path;
use waterjar_core::{Shares, SuiteId};
use waterjar_scoring::stats::power::cases_for_width;
use waterjar_store::{Mode, Store};

#[test]
fn a_study_that_was_not_run_is_planned_by_assumption() {
    let desk = Desk::with_study(SMALL);
    let told = desk.done("plan small.toml --json").json();
    let need = |which: &str| {
        let needs = told[which].as_array().unwrap();
        let found = needs.iter().find(|it| it["metric"] == "bias_trap_rate").unwrap();
        found["families"].as_u64().unwrap()
    };
    // 1.96² · ¼ / 0.03², by Wilson; and pairs of the exact test for 0.50 against 0.55, of which Miettinen's formula says 1568.
    assert_eq!((need("to_know"), need("to_see")), (1064, 1606));
    let half = desk.done("plan small.toml --half-width 0.06").stdout;
    // What is guessed is the same for all: told once each.
    assert_eq!(half.matches("figures: ").count(), 2, "{half}");
    assert_eq!(half.matches("  einstellung: baseline_accuracy, robust_accuracy, bias_trap_rate").count(), 2, "{half}");
}

#[test]
fn a_run_is_planned_by_its_own_intervals() {
    let desk = Desk::with_shared_run();
    let told = desk.done("plan run --json").json();
    let metrics = desk.json("run/metrics.json");
    let mut seen = 0;
    for need in told["to_know"].as_array().unwrap().iter().filter(|it| it["suite"] == "einstellung") {
        let figure = &result(&metrics, need["subject"].as_str().unwrap())["metrics"][need["metric"].as_str().unwrap()];
        let half = |it: &Value| Some((it["high"].as_f64()? - it["low"].as_f64()?) / 2.0);
        let half = half(figure).into_iter().chain(half(&figure["bootstrap"])).reduce(f64::max).unwrap();
        let (share, cases) = (figure["value"].as_f64().unwrap(), figure["n"].as_u64().unwrap());
        if !(0.0..=1.0).contains(&share) || need["metric"] == "rank_drop" || need["metric"] == "reverted_confidence" {
            continue;
        }
        let found = cases_for_width(cases, share, half, 0.03).unwrap();
        let expected = (found.cases as f64 * 40.0 / cases as f64).ceil();
        assert!((need["families"].as_f64().unwrap() - expected).abs() <= 1.0 + expected * 1e-3, "{need} {half}");
        let planned_at = need["planned_at"].as_f64();
        assert_eq!(planned_at.is_some(), found.assumed.is_some(), "{need}");
        // At the end that was seen, or near it, no fewer than Wilson's interval there takes.
        assert!(found.cases >= 61, "{need}");
        seen += 1;
    }
    assert!(seen > 5, "{told}");
    let to_see = told["to_see"].as_array().unwrap();
    assert!(!to_see.is_empty());
    for need in to_see.iter().filter(|it| it["suite"] == "einstellung" && it["metric"] != "rank_drop") {
        // Of 5 points all that differ speak for the same one, and six of them must be there with 80 %.
        let enough = need["metric"] == "reverted_confidence" || need["families"].as_u64() >= Some(157);
        assert!(enough, "{need}");
        // Who is never right and who always is differ in all, which is not what two that are 5 points apart do.
        assert!(need["metric"] != "baseline_accuracy" || need["families"].as_u64() < Some(1000), "{need}");
    }
    let ended = desk.done("plan run");
    let stderr = ended.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(stderr.contains("shares near 0 or 100 % are planned at the middle of their Wilson interval: "), "{stderr}");
    assert!(stderr.contains("in the middle of their Wilson interval, in all: "), "{stderr}");
}

/// Seven stories without a flip, told in 32 families, do not make a share known to ±0.03.
#[test]
fn stories_without_a_flip_ask_for_many_more() {
    let (desk, folder) = tutorial();
    let told = desk.done(&format!("plan {folder} --json")).json();
    let needs = told["to_know"].as_array().unwrap();
    let again = needs.iter().find(|it| it["metric"] == "answer_flip_rate.original_again").unwrap();
    // The middle of 0 of 7 is 0.177; its stories are told in 32 families.
    assert_eq!((again["planned_at"].as_f64(), again["families_now"].as_u64()), (Some(0.177165), Some(32)));
    let stories = cases_for_width(7, 0.0, again["half_width_now"].as_f64().unwrap(), 0.03).unwrap().cases;
    assert_eq!(again["families"].as_u64(), Some((32 * stories).div_ceil(7)));
}

#[test]
fn one_figure_has_one_interval_on_every_page_and_says_that_it_rests_on_few() {
    let (desk, folder) = tutorial();
    let metrics = desk.json(&format!("{folder}/metrics.json"));
    let figure = &result(&metrics, "plain@stereotype")["metrics"]["answer_flip_rate.original_swapped"];
    assert_eq!((figure["n"].as_u64(), figure["clusters"].as_u64()), (Some(32), Some(7)));
    let percent = |key: &str| format!("{:.1}", 100.0 * figure[key].as_f64().unwrap());
    let served = Served::start(&[&desk.path(&folder)]);
    let page = served.page("/runs/mine/parity/families");
    let row = page.split("<th scope=\"row\">plain@stereotype</th>").nth(1).unwrap().split("</tr>").next().unwrap();
    let told = format!(">{}</td><td class=\"num\">{} to {}<", percent("value"), percent("low"), percent("high"));
    assert!(row.contains(&told), "{told} in {row}");
    // All who are shown failed: of as many as there are stories among them.
    let page = served.page("/runs/mine/parity/families?subject=plain@stereotype&shows=failed");
    let row = page.split("<th scope=\"row\">plain@stereotype</th>").nth(1).unwrap().split("</tr>").next().unwrap();
    assert!(row.contains(">100.0</td>") && !row.contains(">70.1 to 100.0<"), "not Wilson's of nine: {row}");
    let measured = desk.done(&format!("measure {folder}"));
    assert!(measured.stdout.contains("28.1 (6.5–63.7)*"), "{}", measured.stdout);
    let legend = "* rests on fewer than 10 independent cases (patients, stories, charts)";
    assert!(measured.stdout.contains(legend), "{}", measured.stdout);
    let report = desk.read(&format!("{folder}/report.html")).replace('\u{a0}', " ");
    assert!(report.contains("(on 7 independent cases only)"), "in words");
}

/// The tutorial's run.
fn tutorial() -> (Desk, String) {
    let desk = Desk::new();
    let cases =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/tutorial/cases.csv"))
            .unwrap();
    desk.write("cases.csv", cases);
    desk.write(
        "columns.toml",
        "id = \"case\"\ntext = \"vignette\"\nquestion = \"question\"\noptions = [\"a\", \"b\", \"c\", \"d\"]\nanswer = \"right\"\n\
         [spans]\nby = \"phrases\"\ncolumn = \"findings\"\nseparator = \";\"\n",
    );
    desk.write(
        "mine.toml",
        "[study]\nname = \"mine\"\nseed = 7\n\
         [[suite]]\nkind = \"parity\"\nsource = \"csv:cases.csv\"\nmapping = \"columns.toml\"\nablations = true\nembedder = \"lexical\"\n\
         [[subject]]\nagent = \"plain\"\nmodel = \"stereotype\"\n[[subject]]\nagent = \"plain\"\nmodel = \"reference\"\n",
    );
    desk.done("run mine.toml --out mine");
    (desk, "mine".to_owned())
}

#[test]
fn what_cannot_be_planned_is_told() {
    let desk = Desk::with_study(SMALL);
    assert_eq!(desk.waterjar("plan none.toml").code, Some(2));
    assert_eq!(desk.waterjar("plan small.toml --power 1.0").code, Some(2));
    assert_eq!(desk.waterjar("plan small.toml --difference 0").code, Some(2));
    let desk = Desk::with_shared_run();
    desk.write("small.toml", SMALL);
    for target in ["small.toml", "run"] {
        for flag in ["--half-width", "--difference"] {
            let ended = desk.waterjar(&format!("plan {target} {flag} 3"));
            assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{target} {flag}");
            let told = format!(
                "error: {flag}: 3 is no part of a share, which is 0 to 1\nhint: 3 points of a percentage are 0.03"
            );
            assert!(ended.stderr.contains(&told), "{}", ended.stderr);
        }
    }
    for (typed, told) in [
        (
            "small.toml --half-width 0.6",
            "error: --half-width: 0.6 to both sides of a share is all there is, from 0 to 1\nhint: ",
        ),
        (
            "small.toml --half-width 0.5",
            "error: --half-width: 0.5 to both sides of a share is all there is, from 0 to 1\nhint: ",
        ),
        ("small.toml --difference -0.1", "it must be more than 0"),
        ("small.toml --difference 50", "hint: 50 points of a percentage are 0.5\n"),
        (
            "small.toml --difference 0.7",
            "0.7 more or less than a share of 0.5 is no share any more\nhint: make it smaller, or assume a share of at most 0.3 ",
        ),
        (
            "run --assume 0.2",
            "error: --assume: 0.2 is not looked at where a run is given: its own figures are taken\nhint: ",
        ),
    ] {
        let ended = desk.waterjar(&format!("plan {typed}"));
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{typed}");
        assert!(ended.stderr.contains(told), "{typed}: {}", ended.stderr);
    }
    assert_eq!(desk.waterjar("plan small.toml --difference 0.7 --assume 0.3").code, Some(0));
}

/// Its trap rate is of the few controls that it had right, and says nothing of how many families the others need.
#[test]
fn a_figure_of_a_few_cases_does_not_lead_a_plan() {
    let desk = Desk::with_study(SMALL);
    desk.done("run small.toml --out run");
    leave_few(&desk, "plain@symptoms-only");
    let ended = desk.done("plan run");
    let row = ended.stdout.lines().find(|line| line.starts_with("einstellung.bias_trap_rate")).unwrap();
    assert!(row.trim_end().ends_with("plain@gestalt"), "{}", ended.stdout);
    let told = "left out, for they rest on fewer than 10 independent cases or on less than half as many as is usual: ";
    let told = ended.stderr.lines().find_map(|line| line.strip_prefix(told)).unwrap();
    assert!(told.contains("plain@symptoms-only (") && told.contains("einstellung.bias_trap_rate n 5"), "{told}");
    let all = desk.done("plan run --json").json();
    let is_there = |it: &Value| it["subject"] == "plain@symptoms-only" && it["metric"] == "bias_trap_rate";
    assert!(all["to_know"].as_array().unwrap().iter().any(is_there), "programs get them all: {all}");
}

/// ±0.03 of a place says nothing.
#[test]
fn places_are_not_planned_as_shares_are() {
    let desk = Desk::with_study(SMALL);
    let guessed = desk.done("plan small.toml").stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(guessed.contains("Families of one story or one chart are not independent"), "{guessed}");
    desk.done("run small.toml --out run");
    let ended = desk.done("plan run");
    assert!(!ended.stdout.contains("rank_drop") && ended.stdout.contains("baseline_accuracy"), "{}", ended.stdout);
    let stderr = ended.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    let told = stderr.split("for they are no shares").nth(1).unwrap();
    assert!(told.contains("einstellung.rank_drop"), "{stderr}");
    let all = desk.done("plan run --json").json();
    assert!(all["to_know"].as_array().unwrap().iter().any(|it| it["metric"] == "rank_drop"), "{all}");
}

/// As if a subject of `run` had had five controls right.
fn leave_few(desk: &Desk, subject: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open(desk.path("run/run.sqlite"), Mode::Existing).await.unwrap();
        let results = store.results(&SuiteId::from("einstellung")).await.unwrap();
        let mut result = results.into_iter().find(|it| it.subject.as_str() == subject).unwrap();
        let figure = result.metrics.get_mut("bias_trap_rate").unwrap();
        (figure.n, figure.low, figure.high) = (5, Some(0.0), Some(1.0));
        store.replace_result(&result, &Shares::default()).await.unwrap();
        store.close().await;
    });
}

/// One subject that is right on no control soon has a narrow interval of its accuracy; the others do not.
fn stopping(half_width: f64) -> String {
    let rule = format!("\"einstellung.baseline_accuracy\" = {{ half_width = {half_width}, every = 10 }}");
    format!("{}\n[stopping]\n{rule}\n", quick().replace("pairs = 40", "pairs = 60"))
}

fn asked(desk: &Desk, run: &str, subject: &str) -> usize {
    let responses = desk.read(&format!("{run}/responses.jsonl"));
    let of = |line: &&str| serde_json::from_str::<Value>(line).unwrap()["subject"] == subject;
    responses.lines().filter(of).count()
}

#[test]
fn a_subject_is_asked_no_more_when_it_is_known_well_enough() {
    let desk = Desk::with_study(&stopping(0.12));
    let ended = desk.done("run small.toml --out run");
    assert!(ended.stderr.contains("as the study declares: baseline_accuracy is known to ±"), "{}", ended.stderr);
    let metrics = desk.json("run/metrics.json");
    let variants = desk.read("run/variants.jsonl").lines().count();
    for subject in ["plain@prior", "plain@reference"] {
        let it = result(&metrics, subject);
        let n = it["n"].as_u64().unwrap();
        assert!(n < 60 && n.is_multiple_of(10), "{subject}: {n}");
        assert_eq!(it["missing"], 0);
        assert_eq!(asked(&desk, "run", subject) as u64, variants as u64 / 60 * n);
        let figure = &it["metrics"]["baseline_accuracy"];
        assert!(figure["high"].as_f64().unwrap() - figure["low"].as_f64().unwrap() <= 0.24, "{figure}");
    }
    assert!(desk.read("run/report.html").contains("as the study declares"));
    // Again: nothing is asked, nothing changes.
    let before = files(&desk.path("run"));
    desk.done("run small.toml --out run");
    assert_same(&before, &files(&desk.path("run")));
    let served = Served::start(&[&desk.path("run")]);
    assert!(served.page("/").contains("<small>stopped early</small>"));
    let page = served.page("/runs/run");
    for subject in ["plain@prior", "plain@reference"] {
        assert!(page.contains(&format!("{subject}: stopped after ")), "{page}");
    }
}

/// Thirty answers of ten families would be narrow enough, and they are not thirty cases.
#[test]
fn answers_to_the_same_family_do_not_make_it_known() {
    let desk = Desk::with_study(&stopping(0.2));
    desk.done("run small.toml --out run --set study.repeats=3");
    let metrics = desk.json("run/metrics.json");
    for subject in ["plain@prior", "plain@reference"] {
        let it = result(&metrics, subject);
        assert_eq!((it["n"].as_u64(), it["missing"].as_u64()), (Some(30 * 3), Some(0)), "{subject}");
    }
}

/// As a kill between the last answer of a round and the look at it leaves the run.
#[test]
fn a_run_that_was_killed_before_it_looked_looks_first() {
    let desk = Desk::with_study(&stopping(0.12));
    desk.done("run small.toml --out run");
    let before = files(&desk.path("run"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open(desk.path("run/run.sqlite"), Mode::Existing).await.unwrap();
        let mut reaches: Value = serde_json::from_str(&store.meta("reaches").await.unwrap().unwrap()).unwrap();
        for reach in reaches["einstellung"].as_object_mut().unwrap().values_mut() {
            assert_ne!(reach["stopped"], Value::Null);
            reach["stopped"] = Value::Null;
            reach["looked"] = false.into();
        }
        store.put_meta("reaches", &reaches.to_string()).await.unwrap();
        store.close().await;
    });
    desk.done("run small.toml --out run");
    assert_same(&before, &files(&desk.path("run")));
}

#[test]
fn a_width_that_is_never_reached_asks_everything() {
    let desk = Desk::with_study(&stopping(0.001));
    let ended = desk.done("run small.toml --out run");
    assert!(!ended.stderr.contains("as the study declares"), "{}", ended.stderr);
    let metrics = desk.json("run/metrics.json");
    assert_eq!(result(&metrics, "plain@prior")["n"], 60);
    assert!(!Served::start(&[&desk.path("run")]).page("/").contains("stopped early"));
    // The same figures as without a rule.
    desk.write("small.toml", quick().replace("pairs = 40", "pairs = 60"));
    desk.done("run small.toml --out plain");
    assert_same(&files(&desk.path("run")), &files(&desk.path("plain")));
}

#[test]
fn without_the_rule_the_rest_is_asked() {
    let desk = Desk::with_study(&stopping(0.12));
    desk.done("run small.toml --out run");
    desk.write("small.toml", quick().replace("pairs = 40", "pairs = 60"));
    desk.done("run small.toml --out run");
    assert_eq!(result(&desk.json("run/metrics.json"), "plain@prior")["n"], 60);
}

#[test]
fn whom_no_rule_concerns_any_more_is_asked_the_rest() {
    let desk = Desk::with_study(&stopping(0.12));
    desk.done("run small.toml --out run");
    assert!(result(&desk.json("run/metrics.json"), "plain@prior")["n"].as_u64() < Some(60));
    let of_another = stopping(0.12).replace("every = 10", "every = 10, subject = \"plain@reference\"");
    desk.write("small.toml", of_another);
    desk.done("run small.toml --out run");
    assert_eq!(result(&desk.json("run/metrics.json"), "plain@prior")["n"], 60);
}

#[test]
fn passes_made_one_by_one_ask_them_the_rest_too() {
    let desk = Desk::with_study(&stopping(0.12));
    desk.done("run small.toml --out run");
    desk.write("small.toml", stopping(0.12).replace("every = 10", "every = 10, subject = \"plain@reference\""));
    for pass in ["answer", "judge", "measure"] {
        desk.done(&format!("{pass} small.toml --out run"));
    }
    assert_eq!(result(&desk.json("run/metrics.json"), "plain@prior")["n"], 60);
    assert!(!desk.read("run/report.html").contains("plain@prior: stopped after "), "it is asked everything");
}

#[test]
fn a_narrower_rule_asks_on_where_a_wider_one_had_enough() {
    let desk = Desk::with_study(&stopping(0.12));
    desk.done("run small.toml --out run");
    assert!(result(&desk.json("run/metrics.json"), "plain@prior")["n"].as_u64() < Some(60));
    desk.write("small.toml", stopping(0.001));
    desk.done("run small.toml --out run");
    desk.done("run small.toml --out fresh");
    assert_same(&files(&desk.path("run")), &files(&desk.path("fresh")));
    // And back: what was asked stays.
    desk.write("small.toml", stopping(0.12));
    desk.done("run small.toml --out run");
    assert_eq!(result(&desk.json("run/metrics.json"), "plain@prior")["n"], 60);
}

/// Who was always right has a bootstrap without width, and is not known to ±0 after forty families.
#[test]
fn a_plan_from_a_run_takes_the_wider_interval() {
    let desk = Desk::with_shared_run();
    let plan = desk.done("plan run --json").json();
    let to_know = plan["to_know"].as_array().unwrap();
    assert!(!to_know.is_empty());
    for need in to_know {
        let half = need["half_width_now"].as_f64().unwrap();
        let enough = need["families"].as_u64();
        assert!(half > 0.0 || enough.is_none(), "{need}");
        assert_ne!(enough, Some(1), "{need}");
    }
}

#[test]
fn rules_that_make_no_sense_are_refused() {
    let desk = Desk::new();
    for (rule, told) in [
        ("\"einstellung.baseline_accuracy\" = { half_width = 0.0 }", "`half_width` must be more than 0"),
        ("\"einstellung.baseline_accuracy\" = { half_width = 0.1, every = 0 }", "`every` must be 1 or more"),
        ("\"einstellung.trap\" = { half_width = 0.1 }", "has no metric `trap`"),
        ("\"einstellung.baseline_accuracy\" = { half_width = 0.1, subject = \"x\" }", "no subject `x`"),
        ("\"einstellung.baseline_accuracy\" = { width = 0.1 }", "width"),
    ] {
        desk.write("small.toml", format!("{}\n[stopping]\n{rule}\n", quick()));
        let ended = desk.waterjar("run small.toml --out run");
        assert_eq!(ended.code, Some(2), "{rule}");
        assert!(ended.stderr.contains(told), "{rule}: {}", ended.stderr);
    }
}
