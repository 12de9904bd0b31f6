//! What differs between two texts, in few words each: a chart of ten pages hides one line that is another.

use super::diff::{Line, Piece};

/// One place at which two texts differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The place of it in the marked texts, where a link can lead: `after-1`
    pub place: String,
    /// What the first text says there; nothing where the second adds.
    pub before: Vec<Words>,
    pub after: Vec<Words>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Words {
    pub text: String,
    /// Whether they differ, or only stand beside what does.
    pub marked: bool,
}

/// Signs of what stays, kept on each side of what is marked.
const AROUND: usize = 40;
/// Of what is marked: nobody reads a whole paragraph in a list of changes.
const LONGEST: usize = 200;

/// In the order in which they stand.
pub(super) fn changes(before: &[Line], after: &[Line]) -> Vec<Change> {
    let of = |lines: &[Line], number: usize| -> Vec<Piece> {
        let lines = lines.iter().filter(|line| line.change == Some(number));
        lines.flat_map(|line| line.pieces.iter().cloned().chain([between()])).collect()
    };
    let last = before.iter().chain(after).filter_map(|line| line.change).max().unwrap_or(0);
    let change = |number: usize| {
        let (before, after) = (of(before, number), of(after, number));
        let side = if after.is_empty() { "before" } else { "after" };
        Change { place: format!("{side}-{number}"), before: told(&before), after: told(&after) }
    };
    // Lines may differ in blanks alone, and these nobody sees.
    (1..=last).map(change).filter(|it| it.before.iter().chain(&it.after).any(|it| !it.text.trim().is_empty())).collect()
}

fn between() -> Piece {
    Piece { text: " ".to_owned(), changed: false }
}

fn told(pieces: &[Piece]) -> Vec<Words> {
    let last = pieces.len().saturating_sub(1);
    let told = |(at, piece): (usize, &Piece)| {
        let text = match (piece.changed, at) {
            (true, _) => start(&piece.text, LONGEST),
            (false, 0) => end(&piece.text, AROUND),
            (false, at) if at == last => start(&piece.text, AROUND),
            (false, _) => start(&piece.text, 2 * AROUND),
        };
        Words { text, marked: piece.changed }
    };
    pieces.iter().enumerate().map(told).collect()
}

fn start(text: &str, signs: usize) -> String {
    match text.char_indices().nth(signs) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn end(text: &str, signs: usize) -> String {
    let too_many = text.chars().count().saturating_sub(signs);
    match text.char_indices().nth(too_many) {
        Some((at, _)) if too_many > 0 => format!("…{}", &text[at..]),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::diff::marked;

    fn check(old: &str, new: &str, told: &[(&str, &str, &str)]) {
        let (before, after) = marked(old, new);
        let words = |words: &[Words]| -> String {
            let words = words.iter().map(|it| if it.marked { format!("[{}]", it.text) } else { it.text.clone() });
            words.collect::<String>().trim().to_owned()
        };
        let found = changes(&before, &after);
        let found: Vec<_> = found.iter().map(|it| (it.place.clone(), words(&it.before), words(&it.after))).collect();
        let told: Vec<_> =
            told.iter().map(|(place, old, new)| ((*place).to_owned(), (*old).to_owned(), (*new).to_owned())).collect();
        assert_eq!(found, told);
    }

    #[test]
    fn one_line_of_a_long_chart_is_named() {
        let chart = |fact: &str| format!("{}{fact}\n{}", "Blood drawn.\n".repeat(500), "Seen again.\n".repeat(500));
        check(
            &chart("HER2 by IHC: positive"),
            &chart("HER2 by IHC: negative"),
            &[("after-1", "HER2 by IHC: [positive]", "HER2 by IHC: [negative]")],
        );
    }

    #[test]
    fn what_is_added_and_what_is_gone_are_changes_of_their_own() {
        check("a\nold\nb\nc", "a\nb\nc\nnew", &[("before-1", "[old]", ""), ("after-2", "", "[new]")]);
        check("same", "same", &[]);
    }
}
