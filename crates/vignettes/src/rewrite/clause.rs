//! Whose clause it is: whether what is told of one sex belongs to the patient or to somebody else (specs: 8.5, 4).
//!
//! Another's is what a clause tells that is about another, and what is told of them in passing. Where it is not clear, it is the patient's: a
//! swap too few is better than a false one.

use super::owner::{Owner, Reading};
use crate::token::Text;
use crate::words::bound::Hit;
use crate::words::function::{is_adverb, is_auxiliary, is_conjunction, is_determiner, is_possessive, is_preposition};
use crate::words::gendered::{Noun, Pronoun, gendered, pronoun, stem};
use crate::words::her::REVEALS;
use crate::words::verbs::{is_also_a_noun, is_clear_singular};

/// What the sentence has told before a hit. It goes along with the hits, so that an endless sentence is read once and not for each of them.
#[derive(Default)]
pub(super) struct Scene {
    opening: usize,
    /// How far it has been read.
    read: usize,
    /// Whether the clause has had a verb.
    said: bool,
    family: Family,
    /// Whether the clause is about another than the patient.
    anothers: bool,
    aside: Aside,
    /// The other person met last, and whether the clause was about them.
    last: Option<(usize, bool)>,
    /// Somebody is born or delivered: `born to a woman with …`.
    born: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Family {
    #[default]
    None,
    /// `Family history is negative for …`
    Subject,
    /// `She has a family history of …`
    Object,
}

/// What is told of another in a clause that is not about them.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Aside {
    #[default]
    None,
    /// `his wife's …`, `her …`
    Owned,
    /// `a sister with …`
    With,
    /// `his mother, who …`
    Who,
}

impl Scene {
    /// `his mother had ovarian cancer`: true of a patient of either sex. Not `lives with her husband and is pregnant`.
    pub fn is_anothers(&mut self, text: &Text<'_>, owners: &[Option<Reading>], hit: Hit) -> bool {
        let opening = text.sentence_start(hit.first);
        if self.read == 0 || self.opening != opening {
            *self = Self { opening, read: opening, ..Self::default() };
        }
        for place in self.read..hit.first {
            self.read_word(text, owners, place);
        }
        self.read = hit.first;
        self.family != Family::None
            || self.anothers
            || self.aside != Aside::None
            || is_of_the_next(text, owners, hit)
            || is_in_another(text, owners, hit)
    }

    fn read_word(&mut self, text: &Text<'_>, owners: &[Option<Reading>], at: usize) {
        let word = text.word(at);
        if word == "family" && matches!(text.word(at + 1), "history" | "members") {
            self.family = if self.said { Family::Object } else { Family::Subject };
        } else if let Some(other) = is_another(text, owners, at) {
            if other {
                self.meet(text, at);
            } else if !leads_to_another(text, owners, at) {
                self.patient_again();
            }
        } else if matches!(word, "," | "and" | "but" | "while" | "whereas" | "although" | "because") {
            self.turn(text, at);
        } else if is_verb(word) {
            self.said = true;
            self.end_of(Aside::Owned);
        } else if is_preposition(word) && word != "of" {
            self.end_of(Aside::Owned);
        }
        self.born |= matches!(word, "born" | "delivered");
        self.said &= word != ";";
    }

    fn end_of(&mut self, aside: Aside) {
        if self.aside == aside {
            self.aside = Aside::None;
        }
    }

    fn patient_again(&mut self) {
        (self.anothers, self.family, self.aside, self.last) = (false, Family::None, Aside::None, None);
    }

    fn meet(&mut self, text: &Text<'_>, at: usize) {
        let word = text.word(at);
        let (is_subject, lead) = self.stands(text, at);
        self.last = Some((at, is_subject));
        if is_subject {
            (self.anothers, self.aside) = (true, Aside::None);
            return;
        }
        let after = at + 1 + usize::from(text.word(at + 1) == ",");
        self.aside = if matches!(text.word(after), "who" | "whose") {
            Aside::Who
        } else if is_possessive(word) {
            Aside::Owned
        } else if text.word(at + 1) == "with" && (!is_preposition(lead) || matches!(lead, "to" | "of")) {
            Aside::With
        } else {
            Aside::None
        };
    }

    /// Whether the clause is about the person at a place, and the word before their phrase: `by` of `by her older sister`.
    fn stands<'t>(&self, text: &'t Text<'_>, at: usize) -> (bool, &'t str) {
        let start = phrase_start(text, at);
        let Some(before) = start.checked_sub(1).filter(|&before| text.same_sentence(before, at)) else {
            return (true, "");
        };
        let lead = text.word(before);
        if pronoun(text.word(at)).is_some_and(|(kind, _)| kind == Pronoun::Subject) {
            return (true, lead);
        }
        // `after his wife became pregnant`
        let may_begin_a_clause = matches!(lead, "after" | "before" | "since" | "until");
        if is_preposition(lead) && !(may_begin_a_clause && verb_follows(text, at)) {
            return (lead == "to" && self.born, lead);
        }
        if verb_follows(text, at) {
            return (true, lead);
        }
        let is_subject = match lead {
            "and" | "or" | "," => self.last.is_some_and(|(last, subject)| subject && at - last <= 7),
            "as" | "than" => false,
            _ => text.is_mark(before) && lead != "-" || is_conjunction(lead),
        };
        (is_subject, lead)
    }

    /// A comma or a conjunction: what goes on, and about whom.
    fn turn(&mut self, text: &Text<'_>, at: usize) {
        let word = text.word(at);
        let next = after_connectors(text, at + 1);
        let verb = is_verb(text.word(next));
        if !verb && begins_a_clause(text, next) {
            self.patient_again();
            self.said = false;
            return;
        }
        if verb {
            self.end_of(Aside::Owned);
            self.end_of(Aside::With);
            if self.family == Family::Object {
                self.family = Family::None;
            }
        }
        let goes_back = verb || is_preposition(text.word(next)) || is_determiner(text.word(next));
        if word == "because" || word == "," && goes_back {
            self.aside = Aside::None;
        }
        if word == "," {
            self.end_of(Aside::Owned);
        }
    }
}

/// Of a word that means a person, whether it is another than the patient.
fn is_another(text: &Text<'_>, owners: &[Option<Reading>], at: usize) -> Option<bool> {
    let word = text.word(at);
    if stem(word) == "patient" || word == ";" {
        return Some(false);
    }
    if is_close(stem(word)) {
        return Some(true);
    }
    let reading = owners[at]?;
    let noun = gendered(word).map(|it| it.noun);
    // `male pattern`, `female genitalia`: nobody.
    let person = pronoun(word).is_some() || noun.is_some_and(|noun| !matches!(noun, Noun::Adjective | Noun::Descent));
    person.then_some(reading.owner == Owner::Other)
}

/// Others whose sex the word does not tell.
fn is_close(word: &str) -> bool {
    matches!(
        word,
        "partner"
            | "partners"
            | "spouse"
            | "spouses"
            | "sibling"
            | "siblings"
            | "relative"
            | "relatives"
            | "parents"
            | "grandparents"
    )
}

/// `his older brother`, `the patient's mother`, `her family history`: the word is the patient's, and what it leads to is not.
fn leads_to_another(text: &Text<'_>, owners: &[Option<Reading>], at: usize) -> bool {
    let inside = |place: &usize| text.same_sentence(*place, at) && (is_plain(text, *place) || text.word(*place) == "-");
    is_possessive(text.word(at))
        && (at + 1..at + 6).take_while(inside).any(|place| {
            text.word(place) == "family"
                || pronoun(text.word(place)).is_none() && is_another(text, owners, place) == Some(true)
        })
}

/// Neither a mark nor a word of grammar.
fn is_plain(text: &Text<'_>, at: usize) -> bool {
    let word = text.word(at);
    !(text.is_mark(at) || is_preposition(word) || is_conjunction(word) || is_auxiliary(word))
}

/// Where the phrase of a person begins: `her` of `her two older sisters`.
fn phrase_start(text: &Text<'_>, at: usize) -> usize {
    let mut start = at;
    if pronoun(text.word(at)).is_some() {
        return start;
    }
    for back in 1..=6 {
        let Some(place) = at.checked_sub(back).filter(|&place| text.same_sentence(place, at)) else { break };
        let word = text.word(place);
        let owner = is_possessive(word) || is_determiner(word) && word != "that";
        if !(owner || is_plain(text, place) || word == "-") || is_verb(word) {
            break;
        }
        start = place;
        // `his father's sister`
        if owner && !word.ends_with("'s") {
            break;
        }
    }
    start
}

/// A verb, and not a noun spelt like one.
fn is_verb(word: &str) -> bool {
    is_auxiliary(word) || is_clear_singular(word) && !is_also_a_noun(word) || REVEALS.has(word)
}

fn verb_follows(text: &Text<'_>, at: usize) -> bool {
    let verb = (at + 1..at + 4).find(|&place| !is_adverb(text.word(place)) || is_auxiliary(text.word(place)));
    verb.is_some_and(|place| {
        let word = text.word(place);
        let past = word.len() > 3 && word.ends_with("ed") || matches!(word, "underwent" | "gave" | "took" | "began");
        text.same_sentence(at, place) && (is_auxiliary(word) || is_clear_singular(word) || past)
    })
}

fn after_connectors(text: &Text<'_>, from: usize) -> usize {
    let joins =
        |word: &str| matches!(word, "," | "and" | "but" | "or" | "then") || is_adverb(word) && !is_auxiliary(word);
    (from..from + 4).find(|&place| !joins(text.word(place))).unwrap_or(from + 4)
}

/// Whether a subject of its own and a verb follow: `examination shows`; not `ovarian cancer in her mother`.
fn begins_a_clause(text: &Text<'_>, from: usize) -> bool {
    let near = (from..from + 7).take_while(|&place| {
        let word = text.word(place);
        let hangs = is_preposition(word) || is_conjunction(word) || text.is_mark(place) && word != "-";
        text.same_sentence(from, place) && !hangs
    });
    near.skip(1).any(|place| is_verb(text.word(place)))
}

/// `his pregnant wife`: of the relative that follows.
fn is_of_the_next(text: &Text<'_>, owners: &[Option<Reading>], hit: Hit) -> bool {
    is_possessive(text.before(hit.first, 1)) && leads_to_kin(text, owners, hit.last + 1, 3)
}

/// `ovarian cancer in his grandmother`, `the pregnancy of his wife`
fn is_in_another(text: &Text<'_>, owners: &[Option<Reading>], hit: Hit) -> bool {
    let lead = (hit.last + 1..hit.last + 4)
        .take_while(|&place| text.same_sentence(hit.last, place))
        .find(|&place| !is_plain(text, place));
    lead.is_some_and(|lead| matches!(text.word(lead), "in" | "of") && leads_to_kin(text, owners, lead + 1, 5))
}

fn leads_to_kin(text: &Text<'_>, owners: &[Option<Reading>], from: usize, far: usize) -> bool {
    let kin = |place: usize| {
        let word = text.word(place);
        let named = gendered(word).is_some_and(|it| it.noun == Noun::Kin) || is_close(stem(word));
        named && !word.ends_with("'s") && is_another(text, owners, place) == Some(true)
    };
    (from..from + far).take_while(|&place| text.same_sentence(from, place) && is_plain(text, place)).any(kin)
}
