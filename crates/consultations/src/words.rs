//! Words of a text in any script: a CJK character is a word, and so is a run of other letters and digits.

/// Lower case.
pub fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for c in text.chars() {
        if is_cjk(c) {
            words.push(c.to_string());
            open = false;
        } else if c.is_alphanumeric() {
            if !open {
                words.push(String::new());
            }
            open = true;
            let word = words.last_mut().expect("one was just opened");
            word.extend(c.to_lowercase());
        } else if c != '\'' && c != '’' {
            open = false;
        }
    }
    words
}

/// Han characters and their extensions, kana and hangul: scripts in which words are not parted by spaces, or short.
pub fn is_cjk(c: char) -> bool {
    matches!(u32::from(c), 0x2E80..=0x2FDF | 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x2FA1F)
}

/// Whether a term stands in a text at the beginning of a word; it may end inside one, because terms are stems.
pub fn holds(text: &str, term: &str) -> bool {
    places(text, term).next().is_some()
}

/// Where the term begins a word.
pub fn places<'a>(text: &'a str, term: &'a str) -> impl Iterator<Item = usize> + 'a {
    let starts_cjk = term.chars().next().is_some_and(is_cjk);
    text.match_indices(term).map(|(at, _)| at).filter(move |&at| {
        let before = text[..at].chars().next_back();
        !term.is_empty() && (starts_cjk || before.is_none_or(|c| !c.is_alphanumeric() || is_cjk(c)))
    })
}

/// Sentences with their marks; a line ends one too.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let after = at + c.len_utf8();
        let next = text[after..].chars().next();
        let ends = match c {
            '\n' | '。' | '！' | '？' | '；' => true,
            '.' | '!' | '?' | ';' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        if ends {
            found.push(text[start..after].trim());
            start = after;
        }
    }
    found.push(text[start..].trim());
    found.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    found
}

/// `a, b and c`
pub fn joined(parts: &[&str], comma: &str, last: &str) -> String {
    match parts {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., end] => format!("{}{last}{end}", most.join(comma)),
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() && !is_cjk(c)
}

/// A number in figures. The digit of a name, as in vitamin B12, is none.
pub fn has_figure(text: &str) -> bool {
    let mut before = ' ';
    text.chars().any(|c| {
        let figure = c.is_ascii_digit() && !is_letter(before);
        // All digits of a name belong to it.
        before = if c.is_ascii_digit() && is_letter(before) { before } else { c };
        figure
    })
}

/// The first letter large.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_chinese_are_words_and_so_are_runs_of_letters() {
        assert_eq!(words("Don't eat 5 apples."), ["dont", "eat", "5", "apples"]);
        assert_eq!(words("我CT正常"), ["我", "ct", "正", "常"]);
    }

    #[test]
    fn the_digits_of_a_name_are_no_figure() {
        assert!(has_figure("for 3 days") && has_figure("发烧39度") && !has_figure("vitamin B12"));
    }

    #[test]
    fn a_stem_begins_a_word() {
        assert!(holds("take the tablets", "tabl") && !holds("it is stable", "tabl"));
        assert!(holds("做心电图检查", "心电图"));
    }

    #[test]
    fn a_point_inside_a_number_ends_no_sentence() {
        assert_eq!(sentences("It is 1.5 cm. Really! 好的。行"), ["It is 1.5 cm.", "Really!", "好的。", "行"]);
    }
}
