//! A vignette without one of its critical findings, with the least repair that leaves a sentence (specs: 8.6).

mod clause;
mod edits;
mod left;
mod lists;
mod mended;
mod repair;
mod shape;
mod words;

pub use mended::mended;

use crate::import::times_told;
use crate::rewrite::{Edit, Warning, splice};
use crate::{Span, Vignette};
use serde::{Deserialize, Serialize};

/// How every warning of a sentence that lost too much ends.
pub const ROUGH: &str = "read the sentence";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ablated {
    pub vignette: Vignette,
    /// The words of the finding, as they stood.
    pub removed: String,
    /// What else had to change, as places in the original.
    pub repairs: Vec<Edit>,
    /// Where what is left is hardly a sentence.
    pub warnings: Vec<Warning>,
}

/// Takes span `n` (from 0) out. Everything that is no repair stays byte for byte.
///
/// # Panics
/// Where the vignette has no such span.
pub fn ablate(vignette: &Vignette, n: usize) -> Ablated {
    let span = vignette.spans[n];
    let removed = span.of(&vignette.text).to_owned();
    let others: Vec<Span> = vignette.spans.iter().copied().filter(|other| *other != span).collect();
    let (repairs, sentence) = repair::repairs(&vignette.text, span, &others);
    let mut edits = repairs.clone();
    edits.push(Edit { at: span, from: removed.clone(), to: String::new() });
    edits.sort_by_key(|edit| edit.at);
    let places: Vec<Span> = others.iter().copied().chain([span]).collect();
    let (text, mut spans) = splice(&vignette.text, &edits, &places);
    let hole = spans.pop().map_or(0, |hole| hole.start);
    let flaw = sentence.and_then(|old| left::flaw(&text, hole, old.of(&vignette.text)));
    // A story that still tells the finding is no story without it.
    let again = (times_told(&text, &removed) > 0).then(|| format!("`{removed}` is told elsewhere, too"));
    let warnings = flaw.into_iter().chain(again).map(|flaw| Warning { at: span, why: format!("{flaw}: {ROUGH}") });
    let warnings = warnings.collect();
    Ablated { vignette: Vignette { text, spans, ..vignette.clone() }, removed, repairs, warnings }
}
