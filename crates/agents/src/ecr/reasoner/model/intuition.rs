//! Stage 1: what comes to mind.

use super::{ROLE, asking};
use crate::asking::said;
use crate::ecr::reasoner::Sight;
use crate::ecr::reasoner::stages::{Feedback, Intuition};
use askama::Template;
use waterjar_core::AgentError;

#[derive(Template)]
#[template(path = "ecr/reasoner/model/prompts/intuition.md", escape = "none")]
struct Intuit<'a> {
    most: usize,
    feedback: &'a [Feedback],
}

pub async fn ask(sight: &Sight<'_>, most: usize) -> Result<Intuition, AgentError> {
    let part = Intuit { most, feedback: sight.feedback };
    asking(sight).ask(ROLE, &part, "ecr_intuition", |it| check(it, most)).await
}

fn check(intuition: &Intuition, most: usize) -> Result<(), String> {
    let candidates = &intuition.candidates;
    if candidates.is_empty() {
        return Err("candidates: there are none; name at least one condition".to_owned());
    }
    if candidates.len() > most {
        return Err(format!("candidates: there are {}, and at most {most} were asked for", candidates.len()));
    }
    for (at, suspect) in candidates.iter().enumerate() {
        if !suspect.condition.contains(char::is_alphanumeric) {
            return Err(format!("candidates[{at}]: the condition has no name"));
        }
        said(&format!("candidates[{at}].reason"), &suspect.reason)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ecr::reasoner::stages::Suspect;

    fn told(names: &[&str]) -> String {
        let suspect =
            |name: &&str| Suspect { condition: (*name).to_owned(), confidence: 0.2, reason: "It fits.".to_owned() };
        check(&Intuition { candidates: names.iter().map(suspect).collect() }, 2).err().unwrap_or_default()
    }

    #[test]
    fn there_is_at_least_one_and_not_too_many() {
        assert_eq!(told(&["Gout"]), "");
        assert!(told(&[]).contains("there are none"));
        assert!(told(&["Gout", "Pseudogout", "Asthma"]).contains("there are 3, and at most 2"));
        assert!(told(&["Gout", " – "]).contains("candidates[1]: the condition has no name"));
    }
}
