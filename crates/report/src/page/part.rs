//! Parts of the report for a page that stands around them: the bounds of a study, the tables and figures of a suite, one family, one reasoning.

use super::changes::changes;
use super::diff::{Line, marked};
use super::family::{FamilyCard, card};
use super::{Section, Thought};
use crate::{FamilyView, MarkedTexts, ReasoningView, ReportError, StudySummary, SuiteSection};
use askama::Template;
use std::collections::BTreeSet;
use waterjar_core::SubjectId;

#[derive(Template)]
#[template(path = "bounds.html")]
struct BoundsPart<'a> {
    study: &'a StudySummary,
}

#[derive(Template)]
#[template(path = "suite.html")]
struct SuitePart<'a> {
    suite: Section<'a>,
}

#[derive(Template)]
#[template(path = "family_body.html")]
struct FamilyPart<'a> {
    card: FamilyCard<'a>,
}

#[derive(Template)]
#[template(path = "reasoning_body.html")]
struct ReasoningPart<'a> {
    view: &'a ReasoningView,
    thought: Thought<'a>,
}

#[derive(Template)]
#[template(path = "texts.html")]
struct TextsPart<'a> {
    sides: Vec<Text<'a>>,
    language: Option<&'a str>,
}

struct Text<'a> {
    title: &'a str,
    /// Before the number of a change in the name of its place.
    place: &'static str,
    lines: Vec<Line>,
    /// Whether what is marked was put in here. In the first text it is said all the same, and is not struck through.
    is_new: bool,
}

pub(crate) fn bounds(study: &StudySummary) -> Result<String, ReportError> {
    Ok(BoundsPart { study }.render()?)
}

pub(crate) fn texts(sides: &[(&str, &str)], language: Option<&str>) -> Result<MarkedTexts, ReportError> {
    let (sides, changes) = match sides {
        [(title, old), (other, new)] => {
            let (before, after) = marked(old, new);
            let changes = changes(&before, &after);
            (
                vec![
                    Text { title, place: "before", lines: before, is_new: false },
                    Text { title: other, place: "after", lines: after, is_new: true },
                ],
                changes,
            )
        }
        sides => {
            let plain = sides.iter().map(|(title, said)| Text {
                title,
                place: "text",
                lines: marked(said, said).0,
                is_new: false,
            });
            (plain.collect(), Vec::new())
        }
    };
    Ok(MarkedTexts { html: TextsPart { sides, language }.render()?, changes })
}

pub(crate) fn suite(section: &SuiteSection) -> Result<String, ReportError> {
    // One family shows by example what was asked; the page around has them all, one by one.
    let suite = Section { families: Vec::new(), ..Section::new(section) };
    Ok(SuitePart { suite }.render()?)
}

pub(crate) fn family(
    view: &FamilyView,
    failing: &str,
    references: &BTreeSet<SubjectId>,
) -> Result<String, ReportError> {
    Ok(FamilyPart { card: card(view, failing, &|subject| references.contains(subject)) }.render()?)
}

pub(crate) fn reasoning(view: &ReasoningView) -> Result<String, ReportError> {
    Ok(ReasoningPart { view, thought: Thought::new(view) }.render()?)
}
