//! Letters that tell the patient's sex, alone or with a race: `F`, `WM`, `AAF`, `B/F`.

use super::patient::{age_at, names_a_person};
use super::whom::is_head;
use crate::token::Text;
use crate::words::WordList;
use crate::words::gendered::{Noun, gendered, stem};
use waterjar_core::Sex;

/// The sex that letters tell, where they tell one.
pub(crate) fn letters(text: &Text<'_>, at: usize) -> Option<Sex> {
    match text.tokens.get(at)?.span.of(text.source) {
        "M" | "WM" | "BM" | "AAM" | "HM" => Some(Sex::M),
        "F" | "WF" | "BF" | "AAF" | "HF" => Some(Sex::F),
        _ => None,
    }
}

/// `28 y/o F`, `55 yo WM`; not `HF pt`, who has heart failure, nor `3 WM lesions`, which are of white matter. Told by what stands around them,
/// alike for both sexes: what is swapped is read again.
pub(crate) fn letter(text: &Text<'_>, at: usize) -> Option<Sex> {
    let sex = letters(text, at)?;
    let matter = matches!(text.written(at), "WM" | "WF")
        && OF_MATTER.has(text.word(at + 1))
        && !matches!(text.before(at, 1), "yo" | "o" | "." | "old" | "y");
    (!(matter || mean_other_things(text, at) && !end_the_phrase(text, at))).then_some(sex)
}

/// `HM w/ a cough`, `BF presents`; not `HF pt`, `BM transplant`.
fn end_the_phrase(text: &Text<'_>, at: usize) -> bool {
    let next = text.word(at + 1);
    let goes_on = is_head(text, at) || next.ends_with("ing") || (next == "w" && text.word(at + 2) == "/");
    goes_on && gendered(next).is_none() && !OF_MARROW_AND_HEART.has(next)
}

/// HF is also heart failure, and BM a bowel movement.
pub(crate) fn mean_other_things(text: &Text<'_>, at: usize) -> bool {
    matches!(text.written(at), "BM" | "BF" | "HM" | "HF")
}

/// `WM`, `AAF`, `B/F`: the token they begin at, and the race in words.
pub(crate) fn race(text: &Text<'_>, at: usize) -> Option<(usize, &'static str)> {
    letter(text, at)?;
    let slashed = at >= 2
        && text.written(at).len() == 1
        && text.word(at - 1) == "/"
        && text.touches_next(at - 2)
        && text.touches_next(at - 1);
    let (first, told) = match slashed {
        true => (at - 2, text.written(at - 2)),
        false => (at, text.written(at).trim_end_matches(['M', 'F'])),
    };
    let race = match told {
        "W" => "white",
        "B" => "Black",
        "AA" => "African American",
        "H" => "Hispanic",
        _ => return None,
    };
    Some((first, race))
}

/// The letters of race and sex that begin at a place: the last of them, and the race in words.
pub(crate) fn race_from(text: &Text<'_>, first: usize) -> Option<(usize, &'static str)> {
    let begins = |at: usize| race(text, at).filter(|found| found.0 == first).map(|(_, race)| (at, race));
    begins(first).or_else(|| begins(first + 2))
}

/// Whether the next word means the patient, so that the race is said of it: `WM patient`.
pub(crate) fn stand_before_a_person(text: &Text<'_>, at: usize) -> bool {
    let next = text.word(at + 1);
    let person = gendered(next).is_some_and(|it| matches!(it.noun, Noun::Adult | Noun::Child | Noun::Adjective));
    text.same_sentence(at, at + 1) && (person || names_a_person(stem(next)))
}

/// `a 45 WM`, `the patient is a 45 AAF`: only the letters make the number an age. `3 BM today` are bowel movements.
pub(crate) fn make_an_age(text: &Text<'_>, number: usize, first: usize) -> bool {
    let Some((last, _)) = race_from(text, first).filter(|_| text.is_number(number)) else { return false };
    let before = text.before(number, 1);
    let opens = number == 0
        || !text.same_sentence(number, number - 1)
        || matches!(before, ":" | "is" | "was" | "pt" | "patient");
    matches!(before, "a" | "an" | "this") || (opens && !mean_other_things(text, last))
}

/// The age that ends right before a place, and where it begins. The longest has six words and marks: `45-y.o.`.
pub(crate) fn age_before(text: &Text<'_>, at: usize) -> Option<(usize, u32)> {
    let ends_here = |from: usize| age_at(text, from).filter(|(_, after)| *after == at).map(|(age, _)| (from, age));
    (at.saturating_sub(6)..at).find_map(ends_here)
}

/// Whether an age leads to the letters: `45 yo WM`, `a 45-year-old obese WM`. As far as patients are looked for; the stop of `y.o.` may be taken
/// for the end of a sentence.
pub(crate) fn follow_an_age(text: &Text<'_>, at: usize) -> bool {
    let leads = |from: usize| {
        let age = age_at(text, from);
        age.is_some_and(|(_, after)| after <= at && text.same_sentence(after, at))
    };
    (at.saturating_sub(16)..at).any(leads)
}

static OF_MATTER: WordList = WordList::new(
    "lesion lesions disease change changes hyperintensity hyperintensities abnormality abnormalities tract tracts signal \
     volume",
);

static OF_MARROW_AND_HEART: WordList = WordList::new(
    "transplant* aspirat* biops* suppress* involve* exacerbation* admission* hospitalization* hospitalisation* symptoms",
);
