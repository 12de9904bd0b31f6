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
    ["argues", "argue against", "speaks against", "speak against", "exclude", "makes it unlikely"];
const NONE: [&str; 8] = ["no ", "not ", "without", "absence", "absent", "never", "freedom from", "lack of"];

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
                others.extend(self.wordings.found_in(&low).into_iter().map(str::to_owned));
                continue;
            }
            let weight =
                if RARELY.iter().any(|mark| low.contains(mark)) { Weight::LessCommon } else { Weight::Typical };
            // A negation reaches as far as its clause.
            for clause in low.split([';', ':', '(', ')']).flat_map(|part| part.split(", and ")) {
                let negated = NONE.iter().any(|mark| clause.contains(mark));
                let weight = match (against, negated) {
                    // "Absence of fever argues against it": fever is what is to be expected.
                    (true, true) => Weight::Typical,
                    (true, false) | (false, true) => Weight::Against,
                    (false, false) => weight,
                };
                for content in self.wordings.found_in(clause) {
                    let said = article.named.entry(content.to_owned()).or_insert(weight);
                    *said = (*said).max(weight);
                }
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

    const FEVER: &str = "I have a fever.";

    #[test]
    fn tmp_quality() {
        let lexicon = sample::lexicon();
        let base = sample::base();
        let reader = ArticleReader::new(&lexicon);
        let (mut tp, mut fp, mut fneg, mut ag_wrong, mut ag) = (0, 0, 0, 0, 0);
        for c in base.conditions() {
            let Ok(text) = std::fs::read_to_string(format!("/work/main/crates/evidence/articles/{}.md", c.id)) else { continue };
            let art = reader.read(&c.name, &[Passage { text, source: String::new() }]);
            let listed: std::collections::BTreeSet<&str> = c.findings.keys().filter_map(|f| base.finding(f)).filter(|f| !f.carries_detail()).map(|f| f.present.as_str()).collect();
            for (content, w) in &art.named {
                let is = listed.contains(content.as_str());
                if *w == Weight::Against { ag += 1; if is { ag_wrong += 1; eprintln!("AGWRONG {} {content}", c.id); } continue; }
                if is { tp += 1 } else { fp += 1; eprintln!("FP {} {content}", c.id); }
            }
            for l in &listed { if !matches!(art.named.get(*l), Some(Weight::Typical|Weight::LessCommon)) { fneg += 1; eprintln!("FN {} {l}", c.id); } }
        }
        panic!("tp {tp} fp {fp} fn {fneg} against {ag} wrongly {ag_wrong}");
    }

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
        check("There is no fever.", FEVER, Some(Weight::Against));
        check("Absence of fever argues against it.", FEVER, Some(Weight::Typical));
    }

    #[test]
    fn a_sentence_about_another_condition_says_what_this_one_is_not() {
        check("Pneumonia has fever.", FEVER, Some(Weight::Against));
        check("Pneumonia has fever. Fever is the rule.", FEVER, Some(Weight::Typical));
    }
}
