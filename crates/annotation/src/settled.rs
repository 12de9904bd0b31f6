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

pub(crate) fn rated(ratings: &[Rating]) -> impl Iterator<Item = &Rating> {
    ratings.iter().filter(|rating| rating.state == RatingState::Rated)
}

fn by_item(ratings: &[Rating]) -> BTreeMap<u32, Vec<&Rating>> {
    let mut by_item: BTreeMap<u32, Vec<&Rating>> = BTreeMap::new();
    for rating in rated(ratings) {
        by_item.entry(rating.item).or_default().push(rating);
    }
    by_item
}

impl Settled {
    pub fn of(form: &Form, ratings: &[Rating]) -> Self {
        let settle = |(item, ratings): (u32, Vec<&Rating>)| {
            let last = ratings.iter().find(|it| it.rater == ADJUDICATOR).map(|it| &it.body.answers);
            let of = |question: &Question| {
                let decided = last.and_then(|answers| answers.get(&question.id).cloned());
                let values = decided.or_else(|| majority(question, &ratings))?;
                Some((question.id.clone(), values))
            };
            (item, form.questions.iter().filter_map(of).collect())
        };
        Self { items: by_item(ratings).into_iter().map(settle).collect() }
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
    by_item(ratings).into_iter().filter_map(open).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_store::RatingBody;

    fn form() -> Form {
        crate::forms(None).unwrap().into_iter().find(|form| form.id == "causal_sensitivity").unwrap()
    }

    fn rating(rater: &str, score: &str, state: RatingState) -> Rating {
        let answers = [("score", score), ("coherent", "yes")];
        let answers = answers.map(|(key, value)| (key.to_owned(), vec![value.to_owned()])).into();
        Rating { item: 0, rater: rater.to_owned(), state, body: RatingBody { answers, ..RatingBody::default() } }
    }

    #[test]
    fn the_majority_settles_and_who_decides_settles_for_good() {
        let settled = |ratings: &[Rating]| Settled::of(&form(), ratings).value(0, "score").map(str::to_owned);
        let (a, b) = (rating("a", "1", RatingState::Rated), rating("b", "0", RatingState::Rated));
        let middle = rating("c", "0.5", RatingState::Rated);
        assert_eq!(settled(&[a.clone(), b.clone()]), None, "one against one");
        assert_eq!(settled(&[a.clone(), b.clone(), rating("c", "1", RatingState::Rated)]).as_deref(), Some("1"));
        assert_eq!(settled(&[a.clone(), b.clone(), middle]).as_deref(), Some("0.5"), "the middle of a scale");
        assert_eq!(
            settled(&[a.clone(), rating("b", "0", RatingState::Draft)]).as_deref(),
            Some("1"),
            "drafts count nowhere"
        );
        let open = disagreements(&form(), &[a.clone(), b.clone()]);
        assert_eq!(open[0].questions, ["score"]);
        let last = rating(ADJUDICATOR, "0", RatingState::Rated);
        assert_eq!(settled(&[a.clone(), b.clone(), last.clone()]).as_deref(), Some("0"));
        assert!(disagreements(&form(), &[a, b, last]).is_empty());
    }

    #[test]
    fn every_form_of_ours_can_be_read_in_both_languages() {
        for form in crate::forms(None).unwrap() {
            let texts = [&form.title, &form.about].into_iter().chain(form.questions.iter().map(|it| &it.ask));
            for text in texts {
                assert_ne!(text.in_language("en"), text.in_language("zh"), "{}", form.id);
            }
        }
    }
}
