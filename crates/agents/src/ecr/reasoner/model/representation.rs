//! Stage 2: the patient as facts, each with the words it rests on.

use super::quotes::Account;
use super::{ROLE, asking};
use crate::asking::said;
use crate::ecr::reasoner::Sight;
use crate::ecr::reasoner::stages::Representation;
use askama::Template;
use waterjar_core::AgentError;

#[derive(Template)]
#[template(path = "ecr/reasoner/model/prompts/representation.md", escape = "none")]
struct Represent;

pub async fn ask(sight: &Sight<'_>) -> Result<Representation, AgentError> {
    let account = Account::of(&sight.prompt.text);
    asking(sight).ask(ROLE, &Represent, "ecr_representation", |it| check(it, &account)).await
}

fn check(patient: &Representation, account: &Account) -> Result<(), String> {
    said("one_liner", &patient.one_liner)?;
    if patient.nodes.is_empty() {
        return Err("nodes: there are none; name the facts the account states".to_owned());
    }
    for (at, node) in patient.nodes.iter().enumerate() {
        said(&format!("nodes[{at}].content"), &node.content)?;
        account.check(&format!("nodes[{at}]"), node.status, &node.original)?;
    }
    Ok(())
}
