//! Built-in readers: statistical models that read the narrative, as a language model would, and rank conditions.

mod chat;
mod gestalt;
mod guess;
mod linear;
mod logit;
mod neighbours;
mod ranked;
#[cfg(test)]
mod sample;
mod symptoms_only;
mod tfidf;
pub mod vignette;
mod words;

pub use chat::BuiltIn;
pub use guess::Guess;
pub use ranked::Ranked;

use gestalt::Gestalt;
use logit::Logit;
use neighbours::Neighbours;
use symptoms_only::SymptomsOnly;

/// Raised whenever a reader would answer the same narrative differently after the same training.
pub const VERSION: u32 = 1;

/// Ranks every condition it knows for one narrative.
pub trait Reader: Send + Sync {
    /// Most likely first; ties by label. The confidences are finite and sum to 1.
    fn rank(&self, narrative: &str) -> Vec<Guess>;
}

/// A narrative to learn from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    pub text: String,
    /// The name of the condition as people write it: readers answer with it.
    pub label: String,
}

/// One row of the table of built-in readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReaderKind {
    pub id: &'static str,
    pub about: &'static str,
    pub needs: Needs,
}

/// What has to be there before a reader can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Training narratives: see [`train`].
    Examples,
    /// A ranking computed from a knowledge base: see [`Ranked`].
    Ranking,
}

pub fn all() -> &'static [ReaderKind] {
    const fn kind(id: &'static str, needs: Needs, about: &'static str) -> ReaderKind {
        ReaderKind { id, about, needs }
    }
    const ALL: &[ReaderKind] = &[
        kind(
            "gestalt",
            Needs::Examples,
            "compares the narrative with the average narrative of each condition (TF-IDF centroid)",
        ),
        kind("neighbours", Needs::Examples, "lets the seven most similar training narratives vote"),
        kind("logit", Needs::Examples, "weighs every word and pair of words (logistic regression on TF-IDF)"),
        kind(
            "symptoms-only",
            Needs::Examples,
            "logit that reads nothing but the symptoms: the positive control, blind to history",
        ),
        kind("prior", Needs::Ranking, "knows sex and age only and names the commonest condition: the floor"),
        kind(
            "reference",
            Needs::Ranking,
            "the rule judge's own differential, printed for orientation and never as a competitor",
        ),
    ];
    ALL
}

/// examples → the reader called `id`.
///
/// A pure function of `id` and the set of examples: neither their order nor the number of threads changes the reader.
pub fn train(id: &str, examples: &[Example]) -> Result<Box<dyn Reader>, ReaderError> {
    let kind = find(id)?;
    let examples = in_order(kind, examples)?;
    Ok(match id {
        "gestalt" => Box::new(Gestalt::train(&examples)),
        "neighbours" => Box::new(Neighbours::train(&examples)),
        "logit" => Box::new(Logit::train(&examples)),
        "symptoms-only" => Box::new(SymptomsOnly::train(&examples)?),
        _ => return Err(ReaderError::DoesNotLearn { id: kind.id }),
    })
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReaderError {
    #[error("no built-in reader is called `{asked}`; there are: {}", names())]
    Unknown { asked: String },
    #[error("`{id}` does not learn from narratives: give it a ranking computed from a knowledge base (`Ranked`)")]
    DoesNotLearn { id: &'static str },
    #[error("`{id}` has no narratives to learn from: simulate at least one patient for each condition")]
    NoExamples { id: &'static str },
    #[error(
        "none of the narratives `{id}` should learn from has a line `Symptoms:` with text below it, which is all it reads"
    )]
    NoSymptoms { id: &'static str },
}

fn find(id: &str) -> Result<&'static ReaderKind, ReaderError> {
    all().iter().find(|kind| kind.id == id).ok_or_else(|| ReaderError::Unknown { asked: id.to_owned() })
}

fn names() -> String {
    let ids: Vec<&str> = all().iter().map(|kind| kind.id).collect();
    ids.join(", ")
}

/// Sums of floating-point numbers depend on their order, so the order must not be the caller's.
fn in_order<'a>(kind: &ReaderKind, examples: &'a [Example]) -> Result<Vec<&'a Example>, ReaderError> {
    if examples.is_empty() {
        return Err(ReaderError::NoExamples { id: kind.id });
    }
    let mut sorted: Vec<&Example> = examples.iter().collect();
    sorted.sort_by_key(|example| (example.label.as_str(), example.text.as_str()));
    Ok(sorted)
}

#[cfg(test)]
mod tests {
    use super::sample::{NAMES, examples, narrative};
    use super::*;

    fn learners() -> impl Iterator<Item = &'static str> {
        all().iter().filter(|kind| kind.needs == Needs::Examples).map(|kind| kind.id)
    }

    fn error(id: &str, examples: &[Example]) -> ReaderError {
        match train(id, examples) {
            Ok(_) => panic!("`{id}` should not have been trained"),
            Err(error) => error,
        }
    }

    /// Everything a reader says about a narrative, to the last bit.
    fn bits(reader: &dyn Reader, text: &str) -> Vec<(String, u64)> {
        let ranking = reader.rank(text).into_iter();
        ranking.map(|guess| (guess.label, guess.confidence.to_bits())).collect()
    }

    #[test]
    fn every_learner_finds_the_condition_behind_unseen_narratives() {
        for id in learners() {
            let reader = train(id, &examples(12)).unwrap();
            for (condition, name) in NAMES.iter().enumerate() {
                for patient in 100..110 {
                    let ranking = reader.rank(&narrative(condition, patient));
                    assert_eq!(&ranking[0].label, name, "{id}, patient {patient}");
                }
            }
        }
    }

    #[test]
    fn every_ranking_holds_all_labels_in_order_and_sums_to_one() {
        for id in learners() {
            let reader = train(id, &examples(5)).unwrap();
            for text in [narrative(0, 100), "zyxxy qwrt".to_owned(), String::new()] {
                let ranking = reader.rank(&text);
                assert_eq!(ranking.len(), NAMES.len(), "{id}");
                let sum: f64 = ranking.iter().map(|guess| guess.confidence).sum();
                assert!((sum - 1.0).abs() < 1e-9, "{id} sums to {sum}");
                assert!(ranking.is_sorted_by(|a, b| {
                    a.confidence > b.confidence || (a.confidence == b.confidence && a.label < b.label)
                }));
            }
        }
    }

    #[test]
    fn unknown_words_leave_every_condition_as_likely_as_another() {
        for id in learners() {
            let ranking = train(id, &examples(5)).unwrap().rank("zyxxy qwrt");
            let share = 1.0 / NAMES.len() as f64;
            assert!(ranking.iter().all(|guess| (guess.confidence - share).abs() < 1e-9));
        }
    }

    #[test]
    fn the_same_examples_in_any_order_give_the_same_reader_to_the_last_bit() {
        let forwards = examples(8);
        let backwards: Vec<Example> = forwards.iter().rev().cloned().collect();
        for id in learners() {
            let first = train(id, &forwards).unwrap();
            for again in [train(id, &forwards).unwrap(), train(id, &backwards).unwrap()] {
                for condition in 0..NAMES.len() {
                    let text = narrative(condition, 200);
                    assert_eq!(bits(&*first, &text), bits(&*again, &text), "{id}");
                }
            }
        }
    }

    #[test]
    fn training_in_another_thread_gives_the_same_reader() {
        let text = narrative(1, 300);
        for id in learners() {
            let here = bits(&*train(id, &examples(6)).unwrap(), &text);
            let there = std::thread::scope(|scope| {
                let work = scope.spawn(|| bits(&*train(id, &examples(6)).unwrap(), &text));
                work.join().expect("training does not panic")
            });
            assert_eq!(here, there, "{id}");
        }
    }

    #[test]
    fn an_empty_training_set_is_a_clear_error() {
        for id in learners() {
            assert_eq!(error(id, &[]), ReaderError::NoExamples { id });
        }
        assert!(error("logit", &[]).to_string().contains("simulate"));
    }

    #[test]
    fn an_unknown_reader_is_told_the_known_ones() {
        let message = error("gestallt", &examples(1)).to_string();
        assert!(message.contains("`gestallt`") && message.contains("gestalt, neighbours, logit"));
    }

    #[test]
    fn the_floor_and_the_judge_do_not_learn() {
        for id in ["prior", "reference"] {
            assert_eq!(error(id, &examples(1)), ReaderError::DoesNotLearn { id });
        }
    }

    #[test]
    fn one_condition_alone_is_certain() {
        let one = Example { text: narrative(0, 0), label: NAMES[0].to_owned() };
        for id in learners() {
            let ranking = train(id, std::slice::from_ref(&one)).unwrap().rank(&one.text);
            assert_eq!(ranking.len(), 1);
            assert!((ranking[0].confidence - 1.0).abs() < 1e-12, "{id}");
        }
    }
}
