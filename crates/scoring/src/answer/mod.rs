//! Free text → the diagnoses it names, first choice first.
//!
//! A ranked list, a heading, a sentence or a bare name can hold the answer. What is said last and most formally counts.

mod claim;
mod item;
mod labels;
mod list;
mod phrase;
mod read;
mod words;

pub use labels::Labels;

use waterjar_core::RankedLabel;

/// What an answer says. Naming none of the known conditions is a reading; saying nothing is not an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    pub said: Said,
    /// Recognised conditions with their place in the answer's list.
    pub ranking: Vec<RankedLabel>,
    /// How many diagnoses the answer lists, recognised or not.
    pub listed: u32,
    /// The words of the first choice, recognised or not.
    pub first_words: Option<String>,
}

/// What it comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Said {
    /// No diagnosis could be read.
    #[default]
    Nothing,
    /// In so many words: none of the conditions asked about.
    NoneOfThem,
    /// One first choice, known or not.
    Choice,
    /// Two or more, left open: there is no first choice.
    Open,
}

impl Answer {
    pub fn read(labels: &Labels, text: &str) -> Self {
        read::read(labels, text)
    }

    /// The first choice, where there is one and it is a known condition.
    pub fn named(&self) -> Option<&RankedLabel> {
        self.ranking.first().filter(|label| label.rank == 1 && self.said == Said::Choice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::ConditionId;

    fn labels() -> Labels {
        let entry = |id: &str, names: &[&str]| {
            (ConditionId::from(id), names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())
        };
        Labels::new([
            entry("pulmonary_embolism", &["Pulmonary embolism", "PE", "I26"]),
            entry("pneumonia", &["Pneumonia", "lung infection"]),
            entry("stable_angina", &["Stable angina"]),
            entry("unstable_angina", &["Unstable angina"]),
            entry("mi", &["Possible NSTEMI / STEMI"]),
        ])
    }

    fn check(text: &str, expected: &[(u32, &str, Option<f64>)]) {
        let answer = Answer::read(&labels(), text);
        let read: Vec<_> =
            answer.ranking.iter().map(|label| (label.rank, label.condition.as_str(), label.confidence)).collect();
        assert_eq!(read, expected, "{text}");
    }

    #[test]
    fn a_bare_name_is_an_answer() {
        check("Stable angina.", &[(1, "stable_angina", None)]);
    }

    #[test]
    fn close_names_are_told_apart() {
        check("unstable angina", &[(1, "unstable_angina", None)]);
    }

    #[test]
    fn a_ranked_list_keeps_order_and_confidence() {
        check(
            "1. Pulmonary embolism (0.62)\n2. Pneumonia (0.20)",
            &[(1, "pulmonary_embolism", Some(0.62)), (2, "pneumonia", Some(0.20))],
        );
    }

    #[test]
    fn the_last_list_counts_because_reasoning_comes_before_it() {
        check(
            "Candidates:\n1. Pneumonia\n2. Stable angina\n\nThe leg swelling decides.\n\n1) PE (confidence: 80%)\n2) Lung infection",
            &[(1, "pulmonary_embolism", Some(0.8)), (2, "pneumonia", None)],
        );
    }

    #[test]
    fn a_final_line_counts_where_there_is_no_list() {
        check("The calf is swollen.\n**Final diagnosis:** Pulmonary Embolism", &[(1, "pulmonary_embolism", None)]);
    }

    #[test]
    fn a_slip_of_spelling_is_forgiven() {
        check("1. Pulmonary embolsim (0.5)", &[(1, "pulmonary_embolism", Some(0.5))]);
    }

    #[test]
    fn an_unknown_disease_keeps_its_place() {
        check("1. Costochondritis (0.7)\n2. Pneumonia (0.1)", &[(2, "pneumonia", Some(0.1))]);
        assert_eq!(Answer::read(&labels(), "1. Costochondritis").named(), None);
    }

    #[test]
    fn a_name_with_a_slash_or_an_abbreviation_in_brackets_is_recognised() {
        check("1. Possible NSTEMI/STEMI (0.4)", &[(1, "mi", Some(0.4))]);
        check("1. Pulmonary embolism (PE)", &[(1, "pulmonary_embolism", None)]);
    }

    #[test]
    fn a_plan_after_the_list_is_not_the_answer() {
        check(
            "1. Pneumonia (0.7)\n2. PE (0.2)\n\nPlan:\n1. Chest X-ray\n2. Antibiotics",
            &[(1, "pneumonia", Some(0.7)), (2, "pulmonary_embolism", Some(0.2))],
        );
    }

    #[test]
    fn a_diagnosis_announced_after_numbered_reasoning_counts() {
        check(
            "1. Pneumonia would cough.\n2. Angina would hurt.\nFinal diagnosis: PE",
            &[(1, "pulmonary_embolism", None)],
        );
    }

    #[test]
    fn a_reason_after_the_name_does_not_hide_it() {
        check(
            "1. Pneumonia – fever, cough\n2. PE: swollen calf",
            &[(1, "pneumonia", None), (2, "pulmonary_embolism", None)],
        );
    }

    #[test]
    fn prose_without_a_diagnosis_line_is_not_read_as_a_wrong_diagnosis() {
        let answer = Answer::read(&labels(), "I would need to see the X-ray before I can say anything about this.");
        assert_eq!(answer.listed, 0);
    }

    #[test]
    fn nothing_said_is_nothing_read() {
        let answer = Answer::read(&labels(), " \n ");
        assert_eq!((answer.listed, answer.named()), (0, None));
    }
}
