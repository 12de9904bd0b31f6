//! The feasibility check finds again what it found in published tables (specs 10.1, 10.2, 3.1).

use waterjar_scoring::stats::feasible;

/// Baseline accuracy, robust accuracy, trap rate of the fifteen language models of MedEinst, as printed.
const MEDEINST: [[f64; 3]; 15] = [
    [47.82, 12.46, 47.12],
    [42.20, 11.32, 46.12],
    [39.65, 11.25, 47.63],
    [44.12, 11.28, 54.19],
    [41.05, 11.14, 44.88],
    [40.25, 11.86, 43.46],
    [40.51, 11.40, 43.32],
    [54.30, 15.78, 51.87],
    [53.58, 10.97, 60.90],
    [42.09, 12.36, 42.98],
    [14.93, 3.20, 36.74],
    [6.51, 1.19, 44.00],
    [40.92, 11.68, 53.88],
    [45.03, 7.18, 66.10],
    [27.68, 6.17, 54.20],
];

/// How many rows could come from n pairs. The trap rate is a share of the pairs with a correct control.
fn feasible_rows(n: u64) -> usize {
    let row = |[base, robust, trap]: &[f64; 3]| {
        let control = feasible(*base, 2, n, false)?;
        feasible(*robust, 2, n, false)?;
        feasible(*trap, 2, control as u64, false)
    };
    MEDEINST.iter().filter(|printed| row(printed).is_some()).count()
}

#[test]
fn fifteen_rows_of_medeinst_come_from_5379_pairs_and_no_other_number() {
    assert_eq!(feasible_rows(5379), 15);
    assert_eq!(feasible_rows(5383), 1);
    let next_best = (5300..5400).filter(|n| *n != 5379).map(feasible_rows).max();
    assert_eq!(next_best, Some(4));
}

#[test]
fn opus_answered_79_tuples_of_family_c() {
    assert_eq!(feasible(31.6, 1, 79, true), Some(25.0)); // [G-CS-06]
    assert_eq!(feasible(31.6, 1, 80, true), None);
}

/// What is printed of Opus: scores by family A to E at three decimals, shares of wrong, partial, correct at one decimal
/// of a percent, and the score overall. Families other than C and the shares are rounded from the counts of specs 10.2.
struct Opus;

impl Opus {
    const FAMILIES: [(u64, f64); 5] = [(129, 52.3), (269, 77.0), (80, 31.6), (306, 11.9), (5, 80.0)];
    const SHARES: [f64; 3] = [47.8, 18.0, 34.1];
    const OVERALL: f64 = 43.2;

    /// Whether n tuples, of the 789, can have given all that.
    fn feasible(n: u64) -> bool {
        let counts = Self::SHARES.map(|share| feasible(share, 1, n, false));
        let [Some(wrong), Some(partial), Some(correct)] = counts else {
            return false;
        };
        let score = correct + partial / 2.0;
        wrong + partial + correct == n as f64
            && (100.0 * score / n as f64 - Self::OVERALL).abs() <= 0.05
            && Self::families_give(&Self::FAMILIES, 789 - n, score)
    }

    /// Whether these families can lose that many tuples and still add up to that score.
    fn families_give(families: &[(u64, f64)], lost: u64, score: f64) -> bool {
        let [(n, printed), rest @ ..] = families else {
            return lost == 0 && score == 0.0;
        };
        (0..=lost.min(n - 1)).any(|lost_here| {
            let here = feasible(*printed, 1, n - lost_here, true);
            here.is_some_and(|here| Self::families_give(rest, lost - lost_here, score - here))
        })
    }
}

#[test]
fn opus_lost_seven_of_789_tuples() {
    let found: Vec<u64> = (782..=789).filter(|n| Opus::feasible(*n)).collect();
    assert_eq!(found, [782]);
}

#[test]
fn dxy_has_103_usable_patients() {
    // A cell is a mean of top-1, top-3 and top-5, so a count out of three times the patients.
    let count = |printed, patients: u64| feasible(printed, 2, 3 * patients, false);
    assert_eq!(count(77.02, 103), Some(238.0));
    assert_eq!(count(74.11, 103), Some(229.0));
    assert_eq!(count(77.02, 104), None);
    assert_eq!(count(74.11, 104), None);
    assert_eq!(count(80.78, 300), Some(727.0));
}
