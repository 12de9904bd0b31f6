//! The paper's tables from reconstructed counts (specs 10.2), and its formulas. Tool use (G-CS-15, 17, 19, 24) is in `golden_tools`;
//! what needs no suite (G-CS-08 to 11, 14, 16, 18, 20, 21) is in `scoring/tests`.

use std::collections::BTreeMap;
use std::fmt::Write;
use waterjar_core::{Account, Measured, Seed};
use waterjar_suites::sensitivity::coverage::Coverage;
use waterjar_suites::sensitivity::score;

struct Model {
    name: &'static str,
    /// Wrong, partial, correct.
    scores: [u64; 3],
    /// By family A–E: tuples, and the sum of their scores in half points.
    families: [(u64, u64); 5],
    css: f64,
}

const FAMILIES: [&str; 5] = ["A", "B", "C", "D", "E"];

const MODELS: [Model; 6] = [
    Model {
        name: "claude-opus-4-7",
        scores: [374, 141, 267],
        families: [(128, 134), (267, 411), (79, 50), (303, 72), (5, 8)],
        css: 0.432,
    },
    Model {
        name: "claude-sonnet-4-6",
        scores: [426, 104, 259],
        families: [(129, 107), (269, 412), (80, 43), (306, 51), (5, 9)],
        css: 0.394,
    },
    Model {
        name: "gpt-5",
        scores: [399, 106, 284],
        families: [(129, 130), (269, 419), (80, 65), (306, 50), (5, 10)],
        css: 0.427,
    },
    Model {
        name: "gpt-5.4",
        scores: [470, 151, 168],
        families: [(129, 84), (269, 313), (80, 63), (306, 24), (5, 3)],
        css: 0.309,
    },
    Model {
        name: "gpt-5.4-mini",
        scores: [357, 171, 261],
        families: [(129, 123), (269, 427), (80, 47), (306, 87), (5, 9)],
        css: 0.439,
    },
    Model {
        name: "grok-4.20-reasoning",
        scores: [322, 188, 279],
        families: [(129, 128), (269, 467), (80, 36), (306, 105), (5, 10)],
        css: 0.473,
    },
];

impl Model {
    fn tuples(&self) -> u64 {
        self.scores.iter().sum()
    }

    /// The sum of all scores, in half points.
    fn halves(&self) -> u64 {
        self.scores[1] + 2 * self.scores[2]
    }

    /// Partial and correct scores by family that meet both the sums and the totals: as few partial ones as the sums allow, then
    /// a correct one becomes two partial ones until the totals are met.
    fn by_family(&self) -> Vec<(u64, u64)> {
        let mut split: Vec<(u64, u64)> = self.families.iter().map(|(_, halves)| (halves % 2, halves / 2)).collect();
        let mut left = self.scores[1] - split.iter().map(|(partial, _)| partial).sum::<u64>();
        for ((partial, correct), (n, _)) in split.iter_mut().zip(self.families) {
            while left > 0 && *correct > 0 && *partial + *correct < n {
                (*partial, *correct, left) = (*partial + 2, *correct - 1, left - 2);
            }
        }
        assert_eq!(left, 0, "{}", self.name);
        split
    }

    fn rows(&self, rows: &mut String) {
        for ((family, (n, _)), (partial, correct)) in FAMILIES.iter().zip(self.families).zip(self.by_family()) {
            for at in 0..n {
                let score = match at {
                    at if at < correct => "1",
                    at if at < correct + partial => "0.5",
                    _ => "0",
                };
                writeln!(
                    rows,
                    r#"{{"case":"case-{at}","intervention":"{family}-{at}","family":"{family}","subject":"{}","score":{score}}}"#,
                    self.name
                )
                .unwrap();
            }
        }
    }
}

fn measured() -> BTreeMap<String, Measured> {
    let mut rows = String::new();
    MODELS.iter().for_each(|model| model.rows(&mut rows));
    scored(&rows)
}

pub fn scored(rows: &str) -> BTreeMap<String, Measured> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("scores.jsonl");
    std::fs::write(&path, rows).unwrap();
    score(Seed(7), &[&path]).unwrap().subjects.into_iter().collect()
}

pub fn near(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "{found} is not {expected}");
}

#[test]
fn the_reconstructed_counts_give_tables_2_to_4() {
    let measured = measured();
    for model in &MODELS {
        let of = |name: &str| &measured[model.name].metrics[name];
        // [G-CS-03]: tuple-weighted over all five families, to the printed precision.
        near((1000.0 * of("css").value.unwrap()).round() / 1000.0, model.css, 1e-9);
        assert_eq!(of("css").n, model.tuples(), "{}", model.name);
        // [G-CS-07]: the shares are those of the counts; the printed cells are not in specs.
        for (name, count) in ["wrong_share", "partial_share", "correct_share"].into_iter().zip(model.scores) {
            near(of(name).value.unwrap(), count as f64 / model.tuples() as f64, 1e-6);
        }
        for (family, (n, halves)) in FAMILIES.iter().zip(model.families) {
            let metric = of(&format!("css.{family}"));
            near(metric.value.unwrap(), halves as f64 / 2.0 / n as f64, 1e-6);
            assert_eq!(metric.n, n);
        }
        let css = of("css");
        assert!(css.low.unwrap() < css.value.unwrap() && css.value.unwrap() < css.high.unwrap());
    }
    // [G-CS-06]
    near(measured["claude-opus-4-7"].metrics["css.C"].value.unwrap(), 0.316, 5e-4);
    // [G-CS-12]: the span of CSS; that of CMS is below.
    let css = |name: &str| measured[name].metrics["css"].value.unwrap();
    near(css("grok-4.20-reasoning") - css("gpt-5.4"), 0.164, 5e-4);
}

#[test]
fn neither_leaving_out_family_e_nor_a_macro_mean_is_the_papers_aggregate() {
    // [G-CS-04], [G-CS-05]: in the order of the golden table. Its values come from rounded families.
    let without_e = [0.4289, 0.3910, 0.4236, 0.3088, 0.4363, 0.4695];
    let macro_mean = [0.4320, 0.3833, 0.4428, 0.3352, 0.4267, 0.4402];
    let measured = measured();
    for ((model, without_e), macro_mean) in MODELS.iter().zip(without_e).zip(macro_mean) {
        let of = |name: &str| &measured[model.name].metrics[name];
        let four: Vec<_> = FAMILIES[..4].iter().map(|family| of(&format!("css.{family}"))).collect();
        let (sum, n) = four.iter().fold((0.0, 0), |(sum, n), it| (sum + it.value.unwrap() * it.n as f64, n + it.n));
        near(sum / n as f64, without_e, 1.5e-3);
        near(four.iter().map(|it| it.value.unwrap()).sum::<f64>() / 4.0, macro_mean, 1.5e-3);
        // What we print is neither, but for one model whose macro mean agrees by accident.
        let css = of("css").value.unwrap();
        assert!((css - macro_mean).abs() > 1.5e-3 || model.name == "claude-opus-4-7", "{}", model.name);
    }
}

#[test]
fn eligible_less_no_ops_are_the_tuples_that_were_scored() {
    // [G-CS-01]
    let account = |group: &str, eligible: u64, lost: u64| Account {
        group: group.to_owned(),
        eligible,
        lost: BTreeMap::from([("textual_no_op".to_owned(), lost)]),
        asked: eligible - lost,
        ..Account::default()
    };
    let total = Account::total(&[
        account("A", 129, 0),
        account("B", 269, 0),
        account("C", 153, 73),
        account("D", 306, 0),
        account("E", 5, 0),
    ]);
    assert_eq!((total.eligible, total.lost["textual_no_op"], total.asked), (862, 73, 789));
    // [G-CS-02]: one model lost seven, which are in no denominator.
    let mut rows = String::new();
    MODELS.iter().for_each(|model| model.rows(&mut rows));
    for at in 0..7 {
        let row = r#"","family":"A","subject":"claude-opus-4-7","score":null}"#;
        writeln!(rows, r#"{{"case":"lost-{at}","intervention":"lost-{at}{row}"#).unwrap();
    }
    let measured = scored(&rows);
    let counted = |of: fn(&Measured) -> u64| measured.values().map(of).sum::<u64>();
    assert_eq!(counted(|it| it.metrics["css"].n), 4727);
    assert_eq!((counted(|it| it.missing), 6 * total.asked - 4727), (7, 7));
}

#[test]
fn cms_weighs_its_four_parts() {
    // [G-CS-23]
    for ([strong, tacit, refusal, extra], expected) in
        [([1.0, 1.0, 0.0, 1.0], 1.0), ([0.0; 4], 0.15), ([0.5, 0.5, 0.2, 0.8], 0.56), ([0.0, 0.0, 1.0, 0.0], 0.0)]
    {
        let coverage =
            Coverage { strong: Some(strong), tacit: Some(tacit), refusal: Some(refusal), extra: Some(extra) };
        near(coverage.cms().unwrap(), expected, 1e-12);
    }
}

#[test]
fn coverage_spans_a_tenth_of_a_point_less_than_printed() {
    // [G-CS-12]: the ends are printed as .610 and .480, their distance as 13.1. Only ends that differ from those printed in the
    // fourth decimal are so far apart.
    let row = |subject: &str, cms: f64| {
        let left = 1.0 - cms;
        format!(
            r#"{{"case":"1","subject":"{subject}","strong_recall":{cms},"tacit_recall":{cms},"refusal_rate":{left},"extra_plausibility":{cms}}}"#
        )
    };
    let measured = scored(&format!("{}\n{}\n", row("best", 0.610), row("worst", 0.480)));
    let cms = |subject: &str| measured[subject].metrics["cms"].value.unwrap();
    let span = cms("best") - cms("worst");
    near(span, 0.130, 1e-6);
    assert!((span - 0.131).abs() > 5e-4);
    let farthest = (0.610 + 0.0005) - (0.480 - 0.0005);
    near(farthest, 0.131, 1e-9);
}

#[test]
fn a_second_judges_printed_changes_are_differences_of_what_we_measure() {
    // [G-CS-13]: points of a hundred; the half points after the swap that print so, next to the counts before.
    let changes = [
        ("gpt-5", -6.8),
        ("claude-opus-4-7", -6.0),
        ("gpt-5.4", 0.5),
        ("claude-sonnet-4-6", -5.3),
        ("gpt-5.4-mini", -4.8),
        ("grok-4.20-reasoning", -4.4),
    ];
    let before = measured();
    for (name, printed) in changes {
        let model = MODELS.iter().find(|model| model.name == name).unwrap();
        let n = model.tuples();
        let after = (model.halves() as f64 + printed / 50.0 * n as f64).round() as u64;
        let row = |at: u64| {
            let score = (after.saturating_sub(2 * at)).min(2) as f64 / 2.0;
            format!(r#"{{"case":"{at}","intervention":"{at}","family":"D","subject":"{name}","score":{score}}}"#)
        };
        let swapped = scored(&(0..n).map(row).collect::<Vec<_>>().join("\n"));
        let css = |of: &BTreeMap<String, Measured>| of[name].metrics["css"].value.unwrap();
        near((1000.0 * (css(&swapped) - css(&before))).round() / 10.0, printed, 1e-9);
    }
}

#[test]
fn the_reviewed_subset_of_family_d_scores_as_printed() {
    // [G-CS-20]: 5 points of 49 tuples, of which 20 are coherent and have 2 points.
    let row = |at: u64| {
        let score = if at < 2 || (20..23).contains(&at) { 1 } else { 0 };
        let latent = at < 20;
        format!(r#"{{"case":"{at}","intervention":"{at}","family":"D","latent":{latent},"score":{score}}}"#)
    };
    let measured = scored(&(0..49).map(row).collect::<Vec<_>>().join("\n"));
    let of = |name: &str| &measured["outputs"].metrics[name];
    assert_eq!((of("css.D").n, of("css.latent_yes").n), (49, 20));
    near(of("css.D").value.unwrap(), 0.102, 5e-4);
    near(of("css.latent_yes").value.unwrap(), 0.100, 1e-9);
}

#[test]
fn latent_strata_have_their_sizes_and_make_up_the_whole() {
    // [G-CS-22]: 120 and 669. The scores of the two parts (Table 5) are not in specs, so only sizes and sums are tested.
    let model = &MODELS[5];
    let mut rows = String::new();
    model.rows(&mut rows);
    let marked: Vec<String> = rows
        .lines()
        .enumerate()
        .map(|(at, row)| row.replace("\"subject\"", &format!("\"latent\":{},\"subject\"", at % 789 < 120)))
        .collect();
    let measured = scored(&marked.join("\n"));
    let of = |name: &str| &measured[model.name].metrics[name];
    let (latent, open) = (of("css.latent_yes"), of("css.latent_no"));
    assert_eq!((latent.n, open.n, of("css").n), (120, 669, 789));
    let whole = (latent.value.unwrap() * 120.0 + open.value.unwrap() * 669.0) / 789.0;
    near(whole, of("css").value.unwrap(), 2e-6);
}

#[test]
fn arithmetic_of_the_paper_its_baselines_and_trajectories_are_multiples_of_its_models() {
    // [G-CS-25], a check of the paper and not of us: 224 unchanged charts; 50 charts unchanged and 100 changed ones with tools.
    let models = MODELS.len() as u64;
    assert_eq!((models * 224, models * (50 + 100)), (1_344, 900));
}
