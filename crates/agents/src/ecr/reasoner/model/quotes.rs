//! Whether the words a model quotes are the patient's.

use crate::ecr::reasoner::stages::Status;
use crate::names::normalised;

/// The patient's account, to look quotes up in. White space, case and punctuation do not matter: models tidy up what they copy.
pub struct Account(String);

impl Account {
    pub fn of(text: &str) -> Self {
        Self(normalised(text))
    }

    /// Whoever says that something is there or denied must quote it. `what` is where it was said.
    pub fn check(&self, what: &str, status: Status, original: &str) -> Result<(), String> {
        let said = match status {
            Status::Present => "present",
            Status::Absent => "absent",
            Status::Missing => return Ok(()),
        };
        let words = normalised(original);
        if words.is_empty() {
            return Err(format!("{what}: it is {said}, so `original` must quote the patient's words"));
        }
        match self.0.contains(&words) {
            true => Ok(()),
            false => {
                Err(format!("{what}: “{}” is not in the patient's account; copy its words exactly", original.trim()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(status: Status, original: &str, told: Option<&str>) {
        let account = Account::of("Sex: F, Age: 34\n- I have a\n  cough that won't stop.\n- My belly is soft.");
        let found = account.check("nodes[0]", status, original).err().unwrap_or_default();
        assert!(told.is_none_or(|told| found.contains(told)) && told.is_none() == found.is_empty(), "{found}");
    }

    #[test]
    fn white_space_case_and_punctuation_do_not_matter() {
        check(Status::Present, "i have a cough that won’t stop", None);
        check(Status::Absent, "“My belly is soft.”", None);
    }

    #[test]
    fn invented_words_are_told() {
        check(Status::Present, "I have a fever", Some("nodes[0]: “I have a fever” is not in the patient's account"));
    }

    #[test]
    fn what_is_there_or_denied_needs_a_quote_and_what_is_missing_does_not() {
        check(Status::Present, "", Some("it is present, so `original` must quote"));
        check(Status::Absent, " … ", Some("it is absent, so `original` must quote"));
        check(Status::Missing, "", None);
    }
}
