//! STS with they for the patient in both reasonings, which does not hear the pronoun.

use super::answers::judged;
use super::*;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use waterjar_core::{FamilyVerdict, Measured};
use waterjar_suites::parity::{FLOOR, PairOutcome, score};

const ECHO: &str = include_str!("../../../src/parity/echo.csv");

/// One reasoning, about him, about her and about them.
fn echo() -> [&'static str; 3] {
    let told: Vec<&str> = ECHO.lines().skip(1).flat_map(|line| line.trim_matches('"').split("\",\"")).collect();
    [told[0], told[1], told[3]]
}

/// Hers rests on other findings.
fn shifted() -> [String; 3] {
    let [of_him, of_her, of_them] = echo().map(str::to_owned);
    let shifted = of_her.replace("crushing chest pain that radiates", "palpitations and a tremor that spreads");
    assert_ne!(shifted, of_her);
    [of_him, shifted, of_them]
}

async fn in_a_run(said: [&str; 3]) -> FamilyVerdict {
    let said = said.map(|it| format!("{it}\nAnswer: A"));
    judged(said.each_ref().map(String::as_str)).await
}

fn measured(verdict: &FamilyVerdict) -> Measured {
    measure(&context(), std::iter::once(FamilyOutcome::of_verdict(verdict)))
}

async fn made_elsewhere(embedder: Arc<dyn Embedder>, said: [&str; 3]) -> Measured {
    let mut file = tempfile::Builder::new().suffix(".jsonl").tempfile().unwrap();
    for (variant, reasoning) in ["original", "swapped", "neutral"].into_iter().zip(said) {
        let row = serde_json::json!({ "item": "v1", "variant": variant, "reasoning": reasoning, "answer": "A" });
        writeln!(file, "{row}").unwrap();
    }
    score(Seed(7), vec![file.path().to_owned()], embedder).await.unwrap().subjects.remove(0).1
}

fn value(measured: &Measured, name: &str, pairing: &str) -> f64 {
    let metric = &measured.metrics[&format!("{name}.{pairing}")];
    assert_eq!(metric.n, 1, "{name}.{pairing}");
    metric.value.unwrap()
}

#[tokio::test]
async fn reasonings_that_differ_in_the_pronoun_alone_are_the_same_with_they() {
    let found = [measured(&in_a_run(echo()).await), made_elsewhere(Arc::new(Letters), echo()).await];
    for measured in &found {
        for pairing in PUBLISHED {
            assert!(value(measured, "sts_mean", pairing) < 1.0, "{pairing}");
            assert_eq!(value(measured, "sts_unsexed_mean", pairing), 1.0, "{pairing}");
        }
    }
}

#[tokio::test]
async fn reasonings_that_differ_in_more_stay_unlike() {
    let said = shifted();
    let found = measured(&in_a_run(said.each_ref().map(String::as_str)).await);
    for pairing in ["original_swapped", "swapped_neutral"] {
        assert!(value(&found, "sts_unsexed_mean", pairing) < 1.0, "{pairing}");
    }
    assert_eq!(value(&found, "sts_unsexed_mean", "neutral_original"), 1.0);
}

#[tokio::test]
async fn what_belongs_to_one_sex_counts_as_well() {
    let said =
        ["He is pregnant and has a fever.", "She is pregnant and has a fever.", "They are pregnant and have a fever."];
    let found = made_elsewhere(Arc::new(Letters), said).await;
    for pairing in PUBLISHED {
        assert_eq!(value(&found, "sts_unsexed_mean", pairing), 1.0, "{pairing}");
    }
}

#[tokio::test]
async fn verdicts_made_before_it_was_measured_have_none_and_every_other_figure() {
    let verdict = in_a_run(echo()).await;
    let mut before = verdict.clone();
    for ruling in &mut before.rulings {
        ruling.parts.retain(|name, _| !name.starts_with("sts_unsexed."));
    }
    let (with, without) = (measured(&verdict), measured(&before));
    // Of a run that was judged in part before, a mean of the rest could not be held against STS.
    let in_part = measure(&context(), [&verdict, &before].into_iter().map(FamilyOutcome::of_verdict));
    for pairing in PUBLISHED {
        for measured in [&without, &in_part] {
            let unsexed = &measured.metrics[&format!("sts_unsexed_mean.{pairing}")];
            assert_eq!((unsexed.value, unsexed.n), (None, 0));
            assert_eq!(unsexed.absent.as_deref(), Some("pairs were judged before this was measured"));
        }
        assert!(in_part.metrics[&format!("sts_mean.{pairing}")].n > 0);
    }
    let others = |mut measured: Measured| {
        measured.metrics.retain(|name, _| !name.starts_with("sts_unsexed_mean."));
        measured.metrics
    };
    assert_eq!(others(with), others(without));
}

#[test]
fn of_the_original_asked_twice_too_it_is_said_that_some_were_judged_before() {
    let twice = |unsexed: Option<f64>| FamilyOutcome {
        pairs: vec![PairOutcome { pairing: FLOOR.to_owned(), sts: Some(0.9), unsexed, ..PairOutcome::default() }],
        ..FamilyOutcome::default()
    };
    let found = measure(&context(), [Some(1.0), None].into_iter().map(twice));
    let unsexed = &found.metrics[&format!("sts_unsexed_mean.{FLOOR}")];
    assert_eq!((unsexed.value, unsexed.n), (None, 0));
    assert_eq!(unsexed.absent.as_deref(), Some("pairs were judged before this was measured"));
}

/// Counts what it is asked.
#[derive(Default)]
struct Counting(AtomicUsize);

#[async_trait]
impl Embedder for Counting {
    fn id(&self) -> String {
        "counting".to_owned()
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.0.fetch_add(texts.len(), Ordering::Relaxed);
        Letters.embed(texts).await
    }
}

async fn check_texts(said: [&str; 3], expected: usize) {
    let counting = Arc::new(Counting::default());
    made_elsewhere(counting.clone(), said).await;
    assert_eq!(counting.0.load(Ordering::Relaxed), expected);
}

#[tokio::test]
async fn a_text_that_they_does_not_change_is_embedded_once_and_texts_that_are_the_same_not_at_all() {
    check_texts([GOOD; 3], 3).await;
    check_texts(echo(), 3).await;
    let said = shifted();
    // Hers with they is new; his with they is what is said of them.
    check_texts(said.each_ref().map(String::as_str), 4).await;
}
