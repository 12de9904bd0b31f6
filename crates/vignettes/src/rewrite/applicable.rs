//! Content that makes a swap a false counterfactual (specs: 8.5, 4).

use super::clause::Scene;
use super::draft::Draft;
use super::owner::Reading;
use super::patient::Patient;
use super::{IDENTITY, NotApplicable, Who};
use crate::token::Text;
use crate::words::bound::{Binding, Hit, hits};
use std::collections::HashSet;

/// Refuses a text with content of one sex, naming it; content that is only commoner in one sex is a warning. Where a gender identity is
/// told, that is the reason, whatever else there is.
pub(crate) fn check(
    draft: &mut Draft<'_, '_>,
    patient: &Patient,
    owners: &[Option<Reading>],
) -> Result<(), NotApplicable> {
    let text = draft.text;
    let (mut terms, mut identities) = (Vec::new(), Vec::new());
    let mut told = HashSet::new();
    let (mut scene, mut births) = (Scene::default(), Births::default());
    for hit in hits(text) {
        let at = crate::Span { start: text.tokens[hit.first].span.start, end: text.tokens[hit.last].span.end };
        if hit.binding == Binding::Skewed {
            if told.insert(text.word(hit.first)) {
                draft.warn(hit.first, "commoner in one sex, or with limits of its own for each");
            }
            continue;
        }
        let refused = match (hit.binding, draft.who) {
            // Whoever's twin it is, where both change they stay alike.
            (Binding::Twin, who) => who == Who::Patient,
            (_, Who::Everyone) => true,
            _ => !(births.explain(text, patient, hit) || scene.is_anothers(text, owners, hit) && !is_a_mans(text, hit)),
        };
        if refused {
            let of = if hit.binding == Binding::Identity { &mut identities } else { &mut terms };
            of.push((at, at.of(text.source).to_owned()));
        }
    }
    let (terms, what) = match identities.is_empty() {
        true => (terms, "what is told belongs to one sex"),
        false => (identities, IDENTITY),
    };
    if terms.is_empty() {
        return Ok(());
    }
    let mut names: Vec<&str> = terms.iter().map(|(_, term)| term.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let why = format!("{what}: {}", names.join(", "));
    Err(NotApplicable { terms, why })
}

/// Of which sentences it is known whether they tell of the patient's own birth: an endless one is looked through once.
#[derive(Default)]
struct Births {
    known: Option<(usize, bool)>,
}

impl Births {
    /// `born at 38 weeks' gestation`: true of a patient of either sex.
    fn explain(&mut self, text: &Text<'_>, patient: &Patient, hit: Hit) -> bool {
        if hit.binding != Binding::Birth || is_a_mans(text, hit) {
            return false;
        }
        if patient.is_child() {
            return true;
        }
        let opening = text.sentence_start(hit.first);
        match self.known {
            Some((known, told)) if known == opening => told,
            _ => {
                let told = tells_of_birth(text, hit.first);
                self.known = Some((opening, told));
                told
            }
        }
    }
}

/// `a 22-year-old man, gravida 2`, `his pregnancy`: the text contradicts itself before anybody swaps a word (specs: 8.5, 5).
fn is_a_mans(text: &Text<'_>, hit: Hit) -> bool {
    if hit.binding != Binding::Birth {
        return false;
    }
    let at = hit.first;
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
