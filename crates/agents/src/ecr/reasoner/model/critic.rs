//! A model that knows the outcome says what went wrong, and keeps the answer to itself.

use super::asking;
use super::known::{Known, bare, facts};
use crate::asking::{fingerprint, said};
use crate::ecr::lexicon::Lexicon;
use crate::ecr::reasoner::stages::{Feedback, Representation};
use crate::ecr::reasoner::{Critic, Criticising, Sight};
use crate::names::normalised;
use askama::Template;
use async_trait::async_trait;
use std::sync::Arc;
use waterjar_core::AgentError;

/// Told in the README what each one changed.
const VERSION: u32 = 1;

const ROLE: &str = include_str!("prompts/role_critic.md");

#[derive(Template)]
#[template(path = "ecr/reasoner/model/prompts/critic.md", escape = "none")]
struct Criticise<'a> {
    answered: &'a str,
    right: &'a str,
    facts: Vec<String>,
    rows: Vec<String>,
    learnt: Vec<Known<'a>>,
}

pub struct ModelCritic {
    /// Knows by which other names the answer could be given away.
    lexicon: Arc<Lexicon>,
}

impl ModelCritic {
    pub fn new(lexicon: Arc<Lexicon>) -> Self {
        Self { lexicon }
    }
}

#[async_trait]
impl Critic for ModelCritic {
    fn fingerprint(&self) -> String {
        let prompts = [ROLE, include_str!("prompts/critic.md"), include_str!("prompts/facts.md")];
        format!("model critic, {}", fingerprint(VERSION, &(), &prompts))
    }

    async fn feedback(&self, sight: &Sight<'_>, about: &Criticising<'_>) -> Result<Feedback, AgentError> {
        let sheet = &about.sheet.candidates;
        let graphs = about.illness_of_answered.into_iter().chain(about.illness_of_right);
        let part = Criticise {
            answered: about.answered,
            right: about.right,
            facts: facts(about.patient),
            rows: about.sheet.ranking().into_iter().map(|at| bare(&sheet[at].summary)).collect(),
            learnt: graphs.map(Known::of_graph).collect(),
        };
        let mut names: Vec<&str> = self.lexicon.names_of(about.right).collect();
        let proper = normalised(about.right);
        names.push(&proper);
        let check = |it: &Feedback| check(it, about.patient, &names);
        let said: Feedback = asking(sight).ask(ROLE, &part, "ecr_feedback", check).await?;
        let own = |all: Vec<String>| all.iter().filter_map(|it| fact(about.patient, it)).map(str::to_owned).collect();
        Ok(Feedback { ignored: own(said.ignored), misleading: own(said.misleading), advice: said.advice })
    }
}

/// What a critic may point at is in the list of facts, and its advice does not give the answer away.
fn check(feedback: &Feedback, patient: &Representation, names: &[&str]) -> Result<(), String> {
    said("advice", &feedback.advice)?;
    let advice = format!(" {} ", normalised(&feedback.advice));
    if names.iter().any(|name| advice.contains(&format!(" {name} "))) {
        return Err(
            "advice: it names the condition the patient has; say what to look at, and not where it leads".to_owned()
        );
    }
    let all = feedback
        .ignored
        .iter()
        .map(|it| ("ignored", it))
        .chain(feedback.misleading.iter().map(|it| ("misleading", it)));
    for (key, content) in all {
        if fact(patient, content).is_none() {
            return Err(format!("{key}: “{}” is not in the list of facts; copy its words exactly", content.trim()));
        }
    }
    Ok(())
}

/// The fact a critic means, in its own words.
fn fact<'a>(patient: &'a Representation, content: &str) -> Option<&'a str> {
    // The list shows the status before the words, and a critic may copy both.
    let words = content.trim().trim_start_matches("[present]").trim_start_matches("[denied]");
    let words = normalised(words);
    let same = patient.nodes.iter().find(|node| normalised(&node.content) == words);
    same.map(|node| node.content.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ecr::reasoner::stages::{PatientNode, Status};

    fn told(ignored: &str, advice: &str) -> String {
        let fact = |content: &str| PatientNode {
            content: content.to_owned(),
            original: content.to_owned(),
            status: Status::Present,
        };
        let patient =
            Representation { one_liner: String::new(), nodes: vec![fact("A hot toe."), fact("My uncle has gout.")] };
        let feedback =
            Feedback { ignored: vec![ignored.to_owned()], misleading: Vec::new(), advice: advice.to_owned() };
        check(&feedback, &patient, &["gout", "podagra"]).err().unwrap_or_default()
    }

    #[test]
    fn the_answer_is_not_given_away() {
        assert_eq!(told("a hot toe", "Look at the joint again."), "");
        assert!(told("a hot toe", "Think of Podagra!").contains("it names the condition"));
        assert!(told("a hot toe", "It is gout.").contains("it names the condition"));
        // A fact may: the patient says it.
        assert_eq!(told("[present] my uncle has gout", "The family matters, gouty or not."), "");
    }

    #[test]
    fn only_facts_can_be_pointed_at() {
        assert!(told("uric acid", "Look again.").contains("ignored: “uric acid” is not in the list of facts"));
        assert!(told("a hot toe", " ").contains("advice: it is empty"));
    }
}
