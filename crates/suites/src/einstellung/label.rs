//! Labels as people and programs write them.

/// What stands around a label and is no part of it. Signs are not among them: HER2+ is not HER2-.
const AROUND: [char; 34] = [
    '.', ',', ';', ':', '!', '?', '"', '\'', '`', '*', '_', '#', '(', ')', '[', ']', '“', '”', '„', '‘', '’', '«', '»',
    '•', '。', '，', '；', '：', '！', '？', '（', '）', '「', '」',
];

/// Whether an answer is a label: whatever their case, white space, and what stands around them. The answer may have a number in front, as in a
/// list; a label with a number is only itself.
pub(super) fn same(said: &str, label: &str) -> bool {
    let (said, label) = (bare(said), bare(label));
    said == label || unnumbered(&said).is_some_and(|it| bare(it) == label)
}

/// As labels are compared.
pub(super) fn bare(label: &str) -> String {
    let words = label.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let point = ["- ", "– "].iter().find_map(|mark| words.strip_prefix(*mark)).unwrap_or(&words);
    let bare = point.trim_matches(|letter: char| letter.is_whitespace() || AROUND.contains(&letter));
    if bare.is_empty() { words } else { whole_number(bare).unwrap_or(bare).to_owned() }
}

/// Of `1.0` the `1`: so programs write a column of whole numbers in which a cell is empty.
fn whole_number(label: &str) -> Option<&str> {
    let digits = label.strip_suffix(".0")?;
    (!digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit())).then_some(digits)
}

/// `1. croup`, `2) croup`; `1.5 litres` has no number in front.
fn unnumbered(label: &str) -> Option<&str> {
    let rest = label.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let name = rest.strip_prefix(['.', ')', ':'])?.trim_start();
    let is_numbered =
        (1..=2).contains(&(label.len() - rest.len())) && name.starts_with(|it: char| !it.is_ascii_digit());
    is_numbered.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(said: &str, label: &str, expected: bool) {
        assert_eq!(same(said, label), expected, "{said} and {label}");
    }

    #[test]
    fn what_stands_around_a_label_is_no_part_of_it() {
        for said in ["Croup.", "1. Croup", "2) **Croup**", "**1. Croup**", "“croup”", " CROUP ", "- Croup", "(1) Croup"]
        {
            check(said, "Croup", true);
        }
        check("HIV  (initial infection).", "HIV (initial infection)", true);
        check("1.0", "1", true);
        check("12", "12.0", true);
    }

    #[test]
    fn what_may_be_another_diagnosis_is_another() {
        for said in ["acute croup", "Croup or bronchiolitis", "Croup 2", "1", ""] {
            check(said, "Croup", false);
        }
        check("HER2-", "HER2+", false);
        check("1. degree block", "2. degree block", false);
        check("2. degree block", "2. degree block", true);
        check("1.5 litres", "5 litres", false);
        check("?", "!", false);
        check("10", "1.0", false);
        check("HPV 1.0", "HPV 1", false);
    }
}
