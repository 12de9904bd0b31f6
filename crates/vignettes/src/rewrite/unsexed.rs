//! What somebody says of a patient, with they for that patient.

use super::patient::{self, Patient};
use super::whom::stands_for_a_person;
use super::{Who, Wording, with_patient};
use crate::token::Text;
use crate::words::function::is_possessive;
use crate::words::gendered::{Noun, gendered};

/// A reasoning that tells no more of the patient's sex than the rules must leave, the same whether it was told of him or of her. Relatives
/// stay, and so does what is said of men and women as such: that is reasoning.
pub fn unsexed(text: &str) -> String {
    let words = Text::new(text);
    let told = with_patient(&words, &[], Wording::Neutral, Who::Patient, &about(&words));
    // Only a swap is ever refused.
    told.map_or_else(|_| text.to_owned(), |told| told.text)
}

/// A story introduces its patient. A reasoning need not, and may speak of men and women before it says he or she.
fn about(text: &Text<'_>) -> Patient {
    let found = patient::find(text);
    let by_pronouns = patient::by_pronouns(text, 0);
    match (found.age, found.sex) {
        // `This is a 54-year-old man`
        (Some(_), Some(_)) => found,
        // `his 1-day-old newborn`: the parent's word.
        (Some(_), None) if is_possessive(text.before(found.named.start, 1)) => found,
        // `Given her pain, a 54-year-old patient`
        (Some(_), None) => Patient { sex: by_pronouns, ..found },
        // `A woman would rather have gout, but he`
        (None, sex) if by_pronouns.is_some() && by_pronouns != sex => {
            Patient { sex: by_pronouns, ..Patient::default() }
        }
        (None, _) if names_nobody(text, &found) => Patient { sex: by_pronouns, ..Patient::default() },
        (None, _) => found,
    }
}

/// `Female sex is a risk factor`, `a male predominance`
fn names_nobody(text: &Text<'_>, patient: &Patient) -> bool {
    let at = patient.named.start;
    patient.named.len() == 1
        && gendered(text.word(at)).is_some_and(|it| it.noun == Noun::Adjective)
        && (!stands_for_a_person(text, at) || matches!(text.word(at + 1), "sex" | "gender"))
}
