//! Bounds are held against what a suite says its metrics are broken down by, so it must know every figure it makes.

use waterjar_core::{Measured, Suite};
use waterjar_suites::parity::{Parity, Settings};

/// Figures that the card does not name cannot be named by a bound either.
pub fn check(suite: &dyn Suite, measured: &Measured) {
    let card = suite.card();
    for name in measured.metrics.keys() {
        let stem = name.split('.').next().unwrap();
        let named = card.columns.iter().any(|column| column.name == stem);
        let Some(strata) = suite.strata(stem).filter(|_| named) else { continue };
        let known = name.split_once('.').map_or(strata.whole, |(_, stratum)| strata.holds(stratum));
        assert!(known, "{name}");
    }
}

#[test]
fn the_pairings_of_a_study_are_known_before_anybody_is_asked() {
    let suite = Parity::new(Settings { attributes: vec!["age".to_owned()], ..Settings::default() }).unwrap();
    let flips = suite.strata("answer_flip_rate").unwrap();
    assert!(!flips.whole, "flips of what");
    for known in ["original_swapped", "original_again", "original_age"] {
        assert!(flips.holds(known), "{known}");
    }
    assert!(!flips.holds("original_swaped") && !flips.holds("original_race"));
    assert!(suite.strata("accuracy").unwrap().holds("original"));
}
