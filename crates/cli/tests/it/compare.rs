//! `waterjar compare`

use crate::sample::{Desk, SMALL, quick, shared_run};
use crate::served::Served;
use std::collections::BTreeMap;
use waterjar_core::{Shares, SubjectResult, SuiteId};
use waterjar_store::{Mode, Store};

#[test]
fn subjects_of_a_run_are_compared_pair_by_pair() {
    let desk = Desk::new();
    let run = shared_run();
    let ended = desk.done(&format!("compare {} --json", run.display()));
    let told = "plain@prior and plain@gestalt are left out: `plain@prior` has no value";
    assert!(ended.stderr.contains(told), "by its name: {}", ended.stderr);
    // The other suite of the run has one competitor, which is told with what can be done about it.
    let told = "parity is left out: nobody competes with plain@stereotype; --against plain@reference compares";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
    let comparisons = ended.json();
    let comparisons = comparisons.as_array().unwrap();
    // The reference is no competitor and `prior` has no right control, so nothing of it can be compared.
    let firsts: Vec<&str> = comparisons.iter().map(|it| it["subject"].as_str().unwrap()).collect();
    assert_eq!(firsts, ["plain@neighbours", "plain@logit", "plain@symptoms-only"], "in the order of the study");
    for it in comparisons {
        assert_eq!(
            (&it["against"], &it["metric"], &it["families"]),
            (&"plain@gestalt".into(), &"bias_trap_rate".into(), &40.into())
        );
        let [value, first, second] = ["value", "first", "second"].map(|key| it[key].as_f64().unwrap());
        assert!((first - second - value).abs() < 1e-9, "{it}");
        let exact = ["holm_p", "mcnemar_p"].map(|key| it[key].as_f64().unwrap());
        assert!(exact.iter().all(|p| (0.0..=1.0).contains(p)), "{it}");
        // Who knew few of the controls has little to be compared by.
        match it["p"].as_f64() {
            Some(p) => assert!((0.0..=1.0).contains(&p) && p <= exact[0] && it["p_absent"].is_null(), "{it}"),
            None => assert!(it["counting"].as_u64().unwrap() < 20 && it["p_absent"].is_string(), "{it}"),
        }
        assert!(
            it["interval"]["low"].as_f64() <= Some(value) && it["interval"]["high"].as_f64() >= Some(value),
            "{it}"
        );
    }
    // The study's seed makes the bootstrap repeatable.
    for more in ["", "--seed 6"] {
        let again = desk.done(&format!("compare {} --json {more}", run.display())).json();
        assert_eq!(again.as_array().unwrap(), comparisons, "{more}");
    }
    let other = desk.done(&format!("compare {} --json --seed 0", run.display())).json();
    assert_ne!(other.as_array().unwrap(), comparisons);
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
        assert_eq!((it["value"].as_f64(), it["holm_p"].as_f64()), (Some(0.0), Some(1.0)), "{it}");
        assert!(it["p"].as_f64().is_none_or(|p| p == 1.0), "{it}");
    }
    assert_eq!(comparisons[0]["against"], "plain@gestalt (two)");
}

#[test]
fn runs_of_different_benchmarks_are_not_compared() {
    let desk = Desk::with_study(&quick());
    desk.done("run small.toml --out seven --set suite.patients=900 --set suite.ranking=any");
    desk.done("run small.toml --out eight --set suite.patients=900 --set suite.ranking=any --set study.seed=8");
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

#[test]
fn every_suite_is_compared_by_what_it_is_about() {
    let desk = Desk::new();
    let run = shared_run();
    let compared = desk.done(&format!("compare {} --against plain@reference --json", run.display())).json();
    let compared = compared.as_array().unwrap();
    let by: Vec<_> =
        compared.iter().map(|it| (it["suite"].as_str().unwrap(), it["metric"].as_str().unwrap())).collect();
    assert_eq!(by.first(), Some(&("einstellung", "bias_trap_rate")), "{by:?}");
    assert_eq!(by.last(), Some(&("parity", "answer_flip_rate.original_swapped")), "{by:?}");
    let parity = compared.last().unwrap();
    assert!(parity["families"].as_u64() < parity["families_within"].as_u64(), "stories, and all families: {parity}");
    assert!(compared[0]["families_within"].is_null(), "{}", compared[0]);
    let why = parity["p_absent"].as_str().unwrap();
    assert!(
        parity["p"].is_null() && why.contains(" stories, and a bootstrap of fewer than 20 "),
        "six at most: {parity}"
    );
    assert!(parity["signs"]["p"].is_number() && parity["holm_p"].is_number(), "the exact test says it: {parity}");
    let table = desk.done(&format!("compare {} --against plain@reference", run.display())).stdout;
    assert!(
        table.starts_with("each suite by what it is about, shares in percent: ")
            && table
                .contains("exact p by McNemar or, where scores are graded, the sign test, Holm over the exact ones"),
        "{table}"
    );
    assert!(
        table
            .contains("parity answer_flip_rate.original_swapped: plain@stereotype against plain@reference: higher in ")
            && table.contains(" families; those of one story or chart count as one)"),
        "stories are counted, and called so: {table}"
    );
    let few = "\nno bootstrap p and no interval where a figure rests on fewer than 20 families or stories: ";
    assert!(table.contains(few), "{table}");
}

#[test]
fn the_first_of_the_study_is_what_others_are_compared_with() {
    let study =
        SMALL.replace("gestalt", "GESTALT").replace("symptoms-only", "gestalt").replace("GESTALT", "symptoms-only");
    let desk = Desk::with_study(&study);
    desk.done("run small.toml --out run");
    let compared = desk.done("compare run --json").json();
    assert_eq!(
        (&compared[0]["subject"], &compared[0]["against"]),
        (&"plain@gestalt".into(), &"plain@symptoms-only".into()),
        "by name it would be the other"
    );
}

/// A run keeps the figures of whoever was asked once.
#[test]
fn subjects_that_the_study_no_longer_has_are_compared_by_neither_the_command_nor_the_page() {
    let desk = Desk::with_study(SMALL);
    desk.done("run small.toml --out run");
    let model = "model = \"symptoms-only\"";
    desk.write("small.toml", SMALL.replace(model, &format!("{model}\nname = \"narrow\"")));
    desk.done("run small.toml --out run");
    let compared = desk.done("compare run --json").json();
    let firsts: Vec<&str> = compared.as_array().unwrap().iter().map(|it| it["subject"].as_str().unwrap()).collect();
    assert_eq!(firsts, ["narrow"], "not by its old name too, which Holm would count");
    let page = Served::start(&[&desk.path("run")]).page("/runs/run/einstellung/compare");
    assert!(page.contains("<th scope=\"row\">narrow</th>") && !page.contains("plain@symptoms-only"), "{page}");
    let ended = desk.waterjar("compare run --against plain@symptoms-only");
    assert!(ended.stderr.contains("no subject of the run is called `plain@symptoms-only`"), "{}", ended.stderr);
    let two = desk.done("compare run run --json").json();
    let firsts: Vec<&str> = two.as_array().unwrap().iter().map(|it| it["subject"].as_str().unwrap()).collect();
    assert_eq!(firsts, ["plain@gestalt (run)", "narrow (run)"]);
}

/// Takes all answers of a subject out of the figures of `run`.
fn silence(desk: &Desk, subject: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open(desk.path("run/run.sqlite"), Mode::Existing).await.unwrap();
        let results = store.results(&SuiteId::from("einstellung")).await.unwrap();
        let result = results.into_iter().find(|it| it.subject.as_str() == subject).unwrap();
        let silent = SubjectResult { n: 0, metrics: BTreeMap::new(), ..result };
        store.replace_result(&silent, &Shares::default()).await.unwrap();
        store.close().await;
    });
}

#[test]
fn a_subject_without_answers_is_left_out_and_the_others_are_compared() {
    let desk = Desk::with_shared_run();
    silence(&desk, "plain@logit");
    let ended = desk.done("compare run --json");
    assert!(ended.stderr.contains("plain@logit is left out: it has no answers"), "{}", ended.stderr);
    let compared = ended.json();
    assert!(compared.as_array().unwrap().iter().all(|it| it["subject"] != "plain@logit"), "{compared}");
    // Nor does the one that the others would be compared with.
    silence(&desk, "plain@gestalt");
    let compared = desk.done("compare run --json").json();
    assert_eq!(compared[0]["against"], "plain@neighbours");
    let page = Served::start(&[&desk.path("run")]).page("/runs/run/einstellung/compare");
    assert!(page.contains("plain@gestalt is left out: it has no answers."), "{page}");
    assert!(page.contains("<th scope=\"row\">plain@symptoms-only</th><td>plain@neighbours</td>"), "{page}");
    // Who asks for nobody else is told so.
    let ended = desk.waterjar("compare run --metric bias_trap_rate --against plain@gestalt");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("plain@gestalt is left out: it has no answers"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("--metric"), "nobody blames what is right: {}", ended.stderr);
}

#[test]
fn one_competitor_is_told_of_the_reference() {
    let desk = Desk::with_study(&quick());
    desk.done("run small.toml --out run");
    let ended = desk.waterjar("compare run");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    let told = "there is nothing to compare\nhint: --against plain@reference compares plain@prior with the reference";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
}

#[test]
fn runs_that_share_part_of_their_families_say_how_many() {
    let desk = Desk::with_study(&quick());
    desk.done("run small.toml --out one");
    desk.done("run small.toml --out two --limit 12");
    // Whether the one competitor was right on any control is another question.
    let ended = desk.waterjar("compare one two");
    assert!(ended.stderr.contains(" in common, of 40 and 12"), "{}", ended.stderr);
    let served = Served::start(&[&desk.path("one"), &desk.path("two")]);
    let page = served.page("/runs/one/einstellung/compare?with=two&against=nobody");
    assert!(page.contains(" in common, of 40 and 12."), "{page}");
    assert!(page.contains("“nobody”: with two runs each subject is compared with itself."), "{page}");
    let ended = desk.waterjar("compare one one");
    assert!(!ended.stderr.contains(" in common, of "), "{}", ended.stderr);
}

fn check(words: &str, says: &str) {
    let ended = Desk::new().waterjar(&words.replace("RUN", &shared_run().to_string_lossy()));
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains(says), "{}", ended.stderr);
}

#[test]
fn what_cannot_be_compared_is_told() {
    check(
        "compare RUN --metric bias_trap_rat",
        "no suite of the run can be compared by `bias_trap_rat`\nhint: did you mean `bias_trap_rate`?",
    );
    check("compare RUN --metric nonsense", "hint: the metrics of `einstellung` are: baseline_accuracy, ");
    check("compare RUN --metric nonsense", "; the metrics of `parity` are: answer_flip_rate.");
    check("compare RUN --metric answer_flip_rate", "hint: did you mean `answer_flip_rate.");
    check(
        "compare RUN --against plain@logitt",
        "no subject of the run is called `plain@logitt`\nhint: did you mean `plain@logit`?",
    );
    // It is one, in another suite.
    check("compare RUN --against plain@stereotype", "einstellung is left out: plain@stereotype does not answer it");
    check("compare RUN --against plain@stereotype", "hint: --against plain@reference compares plain@stereotype");
    check(
        "compare RUN --against plain@stereotype --metric bias_trap_rate",
        "there is nothing to compare\nhint: name a subject that answers einstellung",
    );
    check(
        "compare RUN RUN --against plain@nope",
        "--against: with two runs each subject is compared with itself\nhint: leave --against away",
    );
    check("compare nowhere", "there is no run at nowhere/run.sqlite");
}
