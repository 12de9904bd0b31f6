//! Who the patient is, and what the text says of their sex and age.

use super::letters::{letter, make_an_age};
use crate::token::Text;
use crate::words::WordList;
use crate::words::function::{is_auxiliary, is_determiner, is_possessive, is_preposition, is_subordinator};
use crate::words::gendered::{Noun, Pronoun, gendered, pronoun};
use std::ops::Range;
use waterjar_core::Sex;

#[derive(Clone, Debug, Default)]
pub(crate) struct Patient {
    pub sex: Option<Sex>,
    /// In years; nought for days, weeks and months.
    pub age: Option<u32>,
    /// The words that introduce the patient: `45-year-old right-handed man`.
    pub named: Range<usize>,
}

impl Patient {
    /// Too young to bear children: what the story says of a pregnancy is the mother's.
    pub fn is_child(&self) -> bool {
        self.age.is_some_and(|age| age < 13)
    }

    /// What `boy` and `girl` become where neither is to be told.
    pub fn neutral_noun(&self) -> &'static str {
        match self.age {
            Some(0) => "infant",
            Some(13..=17) => "adolescent",
            Some(18..) => "person",
            _ => "child",
        }
    }
}

pub(crate) fn find(text: &Text<'_>) -> Patient {
    let mut patient = introduced(text).unwrap_or_default();
    if patient.sex.is_none() && !only_the_parents_is_told(text, &patient) {
        patient.sex = by_pronouns(text, patient.named.end).or_else(|| by_the_age(text, &patient));
    }
    patient
}

/// `A new father is worried because his 1-day-old newborn vomits. The father says that he …`: the sex told is the parent's.
fn only_the_parents_is_told(text: &Text<'_>, patient: &Patient) -> bool {
    let start = patient.named.start;
    let Some((_, sex)) = pronoun(text.before(start, 1)) else { return false };
    let is_parent = |at: usize| {
        gendered(text.word(at)).is_some_and(|it| it.noun == Noun::Kin && it.sex == sex)
            && !is_possessive(text.before(at, 1))
    };
    // The last sentence that named the parent.
    let mut named_in = None;
    for (at, token) in text.tokens.iter().enumerate() {
        let explained = named_in == Some(token.sentence);
        let is_anothers = || pronoun(&token.lower).is_some_and(|(_, of)| of != sex || !explained);
        if (at == start && !explained) || (at >= patient.named.end && is_anothers()) {
            return false;
        }
        if is_parent(at) {
            named_in = Some(token.sentence);
        }
    }
    true
}

/// `He is 45 years old`, with no pronoun after it.
fn by_the_age(text: &Text<'_>, patient: &Patient) -> Option<Sex> {
    let start = patient.named.start;
    let back = if matches!(text.before(start, 1), "is" | "was") { 2 } else { 1 };
    pronoun(text.before(start, back)).filter(|(kind, _)| *kind == Pronoun::Subject).map(|(_, sex)| sex)
}

/// Of the pronouns after a place, those that no relative in the text explains.
pub(crate) fn by_pronouns(text: &Text<'_>, from: usize) -> Option<Sex> {
    let is_told =
        |sex: Sex| (from..text.len()).filter(|&at| pronoun(text.word(at)).is_some_and(|(_, of)| of == sex)).count();
    let relatives = |sex: Sex| {
        (0..text.len()).any(|at| gendered(text.word(at)).is_some_and(|it| it.noun == Noun::Kin && it.sex == sex))
    };
    match (is_told(Sex::M), is_told(Sex::F)) {
        (0, 0) => None,
        (_, 0) => Some(Sex::M),
        (0, _) => Some(Sex::F),
        (he, she) => match (relatives(Sex::M), relatives(Sex::F)) {
            (true, false) => Some(Sex::F),
            (false, true) => Some(Sex::M),
            _ if he == she => (from..text.len()).find_map(|at| pronoun(text.word(at)).map(|(_, sex)| sex)),
            _ => Some(if he > she { Sex::M } else { Sex::F }),
        },
    }
}

fn introduced(text: &Text<'_>) -> Option<Patient> {
    let by_age = aged(text, 0);
    let newborn = (0..text.len()).find_map(|at| newborn(text, at).or_else(|| unsexed_newborn(text, at)));
    let first = match (by_age, newborn) {
        (Some(aged), Some(newborn)) if newborn.named.start < aged.named.start => newborn,
        (Some(aged), _) => brought(text, &aged).unwrap_or(aged),
        (None, Some(newborn)) => newborn,
        (None, None) => (0..text.len()).find_map(|at| plain(text, at))?,
    };
    Some(first)
}

/// The first person told with an age, from a place on.
fn aged(text: &Text<'_>, from: usize) -> Option<Patient> {
    (from..text.len()).find_map(|at| {
        let (age, after) = age_at(text, at)?;
        // `Her 9-year-old is well`: her child, not the patient.
        let possessed = matches!(text.before(at, 1), "his" | "her")
            && (at == 1 || !text.same_sentence(at - 1, at.saturating_sub(2)));
        if possessed {
            return None;
        }
        let head = head(text, after).or_else(|| attached_yo(text, at).map(|sex| (at, Some(sex))));
        let end = head.map_or(after, |(head, _)| head + 1);
        Some(Patient { sex: head.and_then(|(_, sex)| sex), age: Some(age), named: at..end })
    })
}

/// `A 34-year-old man brings his 5-year-old daughter`: the daughter.
fn brought(text: &Text<'_>, first: &Patient) -> Option<Patient> {
    let second = aged(text, first.named.end)?;
    let owner = text.before(second.named.start, 1);
    let between = (first.named.end..second.named.start).map(|at| text.word(at));
    let brings = between.clone().any(|word| matches!(word, "bring" | "brings" | "brought" | "carries" | "adopted"));
    (text.same_sentence(first.named.start, second.named.start) && matches!(owner, "his" | "her" | "their") && brings)
        .then_some(second)
}

/// `55yoM`, `40yM`, and `YOM` after a number
pub(crate) fn attached_yo(text: &Text<'_>, at: usize) -> Option<Sex> {
    let written = text.tokens[at].span.of(text.source);
    let years = written.strip_suffix(['M', 'F'])?;
    let digits = ["yo", "YO", "y", "Y"].iter().find_map(|unit| years.strip_suffix(unit))?;
    let follows = at.checked_sub(1).is_some_and(|before| text.is_number(before));
    let is_age = if digits.is_empty() { follows } else { digits.bytes().all(|byte| byte.is_ascii_digit()) };
    is_age.then_some(if written.ends_with('M') { Sex::M } else { Sex::F })
}

/// `45-year-old`, `3 month old`, `67 y/o`, `67y/o`, `28 y.o.`, `55yo`, `67M`, `45 WM`: the age, and the place after it.
pub(crate) fn age_at(text: &Text<'_>, at: usize) -> Option<(u32, usize)> {
    let ends = ["yo", "yom", "yof", "ym", "yf"];
    if let Some(number) = ends.iter().find_map(|end| text.word(at).strip_suffix(end)?.parse().ok()) {
        return Some((number, at + 1));
    }
    if let Some((number, _)) = glued(text, at) {
        return Some((number, at));
    }
    if let Some(number) = text.word(at).strip_suffix('y').and_then(|digits| digits.parse().ok())
        && matches!(text.word(at + 1), "/" | ".")
        && text.word(at + 2) == "o"
    {
        let dotted = text.word(at + 1) == "." && text.word(at + 3) == ".";
        return Some((number, if dotted { at + 4 } else { at + 3 }));
    }
    let number = if text.is_number(at) { text.word(at).parse().ok()? } else { number_word(text.word(at))? };
    let skip =
        |at: usize| if matches!(text.word(at), "-" | "\u{2013}" | "\u{2010}" | "\u{2011}") { at + 1 } else { at };
    let unit_at = skip(at + 1);
    let unit = text.word(unit_at);
    let slashed = unit == "y" && matches!(text.word(unit_at + 1), "/" | ".") && text.word(unit_at + 2) == "o";
    if unit == "yo" || (unit == "y" && letter(text, unit_at + 1).is_some()) {
        return Some((number, unit_at + 1));
    }
    if unit_at < text.len() && attached_yo(text, unit_at).is_some() {
        return Some((number, unit_at));
    }
    if slashed {
        let after = unit_at + 3;
        let dotted = text.word(unit_at + 1) == "." && text.word(after) == ".";
        return Some((number, if dotted { after + 1 } else { after }));
    }
    if number < 120 && slashed_sex(text, at).is_some() {
        return Some((number, at + 2));
    }
    if number < 120 && make_an_age(text, at, unit_at) {
        return Some((number, unit_at));
    }
    let old = skip(unit_at + 1);
    let years = match unit {
        "year" | "years" | "yr" => number,
        "month" | "months" | "week" | "weeks" | "day" | "days" | "hour" | "hours" => {
            if number > 23 && unit.starts_with("month") { number / 12 } else { 0 }
        }
        _ => return None,
    };
    (text.word(old) == "old").then_some((years, old + 1))
}

/// `67M` where a person can be meant: not a temperature, not a catheter.
pub(crate) fn glued(text: &Text<'_>, at: usize) -> Option<(u32, Sex)> {
    let word = text.word(at);
    let (digits, sex) = match word.strip_suffix('m') {
        Some(digits) => (digits, Sex::M),
        None => (word.strip_suffix('f')?, Sex::F),
    };
    let written = text.tokens.get(at).map(|token| token.span.of(text.source))?;
    let age: u32 = digits.parse().ok().filter(|age| *age < 120)?;
    let before = text.before(at, 1);
    let opens = at == 0
        || !text.same_sentence(at, at - 1)
        || matches!(before, "a" | "an" | "the" | "pt" | "patient" | ":" | "is" | "this" | "for" | "healthy" | "(");
    let thing = matches!(text.word(at + 1), "catheter" | "foley" | "french" | "sheath" | "needle" | "tube" | "and")
        && sex == Sex::F
        && age < 30;
    (opens && !thing && written.ends_with(char::is_uppercase)).then_some((age, sex))
}

/// `45/M` where a person can be meant.
fn slashed_sex(text: &Text<'_>, at: usize) -> Option<Sex> {
    let joined = text.is_number(at) && text.word(at + 1) == "/" && text.touches_next(at) && text.touches_next(at + 1);
    if joined && opens_a_note(text, at) { one_letter(text, at + 2) } else { None }
}

/// `M/45`
fn sex_before_age(text: &Text<'_>, at: usize) -> Option<Patient> {
    let joined = text.word(at + 1) == "/" && text.touches_next(at) && text.touches_next(at + 1);
    let sex = one_letter(text, at).filter(|_| joined && text.is_number(at + 2) && opens_a_note(text, at))?;
    let age = text.word(at + 2).parse::<u32>().ok().filter(|age| *age < 120)?;
    Some(Patient { sex: Some(sex), age: Some(age), named: at..at + 3 })
}

fn one_letter(text: &Text<'_>, at: usize) -> Option<Sex> {
    match text.tokens.get(at)?.span.of(text.source) {
        "M" => Some(Sex::M),
        "F" => Some(Sex::F),
        _ => None,
    }
}

fn opens_a_note(text: &Text<'_>, at: usize) -> bool {
    at == 0
        || !text.same_sentence(at, at - 1)
        || matches!(text.before(at, 1), "a" | "an" | "the" | "this" | "pt" | "patient" | ":" | "(")
}

fn number_word(word: &str) -> Option<u32> {
    const WORDS: [&str; 13] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    WORDS.iter().position(|known| *known == word).map(|number| number as u32)
}

/// The noun an age leads to, and the sex it tells: `right-handed African American woman`.
fn head(text: &Text<'_>, from: usize) -> Option<(usize, Option<Sex>)> {
    for at in from..(from + 10).min(text.len()) {
        if at > from && !text.same_sentence(at, from) {
            return None;
        }
        let word = text.word(at);
        if let Some((_, sex)) = glued(text, at) {
            return Some((at, Some(sex)));
        }
        if let Some(sex) = letter(text, at).or_else(|| attached_yo(text, at)) {
            return Some((at, Some(sex)));
        }
        if let Some(found) = gendered(word) {
            let last = match found.noun {
                Noun::Plural => return None,
                // `Latina woman`
                Noun::Descent if says_who(text, at + 1) => at + 1,
                // `male infant`, `female patient`: the noun belongs to it.
                Noun::Adjective if names_a_person(text.word(at + 1)) => at + 1,
                _ => at,
            };
            return Some((last, Some(found.sex)));
        }
        let ends = is_auxiliary(word)
            || is_possessive(word)
            || is_preposition(word)
            || is_subordinator(word)
            || matches!(
                word,
                "." | ";" | "comes" | "presents" | "presented" | "came" | "complains" | "arrives" | "undergoes"
            );
        if ends {
            return None;
        }
    }
    None
}

fn says_who(text: &Text<'_>, at: usize) -> bool {
    gendered(text.word(at)).is_some() || names_a_person(text.word(at))
}

pub(crate) fn names_a_person(word: &str) -> bool {
    A_PERSON.has(word)
}

/// `A 3200-g male newborn`, `a newborn girl`
fn newborn(text: &Text<'_>, at: usize) -> Option<Patient> {
    let sex = gendered(text.word(at)).filter(|it| matches!(it.noun, Noun::Adjective | Noun::Child))?.sex;
    let is_newborn = |word: &str| matches!(word, "newborn" | "infant" | "neonate" | "baby");
    let named = if is_newborn(text.word(at + 1)) {
        at..at + 2
    } else if is_newborn(text.before(at, 1)) {
        at - 1..at + 1
    } else {
        return None;
    };
    Some(Patient { sex: Some(sex), age: Some(0), named })
}

/// `A 3855-g newborn is examined. She …`: who the story opens with, and what is said of a pregnancy is the mother's.
fn unsexed_newborn(text: &Text<'_>, at: usize) -> Option<Patient> {
    let is_newborn = matches!(text.word(at), "newborn" | "neonate" | "infant") && gendered(text.word(at + 1)).is_none();
    let opens = is_newborn && text.same_sentence(at, 0);
    let back = (at.saturating_sub(12)..at).rev().take_while(|&place| !is_auxiliary(text.word(place)));
    let mut articles = back.filter(|&place| is_determiner(text.word(place)) || is_possessive(text.word(place)));
    let introduced = articles.next().is_some_and(|place| matches!(text.word(place), "a" | "an"));
    (opens && introduced).then(|| Patient { sex: None, age: Some(0), named: at..at + 1 })
}

/// Without an age: `A man comes …`, `Mr. Jones`, `Sex: F`.
fn plain(text: &Text<'_>, at: usize) -> Option<Patient> {
    let word = text.word(at);
    let sex = match word {
        "mr" => Some(Sex::M),
        "mrs" | "ms" | "miss" if text.written(at).starts_with('M') => Some(Sex::F),
        "sex" | "gender" if text.word(at + 1) == ":" => {
            let sex = letter(text, at + 2).or_else(|| gendered(text.word(at + 2)).map(|it| it.sex))?;
            return Some(Patient { sex: Some(sex), age: None, named: at + 2..at + 3 });
        }
        // `Patient: male, 45.`
        "patient" | "pt" if text.word(at + 1) == ":" => {
            let noun =
                gendered(text.word(at + 2)).filter(|it| matches!(it.noun, Noun::Adult | Noun::Child | Noun::Adjective));
            let sex = one_letter(text, at + 2).or_else(|| noun.map(|it| it.sex))?;
            let age = text.word(at + 4).parse::<u32>().ok().filter(|age| text.word(at + 3) == "," && *age < 120);
            return Some(Patient { sex: Some(sex), age, named: at + 2..at + 3 });
        }
        "m" | "f" => return sex_before_age(text, at),
        _ => None,
    };
    if sex.is_some() {
        return Some(Patient { sex, age: None, named: at..at + 1 });
    }
    let found =
        gendered(word).filter(|it| matches!(it.noun, Noun::Adult | Noun::Child | Noun::Adjective | Noun::Descent))?;
    let from = at.saturating_sub(6);
    let has_article = (from..at)
        .rev()
        .take_while(|&at| !text.is_mark(at) || matches!(text.word(at), "-" | ","))
        .any(|at| is_determiner(text.word(at)));
    let article_or_start = has_article || at == 0 || !text.same_sentence(at, at - 1);
    article_or_start.then(|| {
        let goes_on = match found.noun {
            Noun::Adjective => names_a_person(text.word(at + 1)),
            Noun::Descent => says_who(text, at + 1),
            _ => false,
        };
        let end = if goes_on { at + 2 } else { at + 1 };
        Patient { sex: Some(found.sex), age: None, named: at..end }
    })
}

static A_PERSON: WordList =
    WordList::new("patient infant newborn neonate child baby toddler adolescent teenager adult individual person");
