//! The same text for he, she and they. What is not edited stays byte for byte.
//!
//! One pass over the words of the original: a replacement never sees another's result, so he→she→he cannot happen.

mod agreement;
mod applicable;
mod disambiguate;
mod nouns;
mod owner;
pub(crate) mod patient;
mod splice;

pub(crate) use splice::splice;

use crate::token::Text;
use crate::words::cased_like;
use crate::words::gendered::{Pronoun, gendered, pronoun};
use crate::{Choice, Span, Vignette};
use disambiguate::Her;
use owner::Owner;
use patient::Patient;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use waterjar_core::Sex;

/// How a text speaks of the patient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wording {
    /// he ↔ she
    Swapped,
    /// they
    Neutral,
}

/// Whose words change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// Relatives are evidence and stay as they are.
    #[default]
    Patient,
    Everyone,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rewritten {
    pub text: String,
    pub edits: Vec<Edit>,
    /// The spans given, where they now stand.
    pub spans: Vec<Span>,
    pub warnings: Vec<Warning>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// In the original.
    pub at: Span,
    pub from: String,
    pub to: String,
}

/// A place of the original where the rule is not sure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    pub at: Span,
    pub why: String,
}

/// The text has no counterpart in the other wording.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{why}")]
pub struct NotApplicable {
    /// What stands against it, in the order of the text.
    pub terms: Vec<(Span, String)>,
    pub why: String,
}

/// The text in another wording, its spans moved along.
pub fn rewrite(text: &str, spans: &[Span], wording: Wording, who: Who) -> Result<Rewritten, NotApplicable> {
    let words = Text::new(text);
    let patient = patient::find(&words);
    let mut new = with_patient(&words, spans, wording, who, &patient)?;
    if wording == Wording::Swapped {
        if new.edits.is_empty() {
            return Err(NotApplicable { terms: Vec::new(), why: "the text does not tell the patient's sex".into() });
        }
        check_way_back(&words, who, &mut new);
    }
    Ok(new)
}

/// The sex the text tells of its patient, where it does.
pub fn told_sex(text: &str) -> Option<Sex> {
    patient::find(&Text::new(text)).sex
}

/// A vignette in another wording: story, question and options with the same patient in mind.
pub fn reword(vignette: &Vignette, wording: Wording, who: Who) -> Result<(Vignette, Rewritten), NotApplicable> {
    let story = rewrite(&vignette.text, &vignette.spans, wording, who)?;
    let patient = patient::find(&Text::new(&vignette.text));
    let other =
        |text: &str| with_patient(&Text::new(text), &[], wording, who, &Patient { named: 0..0, ..patient.clone() });
    let options = vignette
        .options
        .iter()
        .map(|option| Ok(Choice { label: option.label.clone(), text: other(&option.text)?.text }));
    let new = Vignette {
        text: story.text.clone(),
        question: other(&vignette.question)?.text,
        options: options.collect::<Result<_, NotApplicable>>()?,
        spans: story.spans.clone(),
        ..vignette.clone()
    };
    Ok((new, story))
}

fn with_patient(
    text: &Text<'_>,
    spans: &[Span],
    wording: Wording,
    who: Who,
    patient: &Patient,
) -> Result<Rewritten, NotApplicable> {
    let names = nouns::introduced_names(text);
    let mut draft = Draft { text, wording, who, names, edits: Vec::new(), warnings: Vec::new() };
    let owners = owner::owners(text, patient);
    if wording == Wording::Swapped {
        applicable::check(&mut draft, patient, &owners)?;
    }
    for (at, owner) in owners.iter().enumerate() {
        draft.visit(patient, at, owner.as_ref());
    }
    Ok(draft.finish(spans))
}

/// Swapping back must give the original; where it does not, the words can be read in two ways.
fn check_way_back(text: &Text<'_>, who: Who, new: &mut Rewritten) {
    let back_words = Text::new(&new.text);
    let patient = patient::find(&back_words);
    let Ok(back) = with_patient(&back_words, &[], Wording::Swapped, who, &patient) else { return };
    let differs = text.source.bytes().zip(back.text.bytes()).position(|(a, b)| a != b);
    let differs = differs.or((text.source.len() != back.text.len()).then_some(text.source.len().min(back.text.len())));
    if let Some(place) = differs {
        let token = text.tokens.iter().find(|token| token.span.end > place).or(text.tokens.last());
        let at = token.map_or(Span { start: place, end: place }, |token| token.span);
        new.warnings.push(Warning {
            at,
            why: "swapped back, this word reads otherwise: the new text is ambiguous here".into(),
        });
        new.warnings.sort_by_key(|warning| warning.at);
    }
}

/// What was decided so far, word by word.
pub(crate) struct Draft<'a, 't> {
    text: &'a Text<'t>,
    wording: Wording,
    who: Who,
    names: HashSet<&'t str>,
    edits: Vec<Edit>,
    warnings: Vec<Warning>,
}

impl Draft<'_, '_> {
    fn visit(&mut self, patient: &Patient, at: usize, reading: Option<&owner::Reading>) {
        let text = self.text;
        let Some(reading) = reading else {
            nouns::title(self, patient, at);
            nouns::abbreviation(self, patient, at);
            nouns::given_name(self, patient, at);
            self.look_at_they(at);
            return;
        };
        let changes = reading.owner == Owner::Patient || self.who == Who::Everyone;
        if is_either(text, at) {
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
                nouns::spouse(self, patient, at);
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
    fn put(&mut self, first: usize, last: usize, new: String) {
        let at = Span { start: self.text.tokens[first].span.start, end: self.text.tokens[last].span.end };
        let from = at.of(self.text.source).to_owned();
        if from != new {
            self.edits.push(Edit { at, from, to: new });
        }
    }

    fn warn(&mut self, at: usize, why: &str) {
        self.warnings.push(Warning { at: self.text.tokens[at].span, why: why.to_owned() });
    }

    fn finish(mut self, spans: &[Span]) -> Rewritten {
        self.edits.sort_by_key(|edit| edit.at);
        self.edits.dedup_by_key(|edit| edit.at);
        fit_articles(self.text, &mut self.edits);
        self.warnings.sort_by_key(|warning| warning.at);
        let (text, spans) = splice(self.text.source, &self.edits, spans);
        Rewritten { text, edits: self.edits, spans, warnings: self.warnings }
    }
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

/// Begins with a vowel as it is spoken.
pub(crate) fn sounds_open(word: &str) -> bool {
    let word = word.to_lowercase();
    let hidden = ["uni", "eu", "one", "use", "ura", "uro"].iter().any(|start| word.starts_with(start));
    let mute = ["hour", "honest", "heir"].iter().any(|start| word.starts_with(start));
    let number = word.starts_with('8') || word.starts_with("11") || word.starts_with("18");
    (word.starts_with(['a', 'e', 'i', 'o', 'u']) && !hidden) || mute || number
}
