//! Lists that lose an item: their commas and their `and`.

use super::clause;
use super::repair::Hole;
use super::words::{is_finite, leads_only, needs_complement};
use crate::words::function::{is_preposition, is_subordinator};

impl Hole<'_, '_> {
    /// `fever, chills, and [rigors].` → `fever and chills.`
    pub fn mend_last_item(&mut self) {
        let conjunction = self.left().to_owned();
        let right_goes_on = self.right() == ",";
        self.take_connector_left();
        if conjunction == "," {
            // `a, [b], and c` → `a and c`
            let pair = right_goes_on
                && matches!(self.text.word(self.cut.1 + 2), "and" | "or")
                && self.comma_before().is_none();
            if pair && !clause::begins(self.text, self.cut.1 + 1, self.to) {
                self.cut.1 += 1;
            }
        } else if let Some(comma) = self.comma_before() {
            self.changed.push((comma, format!(" {conjunction}")));
        }
    }

    /// A comma that parts two items of the same list, left of the hole.
    pub fn comma_before(&self) -> Option<usize> {
        let low = self.from.max(self.cut.0.saturating_sub(8));
        let comma = (low..self.cut.0).rev().find(|&at| clause::is_comma(self.text, at))?;
        let between = comma + 1..self.cut.0;
        let plain = between.clone().all(|at| {
            let word = self.text.word(at);
            !is_finite(self.text, at) && !is_subordinator(word) && !matches!(word, "and" | "or")
        });
        let list = (self.from..comma).any(|at| is_finite(self.text, at) || is_preposition(self.text.word(at)));
        (plain && !between.is_empty() && list).then_some(comma)
    }

    /// `[a], b, and c` → `b and c`; three items or more keep their commas.
    pub fn drop_comma_before_and(&mut self) {
        let comma = (self.cut.1 + 1..self.to).find(|&at| clause::is_comma(self.text, at));
        if let Some(comma) = comma.filter(|&comma| matches!(self.text.word(comma + 1), "and" | "or"))
            && !clause::begins(self.text, comma, self.to)
        {
            self.changed.push((comma, String::new()));
        }
    }

    /// Where `neither` stands, if the finding is one of the two.
    pub fn neither(&self) -> Option<usize> {
        let stands = |at: usize| self.text.word(at) == "neither";
        match (self.left(), self.right()) {
            ("neither", "nor") => Some(self.cut.0 - 1),
            ("nor", _) => (self.from..self.cut.0).rev().find(|&at| stands(at)),
            _ => None,
        }
    }

    /// `neither cough nor [oedema]` → `no cough`. Of verbs, and of what has an article, nothing so short can be made.
    pub fn mend_neither(&mut self, neither: usize) {
        if self.left() == "nor" {
            self.cut.0 -= 1
        } else {
            self.cut.1 += 1
        }
        let kept = if neither + 1 == self.cut.0 { self.cut.1 + 1 } else { neither + 1 };
        let word = self.text.word(kept);
        let bare = !is_finite(self.text, kept) && !leads_only(word) && !is_subordinator(word) && kept < self.to;
        let before = self.text.before(neither, 1);
        if bare && (neither == self.from || needs_complement(before) || is_preposition(before)) {
            let no = if neither == self.from { "No" } else { "no" };
            self.changed.push((neither, no.to_owned()));
        }
    }

    pub fn take_connector_left(&mut self) {
        self.cut.0 -= 1;
        if self.text.word(self.cut.0) != "," && self.left() == "," {
            self.cut.0 -= 1;
        }
    }

    pub fn take_connector_right(&mut self) {
        self.cut.1 += 1;
        if self.text.word(self.cut.1) == "," && matches!(self.right(), "and" | "or" | "but") {
            self.cut.1 += 1;
        }
    }
}
