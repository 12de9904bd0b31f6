//! What raters say together: an adjudicated answer, else the majority's, else nothing.

use crate::{Form, Given, Kind, Question};
use std::collections::{BTreeMap, BTreeSet};
use waterjar_store::{Rating, RatingState};

/// Rates last, where others differ.
pub const ADJUDICATOR: &str = "adjudicator";

/// By item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settled {
    pub items: BTreeMap<u32, Given>,
}

/// An item on which raters differ and nobody has decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Disagreement {
    pub item: u32,
    /// The questions they differ in.
    pub questions: Vec<String>,
    /// Rater by rater.
    pub said: Vec<(String, Given)>,
}

pub(crate) fn rated<'a>(ratings: &'a [Rating]) -> impl Iterator<Item = &'a Rating> {
    ratings.iter().filter(|rating| rating.state == RatingState::Rated)
}

impl Settled {
    pub fn of(form: &Form, ratings: &[Rating]) -> Self {
        let mut by_item: BTreeMap<u32, Vec<&Rating>> = BTreeMap::new();
        for rating in rated(ratings) {
            by_item.entry(rating.item).or_default().push(rating);
        }
        let settle = |(item, ratings): (u32, Vec<&Rating>)| {
            let last = ratings.iter().find(|it| it.rater == ADJUDICATOR).map(|it| &it.body.answers);
            let of = |question: &Question| {
                let decided = last.and_then(|answers| answers.get(&question.id).cloned());
                let values = decided.or_else(|| majority(question, &ratings))?;
                Some((question.id.clone(), values))
            };
            (item, form.questions.iter().filter_map(of).collect())
        };
        Self { items: by_item.into_iter().map(settle).collect() }
    }

    /// The one value of a question on an item, where there is one.
    pub fn value(&self, item: u32, question: &str) -> Option<&str> {
        self.items.get(&item)?.get(question)?.first().map(String::as_str)
    }
}

/// More raters than any other; of a scale with a tie at the top, the middle one where there is one. Otherwise nothing is settled.
fn majority(question: &Question, ratings: &[&Rating]) -> Option<Vec<String>> {
    let answers: Vec<&Vec<String>> = ratings.iter().filter_map(|it| it.body.answers.get(&question.id)).collect();
    match question.kind {
        Kind::Words => None,
        Kind::Several => {
            let more_than_half =
                |value: &String| 2 * answers.iter().filter(|it| it.contains(value)).count() > answers.len();
            let values: Vec<String> = question.values().into_iter().filter(more_than_half).collect();
            (!answers.is_empty()).then_some(values)
        }
        _ => {
            let values = question.values();
            let votes = |value: &String| answers.iter().filter(|it| it.first() == Some(value)).count();
            let most = values.iter().map(votes).max().filter(|most| *most > 0)?;
            let top: Vec<&String> = values.iter().filter(|value| votes(value) == most).collect();
            match (top.as_slice(), question.kind) {
                ([only], _) => Some(vec![(*only).clone()]),
                ([_, middle, _], Kind::Scale) => Some(vec![(*middle).clone()]),
                _ => None,
            }
        }
    }
}

pub fn disagreements(form: &Form, ratings: &[Rating]) -> Vec<Disagreement> {
    let mut by_item: BTreeMap<u32, Vec<&Rating>> = BTreeMap::new();
    for rating in rated(ratings) {
        by_item.entry(rating.item).or_default().push(rating);
    }
    let open = |(item, ratings): (u32, Vec<&Rating>)| {
        if ratings.iter().any(|it| it.rater == ADJUDICATOR) {
            return None;
        }
        let asked = form.questions.iter().filter(|question| question.kind != Kind::Words);
        let differ = |question: &&Question| {
            let said = ratings.iter().filter_map(|it| it.body.answers.get(&question.id));
            said.collect::<BTreeSet<_>>().len() > 1
        };
        let questions: Vec<String> = asked.filter(differ).map(|question| question.id.clone()).collect();
        let said = ratings.iter().map(|it| (it.rater.clone(), it.body.answers.clone())).collect();
        (!questions.is_empty()).then_some(Disagreement { item, questions, said })
    };
    by_item.into_iter().filter_map(open).collect()
}
