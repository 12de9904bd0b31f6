//! How many cases a question needs.

use super::{Z95, mcnemar_exact, wilson_of_share};
use statrs::distribution::{Binomial, ContinuousCDF, Discrete, DiscreteCDF, Normal};

/// Fewer of one kind than this, and a share is near none or all, where intervals are Wilson's.
pub const FEW: u64 = 5;

/// No study has more.
const MOST: u64 = 1 << 40;

/// Beyond so many pairs the exact test and its approximation ask for the same number, and each step of the exact one takes long.
const MOST_EXACT: u64 = 1 << 16;

/// Families until an interval of this half width, which so many gave, is as narrow as wanted: it shrinks with the root of their number.
pub fn families_for_width(families: u64, half_width: f64, wanted: f64) -> Option<u64> {
    let sensible = families > 0 && half_width.is_finite() && half_width >= 0.0 && wanted > 0.0;
    sensible.then(|| (families as f64 * (half_width / wanted).powi(2)).ceil().max(1.0) as u64)
}

/// A number of cases, and what it is planned at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Planned {
    pub cases: u64,
    /// The share that is taken for the true one, where it is not the one that was seen.
    pub assumed: Option<f64>,
}

/// Independent cases until the interval of a share is as narrow as wanted, if so many gave this share with an interval of this half width.
///
/// It narrows as Wilson's does, which depends on the share; and of what was seen in none of a few cases nobody knows that it is none. Near none and
/// all it is planned at the [`plausible`] share.
pub fn cases_for_width(cases: u64, share: f64, half_width: f64, wanted: f64) -> Option<Planned> {
    let sensible = half_width.is_finite() && half_width >= 0.0 && wanted > 0.0;
    let half = half_of(share, cases).filter(|_| sensible)?;
    // Cases that weigh unequally tell less than as many equal ones, and scores between none and all tell more.
    let wider = (half_width / half).powi(2);
    let planned =
        |share: f64, wider: f64| Some((cases_for_share(share, wanted)? as f64 * wider).ceil().max(1.0) as u64);
    if !is_few(share, cases) {
        let seen = planned(share, wider)?;
        // What is in the middle of many may be near an end of few.
        if !is_few(share, seen) {
            return Some(Planned { cases: seen, assumed: None });
        }
    }
    let assumed = plausible(share, cases)?;
    // Near an end no interval is narrower than Wilson's.
    Some(Planned { cases: planned(assumed, wider.max(1.0))?, assumed: Some(assumed) })
}

/// The middle of Wilson's interval: none of five may well be a fifth, none of five hundred is hardly one in a hundred.
pub fn plausible(share: f64, cases: u64) -> Option<f64> {
    let n = cases as f64;
    let square = Z95 * Z95;
    (n > 0.0 && (0.0..=1.0).contains(&share)).then(|| (share * n + square / 2.0) / (n + square))
}

fn is_few(share: f64, cases: u64) -> bool {
    share.min(1.0 - share) * (cases as f64) < FEW as f64
}

fn half_of(share: f64, cases: u64) -> Option<f64> {
    wilson_of_share(share, cases).map(|it| (it.high - it.low) / 2.0)
}

/// Families until a true difference is seen with this probability, two-sided at 5 %, if so many gave an interval of this half width.
pub fn families_for_difference(families: u64, half_width: f64, difference: f64, power: f64) -> Option<u64> {
    // An interval is as wide as 1.96 standard errors to each side; to see a difference it has to be that and z(power) away from 0.
    let wanted = difference.abs() * Z95 / (Z95 + z(power)?);
    families_for_width(families, half_width, wanted)
}

/// Cases until the 95 % interval (Wilson's) of a share is as narrow as wanted. `None` where no number is enough, or none that could be asked.
pub fn cases_for_share(share: f64, wanted: f64) -> Option<u64> {
    if !(0.0..=1.0).contains(&share) {
        return None;
    }
    least(MOST, |n| half_of(share, n).is_some_and(|half| half <= wanted))
}

/// Pairs until McNemar's exact test sees two shares apart with this probability, if the two answer independently of each other, which is more
/// than two that err on the same cases need.
pub fn pairs_for_difference(first: f64, second: f64, power: f64) -> Option<u64> {
    if ![first, second].iter().all(|it| (0.0..=1.0).contains(it)) {
        return None;
    }
    pairs_that_differ(first * (1.0 - second) + second * (1.0 - first), first - second, power)
}

/// Pairs until McNemar's exact test (two-sided, 5 %) sees a difference with this probability, if the two differ in this share of the pairs: at least
/// in as many as the difference is.
pub fn pairs_that_differ(differing: f64, difference: f64, power: f64) -> Option<u64> {
    let difference = difference.abs();
    z(power)?;
    if difference == 0.0 || ![differing, difference].iter().all(|it| (0.0..=1.0).contains(it)) {
        return None;
    }
    let differing = differing.max(difference);
    let exact = least(MOST_EXACT, |n| exact_power(n, differing, difference) >= power);
    exact.or_else(|| approximate_pairs(differing, difference, power))
}

/// Miettinen 1968: n = (z(α/2)·√ψ + z(β)·√(ψ − δ²))² / δ², ψ the share of pairs on which they differ. The exact test needs about 1/δ more.
fn approximate_pairs(differing: f64, difference: f64, power: f64) -> Option<u64> {
    let root = Z95 * differing.sqrt() + z(power)? * (differing - difference * difference).max(0.0).sqrt();
    let pairs = (root / difference).powi(2) + 1.0 / difference;
    (pairs < MOST as f64).then(|| pairs.ceil() as u64)
}

/// How often the exact test of so many pairs finds the difference. Which of the two is ahead where they differ is a coin with the better one's share
/// of the differences; fewer than six of them are never enough (2 · ½⁵ = 0.06).
fn exact_power(pairs: u64, differing: f64, difference: f64) -> f64 {
    let ahead = (0.5 + difference / (2.0 * differing)).min(1.0);
    let of = |share: f64, n: u64| Binomial::new(share, n).expect("a share and a count");
    let how_many = of(differing, pairs);
    let (mean, reach) = (pairs as f64 * differing, 8.0 * (pairs as f64 * differing * (1.0 - differing)).sqrt() + 8.0);
    let (low, high) = ((mean - reach).max(0.0) as u64, ((mean + reach) as u64).min(pairs));
    (low..=high)
        .filter_map(|n| {
            let lost = most_lost(n)?;
            let said = of(1.0 - ahead, n).cdf(lost) + of(ahead, n).cdf(lost);
            Some(how_many.pmf(n) * said)
        })
        .sum()
}

/// In how many of so many differing pairs one may be behind and still be told to be ahead.
fn most_lost(differing: u64) -> Option<u64> {
    let sees = |lost: u64| mcnemar_exact(lost, differing - lost) < SIGNIFICANT;
    // Near where the normal approximation has it.
    let guess = (differing as f64 - Z95 * (differing as f64).sqrt()) / 2.0;
    let mut lost = (guess.max(0.0) as u64).min(differing / 2);
    while lost < differing / 2 && sees(lost + 1) {
        lost += 1;
    }
    while !sees(lost) {
        lost = lost.checked_sub(1)?;
    }
    Some(lost)
}

/// Of two subjects alone; tables that mark who is behind correct for how many there are.
const SIGNIFICANT: f64 = 0.05;

/// The least number up to `most` that is enough, if every larger one is, too.
fn least(most: u64, is_enough: impl Fn(u64) -> bool) -> Option<u64> {
    let mut high = 1_u64;
    while !is_enough(high) {
        high = high.checked_mul(2).filter(|it| *it < most)?;
    }
    let mut low = high / 2;
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if is_enough(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

/// The point of the normal distribution below which so much lies.
fn z(power: f64) -> Option<f64> {
    (power > 0.5 && power < 1.0).then(|| Normal::standard().inverse_cdf(power))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt as _;
    use waterjar_core::Seed;

    #[test]
    fn four_times_the_families_halve_an_interval() {
        assert_eq!(families_for_width(100, 0.1, 0.05), Some(400));
        assert_eq!(families_for_width(100, 0.05, 0.05), Some(100));
        assert_eq!(families_for_width(0, 0.1, 0.05), None);
    }

    #[test]
    fn a_share_of_a_half_needs_about_a_thousand_cases_for_three_percent() {
        // 1.96² · ¼ / 0.03² = 1067.1; Wilson's is narrower by z²/n.
        assert_eq!(cases_for_share(0.5, 0.03), Some(1064));
        let known = cases_for_share(0.1, 0.05).expect("a share");
        let half = |n: u64| half_of(0.1, n).expect("cases");
        assert!(half(known) <= 0.05 && half(known - 1) > 0.05);
    }

    fn planned(cases: u64, share: f64) -> (u64, Option<f64>) {
        let half = half_of(share, cases).expect("cases");
        let found = cases_for_width(cases, share, half, 0.03).expect("a share");
        (found.cases, found.assumed.map(|it| (1000.0 * it).round() / 1000.0))
    }

    #[test]
    fn a_share_near_an_end_is_planned_at_what_is_plausible_and_not_at_what_a_few_said() {
        assert_eq!(planned(5, 0.0), (724, Some(0.217)));
        assert_eq!(planned(35, 1.0), (213, Some(0.951)));
        assert_eq!(planned(35, 0.0).0, planned(35, 1.0).0);
        assert_eq!(planned(400, 1.0), (71, Some(0.995)));
        // One who failed once is not known with fewer than one who never did.
        assert!(planned(35, 34.0 / 35.0).0 > planned(35, 1.0).0);
        assert_eq!(planned(1000, 0.5), (1064, None), "as is guessed without a run");
    }

    #[test]
    fn so_many_cases_as_planned_have_an_interval_that_is_as_narrow_as_wanted() {
        for cases in [5, 12, 35, 400, 2000] {
            for seen in [0, 1, 2, cases / 3, cases - 1, cases] {
                let share = seen as f64 / cases as f64;
                let (enough, _) = planned(cases, share);
                // As nearly as that many cases can say it.
                let half = half_of((share * enough as f64).round() / enough as f64, enough).expect("cases");
                assert!(half <= 0.0301, "{seen} of {cases}: {enough} have ±{half}");
            }
        }
    }

    #[test]
    fn cases_that_weigh_unequally_are_more() {
        let wilson = half_of(0.0, 35).expect("cases");
        let found = |half: f64| cases_for_width(35, 0.0, half, 0.03).expect("a share").cases;
        assert_eq!(found(1.5 * wilson), (found(wilson) as f64 * 2.25).ceil() as u64);
        assert_eq!(found(wilson / 2.0), found(wilson), "that all say the same makes nothing narrower");
        assert_eq!(cases_for_width(0, 0.0, 0.1, 0.03), None);
        assert_eq!(cases_for_width(10, 1.2, 0.1, 0.03), None);
    }

    #[test]
    fn fewer_than_six_pairs_that_differ_are_never_enough() {
        assert_eq!([most_lost(5), most_lost(6), most_lost(9), most_lost(20)], [None, Some(0), Some(1), Some(5)]);
        assert_eq!(pairs_that_differ(1.0, 1.0, 0.8), Some(6));
        // Of a tenth that all speak for the same one six are needed.
        let pairs = pairs_that_differ(0.0, 0.1, 0.8).expect("a difference");
        let six = 1.0 - Binomial::new(0.1, pairs).expect("a share").cdf(5);
        assert!((0.8..0.81).contains(&six), "{pairs}: {six}");
    }

    /// Draws pairs and tests them as `compare` does.
    #[test]
    fn a_planned_number_of_pairs_sees_the_difference_as_often_as_promised() {
        const TIMES: usize = 4000;
        for (differing, difference, power) in [(0.1, 0.1, 0.8), (0.25, 0.1, 0.8), (0.5, 0.2, 0.9), (0.06, 0.05, 0.8)] {
            let pairs = pairs_that_differ(differing, difference, power).expect("a difference");
            let mut rng = Seed(7).rng("power", &format!("{differing} {difference}"));
            let ahead = (differing + difference) / 2.0;
            let seen = (0..TIMES).filter(|_| {
                let (mut up, mut down) = (0, 0);
                for _ in 0..pairs {
                    match rng.random::<f64>() {
                        drawn if drawn < ahead => up += 1,
                        drawn if drawn < differing => down += 1,
                        _ => {}
                    }
                }
                mcnemar_exact(up, down) < 0.05
            });
            let seen = seen.count() as f64 / TIMES as f64;
            assert!((seen - power).abs() < 0.025, "{differing} {difference}: {pairs} pairs see it in {seen}");
        }
    }

    #[test]
    fn seeing_with_80_percent_takes_twice_what_an_interval_beside_zero_takes() {
        // ((1.96 + 0.8416) / 1.96)² = 2.043
        assert_eq!(families_for_difference(1000, 0.05, 0.05, 0.8), Some(2044));
        assert_eq!(families_for_difference(1000, 0.05, 0.05, 0.4), None);
    }

    #[test]
    fn pairs_of_the_textbook() {
        // ψ = 0.5·0.6 + 0.4·0.5 = 0.5, δ = 0.1: (1.96·0.7071 + 0.8416·0.7)² / 0.01 = 390.1; the exact test needs a few more
        assert_eq!(approximate_pairs(0.5, 0.1, 0.8), Some(401));
        assert_eq!(pairs_for_difference(0.5, 0.4, 0.8), Some(408));
        assert_eq!(pairs_for_difference(0.5, 0.5, 0.8), None);
    }

    #[test]
    fn what_no_number_of_cases_gives_has_none() {
        for (half_width, wanted) in [(0.1, 0.0), (0.1, -0.05), (-0.1, 0.05), (f64::INFINITY, 0.05), (f64::NAN, 0.05)] {
            assert_eq!(families_for_width(100, half_width, wanted), None);
        }
        for (share, wanted) in [(0.5, 0.0), (0.5, -0.1), (0.5, f64::NAN), (-0.5, 0.05), (1.2, 0.05), (f64::NAN, 0.05)] {
            assert_eq!(cases_for_share(share, wanted), None, "{share} within {wanted}");
        }
        // (1.96 · ½ / 0.0000011)² = 7.9e11, which is more than 2³⁹.
        assert_eq!(cases_for_share(0.5, 1.1e-6), None);
    }

    #[test]
    fn a_probability_of_a_half_or_of_one_is_none_to_plan_for() {
        assert_eq!(families_for_difference(1000, 0.05, 0.05, 0.5), None);
        assert_eq!(pairs_for_difference(0.5, 0.4, 0.5), None);
        assert_eq!(pairs_for_difference(0.5, 0.4, 1.0), None);
        assert_eq!(pairs_for_difference(1.2, 0.4, 0.8), None);
    }
}
