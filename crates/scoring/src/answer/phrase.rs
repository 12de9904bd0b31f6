//! The words after "diagnosis:" → the conditions they name, or that they name none.

use super::denied::{denied, instead, is_chosen, stated};
use super::item::Item;
use super::labels::Labels;
use super::words::{begins, plain};
use crate::refusal;
use waterjar_core::ConditionId;

/// More words than this are prose, not the name of a condition.
pub(super) const LONGEST_NAME: usize = 8;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Phrase {
    /// Nothing that could be a diagnosis.
    Nothing,
    /// In so many words: none of the conditions.
    NoneOfThem,
    /// One diagnosis, or several that are left open.
    Names(Vec<Name>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Name {
    pub words: String,
    /// Where it is a known one.
    pub condition: Option<ConditionId>,
    pub confidence: Option<f64>,
}

/// What follows a name without being part of it.
const TAILS: [&str; 36] = [
    " – ",
    " — ",
    " - ",
    ": ",
    "; ",
    ", ",
    " because ",
    " given ",
    " due to ",
    " based on ",
    " secondary to ",
    " with ",
    " without ",
    " during ",
    " in ",
    " on ",
    " caused by ",
    " related to ",
    " associated with ",
    " which ",
    " that ",
    " as ",
    " likely ",
    " possibly ",
    " from ",
    " rather than ",
    " after ",
    " following ",
    " requiring ",
    " though ",
    " until ",
    " over ",
    " of the left ",
    " of the right ",
    " triggered by ",
    " precipitated by ",
];

/// Those that tell the cause.
const CAUSES: [&str; 11] = [
    " because ",
    " given ",
    " due to ",
    " based on ",
    " secondary to ",
    " caused by ",
    " related to ",
    " associated with ",
    " from ",
    " triggered by ",
    " precipitated by ",
];

/// How an answer says that it is none of those asked about.
const NONE: [&str; 12] = [
    "none",
    "neither",
    "not any",
    "not among",
    "not listed",
    "not included",
    "not one of",
    "not provided",
    "not in the",
    "not related to any",
    "no known condition",
    "not present in",
];

impl Phrase {
    pub fn read(labels: &Labels, text: &str) -> Self {
        let text = plain(text);
        let sentence = before_others(stated(&text).first().copied().unwrap_or_default()).to_owned();
        for whole in [&text, &sentence] {
            if let Some(condition) = labels.find(whole) {
                return Self::Names(vec![Name {
                    words: whole.clone(),
                    condition: Some(condition.clone()),
                    confidence: None,
                }]);
            }
        }
        for rest in [instead(&sentence), after_an_opening(&text), ranked_first(&sentence)].into_iter().flatten() {
            let phrase = Self::read(labels, rest);
            if phrase.knows_any() {
                return phrase;
            }
        }
        let lower = sentence.to_lowercase();
        if refusal::says_nothing(&sentence) {
            return Self::Nothing;
        }
        if starts(&lower, &NONE) {
            return Self::NoneOfThem;
        }
        if refusal::abstains(&lower) {
            return Self::Nothing;
        }
        let likeliest = likeliest(&sentence);
        let sentence = likeliest.unwrap_or(&sentence);
        let Some(Item { words, confidence }) = Item::read(sentence) else { return Self::Nothing };
        let parts = left_over(alternatives(labels, &words));
        let mut names: Vec<Name> = Vec::new();
        for part in &parts {
            let condition = single(labels, part).or_else(|| narrower(labels, part)).cloned();
            let words = if condition.is_some() { part } else { unknown_name(labels, part) };
            if condition.is_none() && !(1..=LONGEST_NAME).contains(&words.split_whitespace().count()) {
                // Prose, not the name of a condition; and one of two alternatives alone is not what was said.
                return Self::Nothing;
            }
            if condition.is_none() || names.iter().all(|known| known.condition != condition) {
                names.push(Name { words: words.trim().to_owned(), condition, confidence });
            }
        }
        // Stroke, likely a cerebellar stroke, is a cerebellar stroke.
        let said: Vec<ConditionId> = names.iter().filter_map(|name| name.condition.clone()).collect();
        let is_wider = |wide: &ConditionId| said.iter().any(|it| labels.covers(wide, it));
        names.retain(|name| !name.condition.as_ref().is_some_and(is_wider));
        if names.is_empty() { Self::Nothing } else { Self::Names(names) }
    }

    pub fn is_nothing(&self) -> bool {
        *self == Self::Nothing
    }

    /// The condition, where it is one alone and a known one.
    pub fn one(&self) -> Option<&ConditionId> {
        match self {
            Self::Names(names) if names.len() == 1 => names[0].condition.as_ref(),
            _ => None,
        }
    }

    pub fn knows_any(&self) -> bool {
        matches!(self, Self::Names(names) if names.iter().any(|name| name.condition.is_some()))
    }
}

/// In bytes: what stands before or after these is no longer.
const LONGEST_OPENED: usize = 200;

/// `B) gout`, `a diagnosis of gout`
fn after_an_opening(sentence: &str) -> Option<&str> {
    const OPENINGS: [&str; 36] = [
        "a diagnosis of ",
        "the diagnosis of ",
        "diagnosis of ",
        "a case of ",
        "the option ",
        "option ",
        "that of ",
        "indeed ",
        "clearly ",
        "thus ",
        "therefore ",
        "still ",
        "again ",
        "definitely ",
        "certainly ",
        "simply ",
        "maybe ",
        "perhaps ",
        "prob ",
        "could be ",
        "might be ",
        "may be ",
        "it may be ",
        "it might be ",
        "it could be ",
        "this could be ",
        "this may be ",
        "classic ",
        "textbook ",
        "the patient has ",
        "this patient has ",
        "that this patient has ",
        "that the patient has ",
        "recurrent ",
        "in order of likelihood: ",
        "more likely ",
    ];
    if sentence.len() > LONGEST_OPENED {
        return None;
    }
    let opening = |it: &&&str| sentence.get(..it.len()).is_some_and(|head| head.eq_ignore_ascii_case(it));
    if let Some(opening) = OPENINGS.iter().find(opening) {
        return Some(&sentence[opening.len()..]);
    }
    let (letter, rest) = sentence.strip_prefix('(').unwrap_or(sentence).split_once([')', '.', ':'])?;
    (letter.len() == 1 && letter.starts_with(char::is_alphanumeric)).then_some(rest.trim_start())
}

/// `Gout; alternatives: pseudogout, cellulitis`
fn before_others(sentence: &str) -> &str {
    const OTHERS: [&str; 6] = ["alternative", "differential", "ddx", "other", "also consider", "less likely"];
    let Some((first, others)) = sentence.split_once("; ") else { return sentence };
    let is_others = OTHERS.iter().any(|it| others.get(..it.len()).is_some_and(|head| head.eq_ignore_ascii_case(it)));
    if is_others { first } else { sentence }
}

/// `Gout > pseudogout`
fn ranked_first(sentence: &str) -> Option<&str> {
    let (first, _) = sentence.split_once(" > ").or_else(|| sentence.split_once(" >> "))?;
    (first.len() <= LONGEST_OPENED).then_some(first)
}

fn starts(text: &str, with: &[&str]) -> bool {
    with.iter().any(|word| begins(text, word))
}

/// In bytes: more is prose.
const LONGEST_ALTERNATIVES: usize = 2_000;

/// `A or B`, `A, B or C`, `A, B, C`. A cause may hold an "or" of its own: `A due to B or C` is A.
fn alternatives<'a>(labels: &Labels, words: &'a str) -> Vec<&'a str> {
    if words.len() > LONGEST_ALTERNATIVES {
        return vec![words];
    }
    const OR: [&str; 7] = [", or ", " and/or ", " or ", " versus ", " vs. ", " vs ", ", "];
    let parts = split(words, &[", and ", " and "].iter().chain(&OR).copied().collect::<Vec<_>>());
    let explains = |(_, mark, rest): (&str, &str, &str)| mark != POSSIBLY && parts[1].ends_with(rest);
    if parts.len() == 2 && is_wide(labels, parts[0]) && likely(words).is_some_and(explains) {
        return vec![words];
    }
    if parts.len() > 1 && parts.iter().all(|part| single(labels, part).is_some()) {
        return parts;
    }
    let apart = split(words, &OR[..6]);
    let open = match apart.as_slice() {
        [one, other, ..] => head(one, &CAUSES) == *one && (head(one, &TAILS) == *one || begins_a_name(other)),
        _ => false,
    };
    if open { split(words, &OR) } else { vec![words] }
}

/// `Gout (most likely) or cellulitis`, `gout or cellulitis (less likely)`: what is not denied, and of that what is chosen.
fn left_over(mut parts: Vec<&str>) -> Vec<&str> {
    if parts.len() > 1 && parts.iter().any(|part| denied(part).is_none()) {
        parts.retain(|part| denied(part).is_none());
    }
    if parts.iter().filter(|part| is_chosen(part)).count() == 1 {
        parts.retain(|part| is_chosen(part));
    }
    parts
}

/// `Cellulitis 20%, gout 70%`: of several on one line with their chances, the best.
fn likeliest(sentence: &str) -> Option<&str> {
    if sentence.len() > LONGEST_ALTERNATIVES {
        return None;
    }
    let parts: Vec<&str> = sentence.split([',', ';']).map(str::trim).collect();
    let chances: Option<Vec<f64>> = parts.iter().map(|part| Item::read(part)?.confidence).collect();
    let chances = chances.filter(|it| it.len() > 1)?;
    let best = chances.iter().copied().fold(f64::MIN, f64::max);
    let mut at_best = parts.iter().zip(chances).filter(|(_, chance)| *chance == best);
    at_best.next().filter(|_| at_best.next().is_none()).map(|(part, _)| *part)
}

/// Names are written large where they could be taken for part of what stands before.
fn begins_a_name(words: &str) -> bool {
    let soft = ["a ", "an ", "the ", "possible ", "another "];
    let bare = soft.iter().fold(words.trim_start(), |words, soft| words.strip_prefix(soft).unwrap_or(words));
    bare.starts_with(char::is_uppercase)
}

/// At each mark that is not in brackets.
fn split<'a>(words: &'a str, marks: &[&str]) -> Vec<&'a str> {
    let outside = |at: usize| words[..at].matches('(').count() == words[..at].matches(')').count();
    let mut parts = vec![words];
    for mark in marks {
        parts = parts.into_iter().flat_map(|part| split_outside(words, part, mark, &outside)).collect();
    }
    parts.retain(|part| part.chars().any(char::is_alphabetic));
    parts
}

fn split_outside<'a>(words: &'a str, part: &'a str, mark: &str, outside: &impl Fn(usize) -> bool) -> Vec<&'a str> {
    let start = part.as_ptr() as usize - words.as_ptr() as usize;
    let mut found = Vec::new();
    let mut from = 0;
    for (at, _) in part.match_indices(mark) {
        if outside(start + at) {
            found.push(&part[from..at]);
            from = at + mark.len();
        }
    }
    found.push(&part[from..]);
    found
}

/// In bytes: no name is longer, and an answer of a thousand tails must not keep the reader busy.
const LONGEST_BEFORE_TAIL: usize = 500;

/// The condition that these words are, or that they begin with before saying more.
pub(super) fn single<'a>(labels: &'a Labels, words: &str) -> Option<&'a ConditionId> {
    let tails = TAILS.iter().flat_map(|tail| words.match_indices(tail));
    let mut cuts: Vec<(usize, &str)> = tails.filter(|(at, _)| *at <= LONGEST_BEFORE_TAIL).collect();
    cuts.sort_unstable_by_key(|(at, tail)| (*at, tail.len()));
    let before = |(at, tail): (usize, &str)| labels.find_before(&words[..at], tail, &words[at + tail.len()..]);
    // The longest name first: adjustment disorder with depressed mood is not adjustment disorder.
    labels.find(words).or_else(|| cuts.into_iter().rev().find_map(before))
}

/// `Skin infection, likely cellulitis`. Acute coronary syndrome, possibly aortic dissection, is left open.
fn narrower<'a>(labels: &'a Labels, words: &str) -> Option<&'a ConditionId> {
    let (name, mark, rest) = likely(words)?;
    if mark == POSSIBLY && is_wide(labels, name) { None } else { single(labels, rest) }
}

const POSSIBLY: &str = ", possibly ";

/// What stands before such a mark, the mark, and what stands after it.
fn likely(words: &str) -> Option<(&str, &str, &str)> {
    const MARKS: [&str; 6] =
        [", likely ", ", most likely ", POSSIBLY, ", probably ", ", specifically ", ", more specifically "];
    MARKS.iter().find_map(|mark| words.split_once(mark).map(|(name, rest)| (name, *mark, rest)))
}

fn is_wide(labels: &Labels, words: &str) -> bool {
    labels.find(words).is_some_and(|found| labels.is_wide(found))
}

/// The words before any tail. Anaemia due to kidney disease is not just anaemia, though.
fn unknown_name<'a>(labels: &Labels, words: &'a str) -> &'a str {
    let name = head(words, &TAILS);
    let short = words.split_whitespace().count() <= LONGEST_NAME;
    if short && is_wide(labels, name) { words } else { name }
}

/// The words before any of these tails.
fn head<'a>(words: &'a str, tails: &[&str]) -> &'a str {
    let cut = tails.iter().filter_map(|tail| words.find(tail)).min();
    cut.map_or(words, |at| &words[..at])
}
