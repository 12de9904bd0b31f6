//! Cells of tables that people open in a spreadsheet, which runs some texts as formulas.

/// As OWASP lists them ("CSV Injection"); the wide ones count where programs are set to Chinese or Japanese.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/// In front of these some programs look on for a formula.
const SKIPPED: [char; 3] = ['\t', '\r', '\n'];
/// What follows is text to every spreadsheet.
const MARK: char = '\'';

/// A text that a spreadsheet would run, with an apostrophe in front of it; any other text and every number as it is.
pub fn guarded(text: &str) -> String {
    if is_run(text) { format!("{MARK}{text}") } else { text.to_owned() }
}

/// What was guarded, as it was.
pub fn unguarded(cell: &str) -> &str {
    cell.strip_prefix(MARK).filter(|text| is_run(text)).unwrap_or(cell)
}

/// Apostrophes of its own do not count, or a guarded text could not be told from one that begins with them.
fn is_run(text: &str) -> bool {
    let text = text.trim_start_matches(MARK);
    let is_formula = text.starts_with(SKIPPED) || text.trim_start().starts_with(FORMULA);
    is_formula && !text.trim().parse::<f64>().is_ok_and(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, cell: &str) {
        assert_eq!(guarded(text), cell);
        assert_eq!(unguarded(cell), text);
    }

    #[test]
    fn no_text_is_run_and_all_come_back_as_they_were() {
        check("=HYPERLINK(\"http://x\")", "'=HYPERLINK(\"http://x\")");
        check("@SUM(1)", "'@SUM(1)");
        check("+49 30 1234", "'+49 30 1234");
        check("- since Monday", "'- since Monday");
        check("\tat night", "'\tat night");
        check("\r=1+1", "'\r=1+1");
        check("  =1+1", "'  =1+1");
        check("＝1+1", "'＝1+1");
        check("-inf", "'-inf");
        // As some write it, and as it is once it was guarded.
        check("'=1+1", "''=1+1");
    }

    #[test]
    fn other_texts_and_numbers_stay_as_they_are() {
        for text in ["I cough.", "'quoted'", "5-10 mg", "-2.25", "+1", "1e-6", " -2", "", "'", " since Monday"] {
            check(text, text);
        }
    }
}
