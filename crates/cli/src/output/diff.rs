//! A family in the terminal: the control, then what each variant changes.

use similar::{ChangeTag, DiffTag, TextDiff};
use std::fmt::Write;
use waterjar_core::{Expectation, Suite, Variant};
use waterjar_suites::sensitivity::Record;
use waterjar_views::shifted;

pub fn family(suite: &dyn Suite, id: &str, variants: &[Variant]) -> String {
    let mut out = format!("{id}: {}\n", suite.title_of(variants));
    let Some(control) = variants.iter().find(|variant| variant.is_control()) else {
        return out;
    };
    let is_long = control.text.lines().count() > LONG;
    for variant in variants {
        let _ = writeln!(out, "\n== {} ({})", variant.role(), expected(suite, variant));
        if is_long {
            out.push_str(&if variant.is_control() { head(&control.text) } else { changed(control, variant) });
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

/// A text of more lines is a chart: only what changes in it is shown.
const LONG: usize = 60;
/// The first lines of a chart say whose it is.
const HEAD: usize = 2;

fn head(chart: &str) -> String {
    let shown: String = chart.lines().take(HEAD).map(|line| format!("  {}\n", line.trim_end())).collect();
    shown + &fold(chart.lines().count().saturating_sub(HEAD))
}

/// The sentences a variant changes, and how many lines lie between.
fn changed(control: &Variant, variant: &Variant) -> String {
    let (old, new) = (numbered(&control.text), numbered(&variant.text));
    let (before, after): (Vec<&str>, Vec<&str>) =
        (old.iter().map(|(_, text)| *text).collect(), new.iter().map(|(_, text)| *text).collect());
    let diff = TextDiff::from_slices(&before, &after);
    let last = control.text.lines().count();
    let mut out = String::new();
    let mut done = 0;
    for op in diff.ops().iter().filter(|op| op.tag() != DiffTag::Equal) {
        let range = op.old_range();
        let line_at = |at: usize| old.get(at).map_or(last, |(line, _)| *line);
        out.push_str(&fold(line_at(range.start).saturating_sub(done)));
        done = if range.is_empty() { line_at(range.start) } else { line_at(range.end - 1) + 1 };
        for change in diff.iter_changes(op) {
            let mark = if change.tag() == ChangeTag::Delete { '-' } else { '+' };
            let _ = writeln!(out, "{mark} {}", change.value().trim_start_matches([' ', '-']));
        }
    }
    out + &fold(last.saturating_sub(done))
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
        let why = left.why.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
        let _ = writeln!(out, "  line {} still says: {}{why}", left.line, left.said);
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
    numbered(text).into_iter().map(|(_, sentence)| sentence).collect()
}

/// Each sentence with the number of its line, from 0.
fn numbered(text: &str) -> Vec<(usize, &str)> {
    let marks = |line: &'_ str, mark: &str, length: usize| {
        line.match_indices(mark).map(|(at, _)| at + length).collect::<Vec<_>>()
    };
    let ends = |line: &'_ str| {
        let mut ends = [marks(line, ". ", 1), marks(line, "。", '。'.len_utf8()), vec![line.len()]].concat();
        ends.sort_unstable();
        ends
    };
    let split = |(number, line)| {
        let mut start = 0;
        ends(line).into_iter().map(move |end: usize| {
            let sentence: &str = &line[start..end];
            start = end;
            (number, sentence.trim())
        })
    };
    text.lines().enumerate().flat_map(split).filter(|(_, sentence)| !sentence.is_empty()).collect()
}

fn expected(suite: &dyn Suite, variant: &Variant) -> String {
    if let Some(given) = suite.expects(variant) {
        return given.to_owned();
    }
    match &variant.expectation {
        Expectation::Names { condition } => format!("right answer: {condition}"),
        Expectation::Flips { from, to } => format!("right answer flips from {from} to {to}"),
        Expectation::Holds { condition } => format!("right answer holds: {condition}"),
        Expectation::Recommends => "held against the board's consensus, where there is one".to_owned(),
        Expectation::Shifts(shift) => shifted(shift),
    }
}
