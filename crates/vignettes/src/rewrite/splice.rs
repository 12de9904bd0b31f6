//! Edits → text, with the spans moved along.

use super::Edit;
use crate::Span;

/// Edits must lie apart and in the order of the text.
pub(crate) fn splice(text: &str, edits: &[Edit], spans: &[Span]) -> (String, Vec<Span>) {
    let mut new = String::with_capacity(text.len() + 8 * edits.len());
    let mut from = 0;
    for edit in edits {
        new.push_str(&text[from..edit.at.start]);
        new.push_str(&edit.to);
        from = edit.at.end;
    }
    new.push_str(&text[from..]);
    // By how much what follows each edit has moved.
    let shifts = edits.iter().scan(0, |shift: &mut isize, edit| {
        *shift += edit.to.len() as isize - (edit.at.end - edit.at.start) as isize;
        Some(*shift)
    });
    let shifts: Vec<isize> = shifts.collect();
    let moved = |place: usize, is_end: bool| moved(edits, &shifts, place, is_end);
    let spans = spans.iter().map(|span| Span { start: moved(span.start, false), end: moved(span.end, true) });
    (new, spans.collect())
}

/// Where a place of the old text is in the new one. Inside an edit: its start, or its end for the end of a span.
fn moved(edits: &[Edit], shifts: &[isize], place: usize, is_end: bool) -> usize {
    // What is put in at a border stays outside of a span that ends there, and of one that starts there.
    let is_passed =
        |edit: &Edit| edit.at.end < place || (edit.at.end == place && !(is_end && edit.at.start == edit.at.end));
    let passed = edits.partition_point(is_passed);
    let shift = passed.checked_sub(1).map_or(0, |last| shifts[last]);
    match edits.get(passed) {
        Some(edit) if edit.at.start < place && place < edit.at.end => {
            let start = edit.at.start.saturating_add_signed(shift);
            if is_end { start + edit.to.len() } else { start }
        }
        _ => place.saturating_add_signed(shift),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_moves_with_the_text_before_it_and_grows_with_the_text_inside() {
        let text = "A man has his fever.";
        let edit = |start, end, to: &str| Edit {
            at: Span { start, end },
            from: text[start..end].to_owned(),
            to: to.to_owned(),
        };
        let span = Span { start: 10, end: 19 };
        let (new, spans) = splice(text, &[edit(2, 5, "person"), edit(10, 13, "their")], &[span]);
        assert_eq!(new, "A person has their fever.");
        assert_eq!(spans[0].of(&new), "their fever");
    }
}
