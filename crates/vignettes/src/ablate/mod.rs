//! A vignette without one of its critical findings, with the least repair that leaves a sentence (specs: 8.6).

mod clause;
mod repair;
mod words;

use crate::rewrite::{Edit, splice};
use crate::{Span, Vignette};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ablated {
    pub vignette: Vignette,
    /// The words of the finding, as they stood.
    pub removed: String,
    /// What else had to change, as places in the original.
    pub repairs: Vec<Edit>,
}

/// Takes span `n` (from 0) out. Everything that is no repair stays byte for byte.
///
/// # Panics
/// Where the vignette has no such span.
pub fn ablate(vignette: &Vignette, n: usize) -> Ablated {
    let span = vignette.spans[n];
    let removed = span.of(&vignette.text).to_owned();
    let repairs = repair::repairs(&vignette.text, span);
    let mut edits = repairs.clone();
    edits.push(Edit { at: span, from: removed.clone(), to: String::new() });
    edits.sort_by_key(|edit| edit.at);
    let kept: Vec<Span> =
        others(vignette, n).filter(|other| !edits.iter().any(|edit| swallows(edit, *other))).collect();
    let (text, spans) = splice(&vignette.text, &edits, &kept);
    Ablated { vignette: Vignette { text, spans, ..vignette.clone() }, removed, repairs }
}

fn others(vignette: &Vignette, n: usize) -> impl Iterator<Item = Span> + '_ {
    vignette.spans.iter().enumerate().filter(move |(at, _)| *at != n).map(|(_, span)| *span)
}

/// A removed sentence takes the other findings in it along.
fn swallows(edit: &Edit, span: Span) -> bool {
    edit.to.is_empty() && edit.at.start <= span.start && span.end <= edit.at.end
}
