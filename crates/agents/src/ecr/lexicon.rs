//! The words of a knowledge base and nothing else. Whatever reasons by rules holds this, not the base: the base's probabilities are
//! the judge's, and a reasoner that read them would win by construction (offline.md 1.7).

use crate::names::Names;
use std::collections::HashMap;
use waterjar_core::{FindingId, FindingState, Sex};
use waterjar_knowledge::narrative::Reader;
use waterjar_knowledge::{Detail, KnowledgeBase};

/// What can be said of patients, and what conditions are called.
pub struct Lexicon {
    reader: Reader,
    findings: HashMap<FindingId, Entry>,
    /// Statement → whether it is one value of a detail.
    statements: HashMap<String, bool>,
    denials: HashMap<String, String>,
    names: Names,
    /// Name → id, which articles are filed under.
    ids: HashMap<String, String>,
}

struct Entry {
    name: String,
    present: String,
    denied: Option<String>,
    detail: Words,
}

enum Words {
    None,
    Values(HashMap<String, String>),
    Scale,
}

/// A statement a patient makes or denies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// As if it were there.
    pub content: String,
    /// As the patient put it.
    pub original: String,
    pub state: FindingState,
}

/// What a text says, as far as its words are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    pub sex: Option<Sex>,
    pub age: Option<u8>,
    pub statements: Vec<Statement>,
    /// Sentences nobody recognises.
    pub unread: Vec<String>,
}

/// Where the value goes in a statement of the base.
const VALUE: &str = "{value}";

impl Lexicon {
    pub fn of(base: &KnowledgeBase) -> Self {
        let mut lexicon = Self {
            reader: Reader::new(base),
            findings: HashMap::new(),
            statements: HashMap::new(),
            denials: HashMap::new(),
            names: Names::of(base),
            ids: HashMap::new(),
        };
        for finding in base.findings() {
            let detail = match &finding.detail {
                Detail::None => Words::None,
                Detail::Scale => Words::Scale,
                Detail::Choice(words) | Detail::Multi(words) => {
                    Words::Values(words.iter().map(|(value, word)| (value.clone(), word.clone())).collect())
                }
            };
            let entry = Entry {
                name: finding.id.as_str().replace('_', " "),
                present: finding.present.clone(),
                denied: finding.denied.clone(),
                detail,
            };
            for content in entry.contents() {
                lexicon.statements.insert(content, !matches!(entry.detail, Words::None));
            }
            if let Some(denied) = &entry.denied {
                lexicon.denials.insert(entry.present.clone(), denied.clone());
            }
            lexicon.findings.insert(finding.id.clone(), entry);
        }
        for condition in base.conditions() {
            lexicon.ids.insert(condition.name.clone(), condition.id.to_string());
        }
        lexicon
    }

    /// The condition's proper name; `None` for one the base does not know.
    pub fn condition(&self, said: &str) -> Option<&str> {
        self.names.known(said)
    }

    /// Everything a condition is called, in small letters.
    pub fn names_of<'a>(&'a self, condition: &'a str) -> impl Iterator<Item = &'a str> {
        self.names.of_condition(condition)
    }

    pub fn condition_names(&self) -> impl Iterator<Item = &str> {
        self.ids.keys().map(String::as_str)
    }

    /// What files call a condition.
    pub fn id_of<'a>(&'a self, condition: &'a str) -> &'a str {
        self.ids.get(condition).map_or(condition, String::as_str)
    }

    /// Whether a content is a statement of the base. Two of those are two findings, however alike their words.
    pub fn knows(&self, content: &str) -> bool {
        self.statements.contains_key(content)
    }

    /// Whether a statement is one value of a detail: a site, a character, an intensity.
    pub fn is_detail(&self, content: &str) -> bool {
        self.statements.get(content).is_some_and(|is_detail| *is_detail)
    }

    /// How a patient denies a statement.
    pub fn denial_of(&self, content: &str) -> Option<&str> {
        self.denials.get(content).map(String::as_str)
    }

    /// Statement of a finding without detail, its denial, and its name in plain words.
    pub fn findings(&self) -> impl Iterator<Item = (&str, Option<&str>, &str)> {
        let plain = self.findings.values().filter(|entry| matches!(entry.detail, Words::None));
        plain.map(|entry| (entry.present.as_str(), entry.denied.as_deref(), entry.name.as_str()))
    }

    pub fn read(&self, text: &str) -> Said {
        let told = self.reader.read(text);
        let mut said = Said { sex: told.sex, age: told.age, statements: Vec::new(), unread: told.unread };
        for seen in told.findings {
            let Some(entry) = self.findings.get(&seen.finding) else { continue };
            let contents = match &entry.detail {
                Words::None => vec![entry.present.clone()],
                _ => seen.values.iter().filter_map(|value| entry.content(value)).collect(),
            };
            let denied = seen.state == FindingState::Denied;
            for content in contents {
                let original = entry.denied.clone().filter(|_| denied).unwrap_or_else(|| content.clone());
                said.statements.push(Statement { content, original, state: seen.state });
            }
        }
        said
    }
}

impl Entry {
    /// The statement with one value.
    fn content(&self, value: &str) -> Option<String> {
        match &self.detail {
            Words::None => None,
            Words::Values(words) if self.present.contains(VALUE) => {
                Some(self.present.replace(VALUE, words.get(value)?))
            }
            Words::Values(words) => Some(format!("{} {}", self.present, words.get(value)?)),
            // Nobody can tell a pain of 6 from one of 7.
            Words::Scale => {
                let band = match value.parse().ok()? {
                    0..=3u8 => "0 to 3",
                    4..=6 => "4 to 6",
                    _ => "7 to 10",
                };
                Some(self.present.replace(VALUE, band))
            }
        }
    }

    fn contents(&self) -> Vec<String> {
        match &self.detail {
            Words::None => vec![self.present.clone()],
            Words::Values(words) => words.keys().filter_map(|value| self.content(value)).collect(),
            Words::Scale => ["0", "5", "10"].iter().filter_map(|value| self.content(value)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon() -> Lexicon {
        Lexicon::of(&waterjar_knowledge::starter::base().unwrap())
    }

    fn check(line: &str, content: &str, state: FindingState) {
        let said = lexicon().read(&format!("Sex: F, Age: 30\nSymptoms:\n{line}\n"));
        assert_eq!(said.unread, Vec::<String>::new());
        let expected = Statement { content: content.to_owned(), original: said.statements[0].original.clone(), state };
        assert_eq!(said.statements, [expected]);
    }

    #[test]
    fn a_denial_is_the_same_statement_in_another_state() {
        check(
            "- My belly stays soft when the doctor presses on it.",
            "My belly goes hard when the doctor presses on it.",
            FindingState::Denied,
        );
    }

    #[test]
    fn every_value_is_a_statement_of_its_own() {
        let said = lexicon().read("- The pain locations are:\n  * the left side of my chest\n");
        assert_eq!(said.statements[0].content, "The pain locations are: the left side of my chest");
    }

    #[test]
    fn a_condition_is_found_by_any_of_its_names() {
        assert_eq!(lexicon().condition("heart attack"), Some("Myocardial infarction"));
        assert_eq!(lexicon().condition("I21"), Some("Myocardial infarction"));
        assert_eq!(lexicon().condition("Myocardial infarction (heart attack)."), Some("Myocardial infarction"));
        assert_eq!(lexicon().condition("the vapours"), None);
    }

    /// The barrier: no file of this agent but this one and the opening may even name the base or its figures.
    #[test]
    fn nothing_else_here_can_see_the_judges_figures() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ecr");
        let forbidden = [
            "KnowledgeBase",
            "Differential",
            "Likelihood",
            "ValueChance",
            "pathognomonic",
            "essential",
            ".chance(",
            ".specificity(",
            "starter::",
        ];
        let mut folders = vec![folder];
        let mut read = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let is_rust = path.extension().is_some_and(|it| it == "rs");
                if !is_rust || path.ends_with("ecr/lexicon.rs") || path.ends_with("ecr/sample.rs") {
                    continue;
                }
                read += 1;
                let text = std::fs::read_to_string(&path).unwrap();
                for word in forbidden {
                    assert!(!text.contains(word), "{} names `{word}`", path.display());
                }
            }
        }
        assert!(read > 20, "{read} files");
    }
}
