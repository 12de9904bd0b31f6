//! tree → what must be different in the recommendations.

use super::fields::{Complaints, Fields, short};
use super::yaml::{Node, Value};
use crate::sensitivity::names::to_be_absent;
use crate::sensitivity::treatments::Named;
use waterjar_core::{Shift, Timing, TimingShift};

pub(super) fn shift(node: &Node, complaints: &mut Complaints) -> Option<Shift> {
    let Some(mut fields) = Fields::of(node) else {
        complaints.add(
            node.line,
            "`expected_change` is a map: must_drop, must_add, timing_must_shift, rationale_must_mention",
        );
        return None;
    };
    let must_drop = fields.take(&["must_drop"]);
    let must_drop = complaints.words(must_drop);
    let must_add = fields.take(&["must_add"]);
    let must_add = complaints.words(must_add);
    let timing =
        fields.take(&["timing_must_shift", "timing"]).map(|node| timings(node, complaints)).unwrap_or_default();
    let rationale = fields.take(&["rationale_must_mention", "rationale"]);
    let rationale = complaints.words(rationale);
    fields.finish(complaints, "`expected_change`");
    if must_drop.is_empty() && must_add.is_empty() && timing.is_empty() && rationale.is_empty() {
        complaints.add(node.line, "`expected_change` expects nothing");
    }
    for (asked, gone) in contradictions(&must_drop, &must_add) {
        complaints.add(node.line, format!("`{}` may come and holds `{}`, which must go", short(asked), short(gone)));
    }
    Some(Shift { must_drop, must_add, timing, rationale })
}

/// What is asked for and what of it must not be there: nobody can do both.
fn contradictions<'a>(must_drop: &'a [String], must_add: &'a [String]) -> Vec<(&'a str, &'a str)> {
    let one_by_one = |items: &'a [String]| items.iter().flat_map(|it| it.split('|')).map(str::trim);
    let gone: Vec<&str> = one_by_one(must_drop).filter(|it| !it.is_empty()).collect();
    let mut found = Vec::new();
    for asked in one_by_one(must_add).filter(|it| !it.is_empty() && to_be_absent(it).is_none()) {
        let named = Named::in_text(asked);
        found.extend(gone.iter().filter(|gone| named.is(gone)).map(|gone| (asked, *gone)));
    }
    found
}

fn timings(node: &Node, complaints: &mut Complaints) -> Vec<TimingShift> {
    match &node.value {
        Value::List(list) => list.iter().flat_map(|node| timings(node, complaints)).collect(),
        Value::Text(text) => timing_words(node.line, text, complaints).into_iter().collect(),
        _ => timing_map(node, complaints).into_iter().collect(),
    }
}

/// `adjuvant -> primary`
fn timing_words(line: u64, text: &str, complaints: &mut Complaints) -> Option<TimingShift> {
    if ["false", "no", ""].contains(&text.trim().to_lowercase().as_str()) {
        return None;
    }
    let parts = ["->", "→", " to "].into_iter().find_map(|arrow| text.split_once(arrow));
    let Some((from, to)) = parts else {
        complaints.add(line, format!("`{text}` is no shift of timing: write `adjuvant -> primary`"));
        return None;
    };
    let from = timing(line, from.trim().trim_start_matches("from "), complaints)?;
    Some(TimingShift { treatment: None, from: Some(from), to: timing(line, to, complaints)? })
}

fn timing_map(node: &Node, complaints: &mut Complaints) -> Option<TimingShift> {
    let mut fields = Fields::of(node)?;
    let line = fields.line;
    let treatment = fields.text(complaints, &["treatment"]);
    let from = fields.text(complaints, &["from"]);
    let to = fields.text(complaints, &["to"]);
    fields.finish(complaints, "`timing_must_shift`");
    let from = from.and_then(|text| timing(line, &text, complaints));
    let Some(to) = to else {
        complaints.add(line, "`timing_must_shift` has no `to`");
        return None;
    };
    Some(TimingShift { treatment, from, to: timing(line, &to, complaints)? })
}

/// Ours and other words for them.
fn timing(line: u64, text: &str, complaints: &mut Complaints) -> Option<Timing> {
    let told = text.trim().to_lowercase();
    let known = match told.as_str() {
        "primary" | "upfront" | "definitive" | "curative" => Some(Timing::Definitive),
        "palliative" | "first-line" | "first_line" | "metastatic" => Some(Timing::Systemic),
        "preoperative" | "perioperative" | "induction" => Some(Timing::Neoadjuvant),
        "postoperative" => Some(Timing::Adjuvant),
        other => Timing::ALL.into_iter().find(|timing| timing.name() == other),
    };
    if known.is_none() {
        let names: Vec<&str> = Timing::ALL.iter().map(|timing| timing.name()).collect();
        complaints.add(line, format!("no timing is called `{told}`; there are: {}", names.join(", ")));
    }
    known
}
