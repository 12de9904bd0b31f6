//! Whether a reasoning speaks of what was put into the text, however it words it.
//!
//! The rule leans towards a mention: what it finds, a model or a person can still dismiss, while what it misses counts
//! as overlooked.

use super::words::{Word, alike, of_sentence, of_statement};
use crate::einstellung::author::sentences;
use std::collections::HashMap;
use waterjar_knowledge::{Finding, KnowledgeBase, starter};

// Ours, chosen on rewordings.tsv: of the weight of a wording, so much must be in a sentence. A statement has words that
// nobody repeats; a name is short; an alternative ("a cut or graze") is a part of a statement that says enough by itself.
const OF_STATEMENT: f64 = 0.28;
const OF_NAME: f64 = 0.5;
const OF_ALTERNATIVE: f64 = 0.4;
/// An alternative lighter than this ("my mother or …") says nothing by itself.
const LIGHTEST_ALTERNATIVE: f64 = 6.0;
/// The words must stand within so many of each other: a sentence may list the whole patient.
const NEAR: usize = 14;
/// A word that the rest of the story uses too tells little …
const SHARED: f64 = 0.2;
/// … and nothing in a sentence that repeats so much of the statement it comes from.
const REPEATED: f64 = 0.6;

/// How much the words of a base tell: rare ones much, common ones little.
#[derive(Debug)]
pub(in crate::einstellung) struct Wording {
    used: HashMap<String, usize>,
    statements: usize,
}

/// One thing to look for, in all its wordings.
pub(super) struct Sought {
    /// What was put in, word for word: always a mention, however much of it the rest of the story says too.
    said: String,
    wordings: Vec<Weighed>,
    /// The other statements of the story.
    story: Vec<Weighed>,
    /// Conditions the reasoning is about: their names are no word about the patient.
    debated: Vec<String>,
}

/// A condition with one of these before it is history.
const HISTORY: [&str; 9] = ["prior", "previous", "past", "history", "known", "earlier", "old", "former", "recurrent"];

struct Weighed {
    words: Vec<(String, f64)>,
    total: f64,
    /// The weight that counts as a mention.
    enough: f64,
}

impl Wording {
    pub fn new(base: &KnowledgeBase) -> Self {
        if base.findings().is_empty() {
            // Pairs that come finished bring no base; what patients often say is much the same everywhere.
            return Self::new(&starter::base().expect("the starter base is tested"));
        }
        let mut used = HashMap::new();
        for word in base.findings().iter().flat_map(|finding| of_statement(&finding.present)) {
            *used.entry(word).or_default() += 1;
        }
        Self { used, statements: base.findings().len() }
    }

    /// `said` is what was put in, `finding` what it says where the base knows it, `rest` the story without it.
    pub(super) fn sought(&self, said: &str, finding: Option<&Finding>, rest: &str) -> Sought {
        let story: Vec<Weighed> =
            sentences(rest).into_iter().map(|it| Weighed::new(it, REPEATED, |word| self.rarity(word))).collect();
        let in_story = |word: &str| story.iter().flat_map(|it| &it.words).any(|(other, _)| alike(word, other));
        let weighed = |text: &str, share: f64| {
            Weighed::new(text, share, |word| self.rarity(word) * if in_story(word) { SHARED } else { 1.0 })
        };
        let mut wordings = Vec::new();
        for statement in [Some(said), finding.map(|finding| finding.present.as_str())].into_iter().flatten() {
            wordings.push(weighed(statement, OF_STATEMENT));
            let alternatives = statement.split(" or ").map(|part| weighed(part, OF_ALTERNATIVE));
            wordings.extend(alternatives.filter(|part| part.total >= LIGHTEST_ALTERNATIVE));
        }
        wordings.extend(finding.and_then(name).map(|name| weighed(&name, OF_NAME)));
        wordings.retain(|wording| wording.enough > 0.0);
        Sought { said: plain(said), wordings, story, debated: Vec::new() }
    }

    /// As in information retrieval: the logarithm of how seldom a statement has the word.
    fn rarity(&self, word: &str) -> f64 {
        let used = self.used.get(word).copied().unwrap_or(0);
        ((self.statements + 1) as f64 / (used + 1) as f64).ln()
    }
}

impl Sought {
    /// In a debate about these conditions, by all their names.
    pub fn in_debate_of(mut self, names: &[String]) -> Self {
        self.debated = names.iter().map(|name| name.to_lowercase()).filter(|name| !name.is_empty()).collect();
        self
    }

    /// The first sentence that speaks of it.
    pub fn in_text<'a>(&self, text: &'a str) -> Option<&'a str> {
        sentences(text).into_iter().map(str::trim).find(|sentence| self.is_in(sentence))
    }

    fn is_in(&self, sentence: &str) -> bool {
        if !self.said.is_empty() && plain(sentence).contains(&self.said) {
            return true;
        }
        let words = of_sentence(&self.without_debated(sentence));
        let repeated: Vec<&Weighed> = self.story.iter().filter(|it| it.total > 0.0 && it.is_in(&words)).collect();
        let is_repeated = |word: &Word| repeated.iter().any(|statement| statement.has(&word.stem));
        let new: Vec<Word> = words.into_iter().filter(|word| !is_repeated(word)).collect();
        self.wordings.iter().any(|wording| {
            (0..new.len()).any(|from| {
                let near = new[from..].iter().take_while(|word| word.at - new[from].at <= NEAR).count();
                wording.is_in(&new[from..from + near])
            })
        })
    }

    /// "I weigh asthma against …" is no word about the patient; "a history of asthma" is one.
    fn without_debated(&self, sentence: &str) -> String {
        let mut text = sentence.to_lowercase();
        for name in &self.debated {
            let mut from = 0;
            while let Some(at) = text[from..].find(name.as_str()).map(|at| from + at) {
                let end = at + name.len();
                let is_word =
                    !text[..at].ends_with(char::is_alphanumeric) && !text[end..].starts_with(char::is_alphanumeric);
                let mut before = text[..at].split(|c: char| !c.is_alphanumeric()).rev().filter(|word| !word.is_empty());
                if is_word && !before.by_ref().take(3).any(|word| HISTORY.contains(&word)) {
                    text.replace_range(at..end, " ");
                    from = at;
                } else {
                    from = end;
                }
            }
        }
        text
    }
}

impl Weighed {
    fn new(text: &str, share: f64, weight: impl Fn(&str) -> f64) -> Self {
        let words: Vec<(String, f64)> = of_statement(text).into_iter().map(|it| (it.clone(), weight(&it))).collect();
        let total: f64 = words.iter().map(|(_, weight)| weight).sum();
        Self { words, total, enough: share * total }
    }

    fn has(&self, stem: &str) -> bool {
        self.words.iter().any(|(word, _)| alike(word, stem))
    }

    fn is_in(&self, said: &[Word]) -> bool {
        let found = self.words.iter().filter(|(word, _)| said.iter().any(|it| alike(&it.stem, word)));
        found.map(|(_, weight)| weight).sum::<f64>() >= self.enough
    }
}

/// Without the stop at its end.
fn plain(sentence: &str) -> String {
    sentence.trim().trim_end_matches('.').to_lowercase()
}

/// `pleuritic_pain` is a name in words; `E_91` is a code.
fn name(finding: &Finding) -> Option<String> {
    let id = finding.id.as_str();
    (!id.chars().any(|c| c.is_ascii_digit())).then(|| id.replace('_', " "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::FindingId;

    /// How many of the rewordings are recognised, and those that are not.
    fn recognised(rewordings: &str) -> (usize, Vec<&str>) {
        let base = starter::base().unwrap();
        let wording = Wording::new(&base);
        let lines = rewordings.lines().filter(|line| !line.starts_with('#'));
        let (found, lost): (Vec<&str>, Vec<&str>) = lines.partition(|line| {
            let (id, sentence) = line.split_once('\t').unwrap();
            let finding = base.finding(&FindingId::from(id)).unwrap_or_else(|| panic!("no finding {id}"));
            wording.sought(&finding.present, Some(finding), "").in_text(sentence).is_some()
        });
        (found.len(), lost)
    }

    #[test]
    fn a_clinicians_words_for_a_finding_are_recognised() {
        let (tuned, fresh) = include_str!("rewordings.tsv").split_once("# These").unwrap();
        // The second figure is the honest one; a change of the rule should not lower it unnoticed.
        for (rewordings, n, least) in [(tuned, 200, 197), (fresh.split_once('\n').unwrap().1, 50, 44)] {
            let (found, lost) = recognised(rewordings);
            assert_eq!(found + lost.len(), n);
            assert!(found >= least, "{found} of {n}; lost: {lost:#?}");
        }
    }

    /// Whether the sentence speaks of working with asbestos, in a story of nothing else.
    fn speaks_of_asbestos(sentence: &str) -> bool {
        let base = starter::base().unwrap();
        let said = "I worked with asbestos for years.";
        Wording::new(&base).sought(said, None, "I am a man of 60. I cough.").in_text(sentence).is_some()
    }

    #[test]
    fn inflection_and_rewording_do_not_hide_a_mention() {
        assert!(speaks_of_asbestos("He has a cough. Asbestos exposure at work is noted."));
        assert!(speaks_of_asbestos("- The patient says: \"I worked with asbestos for years.\""));
        assert!(speaks_of_asbestos("As an asbestos worker he is at risk"));
    }

    #[test]
    fn other_words_are_no_mention() {
        assert!(!speaks_of_asbestos("The cough has lasted for years."));
        assert!(!speaks_of_asbestos(""));
    }

    #[test]
    fn words_far_apart_are_no_mention() {
        let base = starter::base().unwrap();
        let wording = Wording::new(&base);
        let sought = wording.sought("My mother or sister had cysts taken off her ovaries.", None, "");
        let between = "and then there is much more to say about the pain, the fever, the cough and what else she told";
        assert!(sought.in_text("Her sister had ovarian cysts removed.").is_some());
        assert!(sought.in_text(&format!("Her sister came along, {between} of an operation.")).is_none());
    }

    #[test]
    fn the_name_of_a_condition_under_debate_is_no_word_about_the_patient() {
        let base = starter::base().unwrap();
        let said = "Part of my heart muscle was damaged by a blocked artery some years ago.";
        let sought = Wording::new(&base)
            .sought(said, None, "")
            .in_debate_of(&["Myocardial infarction", "MI"].map(str::to_owned));
        assert!(sought.in_text("I weigh Myocardial infarction against unstable angina.").is_none());
        assert!(sought.in_text("Myocardial infarction (MI) comes to mind.").is_none());
        assert!(sought.in_text("There is a history of myocardial infarction.").is_some());
        assert!(sought.in_text("His heart muscle was damaged before.").is_some());

        // Who weighs diagnoses does not speak of weight.
        let said = "I had an operation on my stomach to lose weight.";
        let base_finding = base.findings().iter().find(|it| it.id.as_str() == "weight_loss_operation");
        let sought = Wording::new(&base).sought(said, base_finding, "");
        assert!(sought.in_text("I weigh Hypothyroidism against Iron deficiency anaemia.").is_none());
        assert!(sought.in_text("Previous bariatric surgery.").is_some());
    }

    #[test]
    fn word_for_word_is_a_mention_whatever_the_story_says_too() {
        let base = starter::base().unwrap();
        let rest = "I gave up a year ago. Smoking is past. I have a cough.";
        let sought = Wording::new(&base).sought("I gave up smoking within the past year.", None, rest);
        assert!(sought.in_text("He says: \"I gave up smoking within the past year.\"").is_some());
    }

    #[test]
    fn what_the_story_says_anyway_counts_for_little() {
        let base = starter::base().unwrap();
        let wording = Wording::new(&base);
        let said = "The pain gets worse when I climb stairs.";
        let sought = wording.sought(said, None, "The pain gets worse when I breathe in. I have pain.");
        assert!(sought.in_text("The pain is worse on breathing in.").is_none());
        assert!(sought.in_text("The pain is worse on climbing stairs.").is_some());
    }
}
