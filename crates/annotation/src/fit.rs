//! Which forms fit a suite: those that ask for nothing it does not have.

use crate::{Form, Unit};
use std::collections::BTreeSet;

/// What there is to rate, as far as a form depends on it.
#[derive(Clone, Copy, Debug)]
pub struct Material<'a> {
    /// What the study calls the suite, and what kind it is.
    pub suite: &'a str,
    pub kind: &'a str,
    /// Of its variants; empty where none were made yet, and then nothing is known of them.
    pub roles: &'a BTreeSet<String>,
    /// How many answer.
    pub subjects: usize,
}

impl Material<'_> {
    /// The forms that ask for nothing it does not have, in their order.
    pub fn fitting<'f>(&self, forms: &'f [Form]) -> Vec<&'f Form> {
        forms.iter().filter(|form| self.lacks(form).is_none()).collect()
    }

    /// Why the form cannot be rated here, and which could; nothing where it can.
    pub fn misfit(&self, form: &Form, forms: &[Form]) -> Option<String> {
        let why = self.lacks(form)?;
        let fitting: Vec<&str> = self.fitting(forms).into_iter().map(|it| it.id.as_str()).collect();
        let instead = match fitting.as_slice() {
            [] => "no form fits".to_owned(),
            some => format!("forms that fit: {}", some.join(", ")),
        };
        Some(format!("the form `{}` {why}; {instead}", form.id))
    }

    /// What the form asks for and is not there.
    fn lacks(&self, form: &Form) -> Option<String> {
        let suite = self.suite;
        if !form.suites.is_empty() && !form.suites.iter().any(|it| it == self.kind) {
            let kinds = listed(&form.suites);
            return Some(format!("is about suites of the kind {kinds}, and the suite `{suite}` is {}", self.kind));
        }
        let is_known = !self.roles.is_empty();
        if is_known && !self.roles.iter().any(|role| form.wants(role)) {
            let (wanted, there) = (listed(&form.roles), listed(self.roles));
            return Some(format!("is about the role {wanted}, and the suite `{suite}` has only {there}"));
        }
        let has_changes = self.roles.contains("control") && self.roles.len() > 1;
        match form.unit {
            Unit::Pair | Unit::Change if is_known && !has_changes => {
                Some(format!("compares a control with a variant, and the suite `{suite}` has not both"))
            }
            Unit::Preference if self.subjects < 2 => {
                Some(format!("compares the answers of two subjects, and the suite `{suite}` has {}", self.subjects))
            }
            _ => None,
        }
    }
}

fn listed<'a>(names: impl IntoIterator<Item = &'a String>) -> String {
    names.into_iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: &str, roles: &[&str], subjects: usize, fit: &[&str]) {
        let forms = crate::forms(None).unwrap();
        let roles = roles.iter().map(|role| (*role).to_owned()).collect();
        let material = Material { suite: kind, kind, roles: &roles, subjects };
        let found: Vec<&str> = material.fitting(&forms).into_iter().map(|form| form.id.as_str()).collect();
        assert_eq!(found, fit, "{kind} {roles:?}");
    }

    #[test]
    fn a_form_is_offered_where_the_suite_has_what_it_asks_for() {
        let traps =
            ["trap_pair_quality", "diagnosis_followed", "question_quality", "preference", "failure_mode", "key_right"];
        check("einstellung", &["control", "sham", "trap"], 3, &traps);
        check("einstellung", &[], 3, &traps);
        check("parity", &["control", "neutral", "swapped"], 2, &["preference", "divergence", "key_right"]);
        check("sensitivity", &["control", "her2_lost"], 2, &["causal_sensitivity", "preference", "key_right"]);
        check("consult", &["control", "history"], 2, &["question_quality", "preference", "key_right"]);
    }

    #[test]
    fn cases_without_traps_and_subjects_alone_are_compared_with_nothing() {
        check("einstellung", &["control"], 2, &["question_quality", "preference"]);
        check("consult", &["control", "history"], 1, &["question_quality", "key_right"]);
        check("parity", &["control"], 1, &[]);
    }

    #[test]
    fn whoever_chooses_another_is_told_why_and_which_fit() {
        let forms = crate::forms(None).unwrap();
        let roles = ["control", "swapped"].map(str::to_owned).into();
        let material = Material { suite: "pronouns", kind: "parity", roles: &roles, subjects: 2 };
        let told = |id: &str| material.misfit(forms.iter().find(|form| form.id == id).unwrap(), &forms);
        assert_eq!(
            told("causal_sensitivity").as_deref(),
            Some(
                "the form `causal_sensitivity` is about suites of the kind sensitivity, and the suite `pronouns` is parity; \
                 forms that fit: preference, divergence, key_right"
            )
        );
        assert_eq!(told("divergence"), None);
    }
}
