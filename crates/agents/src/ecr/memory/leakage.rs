//! A memory must not hold a case it is tested on.

use super::lesson::narrative_hash;
use std::collections::{HashMap, HashSet};

/// The cases a memory was grown from.
#[derive(Clone, Debug, Default)]
pub struct TrainedOn {
    ids: HashSet<String>,
    narratives: HashMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Leak {
    #[error(
        "the memory was grown from the test case `{0}`, so an answer would prove nothing; grow it anew with `waterjar evolve`"
    )]
    Case(String),
    #[error(
        "the memory was grown from the narrative of the test case `{test}`, there called `{training}`; grow it from other cases"
    )]
    Narrative { test: String, training: String },
}

impl TrainedOn {
    /// Case → hash of its narrative.
    pub fn new<'a>(cases: impl Iterator<Item = (&'a String, &'a String)>) -> Self {
        let mut trained = Self::default();
        for (case, hash) in cases {
            trained.ids.insert(case.clone());
            trained.narratives.insert(hash.clone(), case.clone());
        }
        trained
    }

    /// Whether a test case, or its very text, was trained on. The text alone is not enough: an edited case is another text.
    pub fn check(&self, case: &str, text: &str) -> Result<(), Leak> {
        if self.ids.contains(case) {
            return Err(Leak::Case(case.to_owned()));
        }
        match self.holds(text) {
            Some(training) => Err(Leak::Narrative { test: case.to_owned(), training: training.to_owned() }),
            None => Ok(()),
        }
    }

    /// The training case that has this narrative.
    pub fn holds(&self, text: &str) -> Option<&str> {
        if self.narratives.is_empty() {
            return None;
        }
        self.narratives.get(&narrative_hash(text)).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(case: &str, text: &str, expected: Result<(), Leak>) {
        let trained = [("t-1".to_owned(), narrative_hash("I cough.\nI sneeze."))];
        let trained = TrainedOn::new(trained.iter().map(|(case, hash)| (case, hash)));
        assert_eq!(trained.check(case, text), expected);
    }

    #[test]
    fn other_cases_pass() {
        check("t-2", "I cough.", Ok(()));
    }

    #[test]
    fn a_training_case_is_refused_even_after_an_edit() {
        check("t-1", "I cough.", Err(Leak::Case("t-1".to_owned())));
    }

    #[test]
    fn the_same_narrative_under_another_name_is_refused() {
        let leak = Leak::Narrative { test: "t-9".to_owned(), training: "t-1".to_owned() };
        check("t-9", "I cough.  \n\n I sneeze.\n", Err(leak));
    }
}
