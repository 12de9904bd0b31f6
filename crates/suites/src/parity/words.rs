//! Sentences, words and what negates them: as much as the rules need, and no more.

/// Sentences end at a mark that whitespace follows, and at line ends.
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| {
        let mut rest = line.trim();
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let ends = rest
                .char_indices()
                .find(|(at, c)| matches!(c, '.' | '!' | '?') && rest[at + 1..].starts_with(char::is_whitespace));
            let end = ends.map_or(rest.len(), |(at, _)| at + 1);
            let sentence = rest[..end].trim();
            rest = rest[end..].trim_start();
            Some(sentence)
        })
    })
}

/// In lower case, without marks.
pub fn words(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '\'' || c == '’' || c == '-';
    let parts = text.split(|c: char| !is_part(c)).map(|it| it.trim_matches(['\'', '’', '-']));
    parts.filter(|it| !it.is_empty()).map(|it| it.to_lowercase().replace('’', "'")).collect()
}

/// Words that say nothing of a finding: grammar, and the words that differ between he, she and they.
const STOP: &[&str] = &[
    "a",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "been",
    "being",
    "but",
    "by",
    "can",
    "did",
    "do",
    "does",
    "for",
    "from",
    "had",
    "has",
    "have",
    "having",
    "he",
    "her",
    "hers",
    "herself",
    "him",
    "himself",
    "his",
    "i",
    "if",
    "in",
    "into",
    "is",
    "it",
    "its",
    "itself",
    "may",
    "more",
    "most",
    "of",
    "on",
    "or",
    "our",
    "over",
    "patient",
    "patient's",
    "she",
    "so",
    "some",
    "such",
    "than",
    "that",
    "the",
    "their",
    "theirs",
    "them",
    "themself",
    "themselves",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "to",
    "up",
    "was",
    "we",
    "were",
    "what",
    "when",
    "which",
    "who",
    "will",
    "with",
    "would",
    "you",
    "also",
    "about",
    "after",
    "before",
    "during",
    "now",
    "man",
    "woman",
    "person",
    "male",
    "female",
    "boy",
    "girl",
    "gentleman",
    "lady",
];

const NEGATIONS: &[&str] = &[
    "no", "not", "without", "deny", "denies", "denied", "denying", "absent", "absence", "lack", "lacks", "lacking",
    "never", "neither", "nor", "none", "negative", "exclude", "excludes", "excluded", "cannot", "free",
];

pub fn negates(word: &str) -> bool {
    NEGATIONS.contains(&word) || word.ends_with("n't")
}

/// Whether a word carries content: neither grammar nor a negation.
pub fn tells(word: &str) -> bool {
    word.chars().count() > 1 && !STOP.contains(&word) && !negates(word)
}

/// Words that are the same but for their ending: `fevers`, `fever`; `radiates`, `radiating`.
pub fn stem(word: &str) -> &str {
    for ending in [
        "iness", "ation", "ating", "ings", "ing", "ated", "ates", "ness", "ies", "ied", "ous", "ed", "es", "ly", "s",
        "y", "e",
    ] {
        if let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.chars().count() >= 4) {
            return stem;
        }
    }
    word
}

/// The content of a text, stemmed, in its order.
pub fn content(text: &str) -> Vec<String> {
    words(text).iter().filter(|word| tells(word)).map(|word| stem(word).to_owned()).collect()
}

/// Words, and the marks that part clauses as words of their own.
pub fn tokens(sentence: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in sentence.split_inclusive([',', ';', ':', '(', ')']) {
        found.extend(words(part));
        let mark = part.chars().next_back().filter(|c| [',', ';', ':', '(', ')'].contains(c));
        found.extend(mark.map(String::from));
    }
    found
}

/// How far a negation of a verb reaches, in words; and one that begins a list.
const REACH: usize = 6;
const LIST_REACH: usize = 16;
/// What ends its reach.
const TURNS: &[&str] = &[
    "but", "however", "although", "though", "yet", "whereas", "while", "despite", "except", "because", "which", "so",
    "then", ";", ":", "(", ")",
];
/// They deny a whole list: `denies fever, chills, and vomiting`.
const OF_LISTS: &[&str] = &[
    "no", "without", "deny", "denies", "denied", "denying", "negative", "neither", "lacks", "lacking", "lack",
    "absence", "free",
];
/// After a comma or an `and` they begin something new.
const BEGINNERS: &[&str] = &[
    "the", "a", "an", "this", "that", "these", "he", "she", "they", "it", "his", "her", "their", "its", "there",
    "with", "has", "have", "had", "is", "are", "was", "were", "who", "what", "we", "i", "present", "presents",
    "report", "reports", "show", "shows", "only",
];
/// `not relieved by rest`: what is not relieved is there.
const OF_THE_VERB: &[&str] = &[
    "relieved",
    "relieve",
    "worsened",
    "worsen",
    "worse",
    "better",
    "changed",
    "change",
    "improved",
    "improve",
    "affected",
    "aggravated",
    "exacerbated",
    "resolved",
    "resolve",
    "controlled",
    "explained",
    "related",
    "associated",
    "reproducible",
    "radiating",
    "responding",
    "respond",
    "responsive",
    "due",
    "only",
    "just",
    "specific",
    "new",
    "caused",
];
/// `There is no doubt that …` denies nothing.
const NO_DENIAL: &[&str] = &["doubt", "only", "just", "merely", "question"];

/// Whether the word at `at` stands under a negation: one before it with no turn between, or one after it that speaks of it. `words` are
/// [`tokens`].
pub fn is_negated(words: &[String], at: usize) -> bool {
    is_denied_before(words, at) || is_denied_after(&words[at + 1..])
}

fn is_denied_before(words: &[String], at: usize) -> bool {
    let next = |at: usize| words.get(at + 1).map(String::as_str).unwrap_or_default();
    let mut in_list = false;
    for (far, place) in (0..at).rev().enumerate().take_while(|(far, _)| *far < LIST_REACH) {
        let word = words[place].as_str();
        let begins = |word: &str| BEGINNERS.contains(&word);
        match word {
            word if TURNS.contains(&word) => return false,
            "," if next(place) == "and" || next(place) == "or" => in_list = true,
            "," | "and" if begins(next(place)) => return false,
            "," | "and" => in_list = true,
            word if negates(word) && !NO_DENIAL.contains(&next(place)) => {
                let lists = OF_LISTS.contains(&word);
                return lists || (!in_list && far < REACH);
            }
            _ => {}
        }
    }
    false
}

/// "fever is absent", "troponin is not raised", "sweating and nausea are absent", "fever is ruled out"
fn is_denied_after(rest: &[String]) -> bool {
    let mut listed = false;
    let mut verb = false;
    for (at, word) in rest.iter().enumerate().take(REACH + 2) {
        let next = rest.get(at + 1).map(String::as_str).unwrap_or_default();
        match word.as_str() {
            "is" | "was" if !listed => verb = true,
            "are" | "were" | "been" => verb = true,
            "has" | "have" if next == "been" => {}
            "and" | "or" | "," if !verb && !BEGINNERS.contains(&next) => listed = true,
            "ruled" if verb => return next == "out",
            "not" if verb => return !OF_THE_VERB.contains(&next),
            word if verb => return negates(word) || ["unremarkable", "denied"].contains(&word),
            word if TURNS.contains(&word) || [",", "and"].contains(&word) => return false,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(sentence: &str, word: &str, expected: bool) {
        let words = tokens(sentence);
        let at = words.iter().position(|it| it == word).unwrap();
        assert_eq!(is_negated(&words, at), expected, "{sentence}");
    }

    #[test]
    fn a_negation_reaches_along_a_list_and_not_past_a_turn() {
        check("There is no fever, cough or rash.", "rash", true);
        check("There is no fever but a rash.", "rash", false);
        check("The fever is absent.", "fever", true);
        check("The troponin was not raised.", "troponin", true);
        check("A fever without chills.", "fever", false);
        check("The pain doesn't radiate.", "radiate", true);
        check("Sweating and nausea are absent.", "sweating", true);
        check("Fever and a rash is absent.", "fever", false);
        check("There is no rash and the troponin is not raised.", "troponin", true);
    }

    #[test]
    fn ordinary_clinical_sentences_are_read_as_they_are_meant() {
        for word in ["fever", "chills", "vomiting"] {
            check("He denies fever, chills, and vomiting.", word, true);
            check("She denies vomiting, chills, and fever.", word, true);
            check("The review is negative for chills, vomiting and fever.", word, true);
        }
        check("The pain in the toe is not relieved by rest.", "pain", false);
        check("The pain in the toe is not relieved by rest.", "relieved", true);
        check("With no trauma, the swollen red joint decides.", "trauma", true);
        for word in ["swollen", "red", "joint"] {
            check("With no trauma, the swollen red joint decides.", word, false);
        }
        check("Fever is ruled out.", "fever", true);
        check("The ECG is unremarkable.", "ecg", true);
        check("There is no doubt that the fever counts.", "fever", false);
        check("She has no fever and has a rash.", "rash", false);
        check("He has no fever, but chills.", "chills", false);
        check("The joint is not red, and the knee is hot.", "knee", false);
    }

    #[test]
    fn they_deny_what_he_denies() {
        for (one, many) in [("denies", "deny"), ("lacks", "lack"), ("excludes", "exclude")] {
            assert!(negates(one) && negates(many), "{one}, {many}");
            assert_eq!(OF_LISTS.contains(&one), OF_LISTS.contains(&many), "{one}, {many}");
        }
        for (one, many) in [("presents", "present"), ("reports", "report"), ("shows", "show"), ("has", "have")] {
            assert_eq!(BEGINNERS.contains(&one), BEGINNERS.contains(&many), "{one}, {many}");
        }
        for word in ["fever", "cough"] {
            check("He denies fever and cough.", word, true);
            check("They deny fever and cough.", word, true);
        }
        check("He has no fever and reports chills.", "chills", false);
        check("They have no fever and report chills.", "chills", false);
    }

    #[test]
    fn endings_do_not_make_another_word() {
        assert_eq!(stem("radiates"), stem("radiating"));
        assert_eq!(stem("fevers"), stem("fever"));
        assert_ne!(stem("fever"), stem("cough"));
    }

    #[test]
    fn numbers_with_a_point_do_not_end_a_sentence() {
        let told: Vec<&str> = sentences("A fever of 38.5 °C. Then chills!\nNext line").collect();
        assert_eq!(told, ["A fever of 38.5 °C.", "Then chills!", "Next line"]);
    }
}
