//! Two answers side by side, with what differs marked.

use super::diff::{Line, by_sentence, marked};
use crate::ContrastView;
use crate::number::{fixed, words};

pub(super) struct Contrast<'a> {
    pub view: &'a ContrastView,
    pub likeness: String,
    pub names: (String, String),
    pub before: Vec<Line>,
    pub after: Vec<Line>,
}

impl<'a> Contrast<'a> {
    pub(super) fn new(view: &'a ContrastView) -> Self {
        let (before, after) = marked(&by_sentence(&view.texts.0), &by_sentence(&view.texts.1));
        let names = (words(&view.names.0), words(&view.names.1));
        Self { view, likeness: fixed(view.likeness, 3), names, before, after }
    }
}
