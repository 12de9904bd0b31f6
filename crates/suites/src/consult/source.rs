//! A file of DxBench or Dxy as a source of cases.

use std::collections::BTreeSet;
use std::path::Path;
use waterjar_consultations::dx::{self, DxCase};
use waterjar_core::{Case, CaseId, CaseSource, ConditionId, SourceError};

pub struct Dx {
    name: String,
    cases: Vec<DxCase>,
    fingerprint: String,
}

impl Dx {
    pub fn open(name: &str, path: &Path) -> Result<Self, SourceError> {
        let place = path.display().to_string();
        let cases = dx::open(path).map_err(|error| {
            let hint = "a case is {\"id\", \"explicit_symptoms\", \"implicit_symptoms\", \"candidate_diseases\", \"disease\"}, and \
                        a symptom is [\"words\", \"True\" or \"False\"]";
            SourceError::new(place.clone(), error.to_string()).with_hint(hint)
        })?;
        if cases.is_empty() {
            return Err(SourceError::new(place, "holds no cases"));
        }
        Ok(Self { name: name.to_owned(), cases, fingerprint: waterjar_knowledge::file_hash(path) })
    }

    /// Every disease the file names, each under its own name.
    pub fn diseases(&self) -> Vec<(ConditionId, Vec<String>)> {
        let named = self.cases.iter().flat_map(|it| std::iter::once(&it.disease).chain(&it.candidates));
        let named: BTreeSet<&String> = named.collect();
        named.into_iter().map(|name| (ConditionId::new(name.as_str()), vec![name.clone()])).collect()
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
