//! A short sentence that ends with the name: `the findings are highly suspicious for gout`, `Condition: gout`.

use super::labels::Labels;
use super::phrase::Phrase;
use super::supposed::is_supposed;
use super::words::plain;

/// What stands right before a name that a sentence comes to. An adjective is none: viral meningitis is not meningitis.
const BEFORE: [&str; 40] = [
    "a",
    "an",
    "the",
    "is",
    "it's",
    "its",
    "was",
    "be",
    "are",
    "of",
    "for",
    "to",
    "towards",
    "toward",
    "with",
    "on",
    "as",
    "has",
    "have",
    "had",
    "get",
    "got",
    "say",
    "says",
    "then",
    "this",
    "that",
    "thinking",
    "about",
    "confirm",
    "confirms",
    "indicating",
    "suggesting",
    "probably",
    "likely",
    "clearly",
    "gotta",
    "vote",
    "label",
    "=",
];
/// With one of these the name is not what it comes to.
const NOT: [&str; 74] = [
    "no",
    "not",
    "non",
    "never",
    "neither",
    "nor",
    "without",
    "against",
    "unlikely",
    "less",
    "least",
    "low",
    "exclude",
    "excluded",
    "excludes",
    "excluding",
    "ruled",
    "rule",
    "than",
    "versus",
    "vs",
    "or",
    "history",
    "hx",
    "prior",
    "previous",
    "past",
    "known",
    "risk",
    "risks",
    "fear",
    "test",
    "tests",
    "testing",
    "screen",
    "check",
    "evaluate",
    "workup",
    "mimic",
    "mimics",
    "mimicking",
    "instead",
    "except",
    "cannot",
    "doubt",
    "doubts",
    "fears",
    "feared",
    "thinks",
    "believes",
    "believed",
    "worried",
    "worry",
    "worries",
    "whether",
    "if",
    "used",
    "thought",
    "hard",
    "sister",
    "brother",
    "mother",
    "father",
    "family",
    "due",
    "secondary",
    "because",
    "caused",
    "complicating",
    "complication",
    "complications",
    "after",
    "before",
    "until",
];
/// In words: longer ones are prose, and a question is none.
const LONGEST: usize = 20;
/// No name has more words.
const MOST: usize = 6;

pub(super) fn trailing(labels: &Labels, sentence: &str) -> Option<Phrase> {
    let sentence = plain(sentence);
    let words: Vec<&str> = sentence.split_whitespace().collect();
    if words.len() < 2 || words.len() > LONGEST || is_supposed(&sentence) {
        return None;
    }
    let bare = |word: &str| {
        word.trim_matches(|c: char| !c.is_alphanumeric() && c != '=' && c != '\'').to_lowercase().replace('’', "'")
    };
    let name = |from: usize, to: usize| labels.find(&words[from..to].join(" "));
    let at = (1..words.len()).find(|at| words.len() - at <= MOST && name(*at, words.len()).is_some())?;
    let leads = words[at - 1].ends_with([':', '→', '=', '>']) || BEFORE.contains(&bare(words[at - 1]).as_str());
    let is_not = |word: &str| NOT.contains(&word) || word.ends_with("n't");
    let asks = ["is", "are", "was", "could", "can", "does", "do", "should", "might"].contains(&bare(words[0]).as_str());
    let is_other = asks || words[..at].iter().any(|word| is_not(&bare(word)));
    let names_more = || (0..at).any(|from| (from + 1..=at.min(from + MOST)).any(|to| name(from, to).is_some()));
    (leads && !is_other && !names_more()).then(|| Phrase::read(labels, &words[at..].join(" ")))
}
