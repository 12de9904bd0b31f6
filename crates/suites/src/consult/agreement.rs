//! How far judges agree, and whether a subject is eased by letters of its own maker.

use super::outcome::{AnswerOutcome, Graded, Words};
use super::stance::Stance;
use std::collections::BTreeMap;
use waterjar_core::{Measured, Metric, Seed, SubjectId, Together, metric::rounded};
use waterjar_scoring::stats::agreement::{Weights, cohen_of_counts};

pub(super) const OWN_AUTHOR: &str = "own_author";

/// Words of the one by words of the other, by dimension and the other's name.
#[derive(Default)]
pub(super) struct Agreement {
    tables: BTreeMap<(&'static str, String), Vec<Vec<u64>>>,
}

impl Agreement {
    pub fn add(&mut self, answer: &AnswerOutcome) {
        let counts = answer.words();
        if let Some(rules) = &answer.by_rules {
            self.compare("rules", &counts, rules);
        }
        for (judge, again) in &answer.again {
            self.compare(judge, &counts, again);
        }
    }

    fn compare(&mut self, with: &str, a: &Words, b: &Words) {
        self.count("accuracy", with, 3, half(a.accuracy), half(b.accuracy));
        let stance = |it: &Words| it.stance.and_then(|found| Stance::ALL.iter().position(|known| *known == found));
        self.count("stance", with, Stance::ALL.len(), stance(a), stance(b));
        for (a, b) in a.help.iter().zip(b.help) {
            self.count("help", with, 3, half(*a), half(b));
        }
    }

    /// Only where both have a word.
    fn count(&mut self, of: &'static str, with: &str, kinds: usize, a: Option<usize>, b: Option<usize>) {
        if let (Some(a), Some(b)) = (a, b) {
            let table = self.tables.entry((of, with.to_owned())).or_insert_with(|| vec![vec![0; kinds]; kinds]);
            table[a][b] += 1;
        }
    }

    /// `agreement.stance.rules` and `kappa.stance.rules`.
    pub fn metrics(self) -> Vec<(String, Metric)> {
        let mut metrics = Vec::new();
        for ((of, with), table) in self.tables {
            let n: u64 = table.iter().flatten().sum();
            let same: u64 = (0..table.len()).map(|at| table[at][at]).sum();
            let number = |value: f64| Metric { value: Some(rounded(value)), n, ..Metric::default() };
            metrics.push((format!("agreement.{of}.{with}"), number(same as f64 / n as f64)));
            let kappa = match cohen_of_counts(&table, Weights::Identity) {
                Some(kappa) => number(kappa),
                None => Metric { n, ..Metric::absent("all words are the same, so chance alone would agree") },
            };
            metrics.push((format!("kappa.{of}.{with}"), kappa));
        }
        metrics
    }
}

/// 0, 1 or 2 half points.
fn half(graded: Graded) -> Option<usize> {
    graded.score().map(|score| (score * 2.0).round() as usize)
}

/// It compares figures alone.
pub(super) const TOGETHER: Together = Together { reads: &[], add };

/// Against the mean of the subjects of other makers.
fn add(_: Seed, subjects: &mut [(SubjectId, Measured)]) {
    let value = |measured: &Measured, name: &str| measured.metrics.get(name).and_then(|it| it.value);
    let is_own = |measured: &Measured| value(measured, OWN_AUTHOR).map(|it| it > 0.0);
    let others = subjects.iter().filter(|(_, it)| is_own(it) == Some(false));
    let others: Vec<f64> = others.filter_map(|(_, it)| value(it, "challenge_change")).collect();
    for (_, measured) in subjects.iter_mut().filter(|(_, it)| is_own(it) == Some(true)) {
        let eased = match value(measured, "challenge_change") {
            _ if others.is_empty() => Metric::absent("no subject is of another maker than the author"),
            None => Metric::absent("there is no static baseline to compare with"),
            Some(own) => {
                let mean = others.iter().sum::<f64>() / others.len() as f64;
                Metric { value: Some(rounded(own - mean)), n: others.len() as u64, ..Metric::default() }
            }
        };
        measured.metrics.insert("self_recognition".to_owned(), eased);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(own: f64, change: f64) -> Measured {
        let metric = |value| Metric { value: Some(value), n: 1, ..Metric::default() };
        let metrics = [(OWN_AUTHOR, own), ("challenge_change", change)];
        Measured {
            metrics: metrics.map(|(name, value)| (name.to_owned(), metric(value))).into(),
            ..Measured::default()
        }
    }

    #[test]
    fn a_subject_of_the_authors_maker_is_held_against_the_others() {
        let mut all = vec![
            ("plain@openai/gpt-5".into(), measured(1.0, -0.05)),
            ("plain@anthropic/claude".into(), measured(0.0, -0.2)),
            ("plain@google/gemini".into(), measured(0.0, -0.1)),
        ];
        add(Seed(7), &mut all);
        assert_eq!(all[0].1.metrics["self_recognition"].value, Some(0.1));
        assert!(!all[1].1.metrics.contains_key("self_recognition"));
    }

    #[test]
    fn only_what_two_judges_both_say_is_compared() {
        let words = |accuracy, stance| Words { accuracy, stance, ..Words::default() };
        let answer = |mine: Graded, other: Words| AnswerOutcome {
            accuracy: mine,
            stance: Some(Stance::Doubt),
            again: [("x/y".to_owned(), other)].into(),
            ..AnswerOutcome::default()
        };
        let mut agreement = Agreement::default();
        agreement.add(&answer(Graded::Score(1.0), words(Graded::Score(0.5), Some(Stance::Doubt))));
        agreement.add(&answer(Graded::Score(1.0), words(Graded::Score(1.0), None)));
        agreement.add(&answer(Graded::Invalid, words(Graded::Score(1.0), Some(Stance::Avoid))));
        let metrics: BTreeMap<String, Metric> = agreement.metrics().into_iter().collect();
        let found = |name: &str| (metrics[name].value, metrics[name].n);
        assert_eq!(found("agreement.accuracy.x/y"), (Some(0.5), 2));
        assert_eq!(found("agreement.stance.x/y"), (Some(0.5), 2));
        assert!(!metrics.contains_key("agreement.help.x/y"));
    }
}
