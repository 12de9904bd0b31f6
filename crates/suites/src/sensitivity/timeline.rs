//! What the entries of a changed chart could not say on their day: what was not known yet, what had to be otherwise by then.

use super::mutate::Mutated;
use super::when::{ahead_of_time, entries};
use regex::Regex;
use std::collections::BTreeSet;
use std::sync::LazyLock;
use waterjar_charts::Date;

/// One dated entry of the chronology.
struct Told<'a> {
    day: Date,
    text: &'a str,
}

struct Words {
    pregnant: Regex,
    /// With the weeks in a group.
    weeks: Regex,
    /// Images that nobody makes in a pregnancy that is known, without a word.
    rays: Regex,
    ago: Regex,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let pattern = |text: &str| Regex::new(text).expect("a constant");
    Words {
        pregnant: pattern(
            r"(?i)\bis pregnant|weeks pregnant|\bpregnant,? \d|singleton pregnancy|hCG: positive|pregnancy is at",
        ),
        weeks: pattern(r"(?i)pregnan(?:t|cy),? (?:is )?(?:at )?(\d{1,2})\b|(\d{1,2}) weeks (?:pregnant|along)"),
        rays: pattern(r"^\S+ (?:\{\w+\} )?\[Imaging\] [^\n]*\b(?:CT|PET|scintigraphy)\b"),
        ago: pattern(
            r"(?i)\b(?:yesterday|last (?:week|month)|(?:a|one|two|three|four|five|six|\d+) (?:day|week|month)s? ago)\b",
        ),
    }
});

/// Longer than this, and the same words cannot be true twice.
const APART: i32 = 10;

pub(super) fn out_of_time(made: &Mutated) -> Vec<String> {
    // The same words are put in at many places.
    let words: BTreeSet<&str> = made.edits.iter().map(|edit| edit.inserted.as_str()).collect();
    let put_in = || words.iter().copied();
    let mut found = Vec::new();
    if let Some((at, day)) = ahead_of_time(&made.text, put_in()) {
        found.push(format!("the entry of {at} tells what happens on {day}"));
    }
    let carries = put_in().any(|words| WORDS.pregnant.is_match(words));
    let ago = put_in().find_map(|words| WORDS.ago.find(words)).map(|words| words.as_str());
    if !carries && ago.is_none() {
        return found;
    }
    let told = told(&made.text);
    if carries {
        found.extend(rays(&told));
        found.extend(stands_still(&told));
    }
    if let Some(words) = ago
        && let Some((first, last)) = ends(told.iter().filter(|it| it.text.contains(words)).map(|it| it.day))
    {
        found.push(format!("`{words}` is told on {first} and still on {last}"));
    }
    found
}

fn told(text: &str) -> Vec<Told<'_>> {
    let entries: Vec<(usize, &str)> = entries(text).collect();
    let ends = entries.iter().skip(1).map(|(at, _)| *at).chain([text.len()]);
    let dated = entries.iter().zip(ends).filter_map(|((at, day), end)| {
        Some(Told { day: day.parse().ok().filter(|_| day.len() == 10)?, text: &text[*at..end] })
    });
    dated.collect()
}

fn rays(told: &[Told<'_>]) -> Option<String> {
    let known = told.iter().find(|it| WORDS.pregnant.is_match(it.text))?.day;
    let made = told.iter().find(|it| it.day > known && WORDS.rays.is_match(it.text))?.day;
    Some(format!("a CT or PET of {made} without a word, with the pregnancy known on {known}"))
}

/// A pregnancy grows.
fn stands_still(told: &[Told<'_>]) -> Option<String> {
    let weeks = |it: &Told<'_>| {
        let found = WORDS.weeks.captures(it.text)?;
        found.get(1).or(found.get(2))?.as_str().parse::<u8>().ok()
    };
    let known: Vec<(u8, Date)> = told.iter().filter_map(|it| Some((weeks(it)?, it.day))).collect();
    (1..=42).find_map(|week| {
        let (first, last) = ends(known.iter().filter(|it| it.0 == week).map(|it| it.1))?;
        Some(format!("the pregnancy is at {week} weeks on {first} and still on {last}"))
    })
}

/// The first and the last day, where they are too far apart.
fn ends(days: impl Iterator<Item = Date>) -> Option<(Date, Date)> {
    let days: Vec<Date> = days.collect();
    let (first, last) = (*days.iter().min()?, *days.iter().max()?);
    (last.number() - first.number() > APART).then_some((first, last))
}
