//! The same story for he, she and they.

use crate::text;
use waterjar_vignettes::{
    AMBIGUOUS, Attribute, Rewritten, Span, Who, Wording, intervene, rewrite, tagged, told_sex, unsexed,
};

pub fn check(data: &[u8]) {
    let Some(marked) = text(data) else { return };
    let Ok((story, spans)) = tagged::unmark(marked) else { return };
    for who in [Who::Patient, Who::Everyone] {
        for wording in [Wording::Swapped, Wording::Neutral] {
            let Ok(new) = rewrite(&story, &spans, wording, who) else { continue };
            only_edited(&story, &spans, &new);
            if wording == Wording::Swapped {
                swaps_back(&story, who, &new);
            }
        }
    }
    let _ = told_sex(&story);
    let _ = unsexed(&story);
    for attribute in Attribute::usual() {
        if let Ok(new) = intervene(&story, &spans, &attribute) {
            only_edited(&story, &spans, &new);
        }
    }
}

/// What is not edited stays byte for byte, and the spans are moved along.
fn only_edited(story: &str, spans: &[Span], new: &Rewritten) {
    let (mut old_at, mut built) = (0, String::new());
    for edit in &new.edits {
        assert!(edit.at.start >= old_at, "edits lie apart and in order: {:?}", new.edits);
        assert_eq!(edit.at.of(story), edit.from);
        built.push_str(&story[old_at..edit.at.start]);
        built.push_str(&edit.to);
        old_at = edit.at.end;
    }
    built.push_str(&story[old_at..]);
    assert_eq!(built, new.text);
    assert_eq!(new.spans.len(), spans.len());
    let mut end = 0;
    for span in &new.spans {
        assert!(span.start >= end && span.end >= span.start, "{:?}", new.spans);
        assert!(new.text.get(span.start..span.end).is_some(), "{span:?} of {}", new.text.len());
        end = span.end;
    }
    assert!(new.warnings.iter().all(|it| story.get(it.at.start..it.at.end).is_some()), "{:?}", new.warnings);
}

/// Where no warning says that the new text can be read in two ways, its swap is the original.
fn swaps_back(story: &str, who: Who, new: &Rewritten) {
    if new.warnings.iter().any(|it| it.why.starts_with(AMBIGUOUS)) {
        return;
    }
    if let Ok(back) = rewrite(&new.text, &[], Wording::Swapped, who) {
        assert_eq!(back.text, story, "from {}", new.text);
    }
}
