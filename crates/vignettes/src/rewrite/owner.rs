//! Whose word it is: the patient's, or somebody else's (specs: 8.5, 1).

use super::disambiguate::{Her, her};
use super::patient::Patient;
use super::whom::{is_patients_noun, is_word_of_a_child};
use crate::token::Text;
use crate::words::WordList;
use crate::words::function::{is_auxiliary, is_conjunction, is_determiner, is_possessive, is_preposition};
use crate::words::gendered::{Noun, Pronoun, gendered, is_acquaintance, is_professional, pronoun, stem};
use waterjar_core::Sex;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Patient,
    Other,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    pub owner: Owner,
    pub unsure: Option<&'static str>,
}

const PATIENT: Reading = Reading { owner: Owner::Patient, unsure: None };
const OTHER: Reading = Reading { owner: Owner::Other, unsure: None };

/// Somebody beside the patient, as met while reading.
#[derive(Clone, Copy, Debug)]
struct Person {
    at: usize,
    sex: Option<Sex>,
    /// What the clause is about.
    subject: bool,
    staff: bool,
}

/// For each token that says he or she: whose it is.
pub(crate) fn owners(text: &Text<'_>, patient: &Patient) -> Vec<Option<Reading>> {
    let mut scene = Scene::default();
    (0..text.len())
        .map(|at| {
            if at > 0 && !text.same_sentence(at, at - 1) {
                scene.next_sentence();
            }
            let word = text.word(at);
            if let Some((kind, sex)) = pronoun(word) {
                return Some(scene.whose(text, patient, at, kind, sex));
            }
            if let Some(found) = gendered(word) {
                let owner = if is_patients_noun(text, patient, at) { PATIENT } else { OTHER };
                let somebody = !matches!(found.noun, Noun::Plural | Noun::Adjective | Noun::Descent);
                if owner.owner == Owner::Other && somebody {
                    scene.meet(text, at, Some(found.sex), false);
                }
                return Some(owner);
            }
            let staff = is_professional(word);
            if staff || (is_acquaintance(word) && !(patient.is_child() && names_a_child(word))) {
                let about_patient = patient.named.contains(&at);
                if !about_patient {
                    scene.meet(text, at, None, staff);
                }
            }
            None
        })
        .collect()
}

fn names_a_child(word: &str) -> bool {
    matches!(stem(word), "child" | "baby" | "infant" | "newborn" | "twin")
}

#[derive(Default)]
struct Scene {
    here: Vec<Person>,
    /// The last person the sentence before was about.
    before: Option<Person>,
    met: Vec<Option<Sex>>,
    /// The last reading of a pronoun of the patient's sex in this sentence.
    last: Option<(usize, Reading)>,
}

impl Scene {
    fn next_sentence(&mut self) {
        self.before = self.here.iter().rev().find(|person| !person.staff).copied();
        self.here.clear();
        self.last = None;
    }

    fn meet(&mut self, text: &Text<'_>, at: usize, sex: Option<Sex>, staff: bool) {
        let subject = self.is_subject(text, at);
        // Of each kind the last counts, however many an endless sentence has.
        self.here.retain(|person| person.sex != sex || person.staff != staff);
        self.here.push(Person { at, sex, subject, staff });
        if !self.met.contains(&sex) {
            self.met.push(sex);
        }
    }

    fn is_subject(&self, text: &Text<'_>, at: usize) -> bool {
        if text.word(at).ends_with("'s") {
            return false;
        }
        let told_of = text.word(at + 1) == "who" || (text.word(at + 1) == "," && text.word(at + 2) == "who");
        if told_of {
            return true;
        }
        let mut start = at;
        for back in 1..=5 {
            let Some(place) = at.checked_sub(back).filter(|&place| text.same_sentence(place, at)) else { break };
            let word = text.word(place);
            let inside = is_possessive(word)
                || (is_determiner(word) && word != "that")
                || !(text.is_mark(place) && word != "-"
                    || is_conjunction(word)
                    || is_preposition(word)
                    || is_auxiliary(word));
            if !inside {
                break;
            }
            start = place;
            if is_possessive(word) || is_determiner(word) {
                break;
            }
        }
        let Some(place) = start.checked_sub(1).filter(|&place| text.same_sentence(place, at)) else { return true };
        let word = text.word(place);
        let joined = matches!(word, "and" | "or" | ",");
        if joined && let Some(last) = self.here.last().filter(|last| at - last.at <= 7) {
            return last.subject;
        }
        text.is_mark(place) || is_conjunction(word)
    }

    fn whose(&mut self, text: &Text<'_>, patient: &Patient, at: usize, kind: Pronoun, sex: Sex) -> Reading {
        if patient.sex != Some(sex) {
            let known = self.met.iter().any(|met| met.is_none_or(|met| met == sex));
            let unsure = (!known).then_some("a word of the other sex, and nobody it could mean: left as it is");
            return Reading { owner: Owner::Other, unsure };
        }
        // `her 3-year-old son`: somebody else's word for the patient.
        let of_patient = at + 1 == patient.named.start && matches!(kind, Pronoun::His | Pronoun::Her);
        let reading = if of_patient { OTHER } else { self.among_same_sex(text, patient, at, kind, sex) };
        self.last = Some((at, reading));
        reading
    }

    fn among_same_sex(&self, text: &Text<'_>, patient: &Patient, at: usize, kind: Pronoun, sex: Sex) -> Reading {
        let rival = self.here.iter().rev().find(|person| person.sex.is_none_or(|met| met == sex)).copied();
        let Some(rival) = rival else { return self.across_sentences(text, patient, at, kind, sex) };
        let parent = matches!(stem(text.word(rival.at)), "mother" | "father" | "mom" | "dad" | "parent" | "parents");
        if let Some(kin) = kin_after(text, at) {
            if kin == at + 1 && is_word_of_a_child(text, patient, kin) {
                return Reading {
                    owner: Owner::Other,
                    unsure: Some("the child's own word for the patient: left as it is"),
                };
            }
            let child = matches!(stem(text.word(kin)), "son" | "daughter" | "child" | "baby" | "infant" | "newborn");
            if !(child && parent && rival.subject) {
                return PATIENT;
            }
            return Reading {
                owner: Owner::Other,
                unsure: Some("the parent's own word for the patient: left as it is"),
            };
        }
        // Far back in an endless sentence nobody remembers who spoke; and the time stays linear.
        let near = (rival.at + 1).max(at.saturating_sub(80));
        let told = (near..at).any(|place| reports(text.word(place)));
        // `brought in by his father; he says that he vomits`
        let speaks = kind == Pronoun::Subject && text.before(at, 1) == ";" && reports(text.word(at + 1));
        if speaks && rival.sex == Some(sex) && !rival.staff {
            return Reading {
                owner: Owner::Patient,
                unsure: Some("could be the relative, who speaks: read as the patient"),
            };
        }
        if rival.staff || !rival.subject || told {
            return PATIENT;
        }
        let patient_again = (near..at).any(|place| stem(text.word(place)) == "patient");
        if patient_again {
            return PATIENT;
        }
        // `a man who stabbed him`: an object is not its own subject, which would be `himself`.
        let is_object = match kind {
            Pronoun::Object => true,
            Pronoun::Her => her(text, at).0 == Her::Object,
            _ => false,
        };
        let clause_of_rival =
            !(near..at).any(|place| pronoun(text.word(place)).is_some_and(|(kind, _)| kind == Pronoun::Subject));
        if is_object && clause_of_rival {
            return PATIENT;
        }
        if let Some((last, reading)) = self.last
            && last > rival.at
        {
            return Reading { owner: reading.owner, unsure: reading.unsure };
        }
        if rival.sex.is_none() {
            return Reading {
                owner: Owner::Patient,
                unsure: Some("could mean the other person in the sentence: read as the patient"),
            };
        }
        Reading {
            owner: Owner::Other,
            unsure: Some("could mean the patient: read as the other person, and left as it is"),
        }
    }

    fn across_sentences(&self, text: &Text<'_>, patient: &Patient, at: usize, kind: Pronoun, sex: Sex) -> Reading {
        let opens = at == 0 || !text.same_sentence(at, at - 1);
        let Some(before) = self.before.filter(|before| opens && kind == Pronoun::Subject && before.sex == Some(sex))
        else {
            return PATIENT;
        };
        let speaks = patient.is_child() && (at + 1..at + 4).any(|place| reports(text.word(place)));
        if speaks {
            return Reading {
                owner: Owner::Other,
                unsure: Some("the relative seems to speak for the child: left as it is"),
            };
        }
        let unsure =
            before.subject.then_some("the sentence before is about a relative of that sex: read as the patient");
        Reading { owner: Owner::Patient, unsure }
    }
}

/// The relative a possessive leads to: `his younger brother`.
fn kin_after(text: &Text<'_>, at: usize) -> Option<usize> {
    (at + 1..at + 8)
        .take_while(|&place| text.same_sentence(place, at) && (!text.is_mark(place) || text.word(place) == "-"))
        .take_while(|&place| {
            !is_auxiliary(text.word(place)) && !is_preposition(text.word(place)) && text.word(place) != "and"
        })
        .find(|&place| {
            gendered(text.word(place)).is_some_and(|it| it.noun == Noun::Kin) || is_acquaintance(text.word(place))
        })
}

/// Verbs of somebody who speaks of the patient or brings them.
pub(super) fn reports(word: &str) -> bool {
    REPORTS.has(word)
}

static REPORTS: WordList = WordList::new(
    "says said reports reported states stated notes noted noticed notices thinks thought believes worried worries \
     concerned tells told describes described adds added mentions mentioned claims insists denies denied explains \
     explained asks asked wants brings brought found finds observed observes gave gives tried recalls remembers \
     complains fears feels requests refuses confirms corroborates informs reveals calls called witnessed saw heard \
     wakes took takes afraid suspects wonders sees noting saying stating reporting expresses insisted",
);
