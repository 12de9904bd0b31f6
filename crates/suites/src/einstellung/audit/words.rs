//! Words as the audit compares them: without inflection, and in the patient's language.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A word that means something, and its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Word {
    pub at: usize,
    pub stem: String,
}

/// What a statement is made of, each word once: a clinician's term gives way to the patient's words for it.
pub(in super::super) fn of_statement(text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let mut words: Vec<String> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        // The longest term comes first.
        let (found, length) = match LEXICON.terms_at(&tokens[at..]).next() {
            Some(entry) => (entry.lay.clone(), entry.term.len()),
            None => (tokens[at].content().into_iter().collect(), 1),
        };
        for word in found {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        at += length;
    }
    words
}

/// Everything a sentence can be taken to say: its own words, and the patient's for every term in it.
pub(in super::super) fn of_sentence(text: &str) -> Vec<Word> {
    let tokens = tokens(text);
    let at_each = |at: usize| {
        let lay = LEXICON.terms_at(&tokens[at..]).flat_map(|entry| entry.lay.clone());
        let own = tokens[at].content();
        lay.chain(own).map(move |stem| Word { at, stem }).collect::<Vec<_>>()
    };
    (0..tokens.len()).flat_map(at_each).collect()
}

/// Whether two stems are forms of one word: `ovari` and `ovarian`, but not `contact` and `contain`.
pub(in super::super) fn alike(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (shared, shorter, longer) = compared(a, b);
    // The less two words share, the less may differ: `itch` and `itchi`, but not `child` and `chill`.
    match shared {
        0..=3 => false,
        4 => shorter == 0 && longer <= 2,
        5 => shorter <= 1 && longer <= 4,
        _ => longer <= if shorter == 0 { 7 } else { 4 },
    }
}

/// A term is taken more closely: `tonsil` is no `tonsillitis`.
fn is_term(term: &str, word: &str) -> bool {
    let (shared, _, longer) = compared(term, word);
    // Abbreviations and short words are taken to the letter.
    term == word || shared >= 5 && longer <= 3
}

/// How many letters two words share from the beginning, and how many are left of the one and the other.
fn compared(a: &str, b: &str) -> (usize, usize, usize) {
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let rests = [a, b].map(|word| word.chars().count() - shared);
    (shared, rests[0].min(rests[1]), rests[0].max(rests[1]))
}

struct Token {
    stem: String,
    is_content: bool,
}

impl Token {
    fn content(&self) -> Option<String> {
        self.is_content.then(|| self.stem.clone())
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let is_part = |c: char| c.is_alphanumeric() || c == '\'' || c == '’';
    let token = |raw: &str| {
        let word = raw.to_lowercase().replace('’', "'");
        let word = word.strip_suffix("'s").unwrap_or(&word).replace('\'', "");
        let stem = stem(&word);
        let is_content =
            !STOP.contains(word.as_str()) && stem.chars().count() > 1 && !word.chars().all(|c| c.is_ascii_digit());
        Token { stem, is_content }
    };
    text.split(|c| !is_part(c)).filter(|raw| raw.chars().any(char::is_alphanumeric)).map(token).collect()
}

/// Cuts the common endings of English off, so that forms of a word meet; what is left need not be a word.
fn stem(word: &str) -> String {
    // British and American spelling.
    let mut stem = word.replace("ae", "e").replace("oe", "e").replace("our", "or");
    for (ending, instead) in [("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("ly", ""), ("es", "e"), ("s", "")]
    {
        let is_plural = ending != "s" || !["ss", "us", "is"].iter().any(|end| stem.ends_with(end));
        let Some(cut) = stem.strip_suffix(ending).filter(|cut| cut.chars().count() >= 3 && is_plural) else {
            continue;
        };
        let mut cut = format!("{cut}{instead}");
        let mut last = cut.chars().rev();
        let doubled = last.next().is_some_and(|end| Some(end) == last.next() && !"lsz".contains(end));
        if ["ing", "ed"].contains(&ending) && doubled && cut.chars().count() > 3 {
            cut.pop();
        }
        stem = cut;
        break;
    }
    if stem.chars().count() > 3 {
        if stem.ends_with('e') {
            stem.pop();
        } else if stem.ends_with('y') {
            stem.pop();
            stem.push('i');
        }
    }
    stem
}

struct Entry {
    term: Vec<String>,
    lay: Vec<String>,
}

struct Lexicon {
    entries: Vec<Entry>,
    /// Entries by the first letter of their term.
    by_letter: HashMap<char, Vec<usize>>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::read(include_str!("wording.txt")));

impl Lexicon {
    fn read(text: &str) -> Self {
        let stems = |words: &str| tokens(words).into_iter().map(|token| token.stem).collect::<Vec<_>>();
        let mut entries = Vec::new();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (lay, terms) = line.split_once(':').expect("a line of wording.txt has a colon");
            let lay: Vec<String> = tokens(lay).iter().filter_map(Token::content).collect();
            let terms = terms.split(',').map(stems).filter(|term| !term.is_empty() && *term != lay);
            entries.extend(terms.map(|term| Entry { term, lay: lay.clone() }));
        }
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.term.len()));
        let mut by_letter: HashMap<char, Vec<usize>> = HashMap::new();
        for (at, entry) in entries.iter().enumerate() {
            by_letter.entry(entry.term[0].chars().next().unwrap_or_default()).or_default().push(at);
        }
        Self { entries, by_letter }
    }

    /// The terms these words begin with, the longest first.
    fn terms_at<'a>(&'a self, tokens: &'a [Token]) -> impl Iterator<Item = &'a Entry> {
        let letter = tokens.first().and_then(|token| token.stem.chars().next()).unwrap_or_default();
        let candidates = self.by_letter.get(&letter).into_iter().flatten().map(|&at| &self.entries[at]);
        candidates.filter(move |entry| {
            entry.term.len() <= tokens.len()
                && entry.term.iter().zip(tokens).all(|(word, token)| is_term(word, &token.stem))
        })
    }
}

/// Words without a meaning of their own here: grammar, time, and what every case report says.
static STOP: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("stop_words.txt").split_whitespace().collect());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_are_alike_and_other_words_are_not() {
        let alike = |a: &str, b: &str| alike(&stem(a), &stem(b));
        for (a, b) in [
            ("ovary", "ovarian"),
            ("ovaries", "ovarian"),
            ("smoking", "smoker"),
            ("vomiting", "vomited"),
            ("inflamed", "inflammation"),
            ("diabetes", "diabetic"),
            ("tumour", "tumors"),
            ("anaemia", "anemic"),
            ("operated", "operation"),
            ("swelling", "swellings"),
            ("itch", "itchy"),
        ] {
            assert!(alike(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("child", "chill"),
            ("stomach", "stomatitis"),
            ("chest", "cheese"),
            ("cold", "colon"),
            ("heart", "heat"),
            ("contact", "contain"),
            ("head", "heart"),
        ] {
            assert!(!alike(a, b), "{a} {b}");
        }
    }

    #[test]
    fn a_clinicians_term_says_what_the_patient_says() {
        assert_eq!(of_statement("Dysuria."), of_statement("Burning urine"));
        let said: Vec<String> = of_sentence("There is haematochezia.").into_iter().map(|word| word.stem).collect();
        for word in of_statement("I have seen blood in my stool.") {
            assert!(said.contains(&word), "{word} in {said:?}");
        }
    }

    #[test]
    fn grammar_and_numbers_are_no_words() {
        assert_eq!(of_statement("I have had it for the past 3 weeks."), Vec::<String>::new());
    }

    #[test]
    fn every_line_of_the_lexicon_can_be_read() {
        assert!(LEXICON.entries.len() > 300, "{}", LEXICON.entries.len());
        assert!(LEXICON.entries.iter().all(|entry| !entry.lay.is_empty() && !entry.term.is_empty()));
    }
}
