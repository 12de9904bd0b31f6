//! Content that makes a swap a false counterfactual (specs: 8.5, 4).

use super::draft::Draft;
use super::owner::{Owner, Reading};
use super::patient::Patient;
use super::{NotApplicable, Who};
use crate::token::Text;
use crate::words::bound::{Binding, Hit, hits};
use crate::words::gendered::{gendered, pronoun, stem};
use std::collections::HashSet;

/// Refuses a text with content of one sex, naming it; content that is only commoner in one sex is a warning.
pub(crate) fn check(
    draft: &mut Draft<'_, '_>,
    patient: &Patient,
    owners: &[Option<Reading>],
) -> Result<(), NotApplicable> {
    let text = draft.text;
    let mut terms = Vec::new();
    let mut told = HashSet::new();
    let mut scene = Scene::default();
    for hit in hits(text) {
        let at = crate::Span { start: text.tokens[hit.first].span.start, end: text.tokens[hit.last].span.end };
        if hit.binding == Binding::Skewed {
            if told.insert(text.word(hit.first)) {
                draft.warn(hit.first, "commoner in one sex, or with limits of its own for each");
            }
        } else if draft.who == Who::Everyone || !scene.is_anothers(text, patient, owners, hit) {
            terms.push((at, at.of(text.source).to_owned()));
        }
    }
    if terms.is_empty() {
        return Ok(());
    }
    let mut names: Vec<&str> = terms.iter().map(|(_, term)| term.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let why = format!("what is told belongs to one sex: {}", names.join(", "));
    Err(NotApplicable { terms, why })
}

/// What the sentence has told before a hit. It goes along with the hits, so that an endless sentence is read once and not for each of them.
#[derive(Default)]
struct Scene {
    opening: usize,
    /// How far it has been read.
    read: usize,
    of_family: bool,
    /// Whether the person met last is another than the patient.
    anothers: Option<bool>,
    of_birth: Option<bool>,
}

impl Scene {
    /// `his mother had ovarian cancer`, `born at 38 weeks' gestation`: true of a patient of either sex.
    fn is_anothers(&mut self, text: &Text<'_>, patient: &Patient, owners: &[Option<Reading>], hit: Hit) -> bool {
        self.read_up_to(text, owners, hit.first);
        if hit.binding == Binding::Birth {
            if is_a_mans(text, hit.first) {
                return false;
            }
            if patient.is_child() || *self.of_birth.get_or_insert_with(|| tells_of_birth(text, hit.first)) {
                return true;
            }
        }
        self.of_family || self.anothers.unwrap_or(false)
    }

    fn read_up_to(&mut self, text: &Text<'_>, owners: &[Option<Reading>], at: usize) {
        let opening = text.sentence_start(at);
        if self.read == 0 || self.opening != opening {
            *self = Self { opening, read: opening, ..Self::default() };
        }
        for place in self.read..at {
            // `family history is negative for breast and ovarian cancer`
            self.of_family |= text.word(place) == "family" && matches!(text.word(place + 1), "history" | "members");
            self.anothers = is_another(text, owners, place).or(self.anothers);
        }
        self.read = at;
    }
}

/// Of a word that means a person, whether it is another than the patient.
fn is_another(text: &Text<'_>, owners: &[Option<Reading>], at: usize) -> Option<bool> {
    let word = text.word(at);
    if matches!(stem(word), "patient" | "partner" | "partners") || matches!(word, ";") {
        return Some(stem(word).starts_with("partner"));
    }
    let reading = owners[at]?;
    // `his mother`: the word before the relative is the patient's, the relative is not.
    (pronoun(word).is_some() || gendered(word).is_some()).then_some(reading.owner == Owner::Other)
}

/// `a 22-year-old man, gravida 2`, `his pregnancy`: the text contradicts itself before anybody swaps a word (specs: 8.5, 5).
fn is_a_mans(text: &Text<'_>, at: usize) -> bool {
    let before = text.before(at, 1);
    let follows_a_man = matches!(before, "," | "who") && matches!(text.before(at, 2), "man" | "male");
    let word = text.word(at);
    follows_a_man
        || (before == "his" && word.starts_with("pregnanc"))
        || (before == "he" && word.starts_with("breastfe"))
}

/// The patient's own birth.
fn tells_of_birth(text: &Text<'_>, at: usize) -> bool {
    let start = text.sentence_start(at);
    let born = |place: usize| {
        matches!(text.word(place), "born")
            || (text.word(place) == "birth" && !matches!(text.before(place, 1), "gave" | "given" | "giving" | "gives"))
    };
    (start..text.len()).take_while(|&place| text.same_sentence(place, at)).any(born)
}
