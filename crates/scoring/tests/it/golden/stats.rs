//! Published and independently computed values for intervals, tests and correlations.
//! Names in brackets are rows of the golden table (specs 10.3).

use waterjar_core::Seed;
use waterjar_scoring::stats::{
    Alternative, Bootstrap, Interval, PMethod, Tally, chi_square_homogeneity, consistency, consistency_against,
    entropy_bits, kendall_tau_b, mean_interval, mid_ranks, paired_t, pearson, sign_test, spearman, student_t,
    subsample_spread_expected, wald, welch_t, wilson,
};

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected} ± {tolerance}");
}

/// In percent.
fn near_interval(found: Option<Interval>, expected: [f64; 2], tolerance: f64) {
    let found = found.expect("there are trials");
    near(100.0 * found.low, expected[0], tolerance);
    near(100.0 * found.high, expected[1], tolerance);
}

// Shares and their intervals

#[test]
fn wald_gives_the_published_interval_of_ecr_robustness() {
    near_interval(wald(0.2421, 5383), [23.066, 25.354], 5e-4); // [G-ME-14]
}

#[test]
fn wald_and_wilson_of_gpt_5_robustness_differ_in_the_second_decimal() {
    near_interval(wald(0.1578, 5383), [14.806, 16.754], 5e-4); // [G-ME-15]
    near_interval(wilson(849, 5383), [14.823, 16.770], 5e-4);
}

#[test]
fn wilson_gives_the_trap_rate_intervals() {
    near_interval(wilson(1515, 2921), [50.053, 53.674], 5e-4); // [G-ME-16]
    near_interval(wilson(1755, 2882), [59.100, 62.661], 5e-4);
    near_interval(wilson(1047, 2270), [44.081, 48.179], 5e-4);
}

#[test]
fn wilson_gives_the_rigidity_intervals() {
    near_interval(wilson(1515, 1515 + 557), [71.167, 74.983], 5e-4); // [G-ME-17]
    near_interval(wilson(1755, 1755 + 537), [74.793, 78.259], 5e-4);
    near_interval(wilson(1047, 1047 + 614), [60.685, 65.323], 5e-4);
}

#[test]
fn the_bootstrap_meets_the_published_bootstrap_within_its_noise() {
    let share_of = |right: u32| {
        let mut tally = Tally::new();
        let ratio = tally.ratio("robust_accuracy");
        for pair in 0..5383 {
            let part = f64::from(pair < right);
            tally.push(&pair.to_string(), ratio, part, 1.0).expect("counts are numbers");
        }
        Bootstrap::new(Seed(7)).resample(&tally).estimate(ratio).expect("every pair counts").interval
    };
    near_interval(share_of(1303), [23.07, 25.35], 0.13); // [G-ME-14]
    near_interval(share_of(849), [14.80, 16.76], 0.12); // [G-ME-15]
}

#[test]
fn normal_intervals_of_causal_sensitivity_come_from_the_counts() {
    // specs 10.2: wrong, partial, correct → tuple-level interval
    let check = |[wrong, partial, correct]: [usize; 3], low, high| {
        let scores = [vec![0.0; wrong], vec![0.5; partial], vec![1.0; correct]].concat();
        let found = mean_interval(&scores).expect("many scores");
        near(found.low, low, 5.1e-5);
        near(found.high, high, 5.1e-5);
    };
    check([374, 141, 267], 0.4002, 0.4629);
    check([426, 104, 259], 0.3625, 0.4258);
    check([399, 106, 284], 0.3951, 0.4592);
    check([470, 151, 168], 0.2802, 0.3370);
    check([357, 171, 261], 0.4086, 0.4697);
    check([322, 188, 279], 0.4424, 0.5031);
}

#[test]
fn half_points_over_99_cases_are_the_published_score() {
    // [G-CS-16]: 59 wrong, 26 partial, 14 correct. The counts behind the other cells of G-CS-15 and 16 are not printed.
    let mut tally = Tally::new();
    let ratio = tally.ratio("css.D");
    let scores = [vec![0.0; 59], vec![0.5; 26], vec![1.0; 14]].concat();
    for (case, score) in scores.into_iter().enumerate() {
        tally.push(&case.to_string(), ratio, score, 1.0).expect("scores are numbers");
    }
    let found = Bootstrap::new(Seed(7)).resample(&tally).estimate(ratio).expect("every case counts");
    near(found.value, 0.2727, 5e-5);
    assert_eq!(found.whole, 99.0);
}

#[test]
fn the_reviewed_subset_has_its_printed_shares() {
    // [G-CS-20]: 29 of 49 are incoherent; its scores are in the suite's golden tests.
    near(wilson(29, 49).expect("trials").low, 0.452, 5e-4); // statsmodels: proportion_confint(29, 49, method="wilson")
}

// Correlation

/// CSS: opus, sonnet, gpt-5, gpt-5.4, mini, grok.
const CSS: [f64; 6] = [0.432, 0.394, 0.427, 0.309, 0.439, 0.473];
/// Ranks on CMS in the same order. Only sonnet's and gpt-5.4's are in specs; the others are the one arrangement with Σd² = 52.
const CMS_RANK: [f64; 6] = [2.0, 3.0, 1.0, 4.0, 5.0, 6.0];

fn cms(rank: f64) -> f64 {
    -rank
}

#[test]
fn plausibility_and_sensitivity_are_ranked_almost_oppositely() {
    let found = spearman(&CMS_RANK.map(cms), &CSS, Alternative::TwoSided).expect("six models");
    near(found.coefficient, -0.485714, 1e-6); // [G-CS-08]
    near(found.p, 256.0 / 720.0, 1e-12); // [G-CS-09]
    assert_eq!(found.method, PMethod::ExactPermutation);
    let less = spearman(&CMS_RANK.map(cms), &CSS, Alternative::Less).expect("six models");
    near(less.p, 128.0 / 720.0, 1e-12);
    near(kendall_tau_b(&CMS_RANK.map(cms), &CSS).expect("six models"), -0.333333, 1e-6); // [G-CS-10]
}

#[test]
fn the_tie_that_was_overlooked_changes_the_correlation() {
    // [G-CS-10]: sonnet and gpt-5.4 both have .575 and share rank 3.5.
    let tied = CMS_RANK.map(|rank| cms(if rank == 3.0 || rank == 4.0 { 3.5 } else { rank }));
    let found = spearman(&tied, &CSS, Alternative::TwoSided).expect("six models");
    near(found.coefficient, -0.521794, 1e-6);
    near(found.p, 0.300, 5e-4);
}

#[test]
fn the_t_approximation_is_another_p() {
    let found = pearson(&mid_ranks(&CMS_RANK.map(cms)), &mid_ranks(&CSS), Alternative::TwoSided).expect("six models");
    near(found.p, 0.328723, 1e-6); // [G-CS-11]
}

#[test]
fn two_judges_rank_six_models_alike() {
    // [G-CS-14], with the second judge's values from the differences of G-CS-13.
    let change = [-0.060, -0.053, -0.068, 0.005, -0.048, -0.045];
    let swapped: Vec<f64> = CSS.iter().zip(change).map(|(css, change)| css + change).collect();
    let found = spearman(&CSS, &swapped, Alternative::TwoSided).expect("six models");
    near(found.coefficient, 1.0, 1e-12);
}

#[test]
fn capability_goes_with_being_trapped() {
    // specs 10.1, MedEinst 10: baseline accuracy and trap rate; the last two are DyLAN and MDAgent.
    let base = [
        47.82, 42.20, 39.65, 44.12, 41.05, 40.25, 40.51, 54.30, 53.58, 42.09, 14.93, 6.51, 40.92, 45.03, 27.68, 32.11,
        29.70,
    ];
    let trap = [
        47.12, 46.12, 47.63, 54.19, 44.88, 43.46, 43.32, 51.87, 60.90, 42.98, 36.74, 44.00, 53.88, 66.10, 54.20, 41.69,
        40.34,
    ];
    let check = |n: usize, [r, r_p, rho]: [f64; 3]| {
        let line = pearson(&base[..n], &trap[..n], Alternative::TwoSided).expect("enough models");
        near(line.coefficient, r, 5.1e-4);
        near(line.p, r_p, 5.1e-4);
        let ranks = spearman(&base[..n], &trap[..n], Alternative::TwoSided).expect("enough models");
        near(ranks.coefficient, rho, 5.1e-4);
        assert_eq!(ranks.method, PMethod::TApproximation);
        ranks.p
    };
    near(check(17, [0.522, 0.032, 0.556]), 0.020, 5.1e-4);
    check(15, [0.490, 0.064, 0.482]);
}

// Tests

#[test]
fn tools_help_four_of_six_models() {
    // [G-CS-18]. Help : hurt is printed for mini; the others are the only counts of at most 100 with the golden p,
    // given that a single-shot score of 6.5 leaves gpt-5 at most 13 tuples to lose.
    let check = |help, hurt, p: f64, tolerance| near(sign_test(help, hurt), p, tolerance);
    check(34, 1, 2.1e-9, 5e-11); // sonnet
    check(33, 3, 2.3e-7, 5e-9); // gpt-5
    check(28, 6, 1.95e-4, 5e-7); // opus
    check(20, 7, 0.01916, 5e-6); // grok
    check(19, 13, 0.37709, 5e-6); // mini
    check(9, 6, 0.60724, 5e-6); // gpt-5.4
}

#[test]
fn three_conditions_have_the_same_kinds_of_divergence() {
    // [G-MQ-08]. Factor shift, reordering and the row sums 376, 384, 373 are in G-MQ-06 and 07; the last two columns
    // are the only split of the rest (up to exchanging them) with the golden χ².
    let labels = [vec![167, 166, 5, 38], vec![162, 162, 12, 48], vec![162, 160, 5, 46]];
    let found = chi_square_homogeneity(&labels).expect("a full table");
    near(found.statistic, 5.7370, 5e-5);
    assert_eq!(found.df, 6);
    near(found.p, 0.4533, 5e-5);
}

const A: [f64; 5] = [65.1, 64.8, 65.6, 65.3, 64.9];
const B: [f64; 5] = [65.4, 65.0, 65.2, 65.9, 65.3];

#[test]
fn t_tests_agree_with_scipy() {
    // specs 3.2
    let welch = welch_t(&A, &B, Alternative::Less).expect("samples vary");
    near(welch.t, -1.0584755, 5e-8);
    near(welch.df, 7.9828899, 5e-8);
    near(welch.p, 0.1604065, 5e-8);
    let student = student_t(&A, &B, Alternative::Less).expect("samples vary");
    near(student.t, -1.0584755, 5e-8);
    near(student.df, 8.0, 0.0);
    near(student.p, 0.1603745, 5e-8);
    let paired = paired_t(&A, &B, Alternative::Less).expect("differences vary");
    near(paired.t, -1.3054598, 5e-8);
    near(paired.df, 4.0, 0.0);
    near(paired.p, 0.1308801, 5e-8);
}

#[test]
fn the_published_subsample_spread_is_root_five_too_small() {
    // specs 2.6 and [G-DR-27], in points
    let spread = |share| 100.0 * subsample_spread_expected(share, 3200);
    for (share, expected) in [(0.2, 0.354), (0.3, 0.405), (0.4, 0.433), (0.5, 0.442)] {
        near(spread(share), expected, 5e-4);
    }
    let true_bootstrap = 100.0 * (0.4_f64 * 0.6 / 2560.0).sqrt();
    near(true_bootstrap, 0.968, 5e-4);
    near(true_bootstrap / spread(0.4), 5.0_f64.sqrt(), 1e-12);
}

// Entropy and consistency

#[test]
fn consistency_of_four_answers() {
    // specs 2.5, [G-DR-10]
    let check = |counts: &[u64], score| near(100.0 * consistency(counts).expect("four answers"), score, 5e-5);
    check(&[4], 100.0);
    check(&[3, 1], 59.4361);
    check(&[2, 2], 50.0);
    check(&[2, 1, 1], 25.0);
    check(&[1, 1, 1, 1], 0.0);
}

#[test]
fn consistency_of_five_answers() {
    let check = |counts: &[u64], score| near(100.0 * consistency(counts).expect("five answers"), score, 5e-5);
    check(&[4, 1], 68.9082);
    check(&[3, 2], 58.1834);
    check(&[3, 1, 1], 40.9564);
    check(&[2, 2, 1], 34.4541);
    check(&[2, 1, 1, 1], 17.2271);
}

#[test]
fn consistency_of_three_answers_depends_on_what_was_asked() {
    near(100.0 * consistency(&[2, 1]).expect("three answers"), 42.0620, 5e-5);
    near(100.0 * consistency(&[1, 1, 1]).expect("three answers"), 0.0, 1e-9);
    near(100.0 * consistency_against(&[2, 1], 4).expect("three answers"), 54.0852, 5e-5);
    near(100.0 * consistency_against(&[1, 1, 1], 4).expect("three answers"), 20.7519, 5e-5);
}

#[test]
fn entropy_of_three_style_dimensions() {
    // specs 3.3
    let found = [[10, 20, 30], [5, 5, 50], [20, 20, 20]].map(|counts| entropy_bits(&counts));
    near(found[0], 1.4591479, 5e-8);
    near(found[1], 0.8166891, 5e-8);
    near(found[2], 1.5849625, 5e-8);
    near(found.iter().sum::<f64>() / 3.0, 1.2869332, 5e-8);
}
