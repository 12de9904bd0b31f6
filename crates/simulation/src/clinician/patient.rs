//! Words → patient: the layout of the narratives exactly, and free prose by the known sentences in it.

use aho_corasick::{AhoCorasick, MatchKind};
use std::collections::HashMap;
use waterjar_core::{FindingId, FindingState, Observation, Sex};
use waterjar_knowledge::narrative::{Reader, sentence};
use waterjar_knowledge::{Detail, Finding, KnowledgeBase};

/// Who a text tells of, as far as it can be read. What it does not say of sex and age is assumed.
#[derive(Clone, Debug, PartialEq)]
pub struct Patient {
    pub sex: Sex,
    pub age: u8,
    pub findings: Vec<Observation>,
}

/// Knows every sentence of a base; made once, it reads many texts.
pub struct PatientReader {
    layout: Reader,
    sentences: AhoCorasick,
    /// What the sentence of the same number says.
    says: Vec<Observation>,
    /// Per multi: its words → value.
    multis: HashMap<FindingId, HashMap<String, String>>,
}

impl PatientReader {
    pub fn new(base: &KnowledgeBase) -> Self {
        let (mut words, mut says) = (Vec::new(), Vec::new());
        let mut multis = HashMap::new();
        for finding in base.findings() {
            for seen in sayings(finding) {
                // Without the full stop, so that a sentence is also found where a comma or an "and" follows it.
                words.push(sentence(finding, &seen).trim_end_matches('.').to_owned());
                says.push(seen);
            }
            if let Detail::Multi(values) = &finding.detail {
                let inverted = values.iter().map(|(value, word)| (word.to_lowercase(), value.clone()));
                multis.insert(finding.id.clone(), inverted.collect());
            }
        }
        let sentences = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .ascii_case_insensitive(true)
            .build(&words)
            .expect("some hundred sentences are not too many");
        Self { layout: Reader::new(base), sentences, says, multis }
    }

    /// None where not a single finding is recognised.
    pub fn read(&self, text: &str) -> Option<Patient> {
        let mut narrative = self.layout.read(text);
        for line in &narrative.unread {
            self.read_prose(line, &mut narrative.findings);
        }
        if narrative.findings.is_empty() {
            return None;
        }
        let stated = (narrative.sex, narrative.age);
        let (sex, age) = if let (Some(sex), Some(age)) = stated { (sex, age) } else { person(text, stated) };
        Some(Patient { sex, age, findings: narrative.findings })
    }

    fn read_prose(&self, prose: &str, findings: &mut Vec<Observation>) {
        for found in self.sentences.find_iter(prose) {
            let mut seen = self.says[found.pattern().as_usize()].clone();
            if !stands_alone(prose, found.start(), found.end()) || findings.iter().any(|it| it.finding == seen.finding)
            {
                continue;
            }
            if let Some(words) = self.multis.get(&seen.finding) {
                let list = prose[found.end()..].split(['.', ';']).next().unwrap_or_default().to_lowercase();
                let items = list.split([',', ':']).flat_map(|part| match words.get(part.trim()) {
                    Some(value) => vec![value.clone()],
                    None => part.split(" and ").filter_map(|item| words.get(item.trim()).cloned()).collect(),
                });
                seen.values = items.collect();
                if seen.values.is_empty() {
                    continue;
                }
            }
            findings.push(seen);
        }
    }
}

/// Everything that can be said of a finding.
fn sayings(finding: &Finding) -> Vec<Observation> {
    let says = |state, values| Observation { finding: finding.id.clone(), state, values };
    match &finding.detail {
        Detail::None => vec![says(FindingState::Present, vec![]), says(FindingState::Denied, vec![])],
        Detail::Multi(_) => vec![says(FindingState::Present, vec![])],
        Detail::Scale => (0..=10).map(|n: u8| says(FindingState::Present, vec![n.to_string()])).collect(),
        Detail::Choice(values) => values.keys().map(|value| says(FindingState::Present, vec![value.clone()])).collect(),
    }
}

/// "I cough" is not said in "I coughed".
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    !letter(text[..start].chars().next_back()) && !letter(text[end..].chars().next())
}

/// "I am a 45-year-old woman". A grown woman where nothing is said: most conditions of the base can be had by one.
fn person(text: &str, (sex, age): (Option<Sex>, Option<u8>)) -> (Sex, u8) {
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let before_year = words.windows(2).find(|pair| pair[1].starts_with("year")).and_then(|pair| pair[0].parse().ok());
    let said = words.iter().find_map(|&word| match word {
        "woman" | "female" | "girl" | "lady" => Some(Sex::F),
        "man" | "male" | "boy" | "gentleman" => Some(Sex::M),
        _ => None,
    });
    (sex.or(said).unwrap_or(Sex::F), age.or(before_year).unwrap_or(45))
}

#[cfg(test)]
mod tests {
    use super::super::wording;
    use super::*;
    use crate::patients::{simulated_cases, starter};

    fn sorted(mut findings: Vec<Observation>) -> Vec<Observation> {
        findings.sort();
        findings
    }

    #[test]
    fn a_narrative_reads_back_exactly_in_its_layout_and_as_prose() {
        let base = starter();
        let reader = PatientReader::new(&base);
        for case in simulated_cases(300) {
            let facts = case.facts.unwrap();
            let told = Patient { sex: facts.sex, age: facts.age, findings: sorted(facts.findings) };
            for text in [case.text.clone(), wording::prose(&base, &reader.read(&case.text).unwrap())] {
                let mut read = reader.read(&text).unwrap();
                read.findings = sorted(read.findings);
                assert_eq!(read, told, "{}\n{text}", case.id);
            }
        }
    }

    fn finds(text: &str) -> Vec<String> {
        let read = PatientReader::new(&starter()).read(text);
        read.map(|it| it.findings.iter().map(|seen| seen.finding.to_string()).collect()).unwrap_or_default()
    }

    #[test]
    fn a_sentence_is_found_inside_others() {
        let prose = "Since Monday, the pain gets sharper every time I breathe in, and that frightens me.";
        assert_eq!(finds(prose), ["pleuritic_pain"]);
    }

    #[test]
    fn a_text_without_findings_tells_of_nobody() {
        assert_eq!(finds("Which of these two sentences is more fluent?"), Vec::<String>::new());
        assert_eq!(finds(""), Vec::<String>::new());
    }

    #[test]
    fn sex_and_age_are_read_from_prose() {
        let reader = PatientReader::new(&starter());
        let read = reader.read("I am a 71-year-old man. The pain gets sharper every time I breathe in.").unwrap();
        assert_eq!((read.sex, read.age), (Sex::M, 71));
    }
}
