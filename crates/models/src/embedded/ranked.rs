//! A reader whose ranking is computed elsewhere: `prior` and `reference` come from a knowledge base, which this crate does not know.

use super::Reader;
use super::guess::{Guess, ranking};

pub struct Ranked {
    rank: Box<Rank>,
}

type Rank = dyn Fn(&str) -> Vec<Guess> + Send + Sync;

impl Ranked {
    /// `rank` gives each label a weight, in any order and on any scale.
    pub fn new(rank: impl Fn(&str) -> Vec<Guess> + Send + Sync + 'static) -> Self {
        Self { rank: Box::new(rank) }
    }
}

impl Reader for Ranked {
    fn rank(&self, narrative: &str) -> Vec<Guess> {
        ranking((self.rank)(narrative))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_from_elsewhere_become_a_ranking() {
        let reader = Ranked::new(|narrative| {
            let weigh = |label: &str, confidence| Guess { label: label.to_owned(), confidence };
            vec![weigh("Angina", 2.0), weigh("Migraine", narrative.len() as f64)]
        });
        let ranking = reader.rank("four 6");
        assert_eq!(ranking[0].label, "Migraine");
        assert_eq!(ranking[0].confidence, 0.75);
    }
}
