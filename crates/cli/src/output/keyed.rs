//! How often raters of stories chose what the key says, as aligned text.

use super::table::{aligned, cell};
use waterjar_annotation::stories::Held;

/// A row per part of the stories, and two columns per rater. All have been held against the same stories.
pub fn table(raters: &[(String, Held)]) -> String {
    let mut rows = vec![vec!["chose what the key says".to_owned()]];
    for (rater, _) in raters {
        rows[0].extend([rater.clone(), "n".to_owned()]);
    }
    for part in raters.iter().take(1).flat_map(|(_, held)| held.parts()) {
        let mut row = vec![part.title()];
        for (_, held) in raters {
            let metric = held.metric(part);
            row.extend([cell(Some(&metric)), metric.n.to_string()]);
        }
        rows.push(row);
    }
    let mut unanswered = vec!["unanswered".to_owned()];
    for (_, held) in raters {
        unanswered.extend([String::new(), held.unanswered.to_string()]);
    }
    rows.push(unanswered);
    aligned(&rows)
}
