//! What an article says of a condition: which findings it names as typical, as less common, or as arguing against it.
//!
//! Findings are found by their words. A sentence that is about another condition says what this one does not look like.

use super::Passage;
use super::words::{Wordings, stems};
use crate::ecr::lexicon::Lexicon;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a text says of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Weight {
    Against,
    LessCommon,
    Typical,
}

/// Statement → what the passages say of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Article {
    pub named: BTreeMap<String, Weight>,
}

/// Reads passages by the words of a lexicon. Make it once.
pub struct ArticleReader {
    wordings: Wordings,
    /// Stems of the names of conditions.
    conditions: Vec<(String, Vec<String>)>,
}

const RARELY: [&str; 12] = [
    "less common",
    "less so",
    "less often",
    "less constant",
    "rare",
    "uncommon",
    "some ",
    "may ",
    "a few",
    "sometimes",
    "occasional",
    "can be",
];
const AGAINST: [&str; 6] =
    ["argues against", "argue against", "speaks against", "speak against", "exclude", "makes it unlikely"];

impl ArticleReader {
    pub fn new(lexicon: &Lexicon) -> Self {
        let conditions = lexicon.condition_names().map(|name| (name.to_owned(), stems(name))).collect();
        Self { wordings: Wordings::new(lexicon), conditions }
    }

    pub fn read(&self, condition: &str, passages: &[Passage]) -> Article {
        let mut article = Article::default();
        let mut others: Vec<String> = Vec::new();
        for sentence in passages.iter().flat_map(|passage| sentences(&passage.text)) {
            let low = sentence.to_lowercase();
            let against = AGAINST.iter().any(|mark| low.contains(mark));
            if !against && self.is_about_another(condition, &low) {
                let had = self.wordings.found_in(&low).into_iter().filter(|(_, denied)| !denied);
                others.extend(had.map(|(content, _)| content.to_owned()));
                continue;
            }
            let weight =
                if RARELY.iter().any(|mark| low.contains(mark)) { Weight::LessCommon } else { Weight::Typical };
            for (content, denied) in self.wordings.found_in(&low) {
                let weight = match (against, denied) {
                    // "Absence of fever argues against it": fever is what is to be expected.
                    (true, true) => Weight::Typical,
                    (true, false) | (false, true) => Weight::Against,
                    (false, false) => weight,
                };
                let said = article.named.entry(content.to_owned()).or_insert(weight);
                *said = (*said).max(weight);
            }
        }
        for content in others {
            article.named.entry(content).or_insert(Weight::Against);
        }
        article
    }

    fn is_about_another(&self, condition: &str, sentence: &str) -> bool {
        let words = stems(sentence);
        let names = |name: &[String]| name.iter().all(|word| words.contains(word));
        let this = self.conditions.iter().find(|(name, _)| name == condition);
        if this.is_some_and(|(_, name)| names(name)) {
            return false;
        }
        self.conditions.iter().any(|(name, stems)| name != condition && names(stems))
    }
}

/// The body in sentences: headings and front matter say nothing of patients.
fn sentences(text: &str) -> Vec<String> {
    let body = text.strip_prefix("+++").and_then(|rest| rest.split_once("+++")).map_or(text, |(_, body)| body);
    let lines = body.lines().filter(|line| !line.starts_with('#'));
    let running: Vec<&str> = lines.map(str::trim).collect();
    running.join(" ").split_inclusive(". ").map(|it| it.trim().to_owned()).filter(|it| !it.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ecr::sample;

    fn check(text: &str, statement: &str, expected: Option<Weight>) {
        let lexicon = sample::lexicon();
        let passage = Passage { text: text.to_owned(), source: "test".to_owned() };
        let article = ArticleReader::new(&lexicon).read("Acute bronchitis", &[passage]);
        assert_eq!(article.named.get(statement).copied(), expected, "{:?}", article.named);
    }

    const FEVER: &str = "I have had a fever.";

    #[test]
    fn what_is_named_is_typical() {
        check("Fever is the rule.", FEVER, Some(Weight::Typical));
        check("Headache is the rule.", FEVER, None);
    }

    #[test]
    fn some_and_may_are_less_common() {
        check("There may be fever.", FEVER, Some(Weight::LessCommon));
    }

    #[test]
    fn what_argues_against_is_against_and_its_absence_is_for() {
        check("Fever argues against it.", FEVER, Some(Weight::Against));
        check("Fever argues for it.", FEVER, Some(Weight::Typical));
        check("There is no fever.", FEVER, Some(Weight::Against));
        check("Absence of fever argues against it.", FEVER, Some(Weight::Typical));
    }

    #[test]
    fn a_sentence_about_another_condition_says_what_this_one_is_not() {
        check("Pneumonia has fever.", FEVER, Some(Weight::Against));
        check("Pneumonia has fever. Fever is the rule.", FEVER, Some(Weight::Typical));
    }
}
