//! How far raters agree with one another, and the run's judge with them.

use crate::settled::{ADJUDICATOR, Settled, rated};
use crate::{Form, Judged, Kind, Question, Rule, Side, Source};
use std::collections::{BTreeMap, BTreeSet};
use waterjar_core::Seed;
use waterjar_scoring::stats::Bootstrap;
use waterjar_scoring::stats::agreement::{
    AgreementReport, RatingTable, ScaleKind, Weights, agreement_report_with_intervals, cohen,
};
use waterjar_store::Rating;

/// Of one question, or of one option where several may be chosen.
#[derive(Clone, Debug)]
pub struct Agreement {
    pub question: String,
    pub option: Option<String>,
    pub report: AgreementReport,
    pub pairs: Vec<Pairwise>,
}

#[derive(Clone, Debug)]
pub struct Pairwise {
    pub raters: (String, String),
    pub kappa: Option<f64>,
    /// Items both have rated.
    pub items: usize,
}

/// Without the adjudicator, who has seen what the others said. Nothing where fewer than two have rated.
pub fn agreements(form: &Form, ratings: &[Rating], seed: Seed) -> Vec<Agreement> {
    let ratings: Vec<&Rating> = rated(ratings).filter(|it| it.rater != ADJUDICATOR).collect();
    let raters: BTreeSet<&str> = ratings.iter().map(|it| it.rater.as_str()).collect();
    let raters: Vec<&str> = raters.into_iter().collect();
    let mut by_item: BTreeMap<u32, BTreeMap<&str, &Rating>> = BTreeMap::new();
    for rating in &ratings {
        by_item.entry(rating.item).or_default().insert(&rating.rater, rating);
    }
    let mut agreements = Vec::new();
    for question in form.questions.iter().filter(|question| question.kind != Kind::Words) {
        for option in options(question) {
            let cell = |rating: &Rating| said(question, option.as_deref(), rating);
            let row = |of: &BTreeMap<&str, &Rating>| -> Vec<Option<String>> {
                raters.iter().map(|rater| of.get(rater).and_then(|rating| cell(rating))).collect()
            };
            let rows: Vec<Vec<Option<String>>> = by_item.values().map(row).collect();
            let scale = if option.is_some() { vec!["yes".to_owned(), "no".to_owned()] } else { question.values() };
            // Too few raters to say anything.
            let Ok(table) = RatingTable::declared(&scale, &rows) else { continue };
            let kind = if question.kind == Kind::Scale { ScaleKind::Interval } else { ScaleKind::Nominal };
            agreements.push(Agreement {
                question: question.id.clone(),
                option,
                pairs: pairs(&table, &raters),
                report: agreement_report_with_intervals(&table, kind, &Bootstrap::new(seed)),
            });
        }
    }
    agreements
}

fn options(question: &Question) -> Vec<Option<String>> {
    match question.kind {
        Kind::Several => question.values().into_iter().map(Some).collect(),
        _ => vec![None],
    }
}

fn said(question: &Question, option: Option<&str>, rating: &Rating) -> Option<String> {
    let values = rating.body.answers.get(&question.id)?;
    match option {
        Some(option) => Some(if values.iter().any(|it| it == option) { "yes" } else { "no" }.to_owned()),
        None => values.first().cloned(),
    }
}

fn pairs(table: &RatingTable, raters: &[&str]) -> Vec<Pairwise> {
    let mut pairs = Vec::new();
    for (a, first) in raters.iter().enumerate() {
        for (b, second) in raters.iter().enumerate().skip(a + 1) {
            let pair = table.pair(a, b);
            let kappa = cohen(&pair, Weights::Identity);
            pairs.push(Pairwise {
                raters: ((*first).to_owned(), (*second).to_owned()),
                kappa,
                items: pair.shared_items(),
            });
        }
    }
    pairs
}

/// The run's judge against what raters say together, of one stratum of the sample or of all of it.
#[derive(Clone, Debug, PartialEq)]
pub struct AgainstJudge {
    pub question: String,
    pub stratum: Option<String>,
    pub items: usize,
    pub same: usize,
    pub kappa: Option<f64>,
}

pub fn against_judge(form: &Form, settled: &Settled, sources: &[Source]) -> Vec<AgainstJudge> {
    let mut told = Vec::new();
    for rule in &form.verdicts {
        // A judge whose scores are none of the form's is compared by outcome.
        let scores = sources.iter().filter_map(|source| rule.judged(source));
        let graded = !rule.score.is_empty()
            && scores.clone().next().is_some()
            && scores.into_iter().all(|judged| rule.offers(judged));
        let mut strata: BTreeMap<Option<&str>, Vec<Vec<Option<String>>>> = BTreeMap::new();
        for (item, source) in sources.iter().enumerate() {
            let people = settled.value(item as u32, &rule.question).map(|value| rule.said(value, graded));
            let judge = rule.judged(source).map(|judged| rule.told(judged, graded));
            let (Some(people), Some(judge)) = (people, judge) else { continue };
            let of_stratum = Some(source.stratum.as_str()).filter(|it| !it.is_empty());
            for stratum in std::iter::once(None).chain(of_stratum.map(Some)) {
                strata.entry(stratum).or_default().push(vec![Some(people.clone()), Some(judge.clone())]);
            }
        }
        told.extend(strata.into_iter().map(|(stratum, rows)| AgainstJudge {
            question: rule.question.clone(),
            stratum: stratum.map(str::to_owned),
            items: rows.len(),
            same: rows.iter().filter(|row| row[0] == row[1]).count(),
            kappa: RatingTable::observed(&rows).ok().and_then(|table| cohen(&table, Weights::Identity)),
        }));
    }
    told
}

impl Rule {
    fn judged<'a>(&self, source: &'a Source) -> Option<&'a Judged> {
        match self.of {
            Side::Control => source.control.as_ref(),
            Side::Variant => source.judged.as_ref(),
        }
    }

    /// In the words in which the two are compared: a score where there are scores, a mode where there are modes, else an outcome.
    fn said(&self, value: &str, graded: bool) -> String {
        if let Some(score) = self.score.get(value).filter(|_| graded) {
            return format!("{score:.2}");
        }
        match (self.mode.get(value), self.outcome.get(value)) {
            (Some(mode), _) => mode.as_str().to_owned(),
            (None, Some(outcome)) => outcome.as_str().to_owned(),
            (None, None) => value.to_owned(),
        }
    }

    fn told(&self, judged: &Judged, graded: bool) -> String {
        match (judged.score, judged.mode) {
            (Some(score), _) if graded => format!("{score:.2}"),
            (_, Some(mode)) if !self.mode.is_empty() => mode.as_str().to_owned(),
            _ => judged.outcome.as_str().to_owned(),
        }
    }

    fn offers(&self, judged: &Judged) -> bool {
        judged.score.is_some_and(|score| self.score.values().any(|it| (it - score).abs() < 1e-9))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::Outcome;

    fn source(outcome: Outcome, score: Option<f64>) -> Source {
        Source {
            family: "f".into(),
            position: 1,
            variant: "f/trap".into(),
            role: "trap".to_owned(),
            subjects: Vec::new(),
            repeat: 0,
            stratum: String::new(),
            weight: 1.0,
            control: None,
            judged: Some(Judged { outcome, score, mode: None }),
        }
    }

    #[test]
    fn a_judge_is_compared_by_scores_of_the_form_or_else_by_outcome() {
        let form = crate::forms(None).unwrap().into_iter().find(|form| form.id == "causal_sensitivity").unwrap();
        let said = |score: &str| [("score".to_owned(), vec![score.to_owned()])].into();
        let settled = Settled { items: [(0, said("1")), (1, said("0"))].into() };
        let same = |first, second| {
            let told =
                against_judge(&form, &settled, &[source(Outcome::Right, first), source(Outcome::Trapped, second)]);
            (told[0].items, told[0].same)
        };
        assert_eq!(same(Some(1.0), Some(0.5)), (2, 1), "by score");
        assert_eq!(same(None, None), (2, 2), "a judge without scores");
        assert_eq!(same(Some(0.87), Some(0.12)), (2, 2), "a judge with scores of another kind");
    }
}
