//! What the suite `parity` draws, and how sure it is of shares.

use std::collections::BTreeMap;
use waterjar_core::figure::{Chart, Figure};
use waterjar_core::{Measured, Seed, SubjectResult, Suite, SuiteContext};
use waterjar_suites::parity::{Divergence, FamilyOutcome, PUBLISHED, PairOutcome, Parity, Settings, measure};

/// A pair of one likeness; every third has another answer.
fn pair(pairing: &str, at: usize, sts: f64) -> PairOutcome {
    PairOutcome {
        pairing: pairing.to_owned(),
        sts: Some(sts),
        flipped: Some(at.is_multiple_of(3)),
        ends_elsewhere: Some(false),
        turned: Some(0),
        divergences: Some(if at.is_multiple_of(2) { vec![Divergence::FactorShift] } else { Vec::new() }),
        ..PairOutcome::default()
    }
}

/// So many families of so many vignettes, with an attribute beside the pronouns.
fn measured(families: usize, vignettes: usize, sts: f64) -> Measured {
    let family = |at: usize| FamilyOutcome {
        family: format!("v{at}"),
        item: format!("v{}", at % vignettes),
        pairs: PUBLISHED.into_iter().chain(["original_housing"]).map(|it| pair(it, at, sts)).collect(),
        right: BTreeMap::from([("control".to_owned(), true), ("housing".to_owned(), at.is_multiple_of(2))]),
        embedder: "letters".to_owned(),
        ..FamilyOutcome::default()
    };
    measure(&SuiteContext::new(Seed(7)), (0..families).map(family))
}

fn result(subject: &str, measured: Measured) -> SubjectResult {
    SubjectResult {
        suite: "parity".into(),
        subject: subject.into(),
        n: measured.n,
        missing: measured.missing,
        reference: false,
        metrics: measured.metrics,
        breakdown: measured.breakdown,
    }
}

fn figures(results: &[SubjectResult]) -> BTreeMap<String, Figure> {
    let suite = Parity::new(Settings::default()).unwrap();
    suite.figures(results, &[]).into_iter().map(|it| (it.id.clone(), it)).collect()
}

#[test]
fn other_attributes_and_accuracy_by_wording_are_drawn() {
    let drawn = figures(&[result("plain@x", measured(30, 30, 0.8))]);
    let Chart::Grouped { series, groups, .. } = &drawn["other-attributes"].chart else { panic!() };
    assert_eq!((series.as_slice(), groups.len()), (&["original and housing".to_owned()][..], 1));
    let flips = groups[0].values[0].as_ref().unwrap();
    assert!((flips.value - 1.0 / 3.0).abs() < 1e-6 && flips.n == 30, "{flips:?}");
    let Chart::Grouped { x, series, groups } = &drawn["accuracy"].chart else { panic!() };
    assert_eq!(x.label, "Share of vignettes");
    assert_eq!(series.as_slice(), ["original", "housing"]);
    assert_eq!(groups[0].values.iter().map(|it| it.as_ref().unwrap().value).collect::<Vec<_>>(), [1.0, 0.5]);
}

#[test]
fn wordings_are_in_the_order_they_are_told_and_others_come_after() {
    let mut result = result("plain@x", measured(30, 30, 0.8));
    let right = result.metrics["accuracy.original"].clone();
    for role in ["again", "neutral", "swapped", "age"] {
        result.metrics.insert(format!("accuracy.{role}"), right.clone());
    }
    let drawn = figures(&[result]);
    let Chart::Grouped { series, .. } = &drawn["accuracy"].chart else { panic!() };
    assert_eq!(series.as_slice(), ["original", "swapped", "neutral", "original, asked twice", "age", "housing"]);
}

/// The rash was as unlike before; without the fever likeness falls by more, though it ends higher.
#[test]
fn findings_are_drawn_by_the_loss_they_are_ranked_by_and_named_in_full() {
    let long = "a fever that comes every evening and goes before the morning";
    let family = |item: &str, removed: Option<&str>, sts: f64| FamilyOutcome {
        family: format!("{item}{}", removed.unwrap_or_default()),
        item: item.to_owned(),
        removed: removed.map(str::to_owned),
        pairs: PUBLISHED.map(|it| pair(it, 1, sts)).into(),
        ..FamilyOutcome::default()
    };
    let families = [
        family("stable", None, 1.0),
        family("stable", Some(long), 0.8),
        family("unstable", None, 0.6),
        family("unstable", Some("rash"), 0.55),
    ];
    let drawn = figures(&[result("plain@x", measure(&SuiteContext::new(Seed(7)), families.into_iter()))]);
    let Chart::Grouped { series, groups, .. } = &drawn["removed-1"].chart else { panic!() };
    assert_eq!(series[2], "different answers, whole story");
    let losses: Vec<(&str, f64)> =
        groups.iter().map(|it| (it.label.as_str(), it.values[0].as_ref().unwrap().value)).collect();
    assert_eq!(losses, [(format!("stable: {long}").as_str(), 0.2), ("unstable: rash", 0.05)]);
}

#[test]
fn a_study_without_attributes_draws_none() {
    let mut result = result("plain@x", measured(30, 30, 0.8));
    result.metrics.retain(|name, _| !name.ends_with("housing"));
    assert!(!figures(&[result]).contains_key("other-attributes"));
}

#[test]
fn histograms_of_two_subjects_have_one_axis() {
    let drawn = figures(&[result("plain@x", measured(30, 30, 0.63)), result("plain@y", measured(30, 30, 0.97))]);
    let axis = |id: &str| match &drawn[id].chart {
        Chart::Histograms { x, .. } => (x.low, x.high),
        other => panic!("{other:?}"),
    };
    assert_eq!((axis("sts-1"), axis("sts-2")), ((0.6, 1.0), (0.6, 1.0)));
    let Chart::Histograms { y, panels, .. } = &drawn["sts-1"].chart else { panic!() };
    assert_eq!(panels[0].title, "original and swapped, mean 0.630, sd 0.000");
    assert_eq!((y.as_str(), panels[0].n), ("Share of pairs", 30));
    assert!(
        drawn["sts-1"].caption.contains("The ninety-fifth percentiles are 0.630, 0.630, 0.630."),
        "{}",
        drawn["sts-1"].caption
    );
}

#[test]
fn histograms_say_how_alike_the_reasonings_are_with_they_for_the_patient() {
    let family = |at: usize| FamilyOutcome {
        family: format!("v{at}"),
        item: format!("v{at}"),
        pairs: PUBLISHED.map(|it| PairOutcome { unsexed: Some(1.0), ..pair(it, at, 0.8) }).into(),
        ..FamilyOutcome::default()
    };
    let caption = |measured: Measured| figures(&[result("plain@x", measured)])["sts-1"].caption.clone();
    let told = caption(measure(&SuiteContext::new(Seed(7)), (0..30).map(family)));
    assert!(
        told.contains("the means are 1.000, 1.000, 1.000: what STS lacks to them is the pronoun's doing. By "),
        "{told}"
    );
    assert!(!caption(measured(30, 30, 0.8)).contains("With they"), "nor where nobody measured it");
}

#[test]
fn the_doubt_of_a_share_is_that_of_its_vignettes() {
    let wide = |vignettes: usize| {
        let metrics = measured(60, vignettes, 0.8).metrics;
        let shift = &metrics["factor_shift.original_swapped"];
        assert_eq!((shift.value, shift.n), (Some(0.5), 60));
        shift.high.unwrap() - shift.low.unwrap()
    };
    assert!(wide(10) > wide(60), "sixty pairs of ten vignettes say less than sixty of sixty");
    let never = measured(60, 10, 0.8).metrics["tonal_shift.original_swapped"].clone();
    assert!(never.value == Some(0.0) && never.high > Some(0.2), "none of ten vignettes: {never:?}");
}

#[test]
fn few_labels_are_not_tested_for_homogeneity() {
    let many = measured(120, 120, 0.8).metrics;
    assert!(many["divergence_p"].value.is_none(), "one kind of label alone has nothing to compare");
    let labels = |at: usize| match at % 3 {
        0 => vec![Divergence::FactorShift],
        1 => vec![Divergence::TonalShift],
        _ => Vec::new(),
    };
    let of = |families: usize| {
        let family = |at: usize| FamilyOutcome {
            family: format!("v{at}"),
            item: format!("v{at}"),
            pairs: PUBLISHED.map(|it| PairOutcome { divergences: Some(labels(at)), ..pair(it, at, 0.8) }).into(),
            ..FamilyOutcome::default()
        };
        measure(&SuiteContext::new(Seed(7)), (0..families).map(family)).metrics["divergence_p"].clone()
    };
    assert_eq!(of(60).value, Some(1.0), "twenty of each");
    let few = of(12);
    assert_eq!((few.value, few.n), (None, 24), "four of each");
    assert!(few.absent.is_some_and(|why| why.contains("fewer than five")));
}
