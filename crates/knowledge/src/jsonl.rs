//! Cases one brings along: JSON Lines, a case each, as `waterjar import` writes them; or Parquet with the same columns.

use crate::{KnowledgeBase, narrative};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use waterjar_core::{Case, CaseSource, SourceError};
use waterjar_exchange::table::{self, Lines};

/// Streams the file each time it is read.
#[derive(Debug)]
pub struct JsonLines {
    name: String,
    path: PathBuf,
    base: Arc<KnowledgeBase>,
}

impl JsonLines {
    /// Looks at the whole file once, so that a bad line is told before anything is made of the good ones.
    pub fn open(name: &str, path: &Path, base: Arc<KnowledgeBase>) -> Result<Self, SourceError> {
        let source = Self { name: name.to_owned(), path: path.to_owned(), base };
        let mut ids = HashSet::new();
        for (line, case) in source.lines()? {
            let case = case?;
            if !ids.insert(case.id.clone()) {
                let problem = format!("the case id `{}` is there twice", case.id);
                return Err(SourceError::at_line(path, line, problem).with_hint("ids tell cases apart"));
            }
        }
        if ids.is_empty() {
            return Err(SourceError::at(path, "holds no cases"));
        }
        Ok(source)
    }

    fn lines(&self) -> Result<impl Iterator<Item = (u64, Result<Case, SourceError>)> + Send + '_, SourceError> {
        let lines = Lines::open(&self.path)?.zip(1..);
        Ok(lines.filter_map(move |(text, line)| {
            let bad = |problem: String| SourceError::at_line(&self.path, line, problem);
            let text = match text {
                Ok(text) if text.trim().is_empty() => return None,
                Ok(text) => text,
                Err(problem) => return Some((line, Err(bad(problem)))),
            };
            Some((line, self.case(&text).map_err(bad)))
        }))
    }

    fn case(&self, text: &str) -> Result<Case, String> {
        let read = if table::is_parquet(&self.path) { of_columns(text) } else { serde_json::from_str(text) };
        let mut case: Case = read.map_err(|error| error.to_string())?;
        if let Some(facts) = &case.facts {
            if self.base.condition(&facts.condition).is_none() {
                return Err(format!("case `{}`: the knowledge base has no condition `{}`", case.id, facts.condition));
            }
            if let Some(seen) = facts.findings.iter().find(|seen| self.base.finding(&seen.finding).is_none()) {
                return Err(format!("case `{}`: the knowledge base has no finding `{}`", case.id, seen.finding));
            }
            // A case with facts and no text is told in our words.
            if case.text.trim().is_empty() {
                case.text = narrative::tell(&self.base, facts);
            }
        }
        Ok(case)
    }
}

/// In a table the facts may be a column of JSON as text.
fn of_columns(row: &str) -> Result<Case, serde_json::Error> {
    let mut row: serde_json::Value = serde_json::from_str(row)?;
    if let Some(facts) = row.get("facts").and_then(serde_json::Value::as_str) {
        row["facts"] = serde_json::from_str(facts)?;
    }
    serde_json::from_value(row)
}

impl CaseSource for JsonLines {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> String {
        format!("{} {}", crate::file_hash(&self.path), self.base.fingerprint())
    }

    fn cases(&self) -> Box<dyn Iterator<Item = Result<Case, SourceError>> + Send + '_> {
        match self.lines() {
            Ok(lines) => Box::new(lines.map(|(_, case)| case)),
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    }
}
