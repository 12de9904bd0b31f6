//! Words as names are compared by: case, accents of spelling and punctuation do not tell conditions apart.

/// Lower-case words and numbers, one space between; British and American spelling alike.
pub(super) fn normalised(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if c == '\'' || c == '’' {
            // Crohn's and Crohns are one name.
        } else if !out.ends_with(' ') && !out.is_empty() {
            out.push(' ');
        }
    }
    out.truncate(out.trim_end().len());
    // Anaemia and anemia, oedema and edema, tumour and tumor.
    out.replace("ae", "e").replace("oe", "e").replace("tumour", "tumor")
}

/// Chinese and full-width marks as their plain ones, so that one reader reads both: `1、肺炎（0.6）。` is `1. 肺炎 (0.6). `
pub(super) fn plain_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '。' => out.push_str(". "),
            '，' => out.push_str(", "),
            '、' if out.ends_with(|before: char| before.is_ascii_digit()) => out.push_str(". "),
            '、' => out.push_str(", "),
            '；' => out.push_str("; "),
            '：' => out.push_str(": "),
            '！' => out.push_str("! "),
            '？' => out.push_str("? "),
            '（' | '【' => out.push_str(" ("),
            '）' | '】' => out.push(')'),
            '％' => out.push('%'),
            '０'..='９' => out.push((b'0' + (u32::from(c) - u32::from('０')) as u8).into()),
            c => out.push(c),
        }
    }
    out
}

/// Words that say how sure, how bad or on which side: a condition is the same with and without them.
const SOFT: [&str; 24] = [
    "a",
    "an",
    "the",
    "acute",
    "possible",
    "possibly",
    "probable",
    "probably",
    "suspected",
    "presumed",
    "presumptive",
    "likely",
    "most",
    "mild",
    "moderate",
    "severe",
    "early",
    "new",
    "onset",
    "left",
    "right",
    "bilateral",
    "sided",
    "underlying",
];

pub(super) fn is_soft(word: &str) -> bool {
    SOFT.contains(&word)
}

/// A normalised name without soft words at its front.
pub(super) fn core(name: &str) -> &str {
    let mut rest = name;
    while let Some((first, after)) = rest.split_once(' ')
        && SOFT.contains(&first)
    {
        rest = after;
    }
    rest
}

/// The same without `chronic`, to find names that only this word tells apart.
pub(super) fn wide_core(name: &str) -> &str {
    let rest = core(name);
    rest.strip_prefix("chronic ").map_or(rest, core)
}

/// The words without Markdown, quotation marks and a full stop at the end.
pub(super) fn plain(text: &str) -> String {
    let text = text.replace(['*', '_', '`', '#', '"', '“', '”'], "");
    text.trim().trim_end_matches(['.', ',', ';', ':']).trim().to_owned()
}

/// Sentences of a text. A full stop inside a number or an abbreviation ends none.
pub(super) fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let next = text[at + c.len_utf8()..].chars().next();
        let ends = match c {
            '\n' => true,
            '.' | '!' | '?' => {
                next.is_none_or(|next| next.is_whitespace() || next == '*')
                    && !is_abbreviation(&text[start..at])
                    && !is_genus(&text[start..at], &text[at + 1..])
                    && !is_option(&text[start..at])
            }
            _ => false,
        };
        if ends {
            found.push(text[start..at].trim());
            start = at + c.len_utf8();
        }
    }
    found.push(text[start..].trim());
    found.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    found
}

/// `C. difficile`, `E. coli`: a letter, and then no new sentence.
fn is_genus(before: &str, after: &str) -> bool {
    let name = before.rsplit([' ', '(', '\n']).next().unwrap_or_default();
    let mut letters = name.chars();
    let one = letters.next().is_some_and(|c| c.is_ascii_uppercase()) && letters.next().is_none();
    one && after.trim_start_matches(' ').starts_with(|c: char| c.is_ascii_lowercase())
}

/// `The answer is B. Gout`: a letter of an option, and then what it stands for.
fn is_option(before: &str) -> bool {
    let mut words = before.rsplitn(3, ' ');
    let is_letter = words.next().is_some_and(|it| it.len() == 1 && it.starts_with(|c: char| c.is_ascii_uppercase()));
    is_letter
        && words.next().is_some_and(|it| {
            ["is", "is:", "answer:", "option", "diagnosis:"].contains(&it.to_ascii_lowercase().as_str())
        })
}

/// Whether a text begins with these words, and not with a longer one.
pub(crate) fn begins(text: &str, with: &str) -> bool {
    text.strip_prefix(with).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

pub(crate) fn is_abbreviation(before: &str) -> bool {
    let last = before.rsplit([' ', '(', '\n']).next().unwrap_or_default();
    ["e.g", "i.e", "vs", "cf", "approx", "incl"].contains(&last.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_of_either_side_of_the_atlantic_is_one_name() {
        assert_eq!(normalised("Coeliac disease"), normalised("celiac Disease"));
        assert_eq!(normalised("Acute pulmonary oedema"), normalised("acute pulmonary edema."));
    }

    #[test]
    fn punctuation_and_spaces_are_one_space_and_apostrophes_none() {
        assert_eq!(normalised("  (Acute)  oedema "), "acute edema");
        assert_eq!(normalised("Crohn's disease"), "crohns disease");
        assert_eq!(normalised("Crohn’s disease"), "crohns disease");
    }

    #[test]
    fn chinese_marks_become_plain_ones() {
        assert_eq!(
            plain_marks("１０、发热，咳嗽、胸痛：是；否。对！错？（０.９）【５０％】"),
            "10. 发热, 咳嗽, 胸痛: 是; 否. 对! 错?  (0.9) (50%)"
        );
    }

    #[test]
    fn soft_words_are_dropped_from_the_front_only() {
        assert_eq!(core("suspected acute pericarditis"), "pericarditis");
        assert_eq!(core("unstable angina"), "unstable angina");
        assert_eq!((core("chronic bronchitis"), wide_core("chronic bronchitis")), ("chronic bronchitis", "bronchitis"));
    }

    #[test]
    fn a_number_or_an_abbreviation_ends_no_sentence() {
        assert_eq!(
            sentences("Skin cancer (e.g. melanoma), 0.5 cm. See a doctor!"),
            ["Skin cancer (e.g. melanoma), 0.5 cm", "See a doctor"]
        );
    }

    #[test]
    fn a_new_line_is_a_new_sentence() {
        assert_eq!(sentences("Fever\nCough"), ["Fever", "Cough"]);
    }
}
