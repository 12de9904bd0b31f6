//! Notes as the scrubber leaves them.

use waterjar_charts::{Chart, Entry, ScrubOptions, Section, scrub};
use waterjar_core::Seed;

/// `who` are the demographics of their chart.
pub fn scrubbed(who: &str, notes: &[&str]) -> Vec<String> {
    let mut chart = Chart::new("p1");
    if !who.is_empty() {
        chart.blocks.insert(Section::Demographics, who.to_owned());
    }
    chart.entries = notes.iter().map(|text| Entry::new(None, "Note", *text)).collect();
    let after = scrub(&chart, &ScrubOptions::new(Seed(7))).chart;
    after.entries.into_iter().map(|entry| entry.text).collect()
}

pub fn check(notes: &[&str], expected: &[&str]) {
    assert_eq!(scrubbed("", notes), expected);
}

/// Each is a chart of one note.
pub fn each(table: &[(&str, &str)]) {
    let wrong: Vec<_> = table
        .iter()
        .map(|(text, expected)| (scrubbed("", &[text]).remove(0), expected))
        .filter(|(after, expected)| after != *expected)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

pub fn stay(texts: &[&str]) {
    let table: Vec<_> = texts.iter().map(|text| (*text, *text)).collect();
    each(&table);
}
