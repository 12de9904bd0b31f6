//! Finding a finding in prose by its words.

use crate::ecr::lexicon::Lexicon;
use std::collections::{BTreeSet, HashMap};

/// The words of every finding, weighed by how few findings share them.
pub(super) struct Wordings {
    findings: Vec<Wording>,
}

struct Wording {
    content: String,
    /// Of its plain name, and of its statement; each with its weight.
    name: Vec<(String, f64)>,
    statement: Vec<(String, f64)>,
}

/// All of a name must be there.
const NAME: f64 = 0.999;
/// Of a statement, so much of its weight: prose puts it in other words.
const STATEMENT: f64 = 0.6;

impl Wordings {
    pub fn new(lexicon: &Lexicon) -> Self {
        let mut findings: Vec<(String, Vec<String>, Vec<String>)> =
            lexicon.findings().map(|(present, _, name)| (present.to_owned(), stems(name), stems(present))).collect();
        findings.sort();
        let mut shared: HashMap<String, f64> = HashMap::new();
        for (_, name, statement) in &findings {
            for word in name.iter().chain(statement).collect::<BTreeSet<_>>() {
                *shared.entry(word.clone()).or_default() += 1.0;
            }
        }
        let count = findings.len() as f64;
        let weighed = |words: Vec<String>| {
            let weight = |word: &String| (count / shared.get(word).copied().unwrap_or(1.0)).ln().max(0.1);
            words.into_iter().map(|word| (word.clone(), weight(&word))).collect::<Vec<_>>()
        };
        let wording =
            |(content, name, statement)| Wording { content, name: weighed(name), statement: weighed(statement) };
        Self { findings: findings.into_iter().map(wording).collect() }
    }

    /// The findings a piece of prose names: their statement, and whether the prose says there is none.
    pub fn found_in(&self, prose: &str) -> Vec<(&str, bool)> {
        let order = tokens(prose);
        let words: BTreeSet<&str> = order.iter().map(|(stem, _)| stem.as_str()).collect();
        let share = |wanted: &[(String, f64)]| {
            let all: f64 = wanted.iter().map(|(_, weight)| weight).sum();
            let there = wanted.iter().filter(|(word, _)| words.contains(word.as_str()));
            let there: f64 = there.map(|(_, weight)| weight).sum();
            if all > 0.0 { there / all } else { 0.0 }
        };
        let by_name = |it: &Wording| share(&it.name) >= NAME;
        let by_statement = |it: &Wording| it.statement.len() > 1 && share(&it.statement) >= STATEMENT;
        let mut found = Vec::new();
        for it in &self.findings {
            let wanted = match (by_name(it), by_statement(it)) {
                (true, _) => &it.name,
                (false, true) => &it.statement,
                (false, false) => continue,
            };
            let is_of_it = |stem: &str| wanted.iter().any(|(word, _)| word == stem);
            let denied = order.iter().any(|(stem, negated)| *negated && is_of_it(stem));
            found.push((it.content.as_str(), denied));
        }
        found
    }
}

/// How many words a negation reaches: "no fever", "without any loss of weight".
const REACH: usize = 4;

/// Stems in their order, each with whether a negation shortly before it, in the same clause, reaches it.
fn tokens(prose: &str) -> Vec<(String, bool)> {
    let mut tokens = Vec::new();
    let mut reach = 0;
    for piece in prose.split_whitespace() {
        for word in piece.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            let word = word.to_lowercase();
            if NEGATIONS.contains(&word.as_str()) {
                reach = REACH;
                continue;
            }
            if !is_small(&word) {
                tokens.push((stem(&word), reach > 0));
            }
            reach = usize::saturating_sub(reach, 1);
        }
        if piece.ends_with([',', ';', ':', '.', ')']) {
            reach = 0;
        }
    }
    tokens
}

const NEGATIONS: [&str; 9] = ["no", "not", "without", "absence", "never", "freedom", "lack", "nor", "normal"];

/// Lower-case words without endings; small words say nothing.
pub(super) fn stems(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let mut stems: Vec<String> =
        words.map(str::to_lowercase).filter(|word| !is_small(word)).map(|word| stem(&word)).collect();
    stems.sort();
    stems.dedup();
    stems
}

fn stem(word: &str) -> String {
    let mut stem = word;
    for ending in ["ing", "ed", "es", "ly", "s", "y", "e"] {
        if let Some(short) = stem.strip_suffix(ending)
            && short.len() >= 3
        {
            stem = short;
            break;
        }
    }
    let mut letters: Vec<char> = stem.chars().collect();
    // "running" and "run": a doubled last letter is one.
    if letters.len() > 3 && letters[letters.len() - 1] == letters[letters.len() - 2] {
        letters.pop();
    }
    letters.into_iter().collect()
}

fn is_small(word: &str) -> bool {
    const SMALL: &str = " a an and am are as at be been being by but can do did does for from get gets got had has have having he her \
        his i if in into is it its just like lot me more most much my no nor not of off often on one or other out over own she so \
        some such than that the their them then there these they this those to too up us very was were when where which while \
        who will with without would you your every all any about again ago also after before during feel feels felt keep keeps \
        make makes made time times lately ";
    word.len() < 2 || SMALL.contains(&format!(" {word} "))
}
