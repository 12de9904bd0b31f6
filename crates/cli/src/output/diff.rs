//! A family in the terminal: the control, then what each variant changes.

use similar::{ChangeTag, DiffTag, TextDiff};
use std::fmt::Write;
use waterjar_core::{Expectation, Shift, Variant};
use waterjar_suites::sensitivity::Record;

pub fn family(id: &str, title: &str, variants: &[Variant]) -> String {
    let mut out = format!("{id}: {title}\n");
    let Some(control) = variants.iter().find(|variant| variant.is_control()) else {
        return out;
    };
    let is_long = control.text.lines().count() > LONG;
    for variant in variants {
        let _ = writeln!(out, "\n== {} ({})", variant.role(), expected(&variant.expectation));
        if is_long {
            out.push_str(&if variant.is_control() { touched(control, variants) } else { changed(control, variant) });
            out.push_str(&audited(variant));
            continue;
        }
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

/// A text of more lines is a chart: only what changes in it is shown, and a little around that.
const LONG: usize = 60;
const AROUND: usize = 1;

/// The lines of the control that some variant changes, and how many lie between.
fn touched(control: &Variant, variants: &[Variant]) -> String {
    let lines: Vec<&str> = control.text.lines().collect();
    // The first lines say whose chart it is.
    let mut shown: Vec<bool> = (0..lines.len()).map(|at| at < 2).collect();
    for variant in variants.iter().filter(|variant| !variant.is_control()) {
        let others: Vec<&str> = variant.text.lines().collect();
        for op in TextDiff::from_slices(&lines, &others).ops().iter().filter(|op| op.tag() != DiffTag::Equal) {
            let old = op.old_range();
            let end = (old.end + AROUND).min(lines.len());
            shown[old.start.saturating_sub(AROUND).min(end)..end].fill(true);
        }
    }
    let mut out = String::new();
    let mut folded = 0;
    for (line, shown) in lines.into_iter().zip(shown) {
        if !shown {
            folded += 1;
            continue;
        }
        out.push_str(&fold(std::mem::take(&mut folded)));
        let _ = writeln!(out, "  {}", line.trim_end());
    }
    out + &fold(folded)
}

/// The lines a variant changes with a little around them, and how many lie between.
fn changed(control: &Variant, variant: &Variant) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (control.text.lines().collect(), variant.text.lines().collect());
    let diff = TextDiff::from_slices(&old, &new);
    let mut out = String::new();
    let mut done = 0;
    for group in diff.grouped_ops(AROUND) {
        let start = group.first().map_or(done, |op| op.old_range().start);
        out.push_str(&fold(start - done));
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let mark = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            let _ = writeln!(out, "{mark} {}", change.value().trim_end());
        }
        done = group.last().map_or(done, |op| op.old_range().end);
    }
    out + &fold(old.len() - done)
}

/// `… 240 lines …`
fn fold(lines: usize) -> String {
    match lines {
        0 => String::new(),
        1 => "  … 1 line …\n".to_owned(),
        lines => format!("  … {lines} lines …\n"),
    }
}

/// What the audit of a changed chart found.
fn audited(variant: &Variant) -> String {
    let Ok(record) = serde_json::from_value::<Record>(variant.record.clone()) else { return String::new() };
    let audit = record.audit;
    let places = if audit.edited == 1 { "1 place".to_owned() } else { format!("{} places", audit.edited) };
    let mut out = format!("audit: changed in {places}{}\n", if audit.is_clean() { ", clean" } else { "" });
    for left in &audit.residue {
        let _ = writeln!(out, "  line {} still says: {}", left.line, left.said);
    }
    for why in &audit.incoherent {
        let _ = writeln!(out, "  not believable: {why}");
    }
    if let Some(failed) = audit.reader.and_then(|it| it.failed) {
        let _ = writeln!(out, "  nobody could read it: {failed}");
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
