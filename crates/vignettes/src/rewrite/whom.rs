//! Whether a noun means the patient: `the man`, `their son`, `an obese woman in distress`.

use super::patient::{Patient, age_at, names_a_person};
use crate::token::Text;
use crate::words::WordList;
use crate::words::function::{is_auxiliary, is_conjunction, is_possessive, is_preposition};
use crate::words::gendered::{Noun, gendered, is_acquaintance, is_professional, pronoun, stem};
use waterjar_core::Sex;

/// Whether `man`, `girl`, `female`, `son` here is the patient.
pub(crate) fn is_patients_noun(text: &Text<'_>, patient: &Patient, at: usize) -> bool {
    let Some(found) = gendered(text.word(at)) else { return false };
    if patient.named.contains(&at) {
        return true;
    }
    if patient.sex != Some(found.sex) {
        return false;
    }
    match found.noun {
        Noun::Plural => false,
        Noun::Kin => {
            is_relatives_word_for_patient(text, patient, at, found.sex) || is_what_the_patient_is(text, patient, at)
        }
        Noun::Job => is_what_the_patient_is(text, patient, at),
        Noun::Adjective if !stands_for_a_person(text, at) => false,
        _ => is_definite(text, at),
    }
}

/// `their son`, `her husband` said by the wife: a relative's word for the patient.
fn is_relatives_word_for_patient(text: &Text<'_>, patient: &Patient, at: usize, sex: Sex) -> bool {
    let word = stem(text.word(at));
    if patient.named.clone().any(|place| stem(text.word(place)) == word) {
        return true;
    }
    let possessor = text.before(at, 1);
    let by_other_sex = pronoun(possessor).is_some_and(|(_, of)| of != sex);
    match word {
        "son" | "daughter" => {
            by_other_sex
                || patient.age.is_some_and(|age| age < 18) && matches!(possessor, "their" | "his" | "her" | "the")
        }
        "husband" | "wife" => by_other_sex,
        _ => false,
    }
}

/// `She is a mother of two`, `he works as a waiter`, `she was a waitress and later a housewife`; not `his father is a policeman`.
fn is_what_the_patient_is(text: &Text<'_>, patient: &Patient, at: usize) -> bool {
    // `a stay-at-home mom`: a preposition within a hyphenated word is no preposition.
    let hyphened = |place: usize| text.word(place) == "-" || text.word(place + 1) == "-";
    let joins = |place: usize| hyphened(place) || !(text.is_mark(place) || is_preposition(text.word(place)));
    let back = (at.saturating_sub(6)..at).rev().take_while(|&place| text.same_sentence(place, at) && joins(place));
    let Some(article) = back.into_iter().find(|&place| matches!(text.word(place), "a" | "an")) else { return false };
    let before = |word: &str| matches!(word, "later" | "now" | "formerly" | "then" | "also" | "once" | "currently");
    let verb = (text.sentence_start(at)..article).rev().find(|&place| !before(text.word(place)));
    let Some(verb) = verb else { return false };
    match text.word(verb) {
        "is" | "was" | "as" | "be" | "been" | "became" | "becomes" => is_said_by_the_patients(text, patient, verb),
        "he's" | "she's" => pronoun(text.word(verb)).is_some_and(|(_, sex)| patient.sex == Some(sex)),
        "and" | "or" => (verb.saturating_sub(8)..verb).rev().any(|place| {
            text.same_sentence(place, at)
                && gendered(text.word(place)).is_some_and(|it| matches!(it.noun, Noun::Job | Noun::Kin))
                && is_what_the_patient_is(text, patient, place)
        }),
        _ => false,
    }
}

/// Whether the nearest person before a verb is the patient.
fn is_said_by_the_patients(text: &Text<'_>, patient: &Patient, verb: usize) -> bool {
    let person = (text.sentence_start(verb)..verb).rev().find_map(|place| {
        let word = text.word(place);
        if patient.named.contains(&place) || stem(word) == "patient" {
            return Some(true);
        }
        if let Some((_, sex)) = pronoun(word) {
            return Some(patient.sex == Some(sex));
        }
        let is_somebody = gendered(word).is_some() || is_acquaintance(word) || is_professional(word);
        is_somebody.then_some(false)
    });
    person.unwrap_or(false)
}

/// `male` as a noun, or before one that means the patient; not `male partner`, not `male genitalia`.
pub(crate) fn stands_for_a_person(text: &Text<'_>, at: usize) -> bool {
    let next = text.word(at + 1);
    names_a_person(stem(next)) || is_head(text, at)
}

/// Whether nothing follows that `male` could describe.
pub(crate) fn is_head(text: &Text<'_>, at: usize) -> bool {
    let next = text.word(at + 1);
    if next == "-" && text.touches_next(at) {
        return false;
    }
    if text.is_mark(at + 1) || !text.same_sentence(at, at + 1) || text.is_number(at + 1) {
        return true;
    }
    let verb = (next.ends_with('s') && !next.ends_with("ss") || next.ends_with("ed"))
        && !matches!(
            next,
            "partners" | "friends" | "relatives" | "genitals" | "patients" | "siblings" | "infants" | "children's"
        );
    is_auxiliary(next)
        || is_preposition(next)
        || is_conjunction(next)
        || verb
        || matches!(next, "came" | "went" | "born" | "seen" | "brought" | "sex")
}

fn is_definite(text: &Text<'_>, at: usize) -> bool {
    let mut aged = false;
    for back in 1..=9 {
        let Some(place) = at.checked_sub(back).filter(|&place| text.same_sentence(place, at)) else {
            return true;
        };
        let word = text.word(place);
        aged |= age_at(text, place).is_some() && !text.is_mark(place);
        match word {
            "the" | "this" | "that" | "our" => return true,
            "a" | "an" => return is_said_of_patient(text, place, aged),
            "is" | "was" | "as" | ":" | "sex" | "gender" => return true,
            "and" => {}
            _ if is_possessive(word) || is_preposition(word) || is_conjunction(word) || is_auxiliary(word) => {
                return false;
            }
            _ => {}
        }
    }
    false
}

/// `She is a …`, `examination shows a …`: the noun tells what the patient is.
fn is_said_of_patient(text: &Text<'_>, article: usize, aged: bool) -> bool {
    let verb = text.before(article, 1);
    if aged {
        let of_patient = matches!(stem(text.before(article, 2)), "patient" | "he" | "she");
        return article == 0
            || !text.same_sentence(article, article - 1)
            || (matches!(verb, "is" | "was") && of_patient);
    }
    SAID_OF_PATIENT.has(verb)
}

static SAID_OF_PATIENT: WordList = WordList::new(
    "is was appears shows reveals showed revealed demonstrates demonstrated as for like finds find note notes see \
     sees observe noted",
);
