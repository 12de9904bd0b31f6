//! The tokens to go, as edits: white space, capitals and articles follow.

use super::repair::Hole;
use crate::Span;
use crate::rewrite::{Edit, sounds_open};
use crate::words::{capitalised, cased_like};

impl Hole<'_, '_> {
    pub fn edits(&self, source: &str, span: Span) -> Vec<Edit> {
        let mut start = self.text.tokens[self.cut.0].span.start.min(span.start);
        let mut end = self.text.tokens[self.cut.1].span.end.max(span.end);
        let whole = self.cut.0 == self.from && self.cut.1 + 1 >= self.to;
        let opens = self.cut.0 == self.from;
        let gap_after = source[end..].len() - source[end..].trim_start().len();
        let tight = source[end..].starts_with(['.', ',', ';', ':', '?', '!', ')']);
        if (whole || opens) && gap_after > 0 {
            end += gap_after;
        } else if source[..start].ends_with(' ') && (gap_after > 0 || tight || end == source.len()) {
            start -= 1;
        }
        let mut edits = Vec::new();
        let mut put = |from: usize, to: usize, new: &str| {
            if from < to {
                let at = Span { start: from, end: to };
                edits.push(Edit { at, from: at.of(source).to_owned(), to: new.to_owned() });
            }
        };
        put(start, span.start, "");
        put(span.end, end, "");
        for (at, new) in &self.changed {
            let span = self.text.tokens[*at].span;
            put(span.start, span.end, new);
        }
        if opens && !whole {
            let next = self.text.tokens[self.cut.1 + 1].span;
            let raised = capitalised(next.of(source));
            if raised != next.of(source) && !self.changed.iter().any(|(at, _)| *at == self.cut.1 + 1) {
                put(next.start, next.end, &raised);
            }
        } else if self.cut.1 + 1 < self.to && matches!(self.left(), "a" | "an") {
            let article = self.text.tokens[self.cut.0 - 1].span;
            let fitting = if sounds_open(self.text.written(self.cut.1 + 1)) { "an" } else { "a" };
            if self.left() != fitting {
                put(article.start, article.end, &cased_like(article.of(source), fitting));
            }
        }
        edits.sort_by_key(|edit| edit.at);
        edits
    }
}
