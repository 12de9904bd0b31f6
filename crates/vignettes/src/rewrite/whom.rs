//! Whether a noun means the patient: `the man`, `their son`, `an obese woman in distress`.

use super::owner::reports;
use super::patient::{Patient, age_at, names_a_person};
use crate::token::Text;
use crate::words::WordList;
use crate::words::function::{is_adverb, is_auxiliary, is_conjunction, is_determiner, is_possessive, is_preposition};
use crate::words::gendered::{Noun, Pronoun, gendered, is_acquaintance, is_professional, pronoun, stem};
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
            is_relatives_word_for_patient(text, patient, at, found.sex)
                || is_word_of_a_child(text, patient, at)
                || is_what_the_patient_is(text, patient, at)
                || is_kin_of_the_subject(text, patient, at)
                || is_apposed(text, patient, at) && goes_on_with_of(text, patient, at)
        }
        // `Latina woman`: of the noun behind it.
        Noun::Descent => {
            let noun = gendered(text.word(at + 1)).filter(|next| next.noun != Noun::Descent);
            is_definite(text, at) || noun.is_some() && is_patients_noun(text, patient, at + 1)
        }
        Noun::Job => is_what_the_patient_is(text, patient, at),
        Noun::Widowed => is_definite(text, at) || is_apposed(text, patient, at),
        Noun::Adjective if !stands_for_a_person(text, at) => false,
        _ => is_definite(text, at) || is_named_twice(text, patient, at),
    }
}

/// A noun of the patient's sex that is read as another person's and may be the patient's: `a mother of two`, `"I'm a woman"`,
/// `is notable for a fever and a man in pain`. Not `her mother`.
pub(crate) fn may_be_the_patient(text: &Text<'_>, patient: &Patient, at: usize, noun: Noun) -> bool {
    let possessed = (1..=3).any(|back| is_possessive(text.before(at, back)));
    // A child has a mother and is none.
    if noun == Noun::Plural || possessed || (noun == Noun::Kin && patient.is_child()) {
        return false;
    }
    if noun == Noun::Kin && text.word(at + 1) == "of" && is_a_count(text, at + 2) {
        return true;
    }
    // `a woman`, `a healthy woman`
    let article = (1..=2).find(|&back| matches!(text.before(at, back), "a" | "an" | "the"));
    let Some(lead) = article.and_then(|back| at.checked_sub(back + 1)).filter(|&lead| text.same_sentence(lead, at))
    else {
        return false;
    };
    let of_kin = matches!(noun, Noun::Kin | Noun::Widowed);
    match text.word(lead) {
        "i'm" | "am" => true,
        "is" | "was" | "became" | "becomes" => of_kin && !is_a_relatives(text, lead),
        "and" => {
            text.word(lead + 1) != "the"
                && (matches!(noun, Noun::Adult | Noun::Child)
                    || noun == Noun::Adjective && stands_for_a_person(text, at))
        }
        "," => of_kin && is_apposed(text, patient, at) && text.word(lead + 1) != "the",
        _ => false,
    }
}

/// Whether the nearest person before a verb is somebody's relative: `her sister became a mother`.
fn is_a_relatives(text: &Text<'_>, verb: usize) -> bool {
    let person = (text.sentence_start(verb)..verb)
        .rev()
        .find(|&place| pronoun(text.word(place)).is_some() || gendered(text.word(place)).is_some());
    person.is_some_and(|place| {
        gendered(text.word(place)).is_some() && (1..=2).any(|back| is_possessive(text.before(place, back)))
    })
}

fn is_a_count(text: &Text<'_>, at: usize) -> bool {
    text.is_number(at) || matches!(text.word(at), "one" | "two" | "three" | "four" | "five" | "six" | "seven" | "eight")
}

/// `A 68-year-old male overweight male`: a second noun of the phrase that introduces the patient.
fn is_named_twice(text: &Text<'_>, patient: &Patient, at: usize) -> bool {
    let from = patient.named.end;
    let describes = |place: usize| {
        let word = text.word(place);
        !(text.is_mark(place)
            || is_determiner(word)
            || is_possessive(word)
            || is_preposition(word)
            || is_conjunction(word)
            || is_auxiliary(word))
    };
    !patient.named.is_empty()
        && (from..=from + 2).contains(&at)
        && text.same_sentence(from - 1, at)
        && (from..at).all(describes)
}

/// `An 81-year-old woman, a widow, fell`, `a 30-year-old woman, mother of two, fell`: right behind the words that introduce the patient.
fn is_apposed(text: &Text<'_>, patient: &Patient, at: usize) -> bool {
    let article = matches!(text.before(at, 1), "a" | "an" | "the");
    let comma = at.checked_sub(if article { 2 } else { 1 });
    !patient.named.is_empty()
        && comma
            .is_some_and(|comma| comma == patient.named.end && text.word(comma) == "," && text.same_sentence(comma, at))
}

/// `mother of two`, `daughter of a smoker`; not `mother of the patient`, and no child is a mother.
fn goes_on_with_of(text: &Text<'_>, patient: &Patient, at: usize) -> bool {
    let old_enough = !patient.is_child() || matches!(stem(text.word(at)), "son" | "daughter");
    let of_patient = (at + 2..at + 5).any(|place| stem(text.word(place)) == "patient");
    text.word(at + 1) == "of" && old_enough && !of_patient
}

/// `She is the mother of two`, `she is single and a mother`, `he is a teacher and father of two`.
fn is_kin_of_the_subject(text: &Text<'_>, patient: &Patient, at: usize) -> bool {
    let article = text.before(at, 1);
    let has_article = matches!(article, "a" | "an" | "the");
    let lead = at.checked_sub(if has_article { 2 } else { 1 }).filter(|&lead| text.same_sentence(lead, at));
    let Some(lead) = lead else { return false };
    let of = goes_on_with_of(text, patient, at);
    let ends = matches!(text.word(at + 1), "." | ";" | "") && !patient.is_child();
    match text.word(lead) {
        // `A 40-year-old actress and mother of two`
        "and" if of && !has_article && !patient.named.is_empty() && lead == patient.named.end => true,
        "is" | "was" => article == "the" && of && follows_the_patient(text, patient, lead),
        "and" if of || (matches!(article, "a" | "an") && ends) => {
            // Back over `single`, `a retired teacher`, to the verb.
            let is_joined = |place: usize| {
                let word = text.word(place);
                !(text.is_mark(place) || is_preposition(word) || pronoun(word).is_some())
            };
            let back = (lead.saturating_sub(5)..lead)
                .rev()
                .take_while(|&place| text.same_sentence(place, at) && is_joined(place));
            let verb = back.into_iter().find(|&place| matches!(text.word(place), "is" | "was"));
            verb.is_some_and(|verb| tells_a_state(text, verb, lead) && follows_the_patient(text, patient, verb))
        }
        _ => false,
    }
}

/// `is single and`, `is a retired teacher and`; not `is raising a son and`, `was examined and`.
fn tells_a_state(text: &Text<'_>, verb: usize, and: usize) -> bool {
    let first = text.word(verb + 1);
    let done = ["ing", "ed", "en"].iter().any(|end| first.ends_with(end))
        && !matches!(first, "married" | "divorced" | "widowed" | "retired" | "employed" | "unemployed");
    matches!(first, "a" | "an") || (and == verb + 2 && !done)
}

/// Whether the subject right before a verb is the patient: `she is`, `the patient also was`, `a 30-year-old woman is`.
fn follows_the_patient(text: &Text<'_>, patient: &Patient, verb: usize) -> bool {
    let subject = (text.sentence_start(verb)..verb).rev().find(|&place| !is_adverb(text.word(place)));
    subject.is_some_and(|subject| {
        let word = text.word(subject);
        let by_pronoun = pronoun(word).is_some_and(|(kind, sex)| kind == Pronoun::Subject && patient.sex == Some(sex));
        let by_noun = gendered(word)
            .is_some_and(|it| matches!(it.noun, Noun::Adult | Noun::Child) && patient.sex == Some(it.sex))
            && text.before(subject, 1) == "the";
        by_pronoun || by_noun || word == "patient" || patient.named.contains(&subject)
    })
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

/// `The patient's son says that his father …`: what a grown patient is called by a child who speaks.
pub(crate) fn is_word_of_a_child(text: &Text<'_>, patient: &Patient, at: usize) -> bool {
    let is_parent = matches!(stem(text.word(at)), "father" | "mother" | "dad" | "mom")
        && gendered(text.word(at)).is_some_and(|it| patient.sex == Some(it.sex));
    let lead = text.before(at, 2);
    let is_told = lead == "that" || reports(lead);
    let owner = pronoun(text.before(at, 1)).filter(|_| is_parent && is_told && !patient.is_child());
    let Some((_, sex)) = owner else { return false };
    // Far back in an endless sentence nobody remembers who spoke; and the time stays linear.
    let from = text.sentence_start(at).max(at.saturating_sub(12));
    let child = (from..at).rev().find(|&place| matches!(stem(text.word(place)), "son" | "daughter"));
    child.is_some_and(|child| {
        let of_that_sex = gendered(text.word(child)).is_some_and(|it| it.sex == sex);
        let another_speaks = (child + 1..at - 1).any(|place| {
            let word = text.word(place);
            stem(word) == "patient" || pronoun(word).is_some_and(|(kind, _)| kind == Pronoun::Subject)
        });
        of_that_sex && !another_speaks && begins_a_clause(text, child)
    })
}

/// `The son says`, `The patient's son says`; not `lives with his son`.
fn begins_a_clause(text: &Text<'_>, noun: usize) -> bool {
    let Some(article) = noun.checked_sub(1).filter(|&place| text.same_sentence(place, noun)) else { return false };
    let word = text.word(article);
    let start = if word == "patient's" { article.saturating_sub(1) } else { article };
    let before = start.checked_sub(1).filter(|&place| text.same_sentence(place, noun));
    let opens = |place: usize| {
        let word = text.word(place);
        text.is_mark(place) || is_conjunction(word) && !matches!(word, "and" | "or")
    };
    (word == "the" || is_possessive(word)) && before.is_none_or(opens)
}

/// `She is a mother of two`, `he works as a waiter`, `she was a waitress and later a housewife`; not `his father is a policeman`.
fn is_what_the_patient_is(text: &Text<'_>, patient: &Patient, at: usize) -> bool {
    // Back along a list to the verb that it follows.
    let (mut listed, mut seen) = (vec![at], Vec::new());
    while let Some(noun) = listed.pop() {
        if seen.contains(&noun) {
            continue;
        }
        seen.push(noun);
        let Some(verb) = leading_verb(text, noun) else { continue };
        match text.word(verb) {
            "is" | "was" | "as" | "be" | "been" | "became" | "becomes"
                if is_said_by_the_patients(text, patient, verb) =>
            {
                return true;
            }
            "he's" | "she's" if pronoun(text.word(verb)).is_some_and(|(_, sex)| patient.sex == Some(sex)) => {
                return true;
            }
            // Of an endless list nobody remembers how it began; and the time stays linear.
            "and" | "or" | "," if at - verb < ENDLESS && (text.word(verb) != "," || is_listed(text, noun)) => {
                let before = |place: &usize| {
                    text.same_sentence(*place, noun)
                        && gendered(text.word(*place)).is_some_and(|it| matches!(it.noun, Noun::Job | Noun::Kin))
                };
                listed.extend((verb.saturating_sub(8)..verb).filter(before));
            }
            _ => {}
        }
    }
    false
}

/// `a stepfather, [an uncle], and a godfather`: nothing is told of it but that.
fn is_listed(text: &Text<'_>, noun: usize) -> bool {
    matches!(text.word(noun + 1), "," | "and" | "or" | ".")
}

/// Words of a list that is no longer one.
const ENDLESS: usize = 80;

/// The word that leads to `a waiter`: a verb, or the `and` of a list.
fn leading_verb(text: &Text<'_>, noun: usize) -> Option<usize> {
    // `a stay-at-home mom`: a preposition within a hyphenated word is no preposition.
    let hyphened = |place: usize| text.word(place) == "-" || text.word(place + 1) == "-";
    let joins = |place: usize| hyphened(place) || !(text.is_mark(place) || is_preposition(text.word(place)));
    let back =
        (noun.saturating_sub(6)..noun).rev().take_while(|&place| text.same_sentence(place, noun) && joins(place));
    let article = back.into_iter().find(|&place| matches!(text.word(place), "a" | "an"))?;
    let before = |word: &str| matches!(word, "later" | "now" | "formerly" | "then" | "also" | "once" | "currently");
    (text.sentence_start(noun)..article).rev().find(|&place| !before(text.word(place)))
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

/// Whether the age at a place is the patient's: `This 45 yo M`, `he is a 45 yo M`, and at the start of a sentence; not `his partner, a 45 yo M`.
pub(crate) fn is_told_of_the_patient(text: &Text<'_>, age: usize) -> bool {
    let Some(before) = age.checked_sub(1).filter(|&before| text.same_sentence(before, age)) else { return true };
    match text.word(before) {
        "this" | "the" | "our" => true,
        "a" | "an" => is_said_of_patient(text, before, true),
        _ => false,
    }
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
