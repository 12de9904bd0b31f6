//! What stands beside a name that fits several conditions: `stroke (cerebellar)`, `anaemia due to kidney disease`.
//!
//! It may tell which of them is meant, or that it is another disease. Where it is a kind or a cause that the base does not know of any of them,
//! the wide name alone is not what was said, and names none of them.

use super::labels::{Labels, code};
use super::words::{core, is_soft, normalised};
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
    /// `Likely a stroke`
    Hedge,
    /// `Possibly a stroke`: not firm enough to name another disease.
    Perhaps,
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
    /// The same, and what is named after it is an example, or what the patient does not have.
    Aside,
    Known(&'a ConditionId),
    Unknown,
}

/// What words name.
#[derive(Clone, Copy, Debug)]
enum Told<'a> {
    One(&'a ConditionId),
    /// One or the other, and not both of the name they stand beside.
    Several,
}

/// The words up to the next mark.
struct Piece<'t> {
    joint: Joint,
    words: &'t str,
    /// These words and all that follows them.
    rest: &'t str,
}

/// Marks that begin another clause, beside brackets.
const MARKS: [(&str, Joint); 33] = [
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
    (" triggered by ", Joint::Cause),
    (" precipitated by ", Joint::Cause),
    (" in ", Joint::In),
    (" of the left ", Joint::In),
    (" of the right ", Joint::In),
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
const HEDGES: [&str; 10] = [
    "likely",
    "most likely",
    "more likely",
    "probably",
    "presumably",
    "specifically",
    "more specifically",
    "particularly",
    "namely",
    "suspected",
];
const PERHAPS: [&str; 3] = ["possibly", "possible", "perhaps"];
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
const HARMLESS: [&str; 57] = [
    "adult",
    "about",
    "approximately",
    "attack",
    "case",
    "cause",
    "certain",
    "child",
    "chronic",
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
    "origin",
    "percent",
    "probability",
    "provisional",
    "recurrent",
    "side",
    "subacute",
    "sure",
    "symptomatic",
    "type",
    "typical",
    "uncertain",
    "uncomplicated",
    "unilateral",
    "unspecified",
    "very",
    "woman",
];

/// What such a clause says is not what the patient has.
const DENIALS: [&str; 22] = [
    "not",
    "no",
    "non",
    "less",
    "least",
    "unlikely",
    "without",
    "exclude",
    "excluded",
    "ruled",
    "rule",
    "rather",
    "versus",
    "vs",
    "cannot",
    "unless",
    "if",
    "pending",
    "negative",
    "consider",
    "differential",
    "ddx",
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
        let more = &more.replace("such as ", "e.g. ").replace("e.g., ", "e.g. ");
        let (mut other, mut unknown, mut explained, mut aside) = (None, false, false, false);
        for piece in pieces(mark, more) {
            aside &= opened(piece.words).1 != Some(Joint::Hedge);
            match self.clause(found, &piece) {
                Clause::Known(_) if aside => {}
                Clause::Known(it) if self.is_within(found, it) => return Some(it),
                Clause::Known(it) if !explained => other = other.or(Some(it)),
                Clause::Unknown if !explained => unknown = true,
                Clause::Reason => explained = true,
                Clause::Aside => (explained, aside) = (true, true),
                Clause::Nothing | Clause::Known(_) | Clause::Unknown => {}
            }
        }
        match other {
            Some(other) => Some(other),
            None => (!unknown).then_some(found),
        }
    }

    fn clause<'a>(&'a self, wide: &'a ConditionId, piece: &Piece<'_>) -> Clause<'a> {
        let (bare, hedge) = opened(piece.words);
        let joint = match (piece.joint, hedge) {
            (Joint::Not, _) => Joint::Not,
            // With a possible haemorrhage: it is a reason all the same.
            (joint @ (Joint::Reason | Joint::Cause), Some(Joint::Perhaps)) => joint,
            (joint, hedge) => hedge.unwrap_or(joint),
        };
        if is_harmless(bare) {
            return Clause::Nothing;
        }
        if joint == Joint::Not {
            return Clause::Reason;
        }
        if ["e.g.", "eg "].iter().any(|sign| bare.starts_with(sign)) {
            return Clause::Aside;
        }
        match self.told(wide, joint, bare) {
            Some(Told::One(found)) => return self.beside(wide, joint, found, piece.rest),
            Some(Told::Several) if joint != Joint::Reason && !denies(bare) => return Clause::Unknown,
            _ => {}
        }
        match is_kind(joint, bare) {
            // Non-ST elevation is a kind of its own.
            _ if denies(bare) && !bare.to_lowercase().starts_with("non") => Clause::Aside,
            true if !denies(bare) => Clause::Unknown,
            _ => Clause::Reason,
        }
    }

    /// What it means that this condition is named beside a wide name.
    fn beside<'a>(&self, wide: &ConditionId, joint: Joint, found: &'a ConditionId, rest: &str) -> Clause<'a> {
        if found == wide {
            return Clause::Nothing;
        }
        if self.is_within(wide, found) {
            return Clause::Known(found);
        }
        if self.shares(wide, found) {
            return Clause::Nothing;
        }
        match joint {
            // Influenza, COVID-19 and strep excluded: what is told after a colon or a dash is mostly how it was found.
            Joint::Apposition { brackets: false } if self.whole(opened(rest).0) != Some(found) => Clause::Reason,
            Joint::Apposition { .. } if ends_denied(rest) => Clause::Reason,
            Joint::Apposition { .. } | Joint::Hedge | Joint::Cause => Clause::Known(found),
            // Another disease that is there as well, or may be.
            Joint::Comma | Joint::In | Joint::Perhaps => Clause::Unknown,
            Joint::Reason | Joint::Not => Clause::Reason,
        }
    }

    /// The condition that all of the words name, but for what is in brackets behind them: what stands there may be as long as it likes.
    fn whole(&self, words: &str) -> Option<&ConditionId> {
        let bare = words.split_once('(').map_or(words, |(name, _)| name);
        self.exact(words).or_else(|| self.exact(bare.trim())).or_else(|| self.coded(words))
    }

    /// The condition that the words name, alone or together with the name they stand beside; of two, that name where both are of it.
    fn told<'a>(&'a self, wide: &'a ConditionId, joint: Joint, words: &str) -> Option<Told<'a>> {
        if let Some(found) = self.told_alone(wide, joint, words).or_else(|| self.told_alone(wide, joint, bared(words)))
        {
            return Some(Told::One(found));
        }
        let parts =
            [" and/or ", " or ", " versus ", " vs. ", " vs ", "/"].iter().find_map(|mark| words.split_once(mark));
        let (one, two) = parts?;
        let fits = |words: &str| {
            let told = self.told_alone(wide, joint, opened(words).0);
            told.map(|it| self.is_within(wide, it) || self.shares(wide, it))
        };
        match (fits(one), fits(two)) {
            (None, None) => None,
            (Some(false), _) | (_, Some(false)) => Some(Told::Several),
            _ => Some(Told::One(wide)),
        }
    }

    fn told_alone<'a>(&'a self, wide: &'a ConditionId, joint: Joint, words: &str) -> Option<&'a ConditionId> {
        let words = words.trim();
        let is_cause = joint == Joint::Cause;
        let related = |it: &ConditionId| it == wide || self.is_within(wide, it) || self.shares(wide, it);
        // Stroke (atrial fibrillation) is a stroke of that cause.
        let caused = || {
            let may_cause = joint != Joint::Reason;
            let name = normalised(words);
            let forms = may_cause.then(|| [name.as_str(), core(&name)].map(|it| format!("{wide} due to {it}")));
            forms.into_iter().flatten().find_map(|form| self.exact(&form))
        };
        // What causes a disease is not the disease: `anaemia due to hypothyroidism`.
        let alone = || self.exact(other_name(words)).filter(|it| !is_cause || related(it));
        let together = || {
            let agent = words.strip_suffix(" infection").map(|agent| format!("{agent} {wide}"));
            let forms = [format!("{words} {wide}"), format!("{words} infection"), format!("{words} deficiency")];
            // Crohn's
            let short = (!is_cause).then(|| format!("{words} disease"));
            agent.into_iter().chain(forms).chain(short).find_map(|form| self.exact(&form))
        };
        caused().or_else(alone).or_else(together).or_else(|| self.coded(words).filter(|_| !is_cause))
    }
}

/// The words without what they open with, and how surely a diagnosis follows, where they say that one does.
fn opened(words: &str) -> (&str, Option<Joint>) {
    let mut rest = words.trim();
    let mut hedge = None;
    loop {
        let starts = |opening: &&&str| {
            let head = rest.get(..opening.len()).is_some_and(|head| head.eq_ignore_ascii_case(opening));
            head && rest[opening.len()..].starts_with([' ', ','])
        };
        let likely = HEDGES.iter().find(starts).map(|it| (it, Some(Joint::Hedge)));
        let perhaps = || PERHAPS.iter().find(starts).map(|it| (it, Some(Joint::Perhaps)));
        let plain = || OPENINGS.iter().find(starts).map(|it| (it, None));
        let Some((opening, how)) = likely.or_else(perhaps).or_else(plain) else { return (rest, hedge) };
        hedge = how.or(hedge);
        rest = rest[opening.len()..].trim_start_matches([' ', ',']);
    }
}

/// The words without harmless ones at either end: `uncomplicated cystitis`, `viral origin`. A chronic disease is not the acute one, though, and
/// one that is possible, or of a low probability, not a sure one.
pub(super) fn bared(words: &str) -> &str {
    const TELLING: [&str; 7] =
        ["chronic", "possible", "possibly", "uncertain", "probability", "likelihood", "confidence"];
    let telling =
        |word: &str| TELLING.contains(&normalised(word).as_str()) || word.contains(|c: char| c.is_ascii_digit());
    let harmless = |word: &str| is_harmless(word) && !telling(word);
    let mut rest = words.trim();
    while let Some((_, after)) = rest.split_once(' ').filter(|(word, _)| harmless(word)) {
        rest = after;
    }
    while let Some((before, _)) = rest.rsplit_once(' ').filter(|(_, word)| harmless(word)) {
        rest = before;
    }
    rest
}

/// What is said after a mark, from mark to mark.
fn pieces<'t>(mark: &str, more: &'t str) -> Vec<Piece<'t>> {
    const ENDS: [char; 4] = [' ', ')', '(', '.'];
    let mut found = Vec::new();
    let (mut joint, mut rest) = (joint_of(mark), more);
    loop {
        let next =
            MARKS.iter().filter_map(|(mark, joint)| Some((rest.find(mark)?, mark.len(), *joint))).min_by_key(|it| it.0);
        let end = next.map_or(rest.len(), |(at, ..)| at);
        let words = rest[..end].trim_matches(ENDS);
        let (joined, words) = joined(words).unwrap_or((joint, words));
        found.push(Piece { joint: joined, words, rest: rest.trim_matches(ENDS) });
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
        " likely " => Joint::Hedge,
        " possibly " => Joint::Perhaps,
        _ => MARKS.iter().find(|(known, _)| *known == mark).map_or(Joint::Reason, |(_, joint)| *joint),
    }
}

/// Whether words that name nothing known tell of what kind the disease is, rather than why it is thought of.
fn is_kind(joint: Joint, words: &str) -> bool {
    let name = normalised(words);
    let parts: Vec<&str> = name.split(' ').collect();
    let ends = |word: &str, endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    let disease = parts.last().is_some_and(|last| ends(last, &DISEASES)) && parts.len() <= LONGEST_KIND;
    let last = parts.len() - 1;
    let kind = parts.len() < LONGEST_KIND
        && ends(parts[last], &KINDS)
        && parts[..last].iter().all(|word| ends(word, &KINDS) || is_soft(word) || parts[last].ends_with("ed"));
    match joint {
        Joint::Cause => true,
        Joint::Apposition { .. } | Joint::Comma | Joint::Hedge | Joint::Perhaps => disease || kind || holds_code(words),
        Joint::In => disease,
        Joint::Reason | Joint::Not => false,
    }
}

/// A code with its detail, or one that stands alone: low B12 is a finding.
fn holds_code(words: &str) -> bool {
    let (codes, others): (Vec<&str>, Vec<&str>) = words.split([' ', ',', ':']).partition(|word| code(word).is_some());
    codes.iter().any(|code| code.contains('.')) || (!codes.is_empty() && is_harmless(&others.join(" ")))
}

/// Words that say how sure, how bad, on which side or by which code, and nothing else.
pub(super) fn is_harmless(words: &str) -> bool {
    let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let name = normalised(words);
    name.split_whitespace().all(|word| is_soft(word) || HARMLESS.contains(&word) || is_number(word))
}

fn denies(words: &str) -> bool {
    let rules_out = words.split_whitespace().any(|word| word.eq_ignore_ascii_case("r/o"));
    rules_out || normalised(words).split(' ').any(|word| DENIALS.contains(&word))
}

/// `(influenza, COVID-19 and strep excluded)`
fn ends_denied(rest: &str) -> bool {
    let inside = normalised(rest.split(')').next().unwrap_or_default());
    ["excluded", "ruled out", "unlikely", "less likely", "negative"].iter().any(|denial| inside.ends_with(denial))
}

/// `also known as croup`
pub(super) fn other_name(words: &str) -> &str {
    let opening = ["also known as ", "also called ", "commonly known as ", "previously known as ", "formerly ", "aka "];
    opening.iter().find_map(|opening| words.strip_prefix(opening)).unwrap_or(words)
}
