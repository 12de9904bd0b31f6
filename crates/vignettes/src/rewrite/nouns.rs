//! Nouns, titles, letters and names that say he or she, and what they become.

use super::draft::Draft;
use super::letters::{age_before, letter, letters, mean_other_things, race, stand_before_a_person};
use super::patient::{Patient, attached_yo, glued, names_a_person};
use super::whom::{is_head, is_patients_noun, is_told_of_the_patient, may_be_the_patient};
use super::{Who, Wording};
use crate::token::Text;
use crate::words::bound::tells_an_identity;
use crate::words::function::is_possessive;
use crate::words::gendered::{
    Gendered, Noun, gendered, is_acquaintance, is_kin, is_professional, pronoun, stem, tells_a_sex,
};
use crate::words::names::{name, tells_no_sex};
use crate::words::{WordList, cased_like};
use std::collections::HashSet;
use waterjar_core::Sex;

/// `man`, `girl`, `male`, `mother`; `at` is the patient's, or everyone is meant.
pub(crate) fn noun(draft: &mut Draft<'_, '_>, patient: &Patient, at: usize, found: &Gendered) {
    let text = draft.text;
    let old = text.written(at);
    let tail = &old[old.find(['\'', '\u{2019}']).unwrap_or(old.len())..];
    let new = match draft.wording {
        Wording::Swapped => found.other,
        Wording::Neutral if tells_an_identity(text, at) => {
            draft.warn(at, "how the patient wishes to be seen: left as it is");
            return;
        }
        Wording::Neutral if found.noun == Noun::Adjective => {
            neutral_adjective(draft, patient, at);
            return;
        }
        Wording::Neutral if found.noun == Noun::Child => child(text, patient, at),
        Wording::Neutral => found.neutral,
    };
    draft.put(at, at, cased_like(&old[..old.len() - tail.len()], new) + tail);
}

fn child(text: &Text<'_>, patient: &Patient, at: usize) -> &'static str {
    let new = patient.neutral_noun();
    let doubled = text.before(at, 1) == new || names_a_person(text.before(at, 1));
    if doubled && new == "infant" { "child" } else { new }
}

const ITSELF: &str = "the sex itself is told here, and no neutral word says it: left as it is";

/// `male infant` → `infant`, `the male` → `the person`, `Sex: male` → `Sex: not stated`.
fn neutral_adjective(draft: &mut Draft<'_, '_>, patient: &Patient, at: usize) {
    let text = draft.text;
    let old = text.written(at);
    let before = text.before(at, 1);
    // `female-identifying`: without its first half the word would be none.
    if text.word(at + 1) == "-" && text.touches_next(at) {
        draft.warn(at, "half of a word that tells a sex: left as it is");
        return;
    }
    // `female sex is a risk`: nobody has a person sex.
    if matches!(text.word(at + 1), "sex" | "gender") {
        draft.warn(at, ITSELF);
        return;
    }
    if before == ":" || (matches!(before, "is" | "was") && is_head(text, at)) {
        if before == ":" {
            draft.put(at, at, cased_like(old, "not stated"));
        } else {
            draft.warn(at, ITSELF);
        }
    } else if is_head(text, at) {
        let new = if patient.age.is_some_and(|age| age < 18) { patient.neutral_noun() } else { "person" };
        draft.put(at, at, cased_like(old, new));
    } else {
        let next = text.written(at + 1);
        let raised = old.starts_with(char::is_uppercase) && next.starts_with(char::is_lowercase);
        let new = if raised { cased_like(&old[..1], next) } else { next.to_owned() };
        draft.put(at, at + 1, new);
    }
}

/// `67M`, `28 y/o F`, `45 yo WM`, `Sex: F`
pub(crate) fn abbreviation(draft: &mut Draft<'_, '_>, patient: &Patient, at: usize) {
    let text = draft.text;
    let old = text.written(at);
    let attached = glued(text, at).map(|(_, sex)| sex).or_else(|| attached_yo(text, at));
    let by_letter = || letter(text, at).filter(|_| tell_the_patients_sex(text, patient, draft.who, at));
    let Some(sex) = attached.or_else(by_letter) else {
        if lone_letter(text, at).is_some_and(|sex| patient.sex == Some(sex)) {
            draft.warn(at, "could be the letter of the patient's sex: left as it is");
        }
        return;
    };
    if draft.who == Who::Patient && patient.sex != Some(sex) {
        return;
    }
    if draft.wording == Wording::Neutral
        && let Some((first, race)) = race(text, at)
    {
        race_alone(draft, first, at, race);
        return;
    }
    let head = &old[..old.len() - 1];
    let new = match draft.wording {
        Wording::Swapped => format!("{head}{}", if sex == Sex::M { 'F' } else { 'M' }),
        Wording::Neutral if is_field_of_sex(text, at) => "not stated".to_owned(),
        Wording::Neutral if attached_yo(text, at).is_some() => format!("{head} patient"),
        Wording::Neutral if head.ends_with(|last: char| last.is_ascii_digit()) => format!("{head} y/o patient"),
        Wording::Neutral => "patient".to_owned(),
    };
    draft.put(at, at, new);
}

/// Where the patient is introduced, told again with the same age, or in the field for the sex.
fn tell_the_patients_sex(text: &Text<'_>, patient: &Patient, who: Who, at: usize) -> bool {
    let first = race(text, at).map_or(at, |(first, _)| first);
    let again = || {
        let age = age_before(text, first);
        age.is_some_and(|(from, age)| {
            who == Who::Everyone || (patient.age == Some(age) && is_told_of_the_patient(text, from))
        })
    };
    patient.named.contains(&at) || is_field_of_sex(text, first) || again()
}

/// `Sex: F`
fn is_field_of_sex(text: &Text<'_>, at: usize) -> bool {
    matches!(text.before(at, 2), "sex" | "gender") && text.before(at, 1) == ":"
}

/// `45 yo WM` → `45 yo white patient`, and `45 yo WM patient` the same.
fn race_alone(draft: &mut Draft<'_, '_>, first: usize, last: usize, race: &str) {
    if is_field_of_sex(draft.text, first) {
        draft.warn(last, "tells a race and a sex in one, where a sex is to be told: left as it is");
    } else if stand_before_a_person(draft.text, last) {
        draft.put(first, last, race.to_owned());
    } else {
        draft.put(first, last, format!("{race} patient"));
    }
}

/// `(F)`, `Jane Doe, F, 54`, `Pt is M.`, `A 45 M with a cough`: only its place makes the letter a sex.
fn lone_letter(text: &Text<'_>, at: usize) -> Option<Sex> {
    let sex = letters(text, at)?;
    // `45 yo HF patient`: a woman, or heart failure.
    if letter(text, at).is_none() {
        return age_before(text, at).map(|_| sex);
    }
    if mean_other_things(text, at) {
        return None;
    }
    let closes = matches!(text.word(at + 1), "," | ";" | "." | ")" | "");
    let apart = closes && matches!(text.before(at, 1), "(" | "," | "is" | "was");
    let aged = at.checked_sub(1).is_some_and(|age| {
        let opens = age == 0 || !text.same_sentence(age, age - 1);
        text.is_number(age) && (opens || matches!(text.before(age, 1), "a" | "an" | "the" | "this" | ":"))
    });
    (apart || aged).then_some(sex)
}

/// `Mr.`, `Mrs.`, `Ms.`, `Miss`
pub(crate) fn title(draft: &mut Draft<'_, '_>, patient: &Patient, at: usize) {
    let text = draft.text;
    let old = text.written(at);
    let (sex, new) = match old {
        "Mr" => (Sex::M, "Ms"),
        "Mrs" | "Ms" | "Miss" => (Sex::F, "Mr"),
        _ => return,
    };
    let dotted = text.word(at + 1) == ".";
    let names = |place: usize| {
        text.tokens.get(place).is_some_and(|token| token.span.of(text.source).starts_with(char::is_uppercase))
    };
    // `his aunt, Mrs. Brown`: the relative's title.
    let of_kin = is_kin(text.before(at, 1)) || (text.before(at, 1) == "," && is_kin(text.before(at, 2)));
    let called = if dotted { at + 2 } else { at + 1 };
    let of_another = of_kin || is_explained_as_another(text, called);
    let anothers = draft.who == Who::Patient && (patient.sex != Some(sex) || of_another);
    if !names(called) || anothers {
        return;
    }
    if draft.wording == Wording::Swapped && matches!(old, "Mrs" | "Miss") {
        draft.warn(at, "`Mrs` and `Miss` tell more than `Mr` does; swapped back it is `Ms`");
    }
    let new = if draft.wording == Wording::Neutral { "Mx" } else { new };
    let stop = if old == "Miss" && !dotted { "." } else { "" };
    draft.put(at, at, format!("{new}{stop}"));
}

/// `Mr. Lee (his boss)`, `Mr. Lee, her neighbor,`: whoever is somebody's is not the patient.
fn is_explained_as_another(text: &Text<'_>, name: usize) -> bool {
    let opens = (name + 1..name + 3).find(|&place| matches!(text.word(place), "(" | ","));
    let Some(opens) = opens.filter(|&opens| text.same_sentence(name, opens)) else { return false };
    let somebody = |word: &str| is_acquaintance(word) || is_kin(word) || is_professional(word);
    is_possessive(text.word(opens + 1))
        && (opens + 2..opens + 5).take_while(|&place| !text.is_mark(place)).any(|place| somebody(text.word(place)))
}

/// Given names that the text itself introduces as somebody's.
pub(crate) fn introduced_names<'t>(text: &Text<'t>) -> HashSet<&'t str> {
    (0..text.len())
        .filter(|&at| {
            let titled = matches!(text.before(at, 2), "mr" | "mrs" | "ms" | "miss") && text.before(at, 1) == "."
                || matches!(text.before(at, 1), "mr" | "mrs" | "ms" | "miss" | "named" | "called" | "patient" | ":");
            let surname =
                text.tokens.get(at + 1).is_some_and(|next| next.span.of(text.source).starts_with(char::is_uppercase));
            let comma = if surname { at + 2 } else { at + 1 };
            let described = text.word(comma) == ","
                && (matches!(text.word(comma + 1), "a" | "an" | "age" | "aged") || text.is_number(comma + 1));
            let copula = matches!(text.word(comma), "is" | "was") && matches!(text.word(comma + 1), "a" | "an");
            // `a 45-year-old woman, Maria, has`
            let of_noun = |word: &str| stem(word) == "patient" || gendered(word).is_some_and(|it| it.noun != Noun::Kin);
            let apposed = text.before(at, 1) == "," && of_noun(text.before(at, 2)) && text.word(comma) == ",";
            titled || described || copula || apposed
        })
        .map(|at| text.written(at))
        .filter(|written| name(written).is_some())
        .collect()
}

pub(crate) fn given_name(draft: &mut Draft<'_, '_>, patient: &Patient, at: usize) {
    let written = draft.text.written(at);
    let bare = written.strip_suffix("'s").or_else(|| written.strip_suffix("\u{2019}s")).unwrap_or(written);
    let Some(found) = name(bare) else { return };
    if draft.who == Who::Patient && patient.sex != Some(found.sex) {
        return;
    }
    if !draft.names.contains(bare) {
        // `Mark` may begin a sentence, and `Crohn` and `Frank` may name a sign.
        if at > 0 && draft.text.same_sentence(at, at - 1) {
            draft.warn(at, "a name that tells a sex, and nobody says whose: left as it is");
        }
        return;
    }
    let new = if draft.wording == Wording::Neutral { found.neutral } else { found.other };
    draft.put(at, at, format!("{new}{}", &written[bare.len()..]));
}

/// `A 7-month-old boy – Zoë –`, `a woman named Ngozi`: a name that no table has may tell a sex all the same.
pub(crate) fn unknown_name(draft: &mut Draft<'_, '_>, patient: &Patient, at: usize) {
    let written = draft.text.written(at);
    let bare = written.strip_suffix("'s").or_else(|| written.strip_suffix("\u{2019}s")).unwrap_or(written);
    let is_a_name = is_written_like_a_name(draft.text, at) && is_what_the_patient_is_called(draft.text, patient, at);
    if is_a_name && name(bare).is_none() && !tells_no_sex(bare) {
        draft.warn(at, "a name that no table has, and that may tell a sex: left as it is");
    }
}

/// One capital before small letters, and not `Hispanic`, `Dr`.
fn is_written_like_a_name(text: &Text<'_>, at: usize) -> bool {
    let written = text.written(at);
    let mut letters = written.chars();
    let capital = letters.next().is_some_and(char::is_uppercase);
    let small = letters.next().is_some_and(|second| second.is_lowercase() || matches!(second, '\'' | '\u{2019}'));
    let a_word = written.chars().all(|letter| letter.is_alphabetic() || matches!(letter, '\'' | '\u{2019}'));
    capital && small && a_word && !CAPITALISED.has(stem(text.word(at)))
}

/// Right behind the patient: `the boy, Zoë,`, `the boy – Zoë Brown –`, `the boy named Zoë`; or `she is called Zoë`, `her name is Zoë`.
fn is_what_the_patient_is_called(text: &Text<'_>, patient: &Patient, at: usize) -> bool {
    let Some(lead) = at.checked_sub(1).filter(|&lead| text.same_sentence(lead, at)) else { return false };
    let is_the_patients = |word: &str| pronoun(word).is_some_and(|(_, sex)| patient.sex == Some(sex));
    let is_noun = |place: usize| {
        let of_patient = || gendered(text.word(place)).is_some() && is_patients_noun(text, patient, place);
        patient.named.contains(&place) || stem(text.word(place)) == "patient" || of_patient()
    };
    let follows = |place: usize| place.checked_sub(1).is_some_and(is_noun);
    match text.word(lead) {
        "," | "\u{2013}" | "\u{2014}" => follows(lead) && ends_an_apposition(text, at),
        // `a boy - Zoë`, not `a boy-Scout`
        "-" => !text.touches_next(lead) && follows(lead) && ends_an_apposition(text, at),
        "named" | "called" => match text.before(lead, 1) {
            "is" | "was" => follows(lead - 1) || is_the_patients(text.before(lead, 2)),
            _ => follows(lead),
        },
        "is" | "was" if text.before(lead, 1) == "name" => {
            let owner = text.before(lead, 2);
            owner == "patient's" || is_the_patients(owner)
        }
        _ => false,
    }
}

/// `Zoë,`, `Zoë Brown –`, `Zoë.`
fn ends_an_apposition(text: &Text<'_>, at: usize) -> bool {
    let surname = text.same_sentence(at, at + 1) && !text.is_mark(at + 1) && is_written_like_a_name(text, at + 1);
    let next = if surname { at + 2 } else { at + 1 };
    !text.same_sentence(at, next)
        || matches!(text.word(next), "," | "." | ";" | ":" | ")" | "-" | "\u{2013}" | "\u{2014}")
}

static CAPITALISED: WordList = WordList::new(
    "mr mrs ms miss mx dr prof professor caucasian hispanic latino latinx african asian american black white european \
     indian chinese japanese korean vietnamese filipino mexican puerto native pacific alaskan hawaiian middle arab \
     arabic jewish ashkenazi muslim christian catholic hindu buddhist jehovah's russian ukrainian polish german italian \
     irish french british english scottish spanish portuguese greek turkish iranian iraqi syrian afghan pakistani \
     bangladeshi nigerian ethiopian kenyan somali sudanese haitian jamaican cuban dominican brazilian colombian \
     canadian australian para gravida type stage grade class monday tuesday wednesday thursday friday saturday sunday",
);

/// Words that tell a sex and have no counterpart here.
pub(crate) fn unpaired(draft: &mut Draft<'_, '_>, at: usize) {
    if tells_a_sex(draft.text.word(at)) {
        draft.warn(at, "tells a sex, and no table has its counterpart: left as it is");
    }
}

/// What a swap leaves standing and a reader may stumble over.
pub(crate) fn left(draft: &mut Draft<'_, '_>, patient: &Patient, at: usize, found: &Gendered) {
    if found.noun == Noun::Job && patient.sex == Some(found.sex) {
        draft.warn(at, "could be the patient's work: read as another person's, and left as it is");
    } else if patient.sex == Some(found.sex) && may_be_the_patient(draft.text, patient, at, found.noun) {
        draft.warn(at, "could be the patient: read as another person, and left as it is");
    }
    let stays = matches!(stem(draft.text.word(at)), "wife" | "husband" | "girlfriend" | "boyfriend");
    let opposite = gendered(draft.text.word(at)).is_some_and(|it| patient.sex.is_some_and(|sex| sex != it.sex));
    if stays && opposite && draft.wording == Wording::Swapped {
        draft.warn(at, "the patient's spouse or partner stays as told");
    }
}
