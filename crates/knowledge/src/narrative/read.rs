//! Words → findings: the exact inverse of telling, so that built-in reasoners can work on text.

use super::{ANTECEDENTS, SYMPTOMS, VALUE};
use crate::{Detail, KnowledgeBase};
use std::collections::HashMap;
use waterjar_core::{FindingId, FindingState, Observation, Sex};

/// What a narrative says. Lines nobody recognises are kept, not guessed at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Narrative {
    pub sex: Option<Sex>,
    pub age: Option<u8>,
    pub findings: Vec<Observation>,
    pub unread: Vec<String>,
}

/// Knows every sentence of a base; make it once, read many texts.
#[derive(Debug)]
pub struct Reader {
    sentences: HashMap<String, (FindingId, FindingState)>,
    /// Scales and choices: what stands before and after the value.
    templates: Vec<Template>,
    /// Per multi: its words → value.
    multis: HashMap<FindingId, HashMap<String, String>>,
}

#[derive(Debug)]
struct Template {
    finding: FindingId,
    before: String,
    after: String,
    words: HashMap<String, String>,
}

impl Reader {
    pub fn new(base: &KnowledgeBase) -> Self {
        let mut reader = Self { sentences: HashMap::new(), templates: Vec::new(), multis: HashMap::new() };
        for finding in base.findings() {
            let id = &finding.id;
            match &finding.detail {
                Detail::None => {
                    reader.learn(&finding.present, id, FindingState::Present);
                    if let Some(denied) = &finding.denied {
                        reader.learn(denied, id, FindingState::Denied);
                    }
                }
                Detail::Multi(words) => {
                    reader.learn(&finding.present, id, FindingState::Present);
                    reader.multis.insert(id.clone(), inverted(words));
                }
                Detail::Scale => {
                    let numbers = (0..=10).map(|n: u8| (n.to_string(), n.to_string()));
                    reader.learn_template(&finding.present, id, numbers.collect());
                }
                Detail::Choice(words) => {
                    reader.learn_template(&finding.present, id, inverted(words));
                }
            }
        }
        reader
    }

    pub fn read(&self, text: &str) -> Narrative {
        let mut narrative = Narrative::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(value) = line.strip_prefix("* ") {
                self.read_value(value, &mut narrative);
            } else if let Some(sentence) = line.strip_prefix("- ") {
                self.read_sentence(sentence, &mut narrative);
            } else if line.starts_with("Sex:") {
                read_header(line, &mut narrative);
            } else if line != SYMPTOMS && line != ANTECEDENTS {
                narrative.unread.push(line.to_owned());
            }
        }
        narrative
    }

    fn learn(&mut self, sentence: &str, finding: &FindingId, state: FindingState) {
        self.sentences.insert(sentence.to_owned(), (finding.clone(), state));
    }

    fn learn_template(&mut self, present: &str, id: &FindingId, words: HashMap<String, String>) {
        let (before, after) = present.split_once(VALUE).unwrap_or((present, ""));
        self.templates.push(Template {
            finding: id.clone(),
            before: before.to_owned(),
            after: after.to_owned(),
            words,
        });
    }

    fn read_sentence(&self, sentence: &str, narrative: &mut Narrative) {
        let known = self.sentences.get(sentence).map(|(finding, state)| (finding.clone(), *state, Vec::new()));
        let seen = known.or_else(|| {
            self.templates.iter().find_map(|template| {
                let word = sentence.strip_prefix(template.before.as_str())?.strip_suffix(template.after.as_str())?;
                let value = template.words.get(word)?.clone();
                Some((template.finding.clone(), FindingState::Present, vec![value]))
            })
        });
        match seen {
            Some((finding, state, values)) => narrative.findings.push(Observation { finding, state, values }),
            None => narrative.unread.push(sentence.to_owned()),
        }
    }

    fn read_value(&self, word: &str, narrative: &mut Narrative) {
        let value = narrative.findings.last().and_then(|last| self.multis.get(&last.finding)?.get(word));
        match (value, narrative.findings.last_mut()) {
            (Some(value), Some(last)) => last.values.push(value.clone()),
            _ => narrative.unread.push(word.to_owned()),
        }
    }
}

fn inverted(words: &indexmap::IndexMap<String, String>) -> HashMap<String, String> {
    words.iter().map(|(value, word)| (word.clone(), value.clone())).collect()
}

/// `Sex: M, Age: 22`
fn read_header(line: &str, narrative: &mut Narrative) {
    for part in line.split(',') {
        match part.split_once(':').map(|(key, value)| (key.trim(), value.trim())) {
            Some(("Sex", "F")) => narrative.sex = Some(Sex::F),
            Some(("Sex", "M")) => narrative.sex = Some(Sex::M),
            Some(("Age", age)) => narrative.age = age.parse().ok(),
            _ => {}
        }
    }
}
