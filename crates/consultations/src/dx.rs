//! Cases of DxBench and Dxy: symptoms as bare words, each there or expressly denied. The published conversion dropped the denials
//! (specs 1.3); here they stay.

use serde::Deserialize;
use std::path::Path;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DxCase {
    pub id: String,
    /// Each with whether it is there.
    pub symptoms: Vec<(String, bool)>,
    pub disease: String,
    /// What the file says it could be mistaken for, the disease itself left out.
    pub candidates: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum DxError {
    #[error("cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    #[error("is no list of cases: {0}")]
    Invalid(#[from] serde_json::Error),
    #[error("case `{id}`: `{flag}` is neither True nor False")]
    Flag { id: String, flag: String },
    #[error("case `{0}` names no disease: fill it in or take the case out")]
    NoDisease(String),
    #[error("the case `{0}` is there twice")]
    Twice(String),
}

#[derive(Deserialize)]
struct Row {
    id: String,
    #[serde(default)]
    explicit_symptoms: Vec<(String, String)>,
    #[serde(default)]
    implicit_symptoms: Vec<(String, String)>,
    #[serde(default)]
    candidate_diseases: Vec<String>,
    disease: String,
}

pub fn open(path: &Path) -> Result<Vec<DxCase>, DxError> {
    read(&std::fs::read_to_string(path)?)
}

pub fn read(text: &str) -> Result<Vec<DxCase>, DxError> {
    let rows: Vec<Row> = serde_json::from_str(text)?;
    let cases: Vec<DxCase> = rows.into_iter().map(Row::resolve).collect::<Result<_, _>>()?;
    let mut ids: Vec<&str> = cases.iter().map(|it| it.id.as_str()).collect();
    ids.sort_unstable();
    match ids.windows(2).find(|two| two[0] == two[1]) {
        Some(twice) => Err(DxError::Twice(twice[0].to_owned())),
        None => Ok(cases),
    }
}

impl Row {
    fn resolve(self) -> Result<DxCase, DxError> {
        let mut symptoms: Vec<(String, bool)> = Vec::new();
        for (text, flag) in self.explicit_symptoms.into_iter().chain(self.implicit_symptoms) {
            let present = match flag.as_str() {
                "True" | "true" => true,
                "False" | "false" => false,
                _ => return Err(DxError::Flag { id: self.id, flag }),
            };
            // What is said twice is told once.
            let symptom = (in_one_line(&text), present);
            if !symptom.0.is_empty() && !symptoms.contains(&symptom) {
                symptoms.push(symptom);
            }
        }
        let disease = in_one_line(&self.disease);
        if disease.is_empty() {
            return Err(DxError::NoDisease(self.id));
        }
        let candidates = self.candidate_diseases.iter().map(|it| in_one_line(it));
        let candidates = candidates.filter(|it| !it.is_empty() && *it != disease).collect();
        Ok(DxCase { id: self.id, symptoms, disease, candidates })
    }
}

/// A name without what parts names where a case is written.
fn in_one_line(name: &str) -> String {
    name.replace('|', "/").split_whitespace().collect::<Vec<_>>().join(" ")
}

impl DxCase {
    /// A symptom that is there and denied at once.
    pub fn contradiction(&self) -> Option<&str> {
        let denied = |text: &String| self.symptoms.iter().any(|(other, present)| other == text && !present);
        self.symptoms.iter().find(|(text, present)| *present && denied(text)).map(|(text, _)| text.as_str())
    }

    /// As a case of the pipeline holds it: `disease`, `candidates`, then `+` what is there and `-` what is not.
    pub fn write(&self) -> String {
        let mut out = format!("disease: {}\ncandidates: {}\n", self.disease, self.candidates.join(" | "));
        for (text, present) in &self.symptoms {
            out.push_str(&format!("{} {text}\n", if *present { '+' } else { '-' }));
        }
        out
    }

    /// What `write` wrote.
    pub fn parse(id: &str, text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let disease = lines.next()?.strip_prefix("disease: ")?.to_owned();
        let candidates = lines.next()?.strip_prefix("candidates: ")?;
        let candidates = candidates.split(" | ").filter(|it| !it.is_empty()).map(str::to_owned).collect();
        let symptom = |line: &str| match line.split_once(' ')? {
            ("+", text) => Some((text.to_owned(), true)),
            ("-", text) => Some((text.to_owned(), false)),
            _ => None,
        };
        let symptoms = lines.map(symptom).collect::<Option<_>>()?;
        Some(Self { id: id.to_owned(), symptoms, disease, candidates })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"[{"id":"Dxy_1","explicit_symptoms":[["发烧","True"],["发烧","True"]],"implicit_symptoms":[["咳嗽","False"]],
        "candidate_diseases":["肺炎","小儿腹泻"],"disease":"小儿腹泻"}]"#;

    #[test]
    fn a_denied_symptom_stays_denied() {
        let cases = read(FILE).expect("it is sound");
        assert_eq!(cases[0].symptoms, [("发烧".to_owned(), true), ("咳嗽".to_owned(), false)]);
        assert_eq!(cases[0].candidates, ["肺炎"]);
        assert_eq!(DxCase::parse("Dxy_1", &cases[0].write()).as_ref(), Some(&cases[0]));
    }

    #[test]
    fn names_that_are_empty_or_in_several_lines_read_back() {
        let cases = read(&FILE.replace("\"肺炎\"", "\"\",\"a | b\",\" c\\nd \"")).expect("it is sound");
        assert_eq!(cases[0].candidates, ["a / b", "c d"]);
        assert_eq!(DxCase::parse("Dxy_1", &cases[0].write()).as_ref(), Some(&cases[0]));
        let told =
            read(&FILE.replace("\"disease\":\"小儿腹泻\"", "\"disease\":\" \"")).expect_err("it has none").to_string();
        assert!(told.contains("case `Dxy_1` names no disease"), "{told}");
    }

    #[test]
    fn what_is_neither_there_nor_denied_is_refused() {
        let told = read(&FILE.replace("False", "maybe")).expect_err("it is no flag").to_string();
        assert!(told.contains("Dxy_1") && told.contains("maybe"), "{told}");
    }
}
