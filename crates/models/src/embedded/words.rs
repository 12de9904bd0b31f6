//! A narrative as the words, and pairs of neighbouring words, it is made of.
//!
//! Pairs stay within a line, because each line of a narrative is a statement of its own. A word that follows a negation in the
//! same clause is another word: "I do not have a fever" says `!fever`. Without the mark a bag of words would take a denied finding
//! for a present one (the technique is Das and Chen's, 2001). The number after `Age:` is read as its decade, since hardly two
//! training patients share one exact age.

/// Tells `hear` every word and every pair of neighbouring words, line by line.
pub(super) fn features(text: &str, mut hear: impl FnMut(&str)) {
    let (mut before, mut word, mut pair) = (String::new(), String::new(), String::new());
    for line in text.lines() {
        before.clear();
        let mut negated = false;
        for piece in line.split_whitespace() {
            for raw in piece.split(|c: char| !is_part_of_a_word(c)) {
                if raw.chars().all(|c| !c.is_alphanumeric()) {
                    continue;
                }
                write_word(&mut word, raw, negated, before == "age");
                hear(&word);
                if !before.is_empty() {
                    pair.clear();
                    pair.push_str(&before);
                    pair.push(' ');
                    pair.push_str(&word);
                    hear(&pair);
                }
                negated = negated || is_negation(&word);
                std::mem::swap(&mut before, &mut word);
            }
            // A comma does not end it: "I have no fever, chills or sweats."
            negated = negated && !piece.ends_with(['.', ':', ';', '!', '?']);
        }
    }
}

const NEGATION_MARK: char = '!';

fn write_word(word: &mut String, raw: &str, negated: bool, is_age: bool) {
    word.clear();
    if let (true, Ok(years)) = (is_age, raw.parse::<u16>()) {
        word.push_str(&format!("{}s", years / 10 * 10));
        return;
    }
    if negated {
        word.push(NEGATION_MARK);
    }
    for c in raw.chars() {
        match c {
            '’' => word.push('\''),
            _ => word.extend(c.to_lowercase()),
        }
    }
}

fn is_part_of_a_word(c: char) -> bool {
    c.is_alphanumeric() || c == '\'' || c == '’'
}

fn is_negation(word: &str) -> bool {
    const NEGATIONS: [&str; 12] =
        ["no", "not", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without", "cannot", "denies"];
    NEGATIONS.contains(&word) || word.ends_with("n't")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let mut found = Vec::new();
        features(text, |feature| found.push(feature.to_owned()));
        assert_eq!(found, expected);
    }

    #[test]
    fn words_and_pairs_are_lower_case_and_without_bullets() {
        check("- I cough.\n  * my Left-hand", &["i", "cough", "i cough", "my", "left", "my left", "hand", "left hand"]);
    }

    #[test]
    fn what_is_denied_is_another_word() {
        check("I do not cough.", &["i", "do", "i do", "not", "do not", "!cough", "not !cough"]);
        check("I don’t cough", &["i", "don't", "i don't", "!cough", "don't !cough"]);
    }

    #[test]
    fn a_denial_ends_with_its_clause() {
        check("No; pain", &["no", "pain", "no pain"]);
        check("No, pain", &["no", "!pain", "no !pain"]);
        check("No\nPain", &["no", "pain"]);
    }

    #[test]
    fn an_age_is_read_as_its_decade() {
        check("Sex: M, Age: 22", &["sex", "m", "sex m", "age", "m age", "20s", "age 20s"]);
    }

    #[test]
    fn nothing_but_marks_says_nothing() {
        check("- … '' *\n\n", &[]);
    }
}
