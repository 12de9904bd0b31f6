//! The head of a table: are the columns there?

use waterjar_core::slip;

/// What is wrong with a head that lacks columns. A file of no bytes has no head, and no rows that could be wrong.
pub(super) fn problem(headers: &csv::StringRecord, needs: &[&str]) -> Option<String> {
    let known: Vec<&str> = headers.iter().map(str::trim).collect();
    let missing: Vec<&str> = needs.iter().copied().filter(|column| !known.contains(column)).collect();
    if known.is_empty() || missing.is_empty() {
        return None;
    }
    if let [only] = known.as_slice()
        && only.contains([',', ';', '\t'])
    {
        return Some(
            "the head is one cell: do its quotes stand around the whole row? They belong around a cell".to_owned(),
        );
    }
    let told: Vec<String> = missing.iter().map(|column| meant(column, &known)).collect();
    let noun = if told.len() == 1 { "column" } else { "columns" };
    Some(format!("has no {noun} {}; the columns are {}", told.join(", "), known.join(", ")))
}

/// A missing column, with the one that was probably meant.
fn meant(column: &str, known: &[&str]) -> String {
    match slip::did_you_mean(column, known.iter().copied()) {
        Some(hint) => format!("`{column}` ({hint})"),
        None => format!("`{column}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(head: &[&str], needs: &[&str], told: Option<&str>) {
        assert_eq!(problem(&csv::StringRecord::from(head.to_vec()), needs).as_deref(), told);
    }

    #[test]
    fn a_missing_column_is_told_with_the_one_that_was_meant() {
        check(&["case", " story "], &["story", "case"], None);
        check(
            &["case", "storry"],
            &["case", "story"],
            Some("has no column `story` (did you mean `storry`?); the columns are case, storry"),
        );
        check(
            &["Case", "c"],
            &["case", "a", "b"],
            Some("has no columns `case` (did you mean `Case`?), `a`, `b`; the columns are Case, c"),
        );
    }

    #[test]
    fn a_head_of_one_cell_is_asked_for_its_quotes() {
        let told = "the head is one cell: do its quotes stand around the whole row? They belong around a cell";
        for head in ["case,story", "case;story", "case\tstory"] {
            check(&[head], &["story"], Some(told));
        }
        check(&["a;b"], &["a;b"], None);
        check(&[], &["story"], None);
    }
}
