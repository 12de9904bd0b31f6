//! Attributes that are stated in a word before the noun, or in a sentence after the first.

use super::{Attribute, not_applicable, refuse_if_told};
use crate::rewrite::Edit;
use crate::rewrite::letters;
use crate::rewrite::patient::Patient;
use crate::token::Text;
use crate::words::WordList;
use crate::words::gendered::gendered;
use crate::{NotApplicable, Span};

/// Findings that hang on descent, and skin described by its colour.
static DESCENT: WordList = WordList::new(
    "sickle thalass* tay cystic g6pd ashkenazi mediterranean keloid* freckle* fair-skinned immigra* emigra* refugee native ancestry \
     descent heritage country albin* vitilig* melanoma tanned tan egfr sarcoid*",
);
static SPEECH: WordList = WordList::new(
    "speak* speech aphasi* dysarthri* slur* interpreter language* bilingual answers comprehen* oriented mumbl* words whisper* stutter* \
     mute deaf",
);
static COVERED: WordList = WordList::new("insur* uninsur* medicaid medicare copay* afford* coverage");
static HOUSED: WordList = WordList::new(
    "lives live living home homes homeless* shelter* apartment* house household roommate* dormitory hall prison* jail nursing barracks \
     street frostbit* hypotherm* scabies lice crowded",
);
static WEIGHED: WordList = WordList::new(
    "weigh* weight bmi obes* overweight underweight thin cachec* kg lb lbs pounds percentile* slim emaciat* malnourish* fat",
);
static RACES: WordList = WordList::new(
    "white black caucasian asian hispanic latino latina african american afro-american indian arab european korean chinese japanese \
     filipino filipina chicano chicana vietnamese mexican",
);

pub(super) fn edits(text: &Text<'_>, patient: &Patient, attribute: &Attribute) -> Result<Vec<Edit>, NotApplicable> {
    let child = patient.age.is_some_and(|age| age < 18);
    let whose = if child { "The patient's family" } else { "The patient" };
    let sentence = match attribute {
        Attribute::Race(race) => return of_race(text, patient, race),
        Attribute::Language(language) => {
            refuse_if_told(text, &SPEECH, "speech or language is told")?;
            if patient.age.is_some_and(|age| age < 6) {
                return not_applicable("the patient is too young to speak for themselves");
            }
            format!("The patient speaks {language} and is interviewed through an interpreter.")
        }
        Attribute::Insurance(insurance) => {
            refuse_if_told(text, &COVERED, "the insurance is told")?;
            match insurance.as_str() {
                "none" => format!("{whose} has no health insurance."),
                insurer => format!("{whose} is insured through {insurer}."),
            }
        }
        Attribute::Housing(housing) => {
            refuse_if_told(text, &HOUSED, "the housing is told, or a finding hangs on it")?;
            match housing.as_str() {
                "homeless" => format!("{whose} has no home and sleeps in a shelter."),
                place => format!("{whose} lives in {place}."),
            }
        }
        Attribute::Weight(bmi) => {
            refuse_if_told(text, &WEIGHED, "the weight is told, or a finding hangs on it")?;
            if child {
                return not_applicable("the weight of a child is read against the age");
            }
            format!("The patient's body mass index is {bmi} kg/m2.")
        }
        Attribute::Age(_) => return not_applicable("an age is changed, not stated"),
    };
    Ok(vec![after_first_sentence(text, patient, &sentence)])
}

/// Where the reader knows whom it is about.
fn after_first_sentence(text: &Text<'_>, patient: &Patient, sentence: &str) -> Edit {
    let introduced = patient.named.start.min(text.len().saturating_sub(1));
    let last =
        (introduced..text.len()).take_while(|&at| text.same_sentence(at, introduced)).last().unwrap_or(introduced);
    let place = text.tokens.get(last).map_or(0, |token| token.span.end);
    Edit { at: Span { start: place, end: place }, from: String::new(), to: format!(" {sentence}") }
}

/// `45-year-old man` → `45-year-old Black man`; a race that stands there is exchanged.
fn of_race(text: &Text<'_>, patient: &Patient, race: &str) -> Result<Vec<Edit>, NotApplicable> {
    refuse_if_told(text, &DESCENT, "a finding hangs on descent")?;
    let told: Vec<usize> = (0..text.len())
        .filter(|&at| RACES.has(text.word(at)) && text.written(at).starts_with(char::is_uppercase))
        .collect();
    let (inside, mut outside): (Vec<usize>, Vec<usize>) = told.iter().partition(|at| patient.named.contains(at));
    // `45 yo WM`: told in a letter, beside the sex.
    outside.extend((0..text.len()).filter(|&at| {
        let race = letters::race(text, at);
        race.is_some_and(|(first, _)| patient.named.contains(&at) || letters::follow_an_age(text, first))
    }));
    if !outside.is_empty() {
        let terms = outside.iter().map(|&at| (text.tokens[at].span, text.written(at).to_owned())).collect();
        return Err(NotApplicable { terms, why: "descent is told elsewhere in the text".to_owned() });
    }
    if let (Some(&first), Some(&last)) = (inside.first(), inside.last()) {
        let at = Span { start: text.tokens[first].span.start, end: text.tokens[last].span.end };
        if is_same_race(at.of(text.source), race) {
            return not_applicable("the patient is told to be so already");
        }
        return Ok(vec![Edit { at, from: at.of(text.source).to_owned(), to: race.to_owned() }]);
    }
    let head = patient.named.clone().find(|&at| gendered(text.word(at)).is_some());
    Ok(vec![match head {
        Some(head) => {
            let start = text.tokens[head].span.start;
            Edit { at: Span { start, end: start }, from: String::new(), to: format!("{race} ") }
        }
        None => after_first_sentence(text, patient, &format!("The patient is {race}.")),
    }])
}

/// `African American` and `Black`: another word for the same changes nothing.
fn is_same_race(told: &str, race: &str) -> bool {
    let plain = |name: &str| name.to_lowercase().replace('-', " ");
    let (told, race) = (plain(told), plain(race));
    let group = |name: &str| SAME_RACE.iter().position(|names| names.contains(&name));
    told == race || group(&told).is_some_and(|of| group(&race) == Some(of))
}

const SAME_RACE: [&[&str]; 3] = [
    &["black", "african american", "black american", "black african american"],
    &["white", "caucasian", "white american", "white caucasian"],
    &["hispanic", "latino", "latina", "latinx", "chicano", "chicana"],
];
