//! `symptoms-only`: a logit that never sees history. On pairs edited in the history alone it cannot but be trapped, which is how we
//! know that the metric can find a trapped reader.
//!
//! It reads what stands between the line `Symptoms:` and the line `Antecedents:`, in training and later. The header above is left out as
//! well: sex and age are background too, and the reader should owe nothing to it. A text without a line `Symptoms:` says nothing to it.

use super::guess::Guess;
use super::logit::Logit;
use super::{Example, Reader, ReaderError};

pub(super) struct SymptomsOnly(Logit);

impl SymptomsOnly {
    pub(super) fn train(examples: &[&Example]) -> Result<Self, ReaderError> {
        let seen: Vec<Example> = examples
            .iter()
            .map(|example| Example { text: symptoms(&example.text), label: example.label.clone() })
            .collect();
        if seen.iter().all(|example| example.text.is_empty()) {
            return Err(ReaderError::NoSymptoms { id: "symptoms-only" });
        }
        Ok(Self(Logit::train(&seen.iter().collect::<Vec<_>>())))
    }
}

impl Reader for SymptomsOnly {
    fn rank(&self, narrative: &str) -> Vec<Guess> {
        self.0.rank(&symptoms(narrative))
    }
}

fn symptoms(narrative: &str) -> String {
    let lines = narrative
        .lines()
        .skip_while(|line| line.trim() != "Symptoms:")
        .skip(1)
        .take_while(|line| line.trim() != "Antecedents:");
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::super::sample::{examples, narrative};
    use super::super::train;
    use super::*;

    const TEXT: &str = "Sex: F, Age: 30\nSymptoms:\n- I cough.\n  * at night\nAntecedents:\n- I smoke.\n";

    #[test]
    fn only_the_symptoms_are_seen() {
        assert_eq!(symptoms(TEXT), "- I cough.\n  * at night");
        assert_eq!(symptoms("Symptoms:\n- I cough."), "- I cough.");
        assert_eq!(symptoms("I cough.\nAntecedents:\n- I smoke."), "");
    }

    #[test]
    fn history_and_header_change_nothing_in_what_is_read() {
        let reader = train("symptoms-only", &examples(6)).unwrap();
        let (text, stranger) = (narrative(0, 50), narrative(1, 51));
        let (_, below) = text.split_once("Symptoms:").unwrap();
        let (symptoms, history) = below.split_once("Antecedents:").unwrap();
        let (_, other) = stranger.split_once("Antecedents:").unwrap();
        assert_ne!(history, other);
        let changed = format!("Sex: F, Age: 81\nSymptoms:{symptoms}Antecedents:{other}");
        assert_eq!(reader.rank(&text), reader.rank(&changed));
    }

    #[test]
    fn history_changes_nothing_in_what_is_learnt() {
        let with = examples(6);
        let mut without = with.clone();
        for example in &mut without {
            let (above, _) = example.text.split_once("Antecedents:").unwrap();
            example.text = above.to_owned();
        }
        let rank = |examples: &[Example]| train("symptoms-only", examples).unwrap().rank(TEXT);
        assert_eq!(rank(&with), rank(&without));
    }

    #[test]
    fn narratives_without_symptoms_are_a_clear_error() {
        let mut all = examples(2);
        all.iter_mut().for_each(|example| example.text = "I cough.".to_owned());
        let error = train("symptoms-only", &all).err().unwrap();
        assert!(error.to_string().contains("`Symptoms:`"), "{error}");
    }
}
