//! DyReMe's repackaging: questions and answers in words, the differential as an object, the age as a text.

use super::codes::Codes;
use super::field::{self, Problem};
use super::json_scan::{Broken, Scan};
use super::row::Row;
use indexmap::IndexMap;
use serde::Deserialize;
use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use waterjar_core::SourceError;

#[derive(Debug)]
pub(super) struct JsonRows {
    path: PathBuf,
    scan: Scan<BufReader<File>>,
    key: Vec<u8>,
    object: Vec<u8>,
    /// The one thing that grows with the file: two patients of one name would be one case.
    ids: HashSet<String>,
}

#[derive(Deserialize)]
struct WrittenPatient {
    patient_id: Option<String>,
    age: Age,
    sex: String,
    condition: Vec<Answered>,
    diagnosis: String,
    #[serde(default)]
    differential_diagnosis: IndexMap<String, f64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Age {
    Text(String),
    Number(serde_json::Number),
}

#[derive(Deserialize)]
struct Answered {
    question: String,
    value: String,
}

impl JsonRows {
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        let file = File::open(path).map_err(|error| SourceError::unreadable(path, &error))?;
        Ok(Self {
            path: path.to_owned(),
            scan: Scan::new(BufReader::with_capacity(1 << 16, file)),
            key: Vec::new(),
            object: Vec::new(),
            ids: HashSet::new(),
        })
    }

    /// Fills the row with the next patient; false at the end.
    pub fn next(&mut self, codes: &Codes, row: &mut Row) -> Result<bool, SourceError> {
        let found = self.scan.next(&mut self.key, &mut self.object).map_err(|broken| match broken {
            Broken::Io(error) => SourceError::unreadable(&self.path, &error),
            Broken::Syntax(problem) => SourceError::at_line(&self.path, self.scan.line, problem)
                .with_hint("the file is cut off, or is not laid out as {\"patients\": {\"1\": {…}, …}}"),
        })?;
        let Some(line) = found else {
            return Ok(false);
        };
        let patient: WrittenPatient = serde_json::from_slice(&self.object).map_err(|error| {
            // The line is counted from the patient's own beginning.
            let text = error.to_string();
            let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(problem, _)| problem).to_owned();
            SourceError::at_line(&self.path, line + (error.line() as u64).saturating_sub(1), text)
                .with_hint(format!("this is in patient {}", String::from_utf8_lossy(&self.key)))
        })?;
        row.begin();
        self.fill(codes, row, patient).map_err(|problem| problem.at(&self.path, line))?;
        Ok(true)
    }

    fn fill(&mut self, codes: &Codes, row: &mut Row, patient: WrittenPatient) -> Result<(), Problem> {
        let id = match patient.patient_id {
            Some(id) => id,
            None => String::from_utf8_lossy(&self.key).trim_matches('"').to_owned(),
        };
        if !self.ids.insert(id.clone()) {
            return Err(Problem::new(format!("a second patient is called `{id}`")));
        }
        row.own_id = Some(id);
        row.age = field::age(&match patient.age {
            Age::Text(text) => text,
            Age::Number(number) => number.to_string(),
        })?;
        row.sex = field::sex(&patient.sex)?;
        row.condition = field::condition(codes, &patient.diagnosis)?;
        for answered in &patient.condition {
            field::answered(codes, row, &answered.question, &answered.value)?;
        }
        for (name, probability) in &patient.differential_diagnosis {
            field::candidate(codes, row, name, *probability)?;
        }
        Ok(())
    }
}
