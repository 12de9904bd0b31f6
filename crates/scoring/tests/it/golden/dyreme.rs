//! DyReMe's figures as far as the paper allows to compute them again. Names in brackets are rows of the golden table (specs 10.3).
//!
//! Elsewhere: [G-DR-10] and consistency of three to five answers, [G-DR-27], t-tests and the entropy of styles in `stats.rs`; [G-DR-13]
//! and [G-DR-20] to [G-DR-25] in `agreement.rs`; [G-DR-28] (103 usable patients) in `feasible.rs`; [G-DR-26] in
//! `crates/consultations/src/author/schedule.rs`; [G-DR-11] through the suite's own measuring in `crates/suites/tests/it/consult/figures.rs`. [G-DR-12] and
//! [G-DR-14] to [G-DR-16] are quotients of printed counts that nothing of ours computes. Not computable, because their cells are not public to us: [G-DR-01], [G-DR-03] to
//! [G-DR-06], [G-DR-08], [G-DR-09], the third figure of [G-DR-07].

use waterjar_scoring::stats::{SELF_BLEU_ORDER, bleu, consistency, relative_change, self_bleu, weighted_mean};

fn near(found: Option<f64>, expected: f64, tolerance: f64) {
    let found = found.expect("it can be computed");
    assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected}");
}

#[test]
fn the_static_baseline_weighs_its_data_sets_by_their_items() {
    // [G-DR-02]: with the published weights a data set of 104 counts for a fifteenth, not for a third.
    const ITEMS: [u64; 3] = [300, 1148, 104];
    let of = |cells: [f64; 3]| weighted_mean(&[(cells[0], ITEMS[0]), (cells[1], ITEMS[1]), (cells[2], ITEMS[2])]);
    near(of([1.0, 0.0, 0.0]), 300.0 / 1552.0, 1e-12);
    near(of([80.0, 65.0, 77.0]), (300.0 * 80.0 + 1148.0 * 65.0 + 104.0 * 77.0) / 1552.0, 1e-12);
    assert_eq!(weighted_mean(&[]), None);
}

#[test]
fn relative_drops_are_parts_of_the_baseline() {
    // [G-DR-07]
    near(relative_change(77.18, 85.10), -0.0931, 5e-5);
    near(relative_change(65.24, 72.58), -0.1011, 5e-5);
    // [G-DR-17]
    near(relative_change(-8.25, -4.11).map(|it| it + 1.0), 2.007, 5e-4);
    assert_eq!(relative_change(1.0, 0.0), None);
}

#[test]
fn two_answers_agree_or_do_not() {
    near(consistency(&[2]), 1.0, 1e-12);
    near(consistency(&[1, 1]), 0.0, 1e-12);
}

fn words(text: &str) -> Vec<String> {
    text.split([' ', '/']).map(str::to_owned).collect()
}

#[test]
fn bleu_follows_nltk() {
    // specs 3.5
    let texts = [
        "my head hurts and i feel dizzy today",
        "my head hurts a lot and i feel sick",
        "i feel dizzy and my stomach hurts today",
    ]
    .map(words);
    let one = |at: usize| {
        let others: Vec<&[String]> = (0..3).filter(|other| *other != at).map(|other| texts[other].as_slice()).collect();
        bleu(&texts[at], &others, SELF_BLEU_ORDER)
    };
    near(one(0), 0.709491706, 5e-10);
    near(one(1), 0.456671140, 5e-10);
    near(one(2), 0.346680637, 5e-10);
    near(self_bleu(&texts, SELF_BLEU_ORDER), 0.504281161, 5e-10);
    near(bleu(&texts[0], &[&texts[1], &texts[2]], 4).and(self_bleu(&texts, 4)), 0.220073927, 5e-10);
}

#[test]
fn self_bleu_of_pairs_and_of_characters() {
    near(self_bleu(&[words("a b c"), words("a b c")], SELF_BLEU_ORDER), 1.0, 1e-12);
    near(self_bleu(&[words("a b c"), words("d e f")], SELF_BLEU_ORDER), 0.0, 1e-12);
    near(self_bleu(&[words("a b"), words("a b c")], SELF_BLEU_ORDER), 0.301678194, 5e-10);
    let texts = ["我/最近/头/痛/得/厉害", "我/最近/总是/头/痛/恶心", "最近/我/头/晕/想/吐"].map(words);
    near(self_bleu(&texts, SELF_BLEU_ORDER), 0.146470155, 5e-10);
    assert_eq!(self_bleu(&[words("a")], SELF_BLEU_ORDER), None, "one text repeats nobody");
}
