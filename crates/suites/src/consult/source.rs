//! A file of DxBench or Dxy as a source of cases, vignettes as such cases, and what a language adds to a source.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use waterjar_consultations::Language;
use waterjar_consultations::dx::{self, DxCase};
use waterjar_core::{Case, CaseId, CaseSource, ConditionId, SourceError};
use waterjar_vignettes::{Vignette, tagged};

pub struct Dx {
    name: String,
    cases: Vec<DxCase>,
    fingerprint: String,
}

impl Dx {
    pub fn open(name: &str, path: &Path) -> Result<Self, SourceError> {
        let cases = dx::open(path).map_err(|error| {
            let hint = "a case is {\"id\", \"explicit_symptoms\", \"implicit_symptoms\", \"candidate_diseases\", \"disease\"}, and \
                        a symptom is [\"words\", \"True\" or \"False\"]";
            SourceError::at(path, error.to_string()).with_hint(hint)
        })?;
        if cases.is_empty() {
            return Err(SourceError::at(path, "holds no cases"));
        }
        Ok(Self { name: name.to_owned(), cases, fingerprint: waterjar_knowledge::file_hash(path) })
    }

    /// The marked findings of vignettes whose right answer is one of several options, or is told in words.
    pub fn of_vignettes(name: &str, vignettes: &[Vignette]) -> Result<Self, SourceError> {
        let mut hasher = blake3::Hasher::new();
        let cases: Vec<DxCase> = vignettes
            .iter()
            .filter_map(|it| {
                hasher.update(tagged::write(it).as_bytes());
                let label = it.answer.as_ref()?;
                let right = it.options.iter().find(|option| option.label == *label);
                let disease = right.map_or(label, |it| &it.text).trim().to_owned();
                let others = it.options.iter().filter(|option| option.label != *label);
                let candidates = others.map(|it| it.text.trim().to_owned()).collect();
                let symptoms = it.spans.iter().map(|span| (span.of(&it.text).trim().to_owned(), true)).collect();
                Some(DxCase { id: it.id.clone(), symptoms, disease, candidates })
            })
            .collect();
        if cases.is_empty() {
            let hint = "a seed needs findings that are marked and an answer that is a disease";
            return Err(SourceError::new(name.to_owned(), "holds no vignette with an answer").with_hint(hint));
        }
        Ok(Self { name: name.to_owned(), cases, fingerprint: hasher.finalize().to_hex().to_string() })
    }

    /// Every disease the file names, with all names that the language knows for it.
    pub fn diseases(&self, language: &Language) -> Vec<(ConditionId, Vec<String>)> {
        let named = self.cases.iter().flat_map(|it| std::iter::once(&it.disease).chain(&it.candidates));
        // Answers may name what no case does.
        let named: BTreeSet<&str> = named.map(|it| language.kinship.proper(it)).chain(language.kinship.all()).collect();
        named.into_iter().map(|name| (ConditionId::new(name), language.kinship.names(name))).collect()
    }
}

impl CaseSource for Dx {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> String {
        self.fingerprint.clone()
    }

    fn cases(&self) -> Box<dyn Iterator<Item = Result<Case, SourceError>> + Send + '_> {
        Box::new(self.cases.iter().map(|case| {
            Ok(Case {
                id: CaseId::new(case.id.as_str()),
                source: self.name.clone(),
                text: case.write(),
                facts: None,
                made: Vec::new(),
            })
        }))
    }
}

/// A source whose patients write in a language: other words, or other earlier editions, make another benchmark.
pub struct InLanguage {
    pub source: Arc<dyn CaseSource>,
    /// Of the language's files, and of what was asked before.
    pub words: String,
}

impl CaseSource for InLanguage {
    fn name(&self) -> &str {
        self.source.name()
    }

    fn fingerprint(&self) -> String {
        format!("{} {}", self.source.fingerprint(), self.words)
    }

    fn cases(&self) -> Box<dyn Iterator<Item = Result<Case, SourceError>> + Send + '_> {
        self.source.cases()
    }

    fn read_through(&self) -> Result<Option<String>, SourceError> {
        self.source.read_through()
    }
}
