//! Two narratives line by line, with what differs marked in each.

use similar::{ChangeTag, InlineChangeOptions, TextDiff};

/// A line of a narrative. Its bullet is kept apart, so that wrapped lines can hang from it and marks leave it alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line {
    pub shape: Shape,
    /// `- `, `* ` or nothing.
    pub bullet: String,
    pub pieces: Vec<Piece>,
    /// Which change it is of, counted from 1: lines that follow each other are one, on both sides.
    pub change: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Shape {
    #[default]
    Plain,
    /// A heading within the narrative: `Symptoms:`
    Label,
    Item,
    /// An item under an item.
    Inner,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    pub text: String,
    pub changed: bool,
}

impl Shape {
    pub(super) fn class(&self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Label => "label",
            Self::Item => "item",
            Self::Inner => "inner",
        }
    }
}

/// The old text with what was taken out marked, the new one with what was put in.
pub(super) fn marked(old: &str, new: &str) -> (Vec<Line>, Vec<Line>) {
    let (old, new) = (clean(old), clean(new));
    if old.len().max(new.len()) > HUGE {
        return marked_whole(&by_sentence(&old), &by_sentence(&new));
    }
    let diff = TextDiff::from_lines(old.as_str(), new.as_str());
    // Two statements that share only "I have" are an exchange, not an edit of words: mark them whole.
    let mut options = InlineChangeOptions::new();
    options.min_ratio(0.65).semantic_cleanup(true);
    let mut sides = Sides::default();
    // Without a deadline: a diff that depends on the speed of the machine would give different bytes.
    for change in diff.iter_all_inline_changes_with_options_deadline(options, None) {
        let values = change.values();
        let in_part = values.iter().any(|(emphasised, _)| *emphasised);
        let changed = |(emphasised, text): &(bool, &'_ str)| (*emphasised || !in_part, (*text).to_owned());
        sides.push(change.tag(), &values.iter().map(changed).collect::<Vec<_>>());
    }
    (sides.before, sides.after)
}

#[derive(Default)]
struct Sides {
    before: Vec<Line>,
    after: Vec<Line>,
    /// Changes so far, and whether the last line was of one.
    changes: usize,
    in_change: bool,
}

impl Sides {
    /// A line, and which of its pieces are marked where it was taken out or put in.
    fn push(&mut self, tag: ChangeTag, pieces: &[(bool, String)]) {
        let is_changed = tag != ChangeTag::Equal;
        self.changes += usize::from(is_changed && !self.in_change);
        self.in_change = is_changed;
        let change = is_changed.then_some(self.changes);
        let line = |changed: bool| {
            let pieces = pieces.iter().map(|(marked, text)| (changed && *marked, text.as_str()));
            Line { change, ..line(pieces) }
        };
        match tag {
            ChangeTag::Equal => {
                self.before.push(line(false));
                self.after.push(line(false));
            }
            ChangeTag::Delete => self.before.push(line(true)),
            ChangeTag::Insert => self.after.push(line(true)),
        }
    }
}

/// In longer texts sentences are marked whole: to find the words takes the time of all words multiplied by those that changed.
const HUGE: usize = 100_000;

fn marked_whole(old: &str, new: &str) -> (Vec<Line>, Vec<Line>) {
    let diff = TextDiff::from_lines(old, new);
    let mut sides = Sides::default();
    for change in diff.iter_all_changes() {
        sides.push(change.tag(), &[(true, change.value().to_owned())]);
    }
    (sides.before, sides.after)
}

/// A line per sentence, so that what is compared is no longer than a reader compares.
pub(super) fn by_sentence(text: &str) -> String {
    text.replace(". ", ".\n")
}

/// Lines around a change that are kept where a text is long.
const AROUND: usize = 2;

/// A long text cut down to what changed, with a little around it; what is left out is an ellipsis.
pub(super) fn folded(lines: Vec<Line>) -> Vec<Line> {
    let length: usize = lines.iter().flat_map(|line| &line.pieces).map(|piece| piece.text.len()).sum();
    if length <= LONG {
        return lines;
    }
    let changed = |line: &Line| line.pieces.iter().any(|piece| piece.changed);
    let kept: Vec<bool> = (0..lines.len())
        .map(|at| lines[at.saturating_sub(AROUND)..(at + AROUND + 1).min(lines.len())].iter().any(changed))
        .collect();
    let before = std::iter::once(true).chain(kept.iter().copied());
    let shown = lines.into_iter().zip(&kept).zip(before).filter_map(|((line, kept), before)| match (kept, before) {
        (true, _) => Some(line),
        (false, true) => Some(ellipsis()),
        (false, false) => None,
    });
    shown.collect()
}

/// Longer texts are charts, not narratives.
const LONG: usize = 6_000;

fn ellipsis() -> Line {
    Line { pieces: vec![Piece { text: "…".to_owned(), changed: false }], ..Line::default() }
}

/// Line ends as `\n`, and one at the very end, so that the last line is not taken for changed when another follows it.
fn clean(text: &str) -> String {
    let mut lines: String = text.trim_end().lines().flat_map(|line| [line, "\n"]).collect();
    if lines.is_empty() {
        lines.push('\n');
    }
    lines
}

fn line<'a>(pieces: impl Iterator<Item = (bool, &'a str)>) -> Line {
    let mut line = Line::default();
    for (changed, text) in pieces {
        let text = text.trim_end_matches('\n');
        match line.pieces.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if last.changed == changed => last.text.push_str(text),
            _ => line.pieces.push(Piece { text: text.to_owned(), changed }),
        }
    }
    let Some(first) = line.pieces.first_mut() else {
        return line;
    };
    let text = first.text.trim_start();
    let indented = text.len() < first.text.len();
    let bullet = ["- ", "* ", "• "].into_iter().find(|bullet| text.starts_with(bullet)).unwrap_or_default();
    line.bullet = bullet.to_owned();
    first.text = text[bullet.len()..].to_owned();
    let is_label = line.pieces.last().is_some_and(|piece| piece.text.ends_with(':'));
    line.shape = match (bullet, indented) {
        ("", _) if is_label => Shape::Label,
        ("", _) => Shape::Plain,
        ("* ", _) | (_, true) => Shape::Inner,
        _ => Shape::Item,
    };
    line.pieces.retain(|piece| !piece.text.is_empty());
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exchanged_statement_is_marked_whole_without_its_bullet() {
        check(
            "Antecedents:\n- I had an operation three weeks ago.\n- I smoke.",
            "Antecedents:\n- My father had a collapsed lung.\n- I smoke.",
            "Antecedents:|- [I had an operation three weeks ago.]|- I smoke.",
            "Antecedents:|- [My father had a collapsed lung.]|- I smoke.",
        );
    }

    #[test]
    fn a_changed_word_is_marked_alone() {
        check(
            "On a scale of 0-10, the pain intensity is 6",
            "On a scale of 0-10, the pain intensity is 3",
            "On a scale of 0-10, the pain intensity is [6]",
            "On a scale of 0-10, the pain intensity is [3]",
        );
    }

    #[test]
    fn a_last_line_is_not_changed_by_what_follows_it() {
        check("- I cough.", "- I cough.\n- I wheeze.", "- I cough.", "- I cough.|- [I wheeze.]");
    }

    #[test]
    fn a_long_text_is_cut_down_to_what_changed() {
        let chart = |fact: &str| {
            let mut lines: Vec<String> = (0..400).map(|at| format!("Line {at} of a long chart.")).collect();
            lines[200] = fact.to_owned();
            lines.join("\n")
        };
        let (_, after) = marked(&chart("HER2: positive"), &chart("HER2: negative"));
        let shown: Vec<String> =
            folded(after).iter().map(|line| line.pieces.iter().map(|it| it.text.as_str()).collect()).collect();
        assert_eq!(
            shown,
            [
                "…",
                "Line 198 of a long chart.",
                "Line 199 of a long chart.",
                "HER2: negative",
                "Line 201 of a long chart.",
                "Line 202 of a long chart.",
                "…"
            ]
        );
    }

    #[test]
    fn a_story_of_a_hundred_pages_is_marked_by_sentences() {
        let story = |told: &str| format!("{}{told} {}", "She coughs. ".repeat(6_000), "It is dry. ".repeat(6_000));
        let (before, after) = marked(&story("He smokes."), &story("They smoke."));
        let changed = |lines: &[Line]| -> Vec<String> {
            let pieces = lines.iter().flat_map(|line| &line.pieces).filter(|it| it.changed);
            pieces.map(|it| it.text.clone()).collect()
        };
        assert_eq!((changed(&before), changed(&after)), (vec!["He smokes.".into()], vec!["They smoke.".into()]));
        assert_eq!(folded(after).len(), 7, "and what lies around is left out");
    }

    #[test]
    fn equal_texts_have_no_marks() {
        check("a\r\nb", "a\nb", "a|b", "a|b");
    }

    fn check(old: &str, new: &str, before: &str, after: &str) {
        let show = |lines: Vec<Line>| {
            let lines: Vec<String> = lines
                .into_iter()
                .map(|line| {
                    let pieces = line.pieces.into_iter().map(|piece| match piece.changed {
                        true => format!("[{}]", piece.text),
                        false => piece.text,
                    });
                    std::iter::once(line.bullet).chain(pieces).collect()
                })
                .collect();
            lines.join("|")
        };
        let (found_before, found_after) = marked(old, new);
        assert_eq!(show(found_before), before);
        assert_eq!(show(found_after), after);
    }
}
