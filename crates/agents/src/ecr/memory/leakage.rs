//! A memory must not hold a patient it is tested on.

use super::lesson::narrative_hash;
use super::manifest::Mark;
use std::collections::HashMap;

/// The cases a memory was grown from. Names say nothing: two files may number their rows alike, and one case may have two names.
#[derive(Clone, Debug, Default)]
pub struct TrainedOn {
    /// Hash of a narrative or of a patient → the case.
    narratives: HashMap<String, String>,
    patients: HashMap<String, String>,
}

impl TrainedOn {
    pub fn new<'a>(cases: impl Iterator<Item = (&'a String, &'a Mark)>) -> Self {
        let mut trained = Self::default();
        for (case, mark) in cases {
            trained.narratives.insert(mark.narrative.clone(), case.clone());
            // A patient that was made up for training may have a twin by chance, which is no leak.
            if let Some(patient) = &mark.patient {
                trained.patients.insert(patient.clone(), case.clone());
                trained.patients.insert(mark.narrative.clone(), case.clone());
            }
        }
        trained
    }

    /// The training case that was made of the same patient, in whatever words.
    pub fn knows(&self, text: &str, patient: Option<&str>) -> Option<&str> {
        let marks = [Some(text), patient];
        marks.into_iter().flatten().find_map(|it| find(&self.patients, it))
    }

    /// The training case that has this narrative.
    pub fn holds(&self, text: &str) -> Option<&str> {
        find(&self.narratives, text)
    }

    pub fn is_empty(&self) -> bool {
        self.narratives.is_empty()
    }
}

fn find<'a>(cases: &'a HashMap<String, String>, text: &str) -> Option<&'a str> {
    if cases.is_empty() {
        return None;
    }
    cases.get(&narrative_hash(text)).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, patient: Option<&str>, expected: Option<&str>) {
        let mark = |text, patient: Option<&str>| Mark {
            narrative: narrative_hash(text),
            patient: patient.map(narrative_hash),
        };
        let trained = [
            ("t-1".to_owned(), mark("I cough.\nI sneeze.", Some("F 40 cough+ sneeze+"))),
            ("evolve/1".to_owned(), mark("I sneeze.", None)),
        ];
        let trained = TrainedOn::new(trained.iter().map(|(case, mark)| (case, mark)));
        assert_eq!(trained.knows(text, patient), expected);
    }

    #[test]
    fn other_patients_pass() {
        check("I cough.", None, None);
        check("I cough.", Some("F 40 cough+"), None);
    }

    #[test]
    fn the_same_narrative_is_refused_whatever_it_is_called() {
        check("I cough.  \n\n I sneeze.\n", None, Some("t-1"));
    }

    #[test]
    fn the_same_patient_is_refused_in_other_words() {
        check("A cough and a sneeze.", Some("F 40 cough+ sneeze+"), Some("t-1"));
    }

    #[test]
    fn a_twin_of_a_patient_made_up_for_training_is_no_leak() {
        check("I sneeze.", Some("F 40 sneeze+"), None);
    }
}
