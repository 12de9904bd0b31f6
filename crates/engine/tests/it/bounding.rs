//! Bounds are a gate: what breaks one is told, and silence does not pass.

use crate::lab::{Lab, STUDY};
use std::collections::BTreeMap;
use std::sync::Arc;
use waterjar_core::{Metric, SubjectId, SubjectResult, SuiteId};
use waterjar_engine::study::Bound;
use waterjar_engine::{EngineError, Plan, Run, RunDir, RunEvent, Stop, bounds};
use waterjar_store::Store;

fn result(subject: &str, value: Option<f64>, reference: bool) -> SubjectResult {
    SubjectResult {
        suite: SuiteId::from("tiny"),
        subject: SubjectId::from(subject),
        n: 10,
        missing: 0,
        reference,
        metrics: BTreeMap::from([("right".to_owned(), Metric { value, n: 10, ..Metric::default() })]),
        breakdown: Vec::new(),
    }
}

fn check(bound: Bound, expected: &[&str]) {
    let results = [
        result("plain@a", Some(0.25), false),
        result("plain@b", Some(0.75), false),
        result("plain@silent", None, false),
        result("plain@reference", Some(1.0), true),
    ];
    let checks = bounds::check(&BTreeMap::from([("tiny.right".to_owned(), bound)]), &results);
    let broken: Vec<_> = checks.iter().filter_map(|it| it.broken.as_deref()).collect();
    assert_eq!(broken, expected);
}

fn of(subject: &str) -> Option<String> {
    Some(subject.to_owned())
}

#[test]
fn a_bound_holds_for_all_but_references() {
    let silent = "tiny.right of plain@silent has no value";
    let none = Bound { max: None, min: None, subject: None };
    check(Bound { max: Some(0.5), ..none.clone() }, &["tiny.right of plain@b is 0.750, above 0.5", silent]);
    check(Bound { min: Some(0.5), ..none.clone() }, &["tiny.right of plain@a is 0.250, below 0.5", silent]);
    check(Bound { min: Some(0.25), max: Some(0.75), ..none }, &[silent]);
}

#[test]
fn a_bound_on_one_subject_concerns_it_alone() {
    check(Bound { max: Some(0.5), min: None, subject: of("plain@a") }, &[]);
    let reference = ["tiny.right of plain@reference is 1.000, above 0.5"];
    check(Bound { max: Some(0.5), min: None, subject: of("plain@reference") }, &reference);
}

#[test]
fn a_group_that_nobody_found_is_told_with_those_that_are_there() {
    let mut measured = result("plain@a", Some(0.25), false);
    measured.metrics.insert("right.women".to_owned(), Metric::default());
    let bound = |key: &str| BTreeMap::from([(key.to_owned(), Bound { max: Some(0.5), min: None, subject: None })]);
    let broken = |key: &str| bounds::check(&bound(key), std::slice::from_ref(&measured))[0].broken.clone().unwrap();
    assert_eq!(
        broken("tiny.right.womem"),
        "tiny.right.womem of plain@a has no value: no figure is called `right.womem`; there are: right, right.women"
    );
    assert_eq!(broken("tiny.wrong"), "tiny.wrong of plain@a has no value: no figure is called `wrong`");
}

#[test]
fn a_subject_that_nobody_answered_for_has_no_answers() {
    let unanswered = |metrics| SubjectResult { n: 0, missing: 10, metrics, ..result("plain@a", None, false) };
    let bounded = BTreeMap::from([("tiny.right".to_owned(), Bound { max: Some(0.5), min: None, subject: None })]);
    for metrics in [BTreeMap::new(), BTreeMap::from([("right".to_owned(), Metric::default())])] {
        let checks = bounds::check(&bounded, &[unanswered(metrics)]);
        assert_eq!(checks[0].broken.as_deref(), Some("tiny.right of plain@a has no value: it has no answers"));
    }
}

#[tokio::test]
async fn a_run_tells_which_bounds_it_broke() {
    let study = format!("{STUDY}\n[bounds]\n\"tiny.right\" = {{ min = 0.5 }}\n");
    let outcome = Lab::new().run(&study).await.unwrap();
    assert_eq!(outcome.broken_bounds().collect::<Vec<_>>(), ["tiny.right of plain@mumble is 0.000, below 0.5"]);
}

#[tokio::test]
async fn a_stratum_that_no_family_is_in_is_told_before_anybody_is_asked() {
    let study = format!("{STUDY}\n[bounds]\n\"tiny.right.group_9\" = {{ min = 0.0 }}\n");
    let lab = Lab::new();
    let error = lab.run(&study).await.err().unwrap();
    let told = "lab.toml, line 18: bound `tiny.right.group_9`: no family is in the stratum `group_9`";
    assert_eq!(error.to_string(), told);
    assert_eq!(error.hint().as_deref(), Some("there are: group_0, group_1, group_2, group_3"));
    assert_eq!(lab.world.asked_in_all(), 0);
}

#[tokio::test]
async fn a_benchmark_cut_short_may_lack_a_stratum() {
    let study = format!("{STUDY}\n[bounds]\n\"tiny.right.group_9\" = {{ min = 0.0 }}\n");
    let outcome = Lab::new().run_limited(&study, 3).await.unwrap();
    assert_eq!(outcome.broken_bounds().count(), 2, "a figure without a value keeps no bound");
}

fn run_of<'a>(lab: &Lab, plan: &'a Plan, store: &Store, limit: Option<u64>) -> Run<'a> {
    Run {
        plan,
        dir: RunDir::new(lab.dir()),
        store: store.clone(),
        stop: Stop::default(),
        limit,
        tell: Arc::new(|_: RunEvent| {}),
        tell_calls: false,
        others: None,
    }
}

/// Families made with a limit or without, then the questions asked of them.
async fn asked_apart(lab: &Lab, study: &str, limit: Option<u64>) -> Result<(), EngineError> {
    let plan = lab.plan(study)?;
    let store = lab.open(study).await?;
    run_of(lab, &plan, &store, limit).vary().await?;
    let answered = run_of(lab, &plan, &store, None).answer().await;
    store.close().await;
    answered
}

#[tokio::test]
async fn before_there_are_families_that_is_told_and_nothing_of_their_strata() {
    let study = format!("{STUDY}\n[bounds]\n\"tiny.right.group_9\" = {{ min = 0.0 }}\n");
    let lab = Lab::new();
    let plan = lab.plan(&study).unwrap();
    let store = lab.open(&study).await.unwrap();
    let error = run_of(&lab, &plan, &store, None).answer().await.err().unwrap();
    store.close().await;
    assert!(error.to_string().ends_with("holds no variants of `tiny` yet"), "{error}");
}

#[tokio::test]
async fn a_pass_that_asks_looks_at_the_strata_first() {
    for section in [
        "[bounds]\n\"tiny.right.group_9\" = { min = 0.0 }",
        "[stopping]\n\"tiny.right.group_9\" = { half_width = 0.1 }",
    ] {
        let study = format!("{STUDY}\n{section}\n");
        let lab = Lab::new();
        let error = asked_apart(&lab, &study, None).await.err().unwrap();
        assert!(error.to_string().ends_with("no family is in the stratum `group_9`"), "{error}");
        assert_eq!(lab.world.asked_in_all(), 0);
        let cut = Lab::new();
        asked_apart(&cut, &study, Some(3)).await.unwrap();
        assert!(cut.world.asked_in_all() > 0, "a benchmark cut short lacks strata by chance");
    }
}
