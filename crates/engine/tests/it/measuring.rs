//! Measuring more families than are held at once.

use crate::lab::{Lab, STUDY};
use std::collections::BTreeSet;
use waterjar_core::{FamilyId, SubjectId, SuiteId, metric::Share};

/// Shares leave the memory a thousand families at a time: more than that come back whole, in order, and once, also when measured again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shares_that_left_the_memory_are_all_there_in_the_end() {
    let lab = Lab::new();
    let study = STUDY.replace("kind = \"tiny\"", "kind = \"tiny\"\ncases = 1700");
    let mut found = Vec::new();
    for _ in 0..2 {
        let outcome = lab.run(&study).await.unwrap();
        let n = outcome.metrics.results[0].metrics["right"].n as usize;
        assert!(n > 1024, "{n} families leave none of them aside");
        found.push((n, shares(&lab, &study).await));
    }
    let (n, shares) = &found[0];
    let families: BTreeSet<&str> = shares.iter().map(|it| it.family.as_str()).collect();
    assert_eq!((shares.len(), families.len()), (*n, *n));
    assert!(shares.iter().all(|it| (it.part, it.whole) == (1.0, 1.0)), "echo is always right");
    assert_eq!(shares.iter().map(|it| it.family.clone()).collect::<Vec<_>>(), in_order(&lab, &study).await);
    assert_eq!(found[0], found[1]);
}

async fn in_order(lab: &Lab, study: &str) -> Vec<FamilyId> {
    let store = lab.open(study).await.unwrap();
    let (mut families, mut after) = (Vec::new(), Some(0));
    while let Some(position) = after {
        let page = store.families_page(&SuiteId::from("tiny"), position, 512).await.unwrap();
        families.extend(page.items.into_iter().map(|it| it.id));
        after = page.next;
    }
    store.close().await;
    families
}

async fn shares(lab: &Lab, study: &str) -> Vec<Share> {
    let store = lab.open(study).await.unwrap();
    let found = store.shares(&SuiteId::from("tiny"), &SubjectId::from("plain@echo"), "right").await.unwrap().unwrap();
    store.close().await;
    found
}

/// As after `--limit` on a run that a rule of stopping has asked further: what is left out is not missing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_benchmark_made_smaller_nothing_is_missing_that_was_asked_before() {
    let lab = Lab::new();
    let study = format!("{STUDY}\n[stopping]\n\"tiny.right\" = {{ half_width = 0.01, every = 5 }}\n");
    let whole = lab.run(&study).await.unwrap();
    assert!(whole.metrics.results.iter().all(|it| it.n > 10 && it.missing == 0));
    let smaller = lab.run_limited(&study, 10).await.unwrap();
    let counted: Vec<(u64, u64)> = smaller.metrics.results.iter().map(|it| (it.n, it.missing)).collect();
    assert_eq!(counted, [(10, 0), (10, 0)]);
}
