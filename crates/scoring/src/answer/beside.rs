//! What stands beside a name that fits several conditions: `stroke (cerebellar)`, `anaemia due to kidney disease`.
//!
//! It may tell which of them is meant, or that it is another disease. Where it is a kind or a cause that the base does not know of any of them,
//! the wide name alone is not what was said, and names none of them.

use super::denied::denial;
use super::harmless::{bared, is_harmless, unplaced};
use super::kind::{adjective, denies, ends_denied, is_kind, is_not_now};
use super::labels::Labels;
use super::piece::{Joint, Piece, opened, pieces};
use super::words::{core, normalised};
use waterjar_core::ConditionId;

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

impl Labels {
    /// What a name means with these words after this mark; `None` where they deny it, or tell that it is none of those it fits. Any other name is
    /// what it is.
    pub(super) fn qualified<'a>(&'a self, found: &'a ConditionId, mark: &str, more: &str) -> Option<&'a ConditionId> {
        if denial(more.split([')', ';', ',', '.', '→']).next().unwrap_or_default()).is_some() {
            return None;
        }
        if !self.is_wide(found) {
            return Some(found);
        }
        // An answer of a thousand pieces must not keep the reader busy.
        let more = &more[..more.floor_char_boundary(2_000)];
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
            Some(Told::Several) if joint != Joint::Reason && !denies(bare) && !is_not_now(bare) => {
                return Clause::Unknown;
            }
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
        let alone = |words| self.told_alone(wide, joint, words);
        let narrower = || self.exact(unplaced(words)).filter(|it| self.is_within(wide, it));
        if let Some(found) = alone(words).or_else(|| alone(bared(words))).or_else(narrower) {
            return Some(Told::One(found));
        }
        let parts =
            [" and/or ", " or ", " versus ", " vs. ", " vs ", "/"].iter().find_map(|mark| words.split_once(mark));
        let (one, two) = parts?;
        let fits = |it: &ConditionId| self.is_within(wide, it) || self.shares(wide, it);
        match (alone(opened(one).0), alone(opened(two).0)) {
            (None, None) => None,
            (one, two) if !one.into_iter().chain(two).all(fits) => Some(Told::Several),
            (Some(one), Some(two)) if one == two => Some(Told::One(one)),
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
            // What is there as well need not be the cause: pharyngitis with streptococci.
            let adjective = || adjective(words).filter(|_| joint != Joint::Reason);
            let agent = words.strip_suffix(" infection").map(str::to_owned).or_else(adjective);
            let agent = agent.map(|agent| format!("{agent} {wide}"));
            let forms = [format!("{words} {wide}"), format!("{words} infection"), format!("{words} deficiency")];
            // Crohn's
            let short = (!is_cause).then(|| format!("{words} disease"));
            agent.into_iter().chain(forms).chain(short).find_map(|form| self.exact(&form))
        };
        caused().or_else(alone).or_else(together).or_else(|| self.coded(words).filter(|_| !is_cause))
    }
}

/// `also known as croup`
pub(super) fn other_name(words: &str) -> &str {
    let opening = ["also known as ", "also called ", "commonly known as ", "previously known as ", "formerly ", "aka "];
    opening.iter().find_map(|opening| words.strip_prefix(opening)).unwrap_or(words)
}
