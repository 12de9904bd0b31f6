//! Which finding, once removed, makes the reasoning depend on the pronoun: a ranking against the whole story, which may depend on it already.

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
    /// By the vignette's number and the finding.
    by: BTreeMap<(u32, Box<str>), Sums>,
    /// By the vignette's number, nothing removed.
    whole: BTreeMap<u32, Sums>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    sts: f64,
    pairs: u32,
    flips: u32,
    answers: u32,
}

impl Sums {
    fn sts(&self) -> f64 {
        self.sts / f64::from(self.pairs)
    }

    fn flips(&self) -> f64 {
        f64::from(self.flips) / f64::from(self.answers.max(1))
    }
}

impl Spans {
    /// `item` stands for the name of the family's vignette.
    pub fn push(&mut self, item: u32, family: &FamilyOutcome) {
        let sums = match &family.removed {
            Some(removed) => self.by.entry((item, removed.as_str().into())).or_default(),
            None => self.whole.entry(item).or_default(),
        };
        for pair in family.pairs.iter().filter(|it| PUBLISHED.contains(&it.pairing.as_str())) {
            if let Some(sts) = pair.sts {
                sums.sts += sts;
                sums.pairs += 1;
            }
            sums.flips += u32::from(pair.flipped == Some(true));
            sums.answers += u32::from(pair.flipped.is_some());
        }
    }

    /// Those first that leave the reasonings less alike than the whole story does: the key begins with its place, as in `01 heart-infarction: sweating`.
    /// What makes no difference to the whole story is not listed. `numbers` are those of the vignettes by their names.
    pub fn breakdown(self, numbers: &BTreeMap<String, u32>) -> Vec<Breakdown> {
        let names: BTreeMap<u32, &str> = numbers.iter().map(|(name, number)| (*number, name.as_str())).collect();
        // Who was not asked the whole story is held against one that never differs.
        let alike = Sums { sts: 1.0, pairs: 1, flips: 0, answers: 0 };
        let whole = |item: u32| self.whole.get(&item).filter(|it| it.pairs > 0).copied().unwrap_or(alike);
        let rise = |item: u32, sums: &Sums| whole(item).sts() - sums.sts();
        let differs =
            |item: u32, sums: &Sums| sums.pairs > 0 && (rise(item, sums) > 0.0 || sums.flips() > whole(item).flips());
        let mut ranked: Vec<_> = self.by.iter().filter(|((item, _), sums)| differs(*item, sums)).collect();
        let named = |(item, finding): &(u32, Box<str>)| (names[item], finding.clone());
        ranked.sort_by(|(a, x), (b, y)| rise(b.0, y).total_cmp(&rise(a.0, x)).then_with(|| named(a).cmp(&named(b))));
        let listed = ranked.into_iter().take(LISTED).zip(1..);
        listed
            .map(|(((item, finding), sums), place)| Breakdown {
                by: REMOVED.to_owned(),
                key: format!("{place:02} {}: {finding}", names[item]),
                metrics: figures("", sums).into_iter().chain(figures(WHOLE, &whole(*item))).collect(),
            })
            .collect()
    }
}

/// Of the whole story, beside the same figure without the finding.
pub const WHOLE: &str = ".whole";

fn figures(stem: &str, sums: &Sums) -> [(String, Metric); 2] {
    let of =
        |value: f64, n: u32| Metric { value: (n > 0).then(|| rounded(value)), n: u64::from(n), ..Metric::default() };
    [
        (format!("sts_mean{stem}"), of(sums.sts(), sums.pairs)),
        (format!("answer_flip_rate{stem}"), of(sums.flips(), sums.answers)),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::outcome::PairOutcome;
    use super::*;

    fn family(item: &str, removed: Option<&str>, sts: f64, flipped: bool) -> FamilyOutcome {
        let pair = |pairing: &str| PairOutcome {
            pairing: pairing.to_owned(),
            sts: Some(sts),
            flipped: Some(flipped),
            ..PairOutcome::default()
        };
        let removed = removed.map(str::to_owned);
        FamilyOutcome {
            item: item.to_owned(),
            removed,
            pairs: PUBLISHED.map(pair).to_vec(),
            ..FamilyOutcome::default()
        }
    }

    /// The stable story has the lower likeness without its fever; the unstable one was as unlike before.
    #[test]
    fn a_finding_is_ranked_by_what_its_absence_adds() {
        let mut spans = Spans::default();
        let numbers = BTreeMap::from([("stable".to_owned(), 1), ("unstable".to_owned(), 0)]);
        for it in [
            family("stable", None, 1.0, false),
            family("stable", Some("fever"), 0.8, true),
            family("stable", Some("cough"), 1.0, false),
            family("unstable", None, 0.6, true),
            family("unstable", Some("fever"), 0.6, true),
            family("unstable", Some("rash"), 0.55, true),
        ] {
            spans.push(numbers[&it.item], &it);
        }
        let ranked = spans.breakdown(&numbers);
        let keys: Vec<&str> = ranked.iter().map(|it| it.key.as_str()).collect();
        assert_eq!(keys, ["01 stable: fever", "02 unstable: rash"]);
        assert_eq!(ranked[0].metrics["answer_flip_rate"].value, Some(1.0));
        assert_eq!(ranked[0].metrics["answer_flip_rate.whole"].value, Some(0.0));
        assert_eq!(ranked[1].metrics["sts_mean.whole"].value, Some(0.6));
    }
}
