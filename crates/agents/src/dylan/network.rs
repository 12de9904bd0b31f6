//! The forward pass: agents answer in rounds, each seeing the answers of the round before, until enough of them agree.

use super::answers::{self, BestTwo, ScoredOpinion};
use super::importance::{Node, importance, weights};
use super::templates::{AnswerAgain, AnswerFirst, NameBestTwo, RANKER, RoleOfMember};
use crate::asking::{Asking, all, rendered};
use crate::names::Names;
use crate::opinion::{OPINION, Opinion, choices, together};
use rand::seq::SliceRandom;
use serde_json::{Value, json};
use waterjar_core::{AgentError, Conclusion, Seed};

pub(super) struct Network<'a> {
    pub asking: Asking<'a>,
    pub names: &'a Names,
    pub seed: Seed,
    pub roles: &'a [String],
    pub rounds: usize,
    /// Two agents drawn by lot in place of the two that were ranked best, as the released code does.
    pub random_pair: bool,
}

/// An agent's answer in a round.
struct Answered {
    node: Node,
    opinion: Opinion,
}

/// More than two thirds of a round must agree to end the debate.
pub(super) fn votes_needed(agents: usize) -> usize {
    2 * agents / 3 + 1
}

/// The agents are ranked from this many answers on; fewer all go on.
const RANKED_FROM: usize = 4;

impl Network<'_> {
    pub async fn debate(&self) -> Result<Conclusion, AgentError> {
        let mut rounds: Vec<Vec<Answered>> = Vec::new();
        let mut active: Vec<usize> = (0..self.roles.len()).collect();
        let mut selected: Option<Vec<usize>> = None;
        let mut agreed = false;
        for number in 1..=self.rounds {
            let before = rounds.last().map(Vec::as_slice).unwrap_or_default();
            if number >= 3 && before.len() >= RANKED_FROM {
                active = self.best_two(before, number).await?;
                selected = Some(active.clone());
            }
            let order: Vec<usize> =
                self.shuffled("dylan: order of round", number, &active).into_iter().copied().collect();
            let round = self.round(number, &order, before).await?;
            agreed = leading(&round).1 >= votes_needed(order.len());
            rounds.push(round);
            if agreed {
                break;
            }
        }
        let last = rounds.last().expect("there is at least one round");
        let (result, _) = leading(last);
        let agreeing: Vec<&Opinion> = last.iter().filter(|it| it.node.choice == result).map(|it| &it.opinion).collect();
        let record = self.record(&rounds, &result, agreed, selected);
        Ok(together(self.names, &agreeing).conclude(record))
    }

    /// As many are asked at once as it takes, at best, to reach agreement; so nobody is asked whom asking one after the
    /// other would have spared.
    async fn round(&self, number: usize, order: &[usize], before: &[Answered]) -> Result<Vec<Answered>, AgentError> {
        let needed = votes_needed(order.len());
        let mut answered: Vec<Answered> = Vec::new();
        loop {
            let (_, votes) = leading(&answered);
            let left = &order[answered.len()..];
            if votes >= needed || left.is_empty() {
                return Ok(answered);
            }
            let now = &left[..left.len().min(needed - votes)];
            answered.extend(all(now.iter().map(|&agent| self.ask(number, agent, before))).await?);
        }
    }

    async fn ask(&self, number: usize, agent: usize, before: &[Answered]) -> Result<Answered, AgentError> {
        let role = rendered(&RoleOfMember { role: &self.roles[agent], others: self.roles.len() - 1 });
        if before.is_empty() {
            let opinion = self.asking.ask(&role, &AnswerFirst, OPINION, Opinion::check).await?;
            return Ok(self.answered(agent, opinion, Vec::new()));
        }
        let shown = self.shuffled(&format!("dylan: shown to {}, round", self.roles[agent]), number, before);
        let told: Vec<String> = shown.iter().map(|it| it.opinion.told()).collect();
        let check = |it: &ScoredOpinion| it.check(told.len());
        let said = self.asking.ask(&role, &AnswerAgain { answers: &told }, answers::SCORED, check).await?;
        let (opinion, scores) = said.parts();
        let scored: Vec<usize> = shown.iter().map(|it| it.node.agent).collect();
        Ok(self.answered(agent, opinion, weights(&scored, &scores)))
    }

    fn answered(&self, agent: usize, opinion: Opinion, weights: Vec<(usize, f64)>) -> Answered {
        Answered { node: Node { agent, choice: opinion.choice(self.names), weights }, opinion }
    }

    /// Agents, not places in the list that was shown.
    async fn best_two(&self, before: &[Answered], number: usize) -> Result<Vec<usize>, AgentError> {
        let shown = self.shuffled("dylan: shown to the ranker, round", number, before);
        let told: Vec<String> = shown.iter().map(|it| it.opinion.told()).collect();
        let check = |it: &BestTwo| it.check(told.len());
        let named = self.asking.ask(RANKER, &NameBestTwo { answers: &told }, answers::BEST_TWO, check).await?;
        let mut two: Vec<usize> = if self.random_pair {
            let drawn = self.shuffled("dylan: pair of round", number, before);
            drawn[..2].iter().map(|it| it.node.agent).collect()
        } else {
            named.best.iter().map(|&number| shown[number as usize - 1].node.agent).collect()
        };
        two.sort_unstable();
        Ok(two)
    }

    /// By lot over the seed, the purpose and the patient, never over the order of work.
    fn shuffled<'b, T>(&self, purpose: &str, number: usize, things: &'b [T]) -> Vec<&'b T> {
        let purpose = format!("{purpose} {number}, repeat {}", self.asking.repeat);
        let mut order: Vec<&T> = things.iter().collect();
        order.shuffle(&mut self.seed.rng(&purpose, &self.asking.prompt.text));
        order
    }

    fn record(&self, rounds: &[Vec<Answered>], result: &str, agreed: bool, selected: Option<Vec<usize>>) -> Value {
        let nodes: Vec<Vec<Node>> =
            rounds.iter().map(|round| round.iter().map(|it| it.node.clone()).collect()).collect();
        let shares = importance(&nodes, self.roles.len(), result);
        let total = (0..self.roles.len()).map(|at| shares.iter().map(|round| round[at]).sum()).collect::<Vec<f64>>();
        let held = nodes.iter().zip(&shares).map(|(round, shares)| {
            let answers: Vec<Value> = round.iter().map(|it| json!([it.agent, it.choice])).collect();
            json!({ "answers": answers, "importance": short(shares) })
        });
        json!({
            "agents": self.roles,
            "rounds": held.collect::<Vec<_>>(),
            "selected": selected,
            "agreed": agreed,
            "importance": short(&total),
        })
    }
}

/// The most frequent first choice and its votes; of equally frequent ones the first that was given.
fn leading(answered: &[Answered]) -> (String, usize) {
    let given: Vec<String> = answered.iter().map(|it| it.node.choice.clone()).collect();
    choices(&given).into_iter().next().map_or((String::new(), 0), |first| (first.name, first.by.len()))
}

/// For reading: four decimals.
fn short(shares: &[f64]) -> Vec<f64> {
    shares.iter().map(|share| (share * 1e4).round() / 1e4).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // specs.md 6.2.
    #[test]
    fn more_than_two_thirds_must_agree() {
        assert_eq!([1, 2, 3, 4, 5, 6, 7].map(votes_needed), [1, 2, 3, 3, 4, 5, 5]);
    }
}
