//! Stage 6: keep the first impression, or overturn it.

use super::known::{bare, facts};
use super::{ROLE, asking};
use crate::asking::{line, said};
use crate::ecr::audit::Audited;
use crate::ecr::reasoner::stages::{Feedback, Opinion, Verdict};
use crate::ecr::reasoner::{Auditing, Sight};
use askama::Template;
use waterjar_core::AgentError;

#[derive(Template)]
#[template(path = "ecr/reasoner/model/prompts/audit.md", escape = "none")]
struct Audit<'a> {
    facts: Vec<String>,
    rows: Vec<Row<'a>>,
    first: &'a str,
    first_number: u32,
    evidence: &'a str,
    experience: String,
    exemplars: Vec<Solved<'a>>,
    feedback: &'a [Feedback],
}

struct Row<'a> {
    summary: &'a str,
    lines: Vec<String>,
}

/// A case like this one.
struct Solved<'a> {
    label: &'a str,
    path: String,
}

/// Items told of each column of the sheet.
const ITEMS: usize = 6;

pub async fn ask(sight: &Sight<'_>, about: &Auditing<'_>) -> Result<Opinion, AgentError> {
    let name = |number: u32| about.candidates[number as usize].as_str();
    let streams = about.streams;
    let part = Audit {
        facts: facts(about.patient),
        rows: about.sheet.candidates.iter().map(row).collect(),
        first: name(streams.intuition),
        first_number: streams.intuition,
        evidence: streams.evidence.map_or("nothing is known that could be weighed", name),
        experience: match &streams.experience {
            Some(it) => format!("{} ({:.0} % of what they say)", name(it.candidate), it.share * 100.0),
            None => "no case like this one is known".to_owned(),
        },
        exemplars: about
            .exemplars
            .iter()
            .map(|it| Solved { label: &it.label, path: line(&it.path.join(" ")) })
            .collect(),
        feedback: sight.feedback,
    };
    asking(sight).ask(ROLE, &part, "ecr_audit", |it| check(it, about.candidates.len(), streams.intuition)).await
}

fn row(it: &Audited) -> Row<'_> {
    let few = |items: &[String]| items.iter().take(ITEMS).map(|it| bare(it)).collect::<Vec<_>>().join("; ");
    let names = |pivots: &[(String, f64)]| pivots.iter().map(|(content, _)| content.clone()).collect::<Vec<_>>();
    let columns = [
        ("the patient denies what it cannot be without", it.fatal.clone()),
        ("verified pivots for it", names(&it.won)),
        ("verified pivots against it", names(&it.lost)),
        ("facts it does not explain", it.unexplained.clone()),
        ("expected and not mentioned", it.shadows.clone()),
    ];
    let told = columns.iter().filter(|(_, items)| !items.is_empty());
    let mut lines: Vec<String> = told.map(|(head, items)| format!("{head}: {}", few(items))).collect();
    lines.push(match it.cases {
        0.0 => "no case of it was learnt and nothing was looked up".to_owned(),
        cases => format!("known from as much as {cases:.0} cases"),
    });
    Row { summary: &it.summary, lines }
}

fn check(opinion: &Opinion, candidates: usize, first: u32) -> Result<(), String> {
    opinion.check(candidates)?;
    match opinion.verdict {
        Verdict::Keep if opinion.diagnosis != first => {
            return Err(format!(
                "diagnosis: whoever keeps the first impression names {first}, not {}",
                opinion.diagnosis
            ));
        }
        Verdict::Overturn if opinion.diagnosis == first => {
            return Err(format!("diagnosis: {first} is the first impression; whoever overturns it names another"));
        }
        _ => {}
    }
    if opinion.also == Some(opinion.diagnosis) {
        return Err("also: it is the diagnosis itself; write null where there is no second condition".to_owned());
    }
    if opinion.reasons.is_empty() {
        return Err("reasons: there are none".to_owned());
    }
    opinion.reasons.iter().try_for_each(|reason| said("reasons", reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(verdict: Verdict, diagnosis: u32, also: Option<u32>) -> String {
        let opinion = Opinion { verdict, diagnosis, also, reasons: vec!["Because.".to_owned()] };
        check(&opinion, 3, 0).err().unwrap_or_default()
    }

    #[test]
    fn the_verdict_and_the_diagnosis_agree() {
        assert_eq!(told(Verdict::Keep, 0, Some(2)), "");
        assert_eq!(told(Verdict::Overturn, 1, None), "");
        assert!(told(Verdict::Keep, 1, None).contains("whoever keeps the first impression names 0, not 1"));
        assert!(told(Verdict::Overturn, 0, None).contains("whoever overturns it names another"));
        assert!(told(Verdict::Overturn, 3, None).contains("there is no candidate 3"));
        assert!(told(Verdict::Keep, 0, Some(0)).contains("also: it is the diagnosis itself"));
    }

    #[test]
    fn an_opinion_has_reasons() {
        let silent = |reasons| Opinion { verdict: Verdict::Keep, diagnosis: 0, also: None, reasons };
        assert!(check(&silent(Vec::new()), 1, 0).unwrap_err().contains("there are none"));
        assert!(check(&silent(vec![" ".to_owned()]), 1, 0).unwrap_err().contains("it is empty"));
    }
}
