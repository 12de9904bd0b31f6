//! Two texts and two labels → control and trap.

use super::fields::Told;
use crate::einstellung::author::sentences;
use serde::Serialize;
use serde_json::{Map, Value};
use similar::{DiffOp, capture_diff_slices};
use std::collections::BTreeMap;
use waterjar_core::{Case, CaseId, ConditionId, Edit, Expectation, FamilyId, Intervention, Loss, Variant, VariantId};

/// The case with the variants that are there. What is missing or makes no pair is for `sound` to say.
pub(super) fn case(source: &str, id: &str, control: Option<&Told>, trap: Option<&Told>) -> Case {
    let id = CaseId::new(id);
    let named = |told: &Told| ConditionId::new(told.label.as_str());
    let mut made = Vec::new();
    if let Some(control) = control {
        let mut told = variant(&id, control, None, Expectation::Names { condition: named(control) });
        if trap.is_none() {
            told.strata.insert("condition".to_owned(), control.label.clone());
        }
        made.push(told);
    }
    if let Some(trap) = trap {
        let before = control.map_or("", |control| control.text.as_str());
        let change = Intervention { name: "trap".to_owned(), edits: edits(before, &trap.text) };
        let from = control.map_or_else(|| ConditionId::new(""), named);
        let expectation = Expectation::Flips { from: from.clone(), to: named(trap) };
        let mut variant = variant(&id, trap, Some(change), expectation);
        variant.strata = BTreeMap::from([
            ("condition".to_owned(), from.to_string()),
            ("pair".to_owned(), format!("{from} > {}", trap.label)),
        ]);
        made.push(variant);
    }
    let text = made.first().map_or_else(String::new, |first| first.text.clone());
    Case { id, source: source.to_owned(), text, facts: None, made }
}

/// A pair on one line, in the names `waterjar score` knows too.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairRow {
    pub id: String,
    /// What is right for the control, and for the trap.
    pub gt: String,
    pub bias: String,
    pub control: String,
    pub trap: String,
    /// Fields of the published rows that are none of these.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub more: Map<String, Value>,
}

impl PairRow {
    /// Of a case that is `sound`.
    pub fn of(case: &Case) -> Self {
        let of = |role: &str| case.made.iter().find(|variant| variant.role() == role);
        let text = |role| of(role).map(|it| it.text.clone()).unwrap_or_default();
        let right = |role| {
            of(role)
                .map(|it| it.expectation.condition().expect("this suite is about conditions").to_string())
                .unwrap_or_default()
        };
        let more = ["control", "trap"]
            .into_iter()
            .filter_map(|role| Some((role.to_owned(), of(role)?.record.get("published")?.clone())));
        Self {
            id: case.id.to_string(),
            gt: right("control"),
            bias: right("trap"),
            control: text("control"),
            trap: text("trap"),
            more: more.collect(),
        }
    }
}

/// Whether the case is a pair at all, and the condition it is balanced by.
pub fn sound(case: &Case) -> Result<String, Loss> {
    let role = |role: &str| case.made.iter().find(|variant| variant.role() == role);
    let control = role("control").ok_or_else(|| Loss::new("no_control"))?;
    let trap = role("trap").ok_or_else(|| Loss::new("no_trap"))?;
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    if words(&control.text) == words(&trap.text) {
        return Err(Loss::new("trap_says_the_same"));
    }
    if control.expectation.condition().expect("this suite is about conditions")
        == trap.expectation.condition().expect("this suite is about conditions")
    {
        return Err(Loss::new("labels_are_the_same"));
    }
    Ok(control.expectation.condition().expect("this suite is about conditions").to_string())
}

/// The condition a case without a trap is balanced by.
pub fn sound_alone(case: &Case) -> Result<String, Loss> {
    let control = case.made.iter().find(|variant| variant.role() == "control");
    let control = control.ok_or_else(|| Loss::new("no_control"))?;
    Ok(control.expectation.condition().expect("this suite is about conditions").to_string())
}

fn variant(case: &CaseId, told: &Told, intervention: Option<Intervention>, expectation: Expectation) -> Variant {
    let role = if intervention.is_some() { "trap" } else { "control" };
    let record = match told.more.is_empty() {
        true => Value::Null,
        false => serde_json::json!({ "published": told.more }),
    };
    Variant {
        id: VariantId::new(format!("{case}/{role}")),
        family: FamilyId::new(case.as_str()),
        case: case.clone(),
        text: told.text.clone(),
        facts: None,
        intervention,
        expectation,
        strata: BTreeMap::new(),
        record,
    }
}

/// Sentences exchanged, taken out and put in.
fn edits(before: &str, after: &str) -> Vec<Edit> {
    let (old, new) = (sentences(before), sentences(after));
    // A last sentence is the same whether or not a space follows it.
    let bare = |sentences: &[&str]| sentences.iter().map(|it| it.trim().to_owned()).collect::<Vec<_>>();
    let (old_bare, new_bare) = (bare(&old), bare(&new));
    let told = |sentences: &[String], range: std::ops::Range<usize>| sentences[range].join(" ");
    let operations = capture_diff_slices(similar::Algorithm::Myers, &old_bare, &new_bare);
    let changed = operations.iter().filter(|operation| !matches!(operation, DiffOp::Equal { .. }));
    changed
        .map(|operation| Edit {
            removed: told(&old_bare, operation.old_range()),
            inserted: told(&new_bare, operation.new_range()),
        })
        .collect()
}
