//! Stage 5: is what should be there really not in the account? All of it in one question.

use super::quotes::Account;
use super::{ROLE, asking};
use crate::asking::line;
use crate::ecr::reasoner::Sight;
use crate::ecr::reasoner::stages::{KnowledgeNode, Reexamination};
use askama::Template;
use waterjar_core::AgentError;

#[derive(Template)]
#[template(path = "ecr/reasoner/model/prompts/second_look.md", escape = "none")]
struct LookAgain {
    expected: Vec<String>,
}

pub async fn ask(sight: &Sight<'_>, expected: &[&KnowledgeNode]) -> Result<Reexamination, AgentError> {
    let part = LookAgain { expected: expected.iter().map(|it| line(&it.content)).collect() };
    let account = Account::of(&sight.prompt.text);
    asking(sight).ask(ROLE, &part, "ecr_second_look", |it| check(it, expected.len(), &account)).await
}

/// Those left out stay missing.
fn check(found: &Reexamination, expected: usize, account: &Account) -> Result<(), String> {
    found.check(expected)?;
    for (at, seen) in found.features.iter().enumerate() {
        if found.features[..at].iter().any(|other| other.feature == seen.feature) {
            return Err(format!("features[{at}]: feature {} is there twice", seen.feature));
        }
        account.check(&format!("features[{at}]"), seen.status, &seen.original)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ecr::reasoner::stages::{Reexamined, Status};

    fn told(features: &[(u32, Status, &str)]) -> String {
        let seen = |&(feature, status, original): &(u32, Status, &str)| Reexamined {
            feature,
            status,
            original: original.to_owned(),
        };
        let found = Reexamination { features: features.iter().map(seen).collect() };
        check(&found, 2, &Account::of("I do not cough.")).err().unwrap_or_default()
    }

    #[test]
    fn what_is_found_is_quoted_once_and_by_its_number() {
        assert_eq!(told(&[]), "");
        assert_eq!(told(&[(0, Status::Absent, "I do not cough"), (1, Status::Missing, "")]), "");
        assert!(told(&[(2, Status::Missing, "")]).contains("there is no feature 2"));
        assert!(told(&[(0, Status::Missing, ""), (0, Status::Missing, "")]).contains("feature 0 is there twice"));
        assert!(told(&[(0, Status::Absent, "")]).contains("must quote"));
        assert!(told(&[(0, Status::Present, "I cough blood")]).contains("is not in the patient's account"));
    }
}
