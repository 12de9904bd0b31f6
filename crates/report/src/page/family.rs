//! One family for the drill-down: the texts side by side, what should follow, and what each subject answered.

use super::diff::{Line, folded, marked};
use crate::number::{in_words, words};
use crate::{AnswerView, FamilyView, MetricKind, RoleAnswer, SuiteSection, VariantView};
use std::collections::BTreeSet;
use waterjar_core::{Edit, Outcome, SubjectId};

pub(super) struct FamilyCard<'a> {
    pub family: &'a FamilyView,
    /// `3 of 6 trapped`
    pub score: String,
    /// For the filter: the outcomes that occur, in one word each.
    pub outcomes: String,
    pub pairs: Vec<Pair<'a>>,
    pub roles: Vec<String>,
    pub answers: Vec<AnswerRow<'a>>,
}

/// The control against one variant.
pub(super) struct Pair<'a> {
    pub variant: &'a VariantView,
    pub title: String,
    pub before: Vec<Line>,
    pub after: Vec<Line>,
}

pub(super) struct AnswerRow<'a> {
    pub subject: &'a str,
    pub reference: bool,
    pub cells: Vec<Option<AnswerCell<'a>>>,
}

pub(super) struct AnswerCell<'a> {
    pub answer: &'a RoleAnswer,
    pub class: &'static str,
    pub symbol: &'static str,
    pub words: &'a str,
    pub ranking: Vec<(&'a str, Option<String>)>,
}

/// The edit of the first family, to show at a glance what the suite does.
pub(super) struct Example<'a> {
    pub title: &'a str,
    /// Each once; with `12 times` where it was made more often.
    pub edits: Vec<(&'a Edit, String)>,
    pub expectation: &'a str,
}

impl<'a> Example<'a> {
    pub(super) fn new(family: &'a FamilyView) -> Option<Self> {
        let variant = family.variants.first()?;
        Some(Self { title: &family.title, edits: with_counts(&variant.edits), expectation: &variant.expectation })
    }
}

/// In the order in which each is first made.
fn with_counts(edits: &[Edit]) -> Vec<(&Edit, String)> {
    let mut counted: Vec<(&Edit, usize)> = Vec::new();
    for edit in edits {
        match counted.iter_mut().find(|(known, _)| *known == edit) {
            Some((_, times)) => *times += 1,
            None => counted.push((edit, 1)),
        }
    }
    let told = |times: usize| if times > 1 { format!("{times} times") } else { String::new() };
    counted.into_iter().map(|(edit, times)| (edit, told(times))).collect()
}

pub(super) fn cards(section: &SuiteSection) -> Vec<FamilyCard<'_>> {
    let references: BTreeSet<_> =
        section.results.iter().filter(|result| result.reference).map(|result| &result.subject).collect();
    let is_reference = |subject: &SubjectId| references.contains(subject);
    section.families.iter().map(|family| card(family, &section.failing, &is_reference)).collect()
}

pub(super) fn card<'a>(
    family: &'a FamilyView,
    failing: &str,
    is_reference: &dyn Fn(&SubjectId) -> bool,
) -> FamilyCard<'a> {
    let is_reference = |answer: &AnswerView| is_reference(&answer.subject);
    let roles = roles(family);
    FamilyCard {
        family,
        score: score(family, failing, &is_reference),
        outcomes: outcomes(family),
        pairs: family.variants.iter().map(|one| pair(family, one)).collect(),
        answers: family.answers.iter().map(|answer| row(answer, &roles, is_reference(answer))).collect(),
        roles: roles.into_iter().map(words).collect(),
    }
}

fn pair<'a>(family: &FamilyView, variant: &'a VariantView) -> Pair<'a> {
    let (before, after) = marked(&family.control_text, &variant.text);
    Pair { variant, title: words(&variant.role), before: folded(before), after: folded(after) }
}

fn row<'a>(answer: &'a AnswerView, roles: &[&str], reference: bool) -> AnswerRow<'a> {
    AnswerRow {
        subject: answer.subject.as_str(),
        reference,
        cells: roles.iter().map(|role| answer.roles.iter().find(|one| one.role == **role).map(cell)).collect(),
    }
}

fn cell(answer: &RoleAnswer) -> AnswerCell<'_> {
    let (class, symbol, in_short) = outcome(answer.outcome);
    AnswerCell {
        answer,
        class,
        symbol,
        words: answer.in_words.as_deref().unwrap_or(in_short),
        ranking: answer
            .ranking
            .iter()
            .map(|(name, confidence)| {
                let confidence = confidence.map(|share| in_words(share, MetricKind::Share));
                (name.as_str(), confidence)
            })
            .collect(),
    }
}

/// Class, symbol, words. None of the symbols has a coloured picture form on phones.
fn outcome(outcome: Outcome) -> (&'static str, &'static str, &'static str) {
    match outcome {
        Outcome::Right => ("right", "✓", "right"),
        Outcome::Partly => ("partly", "½", "partly: some of it followed"),
        Outcome::Trapped => ("trapped", "↺", "trapped: stayed with the old answer"),
        Outcome::Missed => ("missed", "✗", "missed: another answer"),
        Outcome::Missing => ("missing", "–", "no answer"),
    }
}

/// The control first, then the roles of the variants in their order.
fn roles(family: &FamilyView) -> Vec<&str> {
    std::iter::once("control").chain(family.variants.iter().map(|variant| variant.role.as_str())).collect()
}

fn score(family: &FamilyView, failing: &str, is_reference: &impl Fn(&AnswerView) -> bool) -> String {
    let competitors: Vec<_> = family.answers.iter().filter(|answer| !is_reference(answer)).collect();
    let failed = competitors.iter().filter(|answer| answer.failed).count();
    format!("{failed} of {} {failing}", competitors.len())
}

fn outcomes(family: &FamilyView) -> String {
    let roles = family.answers.iter().flat_map(|answer| &answer.roles);
    let mut found: BTreeSet<_> = roles.map(|one| outcome(one.outcome).0).collect();
    found.extend(family.answers.iter().any(|answer| answer.failed).then_some("failed"));
    Vec::from_iter(found).join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_that_was_made_often_is_told_once() {
        let edit = |removed: &str, inserted: &str| Edit { removed: removed.to_owned(), inserted: inserted.to_owned() };
        let edits = [edit("she", "he"), edit("her", "his"), edit("she", "he")];
        let told = with_counts(&edits);
        assert_eq!(told, [(&edits[0], "2 times".to_owned()), (&edits[1], String::new())]);
    }
}
