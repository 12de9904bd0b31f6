//! What else must not matter, by the names a study gives it.

use waterjar_vignettes::{NotApplicable, Rewritten, Span};

pub(super) fn apply(name: &str, text: &str, spans: &[Span]) -> Result<Rewritten, NotApplicable> {
    let _ = (text, spans);
    Err(NotApplicable { terms: Vec::new(), why: format!("no attribute {name}") })
}
