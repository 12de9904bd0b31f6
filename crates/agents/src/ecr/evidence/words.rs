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

    /// Statements of the findings a piece of prose names.
    pub fn found_in(&self, prose: &str) -> Vec<&str> {
        let words: BTreeSet<String> = stems(prose).into_iter().collect();
        let share = |wanted: &[(String, f64)]| {
            let all: f64 = wanted.iter().map(|(_, weight)| weight).sum();
            let there: f64 = wanted.iter().filter(|(word, _)| words.contains(word)).map(|(_, weight)| weight).sum();
            if all > 0.0 { there / all } else { 0.0 }
        };
        let named =
            |it: &&Wording| share(&it.name) >= NAME || (it.statement.len() > 1 && share(&it.statement) >= STATEMENT);
        self.findings.iter().filter(named).map(|it| it.content.as_str()).collect()
    }
}

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
