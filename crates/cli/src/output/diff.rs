//! A family in the terminal: the control, then what each variant changes.

use similar::{ChangeTag, TextDiff};
use std::fmt::Write;
use waterjar_core::{Expectation, Variant};

pub fn family(id: &str, title: &str, variants: &[Variant]) -> String {
    let mut out = format!("{id}: {title}\n");
    let Some(control) = variants.iter().find(|variant| variant.is_control()) else {
        return out;
    };
    for variant in variants {
        let _ = writeln!(out, "\n== {} ({})", variant.role(), expected(&variant.expectation));
        if variant.is_control() {
            out.push_str(&variant.text);
            continue;
        }
        for change in TextDiff::from_lines(control.text.as_str(), variant.text.as_str()).iter_all_changes() {
            match change.tag() {
                ChangeTag::Delete => out.push_str("- "),
                ChangeTag::Insert => out.push_str("+ "),
                ChangeTag::Equal => continue,
            }
            out.push_str(change.value().trim_start_matches([' ', '-']));
        }
        for (key, place) in [("odds_before", "in the control"), ("odds_after", "here")] {
            if let Some(odds) = variant.record.get(key).and_then(serde_json::Value::as_f64) {
                let _ = writeln!(out, "  odds for the right answer {place}: {odds:.1} to 1");
            }
        }
    }
    out
}

fn expected(expectation: &Expectation) -> String {
    match expectation {
        Expectation::Names { condition } => format!("right answer: {condition}"),
        Expectation::Flips { from, to } => format!("right answer flips from {from} to {to}"),
        Expectation::Holds { condition } => format!("right answer holds: {condition}"),
    }
}
