//! What becomes of each word, decided one after the other.

use super::disambiguate::{self, Her};
use super::owner::{Owner, Reading};
use super::patient::Patient;
use super::{Edit, Rewritten, Warning, Who, Wording, agreement, nouns, sounds_open, splice};
use crate::Span;
use crate::token::Text;
use crate::words::bound::states_pronouns;
use crate::words::cased_like;
use crate::words::gendered::{Pronoun, gendered, pronoun};
use std::collections::HashSet;

/// What was decided so far, word by word.
pub(crate) struct Draft<'a, 't> {
    pub text: &'a Text<'t>,
    pub wording: Wording,
    pub who: Who,
    pub names: HashSet<&'t str>,
    pub edits: Vec<Edit>,
    pub warnings: Vec<Warning>,
}

impl Draft<'_, '_> {
    pub fn visit(&mut self, patient: &Patient, at: usize, reading: Option<&Reading>) {
        let text = self.text;
        let Some(reading) = reading else {
            nouns::title(self, patient, at);
            nouns::abbreviation(self, patient, at);
            nouns::given_name(self, patient, at);
            nouns::unknown_name(self, patient, at);
            nouns::unpaired(self, at);
            self.look_at_they(at);
            return;
        };
        let changes = reading.owner == Owner::Patient || self.who == Who::Everyone;
        if is_either(text, at) {
            if states_pronouns(text, at) {
                self.warn(at, "how the patient wishes to be called: left as it is");
            }
            return;
        }
        if let Some((kind, _)) = pronoun(text.word(at)) {
            if let Some(why) = reading.unsure.filter(|_| self.who == Who::Patient) {
                self.warn(at, why);
            }
            if changes {
                self.pronoun(at, kind);
            }
        } else if let Some(found) = gendered(text.word(at)) {
            if changes {
                nouns::noun(self, patient, at, &found);
            } else {
                nouns::left(self, patient, at, &found);
            }
        }
    }

    fn pronoun(&mut self, at: usize, kind: Pronoun) {
        let text = self.text;
        let (old, word) = (text.written(at), text.word(at));
        let neutral = self.wording == Wording::Neutral;
        let new = match kind {
            Pronoun::Subject => {
                self.subject(at);
                return;
            }
            Pronoun::Object => {
                if neutral {
                    "them"
                } else {
                    "her"
                }
            }
            Pronoun::His => match (neutral, disambiguate::his_stands_alone(text, at)) {
                (true, true) => "theirs",
                (true, false) => "their",
                (false, true) => "hers",
                (false, false) => "her",
            },
            Pronoun::Her => {
                let (reading, unsure) = disambiguate::her(text, at);
                if let Some(why) = unsure {
                    self.warn(at, why);
                }
                match (neutral, reading) {
                    (true, Her::Object) => "them",
                    (true, Her::Possessive) => "their",
                    (false, Her::Object) => "him",
                    (false, Her::Possessive) => "his",
                }
            }
            Pronoun::Alone => {
                if neutral {
                    "theirs"
                } else {
                    "his"
                }
            }
            Pronoun::Reflexive => match (neutral, word) {
                (true, _) => "themselves",
                (false, "himself") => "herself",
                (false, _) => "himself",
            },
        };
        self.put(at, at, cased_like(old, new));
    }

    /// he, she, he's, she'd
    fn subject(&mut self, at: usize) {
        let text = self.text;
        let (old, word) = (text.written(at), text.word(at));
        let bare = if word.starts_with("he") { 2 } else { 3 };
        let (head, tail) = old.split_at(bare);
        if self.wording == Wording::Swapped {
            let new = if bare == 2 { "she" } else { "he" };
            // `He` alone may shout or not; the words after it tell no better.
            self.put(at, at, cased_like(head, new) + tail);
            return;
        }
        let apostrophe = if tail.starts_with('\u{2019}') { "\u{2019}" } else { "'" };
        let new = match word.split_once('\'') {
            Some((_, "s")) => agreement::contraction(text, at).replace('\'', apostrophe),
            _ => format!("they{tail}"),
        };
        self.put(at, at, cased_like(head, &new));
        let agreement = agreement::agree(text, at);
        for (place, form) in agreement.changes {
            self.put(place, place, cased_like(text.written(place), &form));
        }
        for (place, why) in agreement.unsure {
            self.warn(place, why);
        }
    }

    /// A they that is in the original may already be the patient.
    fn look_at_they(&mut self, at: usize) {
        let text = self.text;
        if !matches!(text.word(at), "they" | "their" | "them" | "themselves") {
            return;
        }
        let from = text.sentence_start(at);
        let from = from.checked_sub(1).map_or(0, |before| text.sentence_start(before));
        // Far back in an endless sentence nobody remembers who they were; and the time stays linear.
        let from = from.max(at.saturating_sub(300));
        let several = |place: usize| {
            let word = text.word(place);
            word.len() > 3
                && word.ends_with('s')
                && !word.ends_with("ss")
                && !word.ends_with("us")
                && !word.ends_with("is")
                || matches!(
                    word,
                    "people" | "men" | "women" | "children" | "and" | "both" | "family" | "staff" | "team" | "couple"
                )
        };
        if !(from..at).any(several) {
            self.warn(at, "`they` of the original may be the patient: left as it is");
        }
    }

    /// Words from `first` to `last` become `new`.
    pub fn put(&mut self, first: usize, last: usize, new: String) {
        let at = Span { start: self.text.tokens[first].span.start, end: self.text.tokens[last].span.end };
        let from = at.of(self.text.source).to_owned();
        if from != new {
            self.edits.push(Edit { at, from, to: new });
        }
    }

    pub fn warn(&mut self, at: usize, why: &str) {
        self.warnings.push(Warning { at: self.text.tokens[at].span, why: why.to_owned() });
    }

    pub fn finish(mut self, spans: &[Span]) -> Rewritten {
        self.edits.sort_by_key(|edit| edit.at);
        self.edits.dedup_by_key(|edit| edit.at);
        let mut edits = apart(self.text.source, self.edits);
        fit_articles(self.text, &mut edits);
        self.warnings.sort_by_key(|warning| warning.at);
        let (text, spans) = splice(self.text.source, &edits, spans);
        Rewritten { text, edits, spans, warnings: self.warnings }
    }
}

/// Two edits of one word as one: `a female girl` loses the first word together with the space after it, and the second becomes a child.
fn apart(source: &str, edits: Vec<Edit>) -> Vec<Edit> {
    let mut apart: Vec<Edit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match apart.last_mut() {
            Some(last) if edit.at.start < last.at.end => *last = joined(source, last, &edit),
            _ => apart.push(edit),
        }
    }
    apart
}

/// Of two that overlap, in their order. Where both begin at one word the longer one knows more.
fn joined(source: &str, first: &Edit, second: &Edit) -> Edit {
    if first.at.start == second.at.start {
        return second.clone();
    }
    let at = Span { start: first.at.start, end: first.at.end.max(second.at.end) };
    let both = &source[second.at.start..first.at.end];
    let kept = first.to.len().saturating_sub(both.len());
    let to = match (first.to.get(..kept), first.to.get(kept..)) {
        (Some(kept), Some(word)) if word == both => format!("{kept}{}", second.to),
        (Some(kept), Some(word)) if word.eq_ignore_ascii_case(both) => {
            format!("{kept}{}", cased_like(word, &second.to))
        }
        // The first one says something else of the word.
        _ => format!("{}{}", first.to, &source[first.at.end..at.end]),
    };
    Edit { at, from: at.of(source).to_owned(), to }
}

/// `he/she`, `(s)he`, `he or she`: either is meant, and stays.
fn is_either(text: &Text<'_>, at: usize) -> bool {
    let slashed = text.word(at + 1) == "/" && text.touches_next(at)
        || text.before(at, 1) == "/"
        || text.before(at, 1) == ")" && text.touches_next(at - 1);
    let same_kind = |other: usize| pronoun(text.word(other)).is_some();
    let either =
        text.word(at + 1) == "or" && same_kind(at + 2) || text.before(at, 1) == "or" && at > 1 && same_kind(at - 2);
    (slashed && pronoun(text.word(at)).is_some()) || (either && pronoun(text.word(at)).is_some())
}

/// `a female infant` → `an infant`.
fn fit_articles(text: &Text<'_>, edits: &mut Vec<Edit>) {
    let mut articles = Vec::new();
    for edit in edits.iter() {
        let Ok(at) = text.tokens.binary_search_by_key(&edit.at.start, |token| token.span.start) else { continue };
        let Some(place) = at.checked_sub(1) else { continue };
        let fitting = if sounds_open(&edit.to) { "an" } else { "a" };
        if matches!(text.word(place), "a" | "an") && text.word(place) != fitting && !edit.to.is_empty() {
            let old = text.written(place);
            articles.push(Edit { at: text.tokens[place].span, from: old.to_owned(), to: cased_like(old, fitting) });
        }
    }
    edits.extend(articles);
    edits.sort_by_key(|edit| edit.at);
}
