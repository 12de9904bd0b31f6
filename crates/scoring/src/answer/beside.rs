//! What stands beside a name that fits several conditions: `stroke (cerebellar)`, `anaemia due to kidney disease`.
//!
//! It may tell which of them is meant, or that it is another disease. Where it is a kind or a cause that the base does not know of any of them,
//! the wide name alone is not what was said, and names none of them.

use super::labels::Labels;
use super::words::{is_soft, normalised};
use waterjar_core::ConditionId;

/// More words than this in brackets are a reason, not a kind.
const LONGEST_KIND: usize = 4;

/// How the words are joined to the name.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Joint {
    /// Brackets, a colon or a dash: the same in other words, or a reason.
    Apposition {
        brackets: bool,
    },
    Comma,
    Hedge,
    Cause,
    /// `Anaemia in chronic kidney disease`, `stroke in a young woman`
    In,
    Reason,
    /// What it is not.
    Not,
}

/// What a clause comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Clause<'a> {
    Nothing,
    /// What follows explains, and qualifies the name no more.
    Reason,
    Known(&'a ConditionId),
    Unknown,
}

/// Marks that begin another clause, beside brackets.
const MARKS: [(&str, Joint); 29] = [
    (" – ", Joint::Apposition { brackets: false }),
    (" — ", Joint::Apposition { brackets: false }),
    (" - ", Joint::Apposition { brackets: false }),
    (": ", Joint::Apposition { brackets: false }),
    ("; ", Joint::Comma),
    (", ", Joint::Comma),
    (" due to ", Joint::Cause),
    (" secondary to ", Joint::Cause),
    (" caused by ", Joint::Cause),
    (" related to ", Joint::Cause),
    (" associated with ", Joint::Cause),
    (" from ", Joint::Cause),
    (" in ", Joint::In),
    (" because ", Joint::Reason),
    (" given ", Joint::Reason),
    (" based on ", Joint::Reason),
    (" with ", Joint::Reason),
    (" without ", Joint::Not),
    (" during ", Joint::Reason),
    (" on ", Joint::Reason),
    (" which ", Joint::Reason),
    (" that ", Joint::Reason),
    (" as ", Joint::Reason),
    (" rather than ", Joint::Not),
    (" after ", Joint::Reason),
    (" following ", Joint::Reason),
    (" requiring ", Joint::Reason),
    (" though ", Joint::Reason),
    (" (", Joint::Apposition { brackets: true }),
];

/// What a clause may open with before it says something. The first ones say that a diagnosis follows.
const HEDGES: [&str; 12] = [
    "likely",
    "most likely",
    "more likely",
    "possibly",
    "probably",
    "presumably",
    "perhaps",
    "specifically",
    "more specifically",
    "particularly",
    "namely",
    "suspected",
];
const OPENINGS: [&str; 13] = [
    "i.e.",
    "ie",
    "of",
    "in",
    "the",
    "an",
    "a",
    "involving",
    "affecting",
    "consistent with",
    "suggestive of",
    "type",
    "-",
];

/// Words that leave a name what it is, beside the soft ones.
const HARMLESS: [&str; 53] = [
    "adult",
    "about",
    "approximately",
    "attack",
    "case",
    "cause",
    "certain",
    "child",
    "clinical",
    "clinically",
    "cm",
    "code",
    "complicated",
    "confidence",
    "confirmed",
    "current",
    "diagnosis",
    "elderly",
    "episode",
    "estimated",
    "etiology",
    "female",
    "first",
    "gradual",
    "progressive",
    "sudden",
    "for",
    "high",
    "highly",
    "icd",
    "icd10",
    "is",
    "likelihood",
    "low",
    "male",
    "man",
    "medium",
    "nos",
    "of",
    "percent",
    "probability",
    "provisional",
    "recurrent",
    "side",
    "subacute",
    "sure",
    "typical",
    "uncertain",
    "uncomplicated",
    "unilateral",
    "unspecified",
    "very",
    "woman",
];

/// What such a clause says is not what the patient has.
const DENIALS: [&str; 16] = [
    "not", "no", "non", "less", "least", "unlikely", "without", "excluded", "ruled", "rule", "rather", "versus",
    "cannot", "unless", "if", "pending",
];

/// How the reasons for a diagnosis begin.
const REASONS: [&str; 12] = [
    "given",
    "with",
    "as",
    "since",
    "based",
    "because",
    "presenting",
    "symptoms",
    "supported",
    "suggested",
    "explains",
    "fits",
];

/// Words that end like these tell of what kind something is; a complaint is a noun.
const KINDS: [&str; 10] = ["ic", "al", "ous", "ary", "ar", "oid", "ive", "induced", "related", "mediated"];
const DISEASES: [&str; 13] = [
    "disease",
    "diseases",
    "failure",
    "syndrome",
    "cancer",
    "malignancy",
    "disorder",
    "infection",
    "hemorrhage",
    "bleed",
    "deficiency",
    "itis",
    "opathy",
];

impl Labels {
    /// What a name means with these words after this mark; `None` where they tell that it is none of those it fits. Any other name is what it is.
    pub(super) fn qualified<'a>(&'a self, found: &'a ConditionId, mark: &str, more: &str) -> Option<&'a ConditionId> {
        if !self.is_wide(found) {
            return Some(found);
        }
        let (mut other, mut unknown, mut explained) = (None, false, false);
        for (joint, words) in clauses(mark, more) {
            match self.clause(found, joint, words, more) {
                Clause::Known(it) if self.is_within(found, it) => return Some(it),
                Clause::Known(it) if !explained => other = other.or(Some(it)),
                Clause::Unknown if !explained => unknown = true,
                Clause::Reason => explained = true,
                Clause::Nothing | Clause::Known(_) | Clause::Unknown => {}
            }
        }
        match other {
            Some(other) => Some(other),
            None => (!unknown).then_some(found),
        }
    }

    fn clause<'a>(&'a self, wide: &'a ConditionId, joint: Joint, words: &str, all: &str) -> Clause<'a> {
        let (bare, hedged) = opened(words);
        let joint = if hedged && joint != Joint::Not { Joint::Hedge } else { joint };
        let example = ["e.g.", "eg "].iter().find_map(|sign| bare.strip_prefix(sign));
        let bare = example.unwrap_or(bare).trim_start_matches([',', ' ']);
        if is_harmless(bare) {
            return Clause::Nothing;
        }
        if joint == Joint::Not {
            return Clause::Reason;
        }
        if let Some(found) = self.told(wide, joint, bare) {
            return match found {
                found if found == wide => Clause::Nothing,
                found if self.is_within(wide, found) => Clause::Known(found),
                found if self.shares(wide, found) => Clause::Nothing,
                _ if example.is_some() => Clause::Reason,
                found => match joint {
                    Joint::Apposition { .. } | Joint::Hedge | Joint::Cause => Clause::Known(found),
                    // Another disease that is there as well.
                    Joint::Comma | Joint::In => Clause::Unknown,
                    Joint::Reason | Joint::Not => Clause::Reason,
                },
            };
        }
        let reasoned = example.is_some() || denies(bare) || joint == Joint::Reason;
        if !reasoned && is_kind(joint, bare, all) { Clause::Unknown } else { Clause::Reason }
    }

    /// The condition that the words name, alone or together with the name they stand beside; of two, none unless both are of that name.
    fn told<'a>(&'a self, wide: &'a ConditionId, joint: Joint, words: &str) -> Option<&'a ConditionId> {
        if let Some(found) = self.told_alone(wide, joint, words) {
            return Some(found);
        }
        let parts =
            [" and/or ", " or ", " versus ", " vs. ", " vs ", "/"].iter().find_map(|mark| words.split_once(mark));
        let (one, two) = parts?;
        let fits = |words: &str| {
            let told = self.told_alone(wide, joint, opened(words).0);
            told.map(|it| self.is_within(wide, it) || self.shares(wide, it))
        };
        match (fits(one), fits(two)) {
            (Some(false), _) | (_, Some(false)) | (None, None) => None,
            _ => Some(wide),
        }
    }

    fn told_alone<'a>(&'a self, wide: &'a ConditionId, joint: Joint, words: &str) -> Option<&'a ConditionId> {
        let words = words.trim();
        let alone = self.exact(other_name(words));
        // What causes a disease is not the disease: `anaemia due to hypothyroidism`.
        let alone = alone.filter(|it| joint != Joint::Cause || self.is_within(wide, it) || *it == wide);
        let together = || {
            let cause = (joint == Joint::Cause).then(|| format!("{wide} due to {words}"));
            let forms = [format!("{words} {wide}"), format!("{words} infection"), format!("{words} deficiency")];
            cause.into_iter().chain(forms).find_map(|form| self.exact(&form))
        };
        alone.or_else(together).or_else(|| self.coded(words).filter(|_| joint != Joint::Cause))
    }
}

/// The words without what they open with, and whether that says that a diagnosis follows.
fn opened(words: &str) -> (&str, bool) {
    let mut rest = words.trim();
    let mut hedged = false;
    loop {
        let starts = |opening: &&&str| {
            let head = rest.get(..opening.len()).is_some_and(|head| head.eq_ignore_ascii_case(opening));
            head && rest[opening.len()..].starts_with([' ', ','])
        };
        let hedge = HEDGES.iter().find(starts);
        let Some(opening) = hedge.or_else(|| OPENINGS.iter().find(starts)) else { return (rest, hedged) };
        hedged |= hedge.is_some();
        rest = rest[opening.len()..].trim_start_matches([' ', ',']);
    }
}

/// The clauses of what is said after a mark.
fn clauses<'t>(mark: &str, more: &'t str) -> Vec<(Joint, &'t str)> {
    let mut found = Vec::new();
    let (mut joint, mut rest) = (joint_of(mark), more);
    loop {
        let next =
            MARKS.iter().filter_map(|(mark, joint)| Some((rest.find(mark)?, mark.len(), *joint))).min_by_key(|it| it.0);
        let end = next.map_or(rest.len(), |(at, ..)| at);
        let words = rest[..end].trim_matches([' ', ')', '(', '.']);
        found.push(joined(words).unwrap_or((joint, words)));
        let Some((at, length, following)) = next else { return found };
        (joint, rest) = (following, &rest[at + length..]);
    }
}

/// `Anaemia (due to kidney disease)`, `anaemia, due to kidney disease`
fn joined(words: &str) -> Option<(Joint, &str)> {
    let worded = MARKS.iter().filter(|(mark, _)| mark.trim().starts_with(char::is_alphabetic));
    worded.into_iter().find_map(|(mark, joint)| Some((*joint, words.strip_prefix(mark.trim_start())?)))
}

fn joint_of(mark: &str) -> Joint {
    match mark {
        "(" => Joint::Apposition { brackets: true },
        " likely " | " possibly " => Joint::Hedge,
        _ => MARKS.iter().find(|(known, _)| *known == mark).map_or(Joint::Reason, |(_, joint)| *joint),
    }
}

/// Whether words that name nothing known tell of what kind the disease is, rather than why it is thought of.
fn is_kind(joint: Joint, words: &str, all: &str) -> bool {
    let name = normalised(words);
    let words: Vec<&str> = name.split(' ').collect();
    let ends = |word: &str, endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    let disease = words.last().is_some_and(|last| ends(last, &DISEASES)) && words.len() <= LONGEST_KIND;
    let last = words.len() - 1;
    let kind = words.len() < LONGEST_KIND
        && ends(words[last], &KINDS)
        && words[..last].iter().all(|word| ends(word, &KINDS) || is_soft(word) || words[last].ends_with("ed"));
    let alone = ![", ", " and ", "; ", " + "].iter().any(|mark| all.contains(mark));
    match joint {
        Joint::Cause | Joint::Hedge => true,
        Joint::Apposition { brackets: true } => {
            disease || kind || (alone && words.len() <= LONGEST_KIND && !REASONS.contains(&words[0]))
        }
        Joint::Apposition { brackets: false } | Joint::Comma => disease || kind,
        Joint::In => disease,
        Joint::Reason | Joint::Not => false,
    }
}

/// Words that say how sure, how bad, on which side or by which code, and nothing else.
pub(super) fn is_harmless(words: &str) -> bool {
    let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let name = normalised(words);
    name.split_whitespace().all(|word| is_soft(word) || HARMLESS.contains(&word) || is_number(word))
}

fn denies(words: &str) -> bool {
    normalised(words).split(' ').any(|word| DENIALS.contains(&word))
}

/// `also known as croup`
pub(super) fn other_name(words: &str) -> &str {
    let opening = ["also known as ", "also called ", "commonly known as ", "previously known as ", "formerly ", "aka "];
    opening.iter().find_map(|opening| words.strip_prefix(opening)).unwrap_or(words)
}
