//! Intermediate: specialists give opinions, talk to each other, and answer again; the majority decides.

use super::answers::{self, Expert, ExpertTeam, PanelMessages, PanelSummary, TieBreak};
use super::templates::{
    BreakTie, FinalAnswer, GiveOpinion, MODERATOR, RECRUITER, RecruitExperts, RoleOfExpert, SUMMARISER, Speak, SumUp,
};
use crate::asking::{Asking, Said, all, rendered, said};
use crate::names::Names;
use crate::opinion::{Choice, OPINION, Opinion, choices, together};
use serde_json::{Value, json};
use waterjar_core::{AgentError, Conclusion};

pub(super) struct Panel<'a> {
    asking: Asking<'a>,
    names: &'a Names,
    experts: Vec<Expert>,
    roles: Vec<String>,
}

/// What one expert said to another.
struct Remark {
    from: usize,
    to: usize,
    text: String,
}

pub(super) async fn answer(
    asking: Asking<'_>,
    names: &Names,
    experts: usize,
    rounds: usize,
) -> Result<Conclusion, AgentError> {
    let recruited: ExpertTeam = asking
        .ask(RECRUITER, &RecruitExperts { experts }, answers::EXPERTS, |it: &ExpertTeam| it.check(experts))
        .await?;
    let roles = roles(&recruited.experts);
    Panel { asking, names, experts: recruited.experts, roles }.discuss(rounds).await
}

/// Who each expert is told to be.
pub(super) fn roles(experts: &[Expert]) -> Vec<String> {
    let role = |(number, it): (usize, &Expert)| {
        let (role, expertise) = (it.role.trim(), it.expertise.trim());
        rendered(&RoleOfExpert { number, role, expertise, reports_to: it.lead() })
    };
    (1..).zip(experts).map(role).collect()
}

impl Panel<'_> {
    /// Until nobody has anything to say, all agree, or the rounds are used up. There are always final answers: where the
    /// first round is silent, the experts answer once more with the summary before them.
    async fn discuss(&self, rounds: usize) -> Result<Conclusion, AgentError> {
        let first = self.everybody(|at| self.asking.ask(&self.roles[at], &GiveOpinion, OPINION, Opinion::check));
        let mut opinions = first.await?;
        let mut log: Vec<Remark> = Vec::new();
        let mut held: Vec<Value> = Vec::new();
        let initial = self.choices(&opinions);
        for round in 1..=rounds {
            let summary = self.sum_up(&opinions).await?;
            let new = self.remarks(&summary, &opinions, &log).await?;
            let messages: Vec<[usize; 2]> = new.iter().map(|it| [it.from + 1, it.to + 1]).collect();
            let silent = new.is_empty();
            if silent && round > 1 {
                held.push(json!({ "messages": messages }));
                break;
            }
            log.extend(new);
            opinions = self.answers(&summary, &opinions, &log).await?;
            held.push(json!({ "messages": messages, "answers": self.choices(&opinions) }));
            if silent || choices(&self.choices(&opinions)).len() == 1 {
                break;
            }
        }
        let (winner, decided_by) = self.decide(&opinions).await?;
        let agreeing: Vec<&Opinion> = winner.by.iter().map(|&at| &opinions[at]).collect();
        let votes: Vec<Value> =
            choices(&self.choices(&opinions)).iter().map(|it| json!([it.name, it.by.len()])).collect();
        Ok(together(self.names, &agreeing).conclude(json!({
            "complexity": "intermediate",
            "experts": self.experts,
            "opinions": initial,
            "rounds": held,
            "votes": votes,
            "decided_by": decided_by,
        })))
    }

    async fn everybody<T, Asked: Future<Output = Result<T, AgentError>>>(
        &self,
        ask: impl Fn(usize) -> Asked,
    ) -> Result<Vec<T>, AgentError> {
        all((0..self.experts.len()).map(ask)).await
    }

    async fn sum_up(&self, opinions: &[Opinion]) -> Result<PanelSummary, AgentError> {
        let opinions: Vec<Said> = (0..).zip(opinions).map(|(at, it)| Said::new(self.role(at), it.told())).collect();
        let part = SumUp { opinions: &opinions };
        self.asking.ask(SUMMARISER, &part, answers::SUMMARY, PanelSummary::check).await
    }

    async fn remarks(
        &self,
        summary: &PanelSummary,
        opinions: &[Opinion],
        log: &[Remark],
    ) -> Result<Vec<Remark>, AgentError> {
        let said = self.everybody(async |at| {
            let part = Speak {
                key_knowledge: summary.key_knowledge.trim(),
                total_analysis: summary.total_analysis.trim(),
                own: &opinions[at].told(),
                log: &self.heard(log, at),
                colleagues: &colleagues(&self.experts, at),
            };
            let check = |it: &PanelMessages| it.check(at, self.experts.len());
            self.asking.ask(&self.roles[at], &part, answers::MESSAGES, check).await
        });
        let said = said.await?.into_iter().enumerate();
        let remarks = said.flat_map(|(from, it)| {
            it.messages.into_iter().map(move |it| Remark { from, to: it.to as usize - 1, text: it.message })
        });
        Ok(remarks.collect())
    }

    async fn answers(
        &self,
        summary: &PanelSummary,
        opinions: &[Opinion],
        log: &[Remark],
    ) -> Result<Vec<Opinion>, AgentError> {
        self.everybody(async |at| {
            let part = FinalAnswer {
                key_knowledge: summary.key_knowledge.trim(),
                total_analysis: summary.total_analysis.trim(),
                own: &opinions[at].told(),
                log: &self.heard(log, at),
            };
            self.asking.ask(&self.roles[at], &part, OPINION, Opinion::check).await
        })
        .await
    }

    /// The majority over first choices; the moderator is asked only where there is none.
    async fn decide(&self, opinions: &[Opinion]) -> Result<(Choice, &'static str), AgentError> {
        let mut counted = choices(&self.choices(opinions));
        let most = counted[0].by.len();
        counted.retain(|it| it.by.len() == most);
        if counted.len() == 1 {
            return Ok((counted.remove(0), "majority"));
        }
        let side = |it: &Choice| {
            let agreeing: Vec<&Opinion> = it.by.iter().map(|&at| &opinions[at]).collect();
            Said::new(it.name.as_str(), together(self.names, &agreeing).told())
        };
        let sides: Vec<Said> = counted.iter().map(side).collect();
        let check = |it: &TieBreak| match it.choice as usize {
            1.. if it.choice as usize <= sides.len() => Ok(()),
            _ => Err(format!("choice: {} is not between 1 and {}", it.choice, sides.len())),
        };
        let broken = self.asking.ask(MODERATOR, &BreakTie { sides: &sides }, answers::TIE, check).await?;
        Ok((counted.remove(broken.choice as usize - 1), "moderator"))
    }

    fn choices(&self, opinions: &[Opinion]) -> Vec<String> {
        opinions.iter().map(|it| it.choice(self.names)).collect()
    }

    fn role(&self, at: usize) -> &str {
        self.experts[at].role.trim()
    }

    /// What was said by an expert or to them.
    fn heard(&self, log: &[Remark], at: usize) -> Vec<Said> {
        let told = log.iter().filter_map(|it| {
            let who = if it.from == at {
                format!("you to {}", self.role(it.to))
            } else if it.to == at {
                format!("{} to you", self.role(it.from))
            } else {
                return None;
            };
            Some(Said::new(who, it.text.trim()))
        });
        told.collect()
    }
}

/// Everybody else, with their numbers.
pub(super) fn colleagues(experts: &[Expert], at: usize) -> Vec<(usize, &str)> {
    let numbered = (1..).zip(experts).filter(|(number, _)| *number != at + 1);
    numbered.map(|(number, it)| (number, it.role.trim())).collect()
}

impl PanelSummary {
    pub fn check(&self) -> Result<(), String> {
        said("key_knowledge", &self.key_knowledge).and(said("total_analysis", &self.total_analysis))
    }
}

impl PanelMessages {
    fn check(&self, own: usize, experts: usize) -> Result<(), String> {
        let numbers: Vec<u32> = self.messages.iter().map(|it| it.to).collect();
        check_numbers(&numbers, own, experts)?;
        self.messages.iter().try_for_each(|it| said("message", &it.message))
    }
}

/// Numbers of colleagues: on the panel, not one's own, nobody twice.
pub(super) fn check_numbers(numbers: &[u32], own: usize, experts: usize) -> Result<(), String> {
    for (at, &number) in numbers.iter().enumerate() {
        if !(1..=experts).contains(&(number as usize)) {
            return Err(format!("there is no colleague {number}: the numbers go from 1 to {experts}"));
        }
        if number as usize == own + 1 {
            return Err(format!("{number} is your own number"));
        }
        if numbers[..at].contains(&number) {
            return Err(format!("colleague {number} is there twice"));
        }
    }
    Ok(())
}
