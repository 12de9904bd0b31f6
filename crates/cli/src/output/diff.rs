//! A family in the terminal: the control, then what each variant changes.

use similar::{ChangeTag, TextDiff};
use std::fmt::Write;
use waterjar_core::{Expectation, Shift, Variant};

pub fn family(id: &str, title: &str, variants: &[Variant]) -> String {
    let mut out = format!("{id}: {title}\n");
    let Some(control) = variants.iter().find(|variant| variant.is_control()) else {
        return out;
    };
    for variant in variants {
        let _ = writeln!(out, "\n== {} ({})", variant.role(), expected(&variant.expectation));
        if variant.is_control() {
            let _ = writeln!(out, "{}", variant.text.trim_end());
            continue;
        }
        for change in TextDiff::from_slices(&sentences(&control.text), &sentences(&variant.text)).iter_all_changes() {
            let mark = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => continue,
            };
            let _ = writeln!(out, "{mark} {}", change.value().trim_start_matches([' ', '-']));
        }
        for (key, place) in [("odds_before", "in the control"), ("odds_after", "here")] {
            if let Some(odds) = variant.record.get(key).and_then(serde_json::Value::as_f64) {
                let _ = writeln!(out, "  odds for the right answer {place}: {odds:.1} to 1");
            }
        }
    }
    out
}

/// Lines, and the sentences in them: a story is one long line.
fn sentences(text: &str) -> Vec<&str> {
    let ends = |line: &'_ str| line.match_indices(". ").map(|(at, _)| at + 1).chain([line.len()]).collect::<Vec<_>>();
    let split = |line| {
        let mut start = 0;
        ends(line).into_iter().map(move |end: usize| {
            let sentence: &str = &line[start..end];
            start = end;
            sentence.trim()
        })
    };
    text.lines().flat_map(split).filter(|sentence| !sentence.is_empty()).collect()
}

/// `must drop osimertinib; must add pembrolizumab`
pub fn shifted(shift: &Shift) -> String {
    let mut parts = Vec::new();
    if !shift.must_drop.is_empty() {
        parts.push(format!("must drop {}", shift.must_drop.join(", ")));
    }
    if !shift.must_add.is_empty() {
        parts.push(format!("must add {}", shift.must_add.join(", ").replace(" | ", " or ")));
    }
    for it in &shift.timing {
        let what = it.treatment.as_deref().unwrap_or("the treatment");
        let from = it.from.map(|from| format!(" from {from}")).unwrap_or_default();
        parts.push(format!("timing of {what} must shift{from} to {}", it.to));
    }
    if !shift.rationale.is_empty() {
        parts.push(format!("the rationale must mention {}", shift.rationale.join(", ")));
    }
    parts.join("; ")
}

fn expected(expectation: &Expectation) -> String {
    match expectation {
        Expectation::Names { condition } => format!("right answer: {condition}"),
        Expectation::Flips { from, to } => format!("right answer flips from {from} to {to}"),
        Expectation::Holds { condition } => format!("right answer holds: {condition}"),
        Expectation::Recommends => "held against the board's consensus".to_owned(),
        Expectation::Shifts(shift) => shifted(shift),
    }
}
