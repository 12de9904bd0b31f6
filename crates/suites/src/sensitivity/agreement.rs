//! How far graders agree: the rule with the grade that counts, and every two models with each other.

use super::outcome::TupleOutcome;
use std::collections::BTreeMap;
use waterjar_core::{Metric, SubjectResult, metric::rounded};
use waterjar_scoring::stats::agreement::{Weights, cohen_of_counts};

/// Grades of the one by grades of the other.
type Table = Vec<Vec<u64>>;

#[derive(Default)]
pub(super) struct Agreement {
    by_pair: BTreeMap<String, Table>,
    /// Of how many tuples that a model was to grade it could.
    graded: BTreeMap<String, (u64, u64)>,
}

const NAME: &str = "judge_kappa";
/// Before the name of a model, the share of tuples it graded of those it was asked about.
const GRADED: &str = "graded.";

impl Agreement {
    /// Also where nobody could grade.
    pub fn attend(&mut self, tuple: &TupleOutcome) {
        let judges = tuple.judges.keys().map(|name| (name, 1)).chain(tuple.silent.iter().map(|name| (name, 0)));
        for (name, graded) in judges {
            let known = self.graded.entry(name.clone()).or_default();
            *known = (known.0 + graded, known.1 + 1);
        }
    }

    pub fn add(&mut self, tuple: &TupleOutcome, score: f64) {
        if let Some(rules) = tuple.rules {
            self.count(NAME.to_owned(), rules, score);
        }
        let judges: Vec<(&String, &f64)> = tuple.judges.iter().collect();
        for (at, (one, a)) in judges.iter().enumerate() {
            for (other, b) in &judges[at + 1..] {
                self.count(format!("{NAME}.{one}+{other}"), **a, **b);
            }
        }
    }

    fn count(&mut self, pair: String, a: f64, b: f64) {
        let table = self.by_pair.entry(pair).or_insert_with(|| vec![vec![0; 3]; 3]);
        table[grade(a)][grade(b)] += 1;
    }

    pub fn metrics(self) -> impl Iterator<Item = (String, Metric)> {
        let graded = self.graded.into_iter().map(|(judge, (graded, asked))| {
            let share = Some(rounded(graded as f64 / asked as f64));
            (format!("{GRADED}{judge}"), Metric { value: share, n: asked, ..Metric::default() })
        });
        self.by_pair.into_iter().map(|(name, table)| (name, kappa(&table))).chain(graded)
    }
}

/// Who graded, how far graders agree, and what the score would be with credit for a refusal: one line for each subject.
pub(super) fn notes(results: &[SubjectResult]) -> Vec<String> {
    results.iter().filter_map(note).collect()
}

fn note(result: &SubjectResult) -> Option<String> {
    let of = |stem: &'static str| {
        result.metrics.iter().filter_map(move |(name, metric)| Some((name.strip_prefix(stem)?, metric)))
    };
    let told = |(judge, metric): (&str, &Metric)| {
        let graded = (metric.value.unwrap_or(0.0) * metric.n as f64).round();
        format!("{judge} ({graded} of {} changes)", metric.n)
    };
    let judges: Vec<String> = of(GRADED).map(told).collect();
    if judges.is_empty() {
        return None;
    }
    let mut line = format!("{}, graded by {}", result.subject, judges.join(", "));
    let kappa = |metric: &Metric| {
        metric.value.map_or_else(|| "none, all grades are the same".to_owned(), |it| format!("{it:.2}"))
    };
    if let Some(rule) = result.metrics.get(NAME) {
        line.push_str(&format!("; kappa with the rule {}", kappa(rule)));
    }
    for (pair, metric) in of("judge_kappa.") {
        line.push_str(&format!("; kappa {} {}", pair.replace('+', " with "), kappa(metric)));
    }
    if let Some(credit) = result.metrics.get("css_refusal_credit").and_then(|it| it.value) {
        line.push_str(&format!(
            "; CSS {:.1} with half a point where a change was rightly called incoherent",
            credit * 100.0
        ));
    }
    Some(line)
}

/// 0, 1 or 2 half points.
fn grade(score: f64) -> usize {
    (score * 2.0).round() as usize
}

/// Cohen's kappa, unweighted as in the paper.
fn kappa(table: &Table) -> Metric {
    let n = table.iter().flatten().sum();
    match cohen_of_counts(table, Weights::Identity) {
        Some(value) => Metric { value: Some(rounded(value)), n, ..Metric::default() },
        None => Metric { n, ..Metric::absent("all grades are the same, so chance alone would agree") },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_two_judges_have_their_kappa_and_the_rule_has_one_with_what_counts() {
        let mut agreement = Agreement::default();
        for (rules, a, b, c) in [(0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0, 0.0), (0.5, 0.5, 0.5, 0.5), (0.0, 1.0, 0.0, 0.0)]
        {
            let judges = [("x/a", a), ("y/b", b), ("z/c", c)].map(|(name, grade)| (name.to_owned(), grade)).into();
            agreement.add(&TupleOutcome { rules: Some(rules), judges, ..TupleOutcome::default() }, b);
        }
        let metrics: BTreeMap<String, Metric> = agreement.metrics().collect();
        let names: Vec<&str> = metrics.keys().map(String::as_str).collect();
        assert_eq!(names, ["judge_kappa", "judge_kappa.x/a+y/b", "judge_kappa.x/a+z/c", "judge_kappa.y/b+z/c"]);
        assert_eq!(metrics["judge_kappa"].value, Some(1.0));
        // Three of four agree; by chance (1·2 + 1·1 + 2·1)/16 = .3125 would.
        assert!((metrics["judge_kappa.x/a+y/b"].value.unwrap() - 0.636364).abs() < 1e-6);
        assert!(metrics["judge_kappa.y/b+z/c"].value.unwrap() < 0.3);
    }
}
