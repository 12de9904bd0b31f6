//! responses → verdict, by rule: read the diagnosis, compare it with the expectation.

use super::Einstellung;
use waterjar_core::{ConditionId, Expectation, Family, FamilyVerdict, JudgeId, Member, Outcome, Ruling};
use waterjar_scoring::answer::{Answer, Said};

impl Einstellung {
    pub(super) fn verdict(&self, family: &Family) -> FamilyVerdict {
        let asked = asked_about(family);
        let strata = family.members.iter().flat_map(|member| member.variant.strata.clone()).collect();
        FamilyVerdict {
            family: family.id.clone(),
            subject: family.subject.clone(),
            repeat: family.repeat,
            judge: JudgeId::from(super::RULES),
            rulings: family.members.iter().map(|member| self.ruling(member, &asked)).collect(),
            strata,
        }
    }

    fn ruling(&self, member: &Member, asked: &[&ConditionId]) -> Ruling {
        let variant = &member.variant;
        let answer = member.conclusion().map(|said| Answer::read_about(&self.labels, asked, &said.text));
        let (outcome, reason) = match &answer {
            None => (Outcome::Missing, "there is no answer".to_owned()),
            Some(answer) if answer.said == Said::Nothing => (Outcome::Missing, "no diagnosis could be read".to_owned()),
            Some(answer) => self.rule(&variant.expectation, answer),
        };
        let answer = answer.unwrap_or_default();
        Ruling {
            named: answer.named().map(|label| label.condition.clone()),
            ranking: answer.ranking,
            listed: answer.listed,
            ..Ruling::new(variant.id.clone(), variant.role(), outcome, reason)
        }
    }

    fn rule(&self, expectation: &Expectation, answer: &Answer) -> (Outcome, String) {
        let expected = expectation.condition().expect("this suite is about conditions");
        let expected_name = self.name_of(expected);
        let Some(named) = answer.named() else {
            return (Outcome::Missed, format!("{}; {expected_name} is right", unnamed(answer)));
        };
        let name = self.name_of(&named.condition);
        match expectation {
            _ if named.condition == *expected => (Outcome::Right, format!("{name} is right")),
            Expectation::Flips { from, .. } if named.condition == *from => {
                (Outcome::Trapped, format!("stays with {name} although the findings now say {expected_name}"))
            }
            _ => (Outcome::Missed, format!("says {name}; {expected_name} is right")),
        }
    }
}

/// The diagnoses a family is about: that of its control, and the one it flips to.
fn asked_about(family: &Family) -> Vec<&ConditionId> {
    let expected = family.members.iter().map(|member| &member.variant.expectation);
    expected
        .flat_map(|expectation| match expectation {
            Expectation::Flips { from, to } => vec![from, to],
            other => other.condition().into_iter().collect(),
        })
        .collect()
}

/// Why an answer that says something names no condition.
fn unnamed(answer: &Answer) -> String {
    let words = answer.first_words.as_deref().unwrap_or_default();
    match answer.said {
        Said::NoneOfThem => "says it is none of the conditions".to_owned(),
        Said::Open => format!("leaves it open: “{words}”"),
        Said::Nothing | Said::Choice => format!("“{words}” is none of the conditions"),
    }
}
