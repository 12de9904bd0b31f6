//! Results, shares and checks.

use crate::sample::{family_id, new_run, suite};
use waterjar_core::metric::Share;
use waterjar_core::{Check, Metric, Shares, SubjectId, SubjectResult};
use waterjar_store::NewShares;

#[tokio::test]
async fn results_come_back_by_subject() {
    let run = new_run().await;
    for subject in ["plain@prior", "plain@logit"] {
        let result = result(subject, 0.1 + 0.2);
        run.store.replace_result(&result, &Shares::default()).await.unwrap();
    }
    let results = run.store.results(&suite()).await.unwrap();
    let expected = ["plain@logit", "plain@prior"].map(|subject| result(subject, 0.1 + 0.2));
    assert_eq!(results, expected);
}

#[tokio::test]
async fn shares_of_a_large_benchmark_come_back_whole_and_in_order() {
    let run = new_run().await;
    let subject = SubjectId::from("plain@logit");
    let put = async |n: i64| {
        run.store.replace_result(&result("plain@logit", 0.5), &by_metric(&[("css", shares(n))])).await.unwrap();
        assert_eq!(run.store.shares(&suite(), &subject, "css").await.unwrap(), Some(shares(n)));
        assert_eq!(run.store.metrics_with_shares(&suite(), &subject).await.unwrap(), ["css"]);
    };
    // More than two rows of the table, then fewer: none of the first stays.
    put(2500).await;
    put(3).await;
}

#[tokio::test]
async fn shares_read_in_pages_are_those_read_at_once() {
    let run = new_run().await;
    let subject = SubjectId::from("plain@logit");
    let all = by_metric(&[("cms", shares(700)), ("css", shares(2500))]);
    run.store.replace_result(&result("plain@logit", 0.5), &all).await.unwrap();
    // What is put aside for figures to come is on none of them.
    let new = by_metric(&[("css", shares(300))]);
    run.store.put_aside(&suite(), &subject, NewShares::default(), &new).await.map(drop).unwrap();
    for limit in [1, 3, 100] {
        let (mut read, mut after) = (Vec::new(), Some(-1));
        while let Some(position) = after {
            let page = run.store.shares_page(&suite(), &subject, "css", position, limit).await.unwrap();
            read.extend(page.items);
            after = page.next;
        }
        assert_eq!(read, shares(2500), "{limit} at a time");
    }
    let page = run.store.shares_page(&suite(), &subject, "overall", -1, 3).await.unwrap();
    assert_eq!((page.items, page.next), (Vec::new(), None), "nobody measured it");
}

#[tokio::test]
async fn measuring_again_replaces_the_figures_and_their_shares() {
    let run = new_run().await;
    let subject = SubjectId::from("plain@logit");
    let first = by_metric(&[("bias_trap_rate", shares(3)), ("sham_kept", shares(3))]);
    let second = by_metric(&[("bias_trap_rate", shares(2))]);
    for (value, shares) in [(0.5, &first), (0.4, &second)] {
        run.store.replace_result(&result("plain@logit", value), shares).await.unwrap();
    }
    let read = async |metric| run.store.shares(&suite(), &subject, metric).await.unwrap();
    assert_eq!(read("bias_trap_rate").await, Some(shares(2)));
    assert_eq!(run.store.metrics_with_shares(&suite(), &subject).await.unwrap(), ["bias_trap_rate"]);
    assert_eq!(read("sham_kept").await, None);
    let results = run.store.results(&suite()).await.unwrap();
    assert_eq!(results, [result("plain@logit", 0.4)]);
}

#[tokio::test]
async fn shares_put_aside_are_there_with_their_figures_and_not_before() {
    let run = new_run().await;
    let subject = SubjectId::from("plain@logit");
    let read = async || run.store.shares(&suite(), &subject, "css").await.unwrap();
    let put_aside =
        async |aside, n: i64| run.store.put_aside(&suite(), &subject, aside, &by_metric(&[("css", shares(n))])).await;
    run.store.replace_result(&result("plain@logit", 0.5), &by_metric(&[("css", shares(5))])).await.unwrap();
    // Measured again and broken off: what was there stays.
    put_aside(NewShares::default(), 700).await.unwrap();
    assert_eq!(read().await, Some(shares(5)));
    // Begun anew, and brought to its end.
    let some = put_aside(NewShares::default(), 300).await.unwrap();
    let more = put_aside(some, 1).await.unwrap();
    assert_eq!(read().await, Some(shares(5)));
    let rest = by_metric(&[("css", shares(2)), ("cms", shares(1))]);
    run.store.replace_result_after(&result("plain@logit", 0.4), more, &rest).await.unwrap();
    assert_eq!(read().await, Some([shares(300), shares(1), shares(2)].concat()));
    assert_eq!(run.store.metrics_with_shares(&suite(), &subject).await.unwrap(), ["cms", "css"]);
    // What is left of one that was broken off goes with the next.
    put_aside(NewShares::default(), 3).await.unwrap();
    run.store.replace_result(&result("plain@logit", 0.3), &by_metric(&[("css", shares(1))])).await.unwrap();
    put_aside(NewShares::default(), 2).await.map(drop).unwrap();
    assert_eq!(read().await, Some(shares(1)));
}

#[tokio::test]
async fn checks_are_replaced_as_a_whole() {
    let run = new_run().await;
    assert_eq!(run.store.checks(&suite()).await.unwrap(), []);
    let probe = Check {
        name: "artefact_probe".to_owned(),
        value: 0.51,
        low: 0.47,
        high: 0.55,
        n: 600,
        reading: "Traps cannot be told from controls without the labels.".to_owned(),
    };
    for checks in [vec![probe.clone(), probe.clone()], vec![probe]] {
        run.store.replace_checks(&suite(), &checks).await.unwrap();
        assert_eq!(run.store.checks(&suite()).await.unwrap(), checks);
    }
}

fn result(subject: &str, value: f64) -> SubjectResult {
    let metric = Metric { value: Some(value), n: 300, ..Metric::default() };
    SubjectResult {
        suite: suite(),
        subject: SubjectId::from(subject),
        n: 300,
        missing: 0,
        reference: false,
        metrics: [("bias_trap_rate".to_owned(), metric)].into(),
        breakdown: Vec::new(),
    }
}

fn shares(n: i64) -> Vec<Share> {
    (1..=n).map(|position| Share::new(family_id(position), 1.0 / 3.0, 1.0)).collect()
}

fn by_metric(given: &[(&str, Vec<Share>)]) -> Shares {
    let mut shares = Shares::default();
    for (metric, of) in given {
        of.iter().for_each(|share| shares.push(metric, share));
    }
    shares
}
