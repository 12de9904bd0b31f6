//! The nouns of the pipeline as rows: a column for what people filter by, JSON for the rest.

use super::column::{Cell, Column, Kind};
use crate::Question;
use waterjar_core::{Ending, Expectation, FamilyId, FamilyVerdict, Response, Ruling, SuiteId, Variant};

pub const BENCHMARK: &[Column] = &[
    Column::of("suite", Kind::Text),
    Column::of("family", Kind::Text),
    Column::of("variant", Kind::Text),
    Column::of("case", Kind::Text),
    Column::of("role", Kind::Text),
    Column::of("is_control", Kind::Flag),
    Column::of("task", Kind::Text),
    Column::of("text", Kind::Text),
    Column::of("form", Kind::Text),
    Column::of("question", Kind::Text),
    Column::of("expectation", Kind::Text),
    Column::maybe("expected", Kind::Text),
    Column::maybe("expected_condition", Kind::Text),
    Column::maybe("expected_not", Kind::Text),
    Column::of("expectation_json", Kind::Json),
    Column::maybe("intervention", Kind::Json),
    Column::maybe("facts", Kind::Json),
    Column::of("strata", Kind::Json),
    Column::maybe("record", Kind::Json),
];

pub const RESPONSES: &[Column] = &[
    Column::of("suite", Kind::Text),
    Column::of("family", Kind::Text),
    Column::of("variant", Kind::Text),
    Column::of("role", Kind::Text),
    Column::of("subject", Kind::Text),
    Column::of("repeat", Kind::Whole),
    Column::of("state", Kind::Text),
    Column::maybe("answer", Kind::Text),
    Column::maybe("reasoning", Kind::Text),
    Column::maybe("failure", Kind::Text),
    Column::maybe("record", Kind::Json),
];

pub const VERDICTS: &[Column] = &[
    Column::of("suite", Kind::Text),
    Column::of("family", Kind::Text),
    Column::of("variant", Kind::Text),
    Column::of("role", Kind::Text),
    Column::of("subject", Kind::Text),
    Column::of("repeat", Kind::Whole),
    Column::of("judge", Kind::Text),
    Column::of("outcome", Kind::Text),
    Column::maybe("score", Kind::Number),
    Column::maybe("named", Kind::Text),
    Column::of("listed", Kind::Whole),
    Column::of("reason", Kind::Text),
    Column::maybe("failure_mode", Kind::Text),
    Column::of("ranking", Kind::Json),
    Column::of("parts", Kind::Json),
    Column::maybe("audit", Kind::Json),
    Column::of("strata", Kind::Json),
];

pub(super) fn variant<'a>(suite: &'a SuiteId, variant: &'a Variant, question: &'a Question) -> Vec<Cell<'a>> {
    let expectation = &variant.expectation;
    let (kind, not) = match expectation {
        Expectation::Names { .. } => ("names", None),
        Expectation::Flips { from, .. } => ("flips", Some(from.as_str())),
        Expectation::Holds { .. } => ("holds", None),
        Expectation::Recommends => ("recommends", None),
        Expectation::Shifts(_) => ("shifts", None),
    };
    let condition = expectation.condition().filter(|_| question.beside.is_none());
    vec![
        Cell::text(suite.as_str()),
        Cell::text(variant.family.as_str()),
        Cell::text(variant.id.as_str()),
        Cell::text(variant.case.as_str()),
        Cell::text(variant.role()),
        Cell::Flag(variant.is_control()),
        Cell::text(&question.prompt.task),
        Cell::text(&question.prompt.text),
        Cell::Text(form(question).into()),
        Cell::text(&question.hash),
        Cell::text(kind),
        Cell::maybe(question.in_words()),
        Cell::maybe(condition.map(|it| it.as_str())),
        Cell::maybe(not),
        Cell::json(&*question.expectation(variant)),
        Cell::maybe_json(variant.intervention.as_ref()),
        Cell::maybe_json(variant.facts.as_ref()),
        Cell::json(&variant.strata),
        Cell::maybe_json((!variant.record.is_null()).then_some(&variant.record)),
    ]
}

fn form(question: &Question) -> String {
    match serde_json::to_value(question.prompt.form) {
        Ok(serde_json::Value::String(form)) => form,
        _ => String::new(),
    }
}

pub(super) fn response<'a>(
    suite: &'a SuiteId,
    family: &'a FamilyId,
    role: &'a str,
    response: &'a Response,
) -> Vec<Cell<'a>> {
    let (state, failure) = match &response.ending {
        Ending::Ok(_) => ("ok", None),
        Ending::Failed(failure) => (failure.state.as_str(), Some(failure.detail.as_str())),
    };
    let said = response.conclusion();
    vec![
        Cell::text(suite.as_str()),
        Cell::text(family.as_str()),
        Cell::text(response.variant.as_str()),
        Cell::text(role),
        Cell::text(response.subject.as_str()),
        Cell::Whole(response.repeat),
        Cell::text(state),
        Cell::maybe(said.map(|it| it.text.as_str())),
        Cell::maybe(said.and_then(|it| it.reasoning.as_deref())),
        Cell::maybe(failure),
        Cell::maybe_json(said.and_then(|it| it.record.as_ref())),
    ]
}

/// A family's verdict is as many rows as it has rulings.
pub(super) fn ruling<'a>(suite: &'a SuiteId, verdict: &'a FamilyVerdict, ruling: &'a Ruling) -> Vec<Cell<'a>> {
    let strata = if ruling.strata.is_empty() { &verdict.strata } else { &ruling.strata };
    vec![
        Cell::text(suite.as_str()),
        Cell::text(verdict.family.as_str()),
        Cell::text(ruling.variant.as_str()),
        Cell::text(&ruling.role),
        Cell::text(verdict.subject.as_str()),
        Cell::Whole(verdict.repeat),
        Cell::text(verdict.judge.as_str()),
        Cell::text(ruling.outcome.as_str()),
        Cell::maybe_number(ruling.score),
        Cell::maybe(ruling.named.as_ref().map(|it| it.as_str())),
        Cell::Whole(ruling.listed),
        Cell::text(&ruling.reason),
        Cell::maybe(ruling.audit.as_ref().map(|it| it.mode.as_str())),
        Cell::json(&ruling.ranking),
        Cell::json(&ruling.parts),
        Cell::maybe_json(ruling.audit.as_ref()),
        Cell::json(strata),
    ]
}
