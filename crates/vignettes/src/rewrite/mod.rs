//! The same text for he, she and they. What is not edited stays byte for byte.
//!
//! One pass over the words of the original: a replacement never sees another's result, so he→she→he cannot happen.

mod agreement;
mod applicable;
mod clause;
mod disambiguate;
mod draft;
pub(crate) mod letters;
mod nouns;
mod owner;
pub(crate) mod patient;
mod splice;
mod unsexed;
mod whom;

pub(crate) use splice::splice;
pub use unsexed::unsexed;

use crate::token::Text;
use crate::words::gendered::{gendered, pronoun};
use crate::{Choice, Span, Vignette};
use draft::Draft;
use patient::Patient;
use serde::{Deserialize, Serialize};
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
            let told = |at: usize| pronoun(words.word(at)).is_some() || gendered(words.word(at)).is_some();
            let why = match (0..words.len()).any(told) {
                true => "the text does not tell the sex of the patient in a form that the rules read",
                false => "the text does not tell the sex of the patient",
            };
            return Err(NotApplicable { terms: Vec::new(), why: why.into() });
        }
        check_way_back(&words, who, &mut new);
    }
    Ok(new)
}

/// The sex the text tells of its patient, where it does.
pub fn told_sex(text: &str) -> Option<Sex> {
    patient::find(&Text::new(text)).sex
}

/// A vignette in another wording: story, question and options with the same patient in mind. Edits and warnings are those of the story;
/// the places of terms that refuse it are in the part they stand in.
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

/// How it begins why a text is not swapped that tells how the patient sees themselves; its terms are the words that tell it.
pub const IDENTITY: &str = "a gender identity is told";

/// How a warning begins of a swap that does not swap back.
pub const AMBIGUOUS: &str = "swapped back, this word reads otherwise";

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
        new.warnings.push(Warning { at, why: format!("{AMBIGUOUS}: the new text is ambiguous here") });
        new.warnings.sort_by_key(|warning| warning.at);
    }
}

/// Begins with a vowel as it is spoken.
pub(crate) fn sounds_open(word: &str) -> bool {
    // Letters said one by one: an X-ray, an MRI, a UTI.
    let spelt = word.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    if (1..=4).contains(&spelt.len()) && spelt.bytes().all(|letter| letter.is_ascii_uppercase()) {
        return spelt.starts_with(['A', 'E', 'F', 'H', 'I', 'L', 'M', 'N', 'O', 'R', 'S', 'X']);
    }
    let word = word.to_lowercase();
    let hidden = ["uni", "eu", "one", "use", "ura", "uro"].iter().any(|start| word.starts_with(start));
    let mute = ["hour", "honest", "heir"].iter().any(|start| word.starts_with(start));
    let number = word.starts_with('8') || word.starts_with("11") || word.starts_with("18");
    (word.starts_with(['a', 'e', 'i', 'o', 'u']) && !hidden) || mute || number
}

#[cfg(test)]
mod tests {
    use super::sounds_open;

    #[test]
    fn letters_are_heard_by_their_names() {
        for word in ["X-ray", "MRI", "ECG", "HIV-positive", "hour", "80", "apple"] {
            assert!(sounds_open(word), "an {word}");
        }
        for word in ["UTI", "CT", "BMI", "unit", "70", "Hispanic"] {
            assert!(!sounds_open(word), "a {word}");
        }
    }
}
