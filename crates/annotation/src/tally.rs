//! What people settled on, counted: how often each answer to a question, in all and by what was changed.

use crate::settled::Settled;
use crate::{Form, Kind, Question, Source};
use std::collections::{BTreeMap, BTreeSet};
use waterjar_core::Interval;
use waterjar_scoring::stats::wilson;

/// Of one question, on all items or on those of one role.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    pub question: String,
    pub role: Option<String>,
    /// Items on which something is settled.
    pub items: usize,
    pub answers: Vec<Answered>,
}

/// One answer the form offers.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    pub answer: String,
    pub items: usize,
    pub share: f64,
    /// Wilson's, where no family is there twice: versions of one patient are not independent.
    pub interval: Option<Interval>,
}

/// Items count alike, whatever they stand for. Which of two answers is better is told of subjects, not of roles: it is not counted here.
pub fn tallies(form: &Form, settled: &Settled, sources: &[Source]) -> Vec<Tally> {
    let is_counted = |question: &&Question| !matches!(question.kind, Kind::Words | Kind::Side);
    let mut told = Vec::new();
    for question in form.questions.iter().filter(is_counted) {
        let mut by_role: BTreeMap<Option<&str>, Said<'_>> = BTreeMap::new();
        for (item, source) in sources.iter().enumerate() {
            let Some(values) = settled.items.get(&(item as u32)).and_then(|it| it.get(&question.id)) else { continue };
            for role in [None, Some(source.role.as_str())] {
                by_role.entry(role).or_default().push((source, values));
            }
        }
        // All, and the one role there is, would be the same twice.
        let is_one = by_role.len() == 2;
        let by_role = by_role.into_iter().filter(|(role, _)| role.is_none() || !is_one);
        told.extend(by_role.map(|(role, said)| Tally {
            question: question.id.clone(),
            role: role.map(str::to_owned),
            items: said.len(),
            answers: question.values().into_iter().map(|answer| answered(answer, &said)).collect(),
        }));
    }
    told
}

/// Where items come from, and what was settled of them.
type Said<'a> = Vec<(&'a Source, &'a Vec<String>)>;

fn answered(answer: String, said: &[(&Source, &Vec<String>)]) -> Answered {
    let items = said.iter().filter(|(_, values)| values.contains(&answer)).count();
    let families: BTreeSet<&str> = said.iter().map(|(source, _)| source.family.as_str()).collect();
    let interval = wilson(items as u64, said.len() as u64).filter(|_| families.len() == said.len());
    Answered { answer, items, share: items as f64 / said.len().max(1) as f64, interval }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(family: &str, role: &str) -> Source {
        Source {
            family: family.into(),
            position: 1,
            variant: format!("{family}/{role}").as_str().into(),
            role: role.to_owned(),
            subjects: Vec::new(),
            repeat: 0,
            stratum: String::new(),
            weight: 1.0,
            control: None,
            judged: None,
        }
    }

    #[test]
    fn keys_called_right_are_counted_by_what_was_changed() {
        let form = crate::forms(None).unwrap().into_iter().find(|form| form.id == "key_right").unwrap();
        let sources = [source("a", "her2_lost"), source("b", "her2_lost"), source("a", "older"), source("c", "older")];
        let said = |key: &str| [("key".to_owned(), vec![key.to_owned()])].into();
        // Of the last item nothing is settled.
        let settled = Settled { items: [(0, said("right")), (1, said("wrong")), (2, said("right"))].into() };
        let told = tallies(&form, &settled, &sources);
        let right: Vec<_> = told.iter().map(|it| (it.role.as_deref(), it.answers[0].items, it.items)).collect();
        assert_eq!(right, [(None, 2, 3), (Some("her2_lost"), 1, 2), (Some("older"), 1, 1)]);
        assert!(told.iter().all(|it| it.question == "key" && it.answers[0].answer == "right"), "{told:?}");
        assert_eq!(told[0].answers[0].interval, None, "patient a is there twice");
        assert_eq!(told[1].answers[0].interval, wilson(1, 2));
    }

    #[test]
    fn one_role_is_told_once() {
        let form = crate::forms(None).unwrap().into_iter().find(|form| form.id == "key_right").unwrap();
        let settled = Settled { items: [(0, [("key".to_owned(), vec!["wrong".to_owned()])].into())].into() };
        assert_eq!(tallies(&form, &settled, &[source("a", "older")]).len(), 1);
    }
}
