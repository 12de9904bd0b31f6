//! Another age, for adults.

use super::{not_applicable, refuse_if_told};
use crate::rewrite::patient::{Patient, age_at};
use crate::rewrite::{Edit, sounds_open};
use crate::token::Text;
use crate::words::{WordList, cased_like};
use crate::{NotApplicable, Span};

/// Told of a time of life; another age would contradict them or change what is likely.
static TIMES_OF_LIFE: WordList = WordList::new(
    "school college university student* kindergarten daycare dormitory retire* pension* nursing grandchild* grandson* granddaughter* \
     menopaus* postmenopaus* perimenopaus* menstru* pregnan* gravid* postpartum trimester adolescen* teenage* toddler infant newborn \
     percentile* milestone* puberty tanner elderly medicare geriatric pediatric* paediatric*",
);

pub(super) fn edits(text: &Text<'_>, patient: &Patient, years: u32) -> Result<Vec<Edit>, NotApplicable> {
    let Some(old) = patient.age else { return not_applicable("the text does not tell the age of the patient") };
    if old < 18 {
        return not_applicable("the findings of a child hang on the age");
    }
    if old == years {
        return not_applicable("the patient has that age already");
    }
    refuse_if_told(text, &TIMES_OF_LIFE, "told of a time of life")?;
    refuse_long_times(text, patient, years)?;
    let mut edits = Vec::new();
    for at in patient.named.start..text.len() {
        let is_patient = at == patient.named.start || (at >= patient.named.end && is_told_again(text, at));
        if is_patient && age_at(text, at).is_some_and(|(age, _)| age == old) && written_in_digits(text, at) {
            put(text, at, &years.to_string(), &mut edits);
        }
    }
    if edits.is_empty() {
        return not_applicable("the age is not written in digits");
    }
    Ok(edits)
}

/// `this 45-year-old`, not `her 45-year-old sister`.
fn is_told_again(text: &Text<'_>, at: usize) -> bool {
    matches!(text.before(at, 1), "this" | "the")
}

fn written_in_digits(text: &Text<'_>, at: usize) -> bool {
    text.word(at).starts_with(|letter: char| letter.is_ascii_digit())
}

/// The number, and the article before it.
fn put(text: &Text<'_>, at: usize, years: &str, edits: &mut Vec<Edit>) {
    let old = text.written(at);
    let digits = old.bytes().take_while(u8::is_ascii_digit).count();
    let start = text.tokens[at].span.start;
    edits.push(Edit { at: Span { start, end: start + digits }, from: old[..digits].to_owned(), to: years.to_owned() });
    let fitting = if sounds_open(years) { "an" } else { "a" };
    if let Some(place) = at.checked_sub(1)
        && matches!(text.word(place), "a" | "an")
        && text.word(place) != fitting
    {
        let article = text.written(place);
        edits.push(Edit { at: text.tokens[place].span, from: article.to_owned(), to: cased_like(article, fitting) });
    }
}

/// `for 45 years`, `at the age of 60`: must fit into the new age.
fn refuse_long_times(text: &Text<'_>, patient: &Patient, years: u32) -> Result<(), NotApplicable> {
    let long = |at: usize| -> bool {
        let Ok(number) = text.word(at).parse::<u32>() else { return false };
        if patient.named.contains(&at) {
            return false;
        }
        let duration =
            matches!(text.word(at + 1), "years" | "year") && text.word(at + 2) != "old" && number + 12 > years;
        let own_age = text.before(at, 1) == "of" && text.before(at, 2) == "age" && number >= years;
        duration || own_age
    };
    let found: Vec<_> = (0..text.len()).filter(|&at| long(at)).collect();
    if found.is_empty() {
        return Ok(());
    }
    let terms = found.iter().map(|&at| (text.tokens[at].span, text.written(at).to_owned())).collect();
    Err(NotApplicable { terms, why: format!("a time is told that does not fit into {years} years") })
}
