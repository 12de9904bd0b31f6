//! Subjects pair by pair, with a test and an interval.

use crate::exact::{Exact, Rows};
use serde::Serialize;
use std::collections::HashSet;
use waterjar_core::{Seed, SuiteId, counted, metric::Share};
use waterjar_scoring::stats::{Bootstrap, Difference, ENOUGH_FAMILIES, StatsError, Tally, holm};

/// One contrast: first minus second on the families both answered.
#[derive(Serialize)]
pub struct Comparison {
    pub suite: SuiteId,
    // `first` and `second` are their values.
    #[serde(rename = "subject")]
    pub first: String,
    #[serde(rename = "against")]
    pub second: String,
    pub metric: String,
    #[serde(flatten)]
    pub difference: Difference,
    /// The bootstrap's. None where the difference rests on so little that they would be no evidence.
    pub p: Option<f64>,
    pub p_less: Option<f64>,
    pub p_greater: Option<f64>,
    /// Why there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_absent: Option<String>,
    /// Where families that are not independent are drawn together, how many of them both have: `families` then counts the stories or charts
    /// that are drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub families_within: Option<u64>,
    /// The denominators of the two figures, over the families compared.
    pub first_n: u64,
    pub second_n: u64,
    /// Exact, over families where both count and one is in the numerator and the other is not.
    pub mcnemar_p: Option<f64>,
    /// Where scores are graded, so that there is no yes and no to count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signs: Option<Signs>,
    /// The exact p after Holm's correction over the table.
    pub holm_p: f64,
    #[serde(skip)]
    pub tested: Tested,
}

/// What the exact test counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tested {
    /// Families (or stories, or charts) in which both count.
    pub pairs: u64,
    /// Those of them in which one is higher and that the same number in which the other is higher make up for.
    pub cancelling: u64,
    /// How far the two are apart where one is higher, on average; 0 where none is.
    pub apart: f64,
}

/// Families in which the first is higher, the same, lower, and the exact sign test on them.
#[derive(Serialize)]
pub struct Signs {
    pub higher: u64,
    pub same: u64,
    pub lower: u64,
    pub p: f64,
}

impl Comparison {
    /// McNemar's, or the sign test's.
    pub fn exact_p(&self) -> Option<f64> {
        self.mcnemar_p.or_else(|| self.signs.as_ref().map(|signs| signs.p))
    }
}

/// One subject's shares, with a name that says where it is from.
pub struct Side {
    pub suite: SuiteId,
    pub name: String,
    pub shares: Vec<Share>,
}

/// Puts Holm's correction over a table of comparisons.
pub fn correct(comparisons: &mut [Comparison]) {
    // Where nobody can say, there is no evidence.
    let p_of = |it: &Comparison| it.exact_p().or(it.p).unwrap_or(1.0);
    let corrected = holm(&comparisons.iter().map(p_of).collect::<Vec<_>>());
    for (comparison, p) in comparisons.iter_mut().zip(corrected) {
        comparison.holm_p = p;
    }
}

/// The paired difference of a metric, by a bootstrap over the families both have. The same seed gives the same interval.
pub fn compare(metric: &str, seed: Seed, first: &Side, second: &Side) -> Result<Comparison, StatsError> {
    let mut tally = Tally::new();
    let (one, two) = (tally.ratio("first"), tally.ratio("second"));
    for (ratio, side, other) in [(one, first, second), (two, second, first)] {
        // Before they are summed: a story of which one side lacks an ablation is drawn without it.
        for share in common(side, other) {
            let pushed = tally.push(share.cluster().as_str(), ratio, share.part, share.whole);
            pushed.map_err(|error| by_name(error, first, second))?;
        }
    }
    let bootstrap = Bootstrap { seed, replicates: 10_000 };
    let difference = bootstrap.difference(&tally, one, two).map_err(|error| by_name(error, first, second))?;
    let enough = difference.has_enough();
    let evidence = |p: f64| enough.then_some(p);
    let families_within = within(first, second);
    let exact = Exact::of(&rows(first), &rows(second));
    Ok(Comparison {
        suite: first.suite.clone(),
        first: first.name.clone(),
        second: second.name.clone(),
        metric: metric.to_owned(),
        p: evidence(difference.p),
        p_less: evidence(difference.p_less),
        p_greater: evidence(difference.p_greater),
        p_absent: (!enough).then(|| too_few(difference.counting as u64, families_within.is_some())),
        difference,
        families_within,
        first_n: denominator(first, second),
        second_n: denominator(second, first),
        mcnemar_p: exact.is_yes_or_no.then(|| exact.p()),
        signs: (!exact.is_yes_or_no).then(|| Signs {
            higher: exact.higher,
            same: exact.same,
            lower: exact.lower,
            p: exact.p(),
        }),
        holm_p: 1.0,
        tested: Tested {
            pairs: exact.higher + exact.same + exact.lower,
            cancelling: 2 * exact.higher.min(exact.lower),
            apart: exact.apart,
        },
    })
}

fn too_few(counting: u64, by_story: bool) -> String {
    let (one, many) = if by_story { ("story", "stories") } else { ("family", "families") };
    let rests_on = counted(counting, one, many);
    format!(
        "it rests on {rests_on}, and a bootstrap of fewer than {ENOUGH_FAMILIES} is too sure of itself: read the exact p"
    )
}

/// The tally knows the two as `first` and `second`, for two runs may give them one name; whoever reads of a problem knows the names.
fn by_name(error: StatsError, first: &Side, second: &Side) -> StatsError {
    let name = |ratio: &str| if ratio == "first" { first.name.clone() } else { second.name.clone() };
    match error {
        StatsError::NothingInCommon { .. } => {
            StatsError::NothingInCommon { first: first.name.clone(), second: second.name.clone() }
        }
        StatsError::NoDenominator { ratio } => StatsError::NoDenominator { ratio: name(&ratio) },
        StatsError::NotANumber { family, ratio, part, whole } => {
            StatsError::NotANumber { family, ratio: name(&ratio), part, whole }
        }
        other => other,
    }
}

/// How many families both have, where some of them belong together.
fn within(first: &Side, second: &Side) -> Option<u64> {
    let is_within = common(first, second).any(|share| share.within.is_some());
    is_within.then(|| common(first, second).map(|share| &share.family).collect::<HashSet<_>>().len() as u64)
}

fn rows(side: &Side) -> Rows {
    let mut rows = Rows::default();
    rows.extend(&side.shares);
    rows
}

/// What the figure of `side` is a share of, over the families both have.
fn denominator(side: &Side, other: &Side) -> u64 {
    common(side, other).map(|share| share.whole).sum::<f64>() as u64
}

/// The shares of `side` in families that the other has too.
fn common<'a>(side: &'a Side, other: &'a Side) -> impl Iterator<Item = &'a Share> {
    let theirs: HashSet<_> = other.shares.iter().map(|share| &share.family).collect();
    side.shares.iter().filter(move |share| theirs.contains(&share.family))
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::FamilyId;
    use waterjar_scoring::stats::Interval;

    fn side(name: &str, shares: &[(&str, &str, f64)]) -> Side {
        let share = |(family, within, part): &(&str, &str, f64)| Share {
            within: Some(FamilyId::from(*within)),
            ..Share::new(FamilyId::from(*family), *part, 1.0)
        };
        Side { suite: SuiteId::from("parity"), name: name.to_owned(), shares: shares.iter().map(share).collect() }
    }

    #[test]
    fn ablations_of_one_vignette_are_one_piece_of_evidence() {
        let flips = side("a", &[("x~0", "x", 1.0), ("x~1", "x", 1.0), ("x~2", "x", 1.0), ("y~0", "y", 0.0)]);
        // It was not asked the last of them.
        let holds = side("b", &[("x~0", "x", 0.0), ("x~1", "x", 0.0), ("y~0", "y", 0.0)]);
        let found = compare("answer_flip_rate", Seed(7), &flips, &holds).unwrap();
        assert_eq!((found.mcnemar_p, found.first_n, found.second_n), (None, 3, 3));
        let signs = found.signs.unwrap();
        assert_eq!((signs.higher, signs.same, signs.lower), (1, 1, 0));
        assert_eq!(
            (found.difference.families, found.families_within),
            (2, Some(3)),
            "two stories, told in three families"
        );
    }

    /// So many families that all speak for the first, among as many that count for neither.
    fn one_sided(families: usize) -> Comparison {
        let of = |name: &str, part: f64| Side {
            suite: SuiteId::from("einstellung"),
            name: name.to_owned(),
            shares: (0..2 * families)
                .map(|at| {
                    let counts = if at < families { 1.0 } else { 0.0 };
                    Share::new(FamilyId::new(format!("{at:03}")), part * counts, counts)
                })
                .collect(),
        };
        compare("bias_trap_rate", Seed(7), &of("a", 1.0), &of("b", 0.0)).unwrap()
    }

    #[test]
    fn a_bootstrap_of_few_families_is_no_evidence_and_says_why() {
        let few = one_sided(5);
        assert!(few.difference.p < 0.001, "which is why it is not told");
        assert_eq!((few.p, few.p_less, few.p_greater), (None, None, None));
        assert!((few.exact_p().unwrap() - 0.0625).abs() < 1e-9, "five of five");
        let told = serde_json::to_value(&few).unwrap();
        assert!(told["p"].is_null() && told.get("p").is_some(), "the field stays: {told}");
        let why = "it rests on 5 families, and a bootstrap of fewer than 20 is too sure of itself: read the exact p";
        assert_eq!((&told["p_absent"], &told["counting"], &told["families"]), (&why.into(), &5.into(), &10.into()));
        let enough = one_sided(20);
        assert!(enough.p.is_some_and(|p| p < 0.001) && enough.p_absent.is_none());
        assert_eq!(enough.difference.p, enough.p.unwrap());
    }

    #[test]
    fn what_is_corrected_over_the_table_is_the_exact_p() {
        let mut table = [one_sided(5), one_sided(20)];
        correct(&mut table);
        assert!((table[0].holm_p - 0.0625).abs() < 1e-9, "{}", table[0].holm_p);
    }

    #[test]
    fn an_ablation_that_one_side_lacks_is_drawn_on_neither() {
        let both = [("x~0", "x", 0.0), ("x~1", "x", 1.0), ("y~0", "y", 0.0), ("z~0", "z", 1.0)];
        // One flips once more, in what the other was never asked, and the other where the one was not.
        let one = side("a", &[&both[..], &[("x~2", "x", 1.0)][..]].concat());
        let other = side("b", &[&both[..], &[("y~1", "y", 1.0), ("y~2", "y", 1.0)][..]].concat());
        for (first, second) in [(&one, &other), (&other, &one)] {
            let found = compare("answer_flip_rate", Seed(7), first, second).unwrap();
            let difference = &found.difference;
            assert_eq!((difference.first, difference.second, found.first_n), (0.5, 0.5, 4));
            assert_eq!((difference.value, difference.p), (0.0, 1.0), "they differ in nothing that both were asked");
            assert_eq!(difference.interval, Some(Interval { low: 0.0, high: 0.0 }));
        }
        let (one, other) = (side("a", &[("x~0", "x", 1.0)]), side("b", &[("x~1", "x", 0.0)]));
        let apart = compare("answer_flip_rate", Seed(7), &one, &other).err().unwrap().to_string();
        assert!(apart.starts_with("`a` and `b` have no family in common"), "the story alone is not enough: {apart}");
    }

    #[test]
    fn what_keeps_two_from_being_compared_names_them() {
        let told = |first: &Side, second: &Side| compare("accuracy", Seed(7), first, second).err().unwrap().to_string();
        let (one, other) = (side("plain@a", &[("x", "x", 1.0)]), side("plain@b", &[("y", "y", 1.0)]));
        assert!(told(&one, &other).starts_with("`plain@a` and `plain@b` have no family in common"));
        let mut without = side("plain@c", &[("x", "x", 0.0)]);
        without.shares[0].whole = 0.0;
        assert!(told(&one, &without).starts_with("`plain@c` has no value"));
    }
}
