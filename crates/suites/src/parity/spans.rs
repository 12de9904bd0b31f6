//! Which finding, once removed, makes the reasoning depend on the pronoun: a ranking.

use super::outcome::FamilyOutcome;
use super::pairing::PUBLISHED;
use std::collections::BTreeMap;
use waterjar_core::{Breakdown, Metric, metric::rounded};

/// As many as a reader looks at.
const LISTED: usize = 40;
/// What the breakdown is called.
pub const REMOVED: &str = "removed";

#[derive(Debug, Default)]
pub struct Spans {
    /// By vignette and finding: `heart-infarction: sweating`.
    by: BTreeMap<Box<str>, Sums>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    sts: f64,
    pairs: u32,
    flips: u32,
    answers: u32,
}

impl Spans {
    pub fn push(&mut self, family: &FamilyOutcome) {
        let Some(removed) = &family.removed else { return };
        let sums = self.by.entry(format!("{}: {removed}", family.item).into_boxed_str()).or_default();
        for pair in family.pairs.iter().filter(|it| PUBLISHED.contains(&it.pairing.as_str())) {
            if let Some(sts) = pair.sts {
                sums.sts += sts;
                sums.pairs += 1;
            }
            sums.flips += u32::from(pair.flipped == Some(true));
            sums.answers += u32::from(pair.flipped.is_some());
        }
    }

    /// The least alike first: the key begins with its place. Where all reasonings are the same there is nothing to rank.
    pub fn breakdown(self) -> Vec<Breakdown> {
        let mean = |sums: &Sums| sums.sts / f64::from(sums.pairs);
        let differs = |sums: &Sums| sums.pairs > 0 && (mean(sums) < 1.0 || sums.flips > 0);
        let mut ranked: Vec<_> = self.by.into_iter().filter(|(_, sums)| differs(sums)).collect();
        ranked.sort_by(|(a, x), (b, y)| mean(x).total_cmp(&mean(y)).then_with(|| a.cmp(b)));
        let listed = ranked.into_iter().take(LISTED).zip(1..);
        listed
            .map(|((finding, sums), place)| {
                let of = |value: f64, n: u32| Metric {
                    value: (n > 0).then(|| rounded(value)),
                    n: u64::from(n),
                    ..Metric::default()
                };
                Breakdown {
                    by: REMOVED.to_owned(),
                    key: format!("{place:02} {finding}"),
                    metrics: BTreeMap::from([
                        ("sts_mean".to_owned(), of(mean(&sums), sums.pairs)),
                        (
                            "answer_flip_rate".to_owned(),
                            of(f64::from(sums.flips) / f64::from(sums.answers.max(1)), sums.answers),
                        ),
                    ]),
                }
            })
            .collect()
    }
}
