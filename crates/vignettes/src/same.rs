//! Whether two texts differ in gendered words only: the check for rewrites by a model, and for pairs that are compared.

use crate::Span;
use crate::rewrite::Edit;
use crate::rewrite::letters::{follow_an_age, race_from, stand_before_a_person};
use crate::token::{Kind, Text};
use crate::words::gendered::{gendered, pronoun, stem};
use crate::words::names::name;
use crate::words::verbs::plural;
use std::ops::Deref;

/// The first place in `a` where `b` says something else.
pub fn only_gendered_words_differ(a: &str, b: &str) -> Result<(), Span> {
    gendered_edits(a, b).map(drop)
}

/// What `b` says otherwise of he, she and they, in the order of the text; else the first place in `a` where it says something else.
pub fn gendered_edits(a: &str, b: &str) -> Result<Vec<Edit>, Span> {
    let (left, right) = (Told::new(a), Told::new(b));
    let (mut i, mut j) = (0, 0);
    let mut gap_free = false;
    let mut edits = Vec::new();
    loop {
        match (left.tokens.get(i), right.tokens.get(j)) {
            (None, None) => break,
            (None, Some(_)) => return Err(Span { start: a.len(), end: a.len() }),
            (Some(this), None) => return Err(this.span),
            (Some(this), Some(that)) => {
                if !gap_free && gap(&left, i) != gap(&right, j) {
                    return Err(this.span);
                }
                gap_free = false;
                if this.span.of(a) == that.span.of(b) {
                    (i, j) = (i + 1, j + 1);
                    continue;
                }
                match step(&left, i, &right, j).or_else(|| step(&right, j, &left, i).map(|(j, i)| (i, j))) {
                    Some((di, dj)) => {
                        // A word put in or left out brings its white space along.
                        gap_free = di == 0 || dj == 0;
                        let at = stretch(&left, i, di);
                        edits.push(Edit { at, from: at.of(a).to_owned(), to: stretch(&right, j, dj).of(b).to_owned() });
                        (i, j) = (i + di, j + dj);
                    }
                    None => return Err(this.span),
                }
            }
        }
    }
    match tail(&left) == tail(&right) {
        true => Ok(edits),
        false => Err(Span { start: a.len() - tail(&left).len(), end: a.len() }),
    }
}

/// A text, and in which of its sentences there is a they.
struct Told<'t> {
    text: Text<'t>,
    they: Vec<usize>,
}

impl<'t> Told<'t> {
    fn new(source: &'t str) -> Self {
        let text = Text::new(source);
        let said = text.tokens.iter().filter(|token| token.lower.starts_with("they"));
        let mut they: Vec<usize> = said.map(|token| token.sentence).collect();
        they.dedup();
        Self { text, they }
    }
}

impl<'t> Deref for Told<'t> {
    type Target = Text<'t>;

    fn deref(&self) -> &Text<'t> {
        &self.text
    }
}

/// So many tokens from one on; nothing, before it, where there are none.
fn stretch(text: &Text<'_>, at: usize, count: usize) -> Span {
    let start = text.tokens[at].span.start;
    let end = count.checked_sub(1).map_or(start, |more| text.tokens[at + more].span.end);
    Span { start, end }
}

fn gap<'t>(text: &Text<'t>, at: usize) -> &'t str {
    let from = at.checked_sub(1).map_or(0, |before| text.tokens[before].span.end);
    &text.source[from..text.tokens[at].span.start]
}

fn tail<'t>(text: &Text<'t>) -> &'t str {
    &text.source[text.tokens.last().map_or(0, |last| last.span.end)..]
}

/// How many tokens of each side say the same thing of somebody of another sex. Asked both ways round.
fn step(a: &Told<'_>, i: usize, b: &Told<'_>, j: usize) -> Option<(usize, usize)> {
    let (this, that) = (a.word(i), b.word(j));
    if this == that {
        // The same word, written large or small: only where a word before it came or went.
        let follows =
            i == 0 || matches!(a.before(i, 1), "male" | "female") || matches!(b.before(j, 1), "male" | "female");
        return follows.then_some((1, 1));
    }
    if matches!(this, "male" | "female") && a.tokens.get(i + 1).is_some_and(|next| next.lower == that) {
        return Some((1, 0));
    }
    if pronouns(this, that) || nouns(this, that) || titles(this, that) || articles(this, that) {
        return Some((1, 1));
    }
    if names(a.written(i), b.written(j)) {
        return Some((1, 1));
    }
    if letters(a, i, b, j) {
        return Some((1, 1));
    }
    if plural(this).as_deref() == Some(that) && near_they(b, j) {
        return Some((1, 1));
    }
    more_words(a, i, b, j)
}

/// Neutral forms of several words: `67M` and `67 y/o patient`, `male` and `not stated`, `widow` and `widowed person`.
fn more_words(a: &Text<'_>, i: usize, b: &Text<'_>, j: usize) -> Option<(usize, usize)> {
    let said = |words: &[&str]| words.iter().enumerate().all(|(n, word)| b.word(j + n) == *word);
    let this = a.word(i);
    let digits = this.trim_end_matches(['m', 'f']);
    if digits.len() + 1 == this.len() && a.tokens[i].kind == Kind::Word && said(&[digits, "y", "/", "o", "patient"]) {
        return Some((1, 5));
    }
    // `55yoM` and `55yo patient`
    if digits.len() + 1 == this.len() && digits.ends_with(['o', 'y']) && said(&[digits, "patient"]) {
        return Some((1, 2));
    }
    let is_letter = matches!(this, "m" | "f" | "male" | "female");
    if is_letter && said(&["not", "stated"]) {
        return Some((1, 2));
    }
    if matches!(this, "m" | "f") && said(&["patient"]) {
        return Some((1, 1));
    }
    if matches!(stem(this), "widow" | "widower") && said(&["widowed", "person"]) {
        return Some((1, 2));
    }
    let descent = matches!(this, "latino" | "latina") && said(&["latin", "american"])
        || matches!(this, "chicano" | "chicana") && said(&["mexican", "american"]);
    if descent {
        return Some((1, 2));
    }
    let titled = matches!(b.word(j), "mr" | "mx" | "ms" | "mrs");
    if this == "miss" && titled {
        return Some((1, if b.word(j + 1) == "." { 2 } else { 1 }));
    }
    race_alone(a, i, b, j)
}

/// `45 yo WM` and `45 yo white patient`, `AAF patient` and `African American patient`.
fn race_alone(a: &Text<'_>, i: usize, b: &Text<'_>, j: usize) -> Option<(usize, usize)> {
    let (last, race) = race_from(a, i).filter(|_| follow_an_age(a, i))?;
    let noun = (!stand_before_a_person(a, last)).then_some("patient");
    let words = race.split(' ').chain(noun);
    let count = words.clone().count();
    let is_said = words.enumerate().all(|(n, word)| b.word(j + n).eq_ignore_ascii_case(word));
    is_said.then_some((last + 1 - i, count))
}

fn pronouns(this: &str, that: &str) -> bool {
    let slot = |word: &str| match word {
        "he" | "she" | "they" => 1,
        "him" | "them" => 2,
        "his" | "their" => 4,
        "her" => 2 | 4,
        "hers" | "theirs" => 8,
        "himself" | "herself" | "themselves" | "themself" => 16,
        "he's" | "she's" | "they're" | "they've" => 32,
        "he'd" | "she'd" | "they'd" => 64,
        "he'll" | "she'll" | "they'll" => 128,
        _ => 0,
    };
    let one_is_he_or_she = pronoun(this).is_some() || pronoun(that).is_some();
    let alone =
        (this == "his" && matches!(that, "hers" | "theirs")) || (that == "his" && matches!(this, "hers" | "theirs"));
    one_is_he_or_she && (slot(this) & slot(that) != 0 || alone)
}

fn nouns(this: &str, that: &str) -> bool {
    let Some(found) = gendered(this) else { return false };
    let same_ending = this.ends_with("'s") == that.ends_with("'s");
    let that = stem(that);
    let by_age = matches!(stem(this), "boy" | "girl" | "male" | "female")
        && matches!(that, "infant" | "child" | "adolescent" | "person");
    same_ending && (found.other == that || found.neutral == that || by_age)
}

/// `Maria` and `Mario`, `Maria's` and `Marion's`
fn names(this: &str, that: &str) -> bool {
    let (this, ending) = parted(this);
    let (that, other_ending) = parted(that);
    ending == other_ending && name(this).is_some_and(|found| found.other == that || found.neutral == that)
}

fn parted(name: &str) -> (&str, &str) {
    name.split_at(name.find(['\'', '\u{2019}']).unwrap_or(name.len()))
}

fn titles(this: &str, that: &str) -> bool {
    let is_title = |word: &str| matches!(word, "mr" | "mrs" | "ms" | "mx");
    is_title(this) && is_title(that)
}

fn articles(this: &str, that: &str) -> bool {
    matches!((this, that), ("a", "an") | ("an", "a"))
}

/// `67M` and `67F`, `55yoM` and `55yoF`, `WM` and `WF`
fn letters(a: &Text<'_>, i: usize, b: &Text<'_>, j: usize) -> bool {
    let (this, that) = (a.written(i), b.written(j));
    let head = |word: &str| word.strip_suffix(['M', 'F']).map(str::to_owned);
    let is_age = |head: &str| {
        head.chars().all(|letter| letter.is_ascii_digit())
            || ["yo", "YO", "y", "Y"].iter().any(|unit| head.ends_with(unit))
            || matches!(head, "W" | "B" | "AA" | "H")
    };
    match (head(this), head(that)) {
        (Some(one), Some(other)) => one == other && is_age(&one),
        _ => false,
    }
}

/// A verb may change its number only where a they is its subject.
fn near_they(text: &Told<'_>, at: usize) -> bool {
    text.they.binary_search(&text.tokens[at].sentence).is_ok()
}
