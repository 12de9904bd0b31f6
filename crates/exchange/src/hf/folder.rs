//! The folder of the data set: made aside and moved into place when it is whole.

use super::card::{self, About, Tables};
use super::rows;
use super::shards::{Shards, Written};
use crate::{Question, WriteError};
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use waterjar_core::{FamilyId, FamilyVerdict, Response, SuiteId, Variant};

pub struct Folder {
    to: PathBuf,
    aside: PathBuf,
    benchmark: Table,
    responses: Table,
    verdicts: Table,
}

struct Table {
    shards: Shards,
    lines: BufWriter<File>,
    path: PathBuf,
}

/// A line says which suite it belongs to.
#[derive(Serialize)]
struct Tagged<'a, T> {
    suite: &'a SuiteId,
    #[serde(flatten)]
    item: &'a T,
}

impl Folder {
    /// The folder must not be there yet, or be empty.
    pub fn create(to: &Path) -> Result<Self, WriteError> {
        if std::fs::read_dir(to).is_ok_and(|mut entries| entries.next().is_some()) || to.is_file() {
            return Err(WriteError::new(to, "it holds something already; choose another folder or empty this one"));
        }
        let name = to.file_name().ok_or_else(|| WriteError::new(to, "it has no name"))?.to_string_lossy();
        let aside = to.with_file_name(format!(".{name}.part"));
        // What a run that was killed left behind.
        let _ = std::fs::remove_dir_all(&aside);
        for folder in ["data", "jsonl"] {
            std::fs::create_dir_all(aside.join(folder)).map_err(WriteError::at(to))?;
        }
        Ok(Self {
            benchmark: Table::create(&aside, "benchmark", rows::BENCHMARK)?,
            responses: Table::create(&aside, "responses", rows::RESPONSES)?,
            verdicts: Table::create(&aside, "verdicts", rows::VERDICTS)?,
            to: to.to_owned(),
            aside,
        })
    }

    pub fn variant(&mut self, suite: &SuiteId, variant: &Variant, question: &Question) -> Result<(), WriteError> {
        self.benchmark.line(suite, variant)?;
        self.benchmark.shards.row(&rows::variant(suite, variant, question))
    }

    /// `role` is that of the variant.
    pub fn response(
        &mut self,
        suite: &SuiteId,
        family: &FamilyId,
        role: &str,
        response: &Response,
    ) -> Result<(), WriteError> {
        self.responses.line(suite, response)?;
        self.responses.shards.row(&rows::response(suite, family, role, response))
    }

    pub fn verdict(&mut self, suite: &SuiteId, verdict: &FamilyVerdict) -> Result<(), WriteError> {
        self.verdicts.line(suite, verdict)?;
        verdict.rulings.iter().try_for_each(|it| self.verdicts.shards.row(&rows::ruling(suite, verdict, it)))
    }

    /// With the card, which counts what was written. Gives the rows of benchmark, responses and verdicts.
    pub fn finish(self, about: &About) -> Result<[Written; 3], WriteError> {
        let Self { to, aside, benchmark, responses, verdicts } = self;
        let written = [benchmark.finish()?, responses.finish()?, verdicts.finish()?];
        let tables: Tables<'_> = [
            ("benchmark", rows::BENCHMARK, &written[0]),
            ("responses", rows::RESPONSES, &written[1]),
            ("verdicts", rows::VERDICTS, &written[2]),
        ];
        let readme = aside.join("README.md");
        std::fs::write(&readme, card::text(about, tables)).map_err(WriteError::at(&to.join("README.md")))?;
        std::fs::rename(&aside, &to).map_err(WriteError::at(&to))?;
        Ok(written)
    }

    /// Leaves nothing behind.
    pub fn discard(self) {
        let aside = self.aside.clone();
        drop(self);
        let _ = std::fs::remove_dir_all(aside);
    }
}

impl Table {
    fn create(aside: &Path, name: &'static str, columns: &'static [super::Column]) -> Result<Self, WriteError> {
        let path = aside.join("jsonl").join(format!("{name}.jsonl"));
        let file = File::create(&path).map_err(WriteError::at(&path))?;
        let shards = Shards::create(&aside.join("data"), name, columns);
        Ok(Self { shards, lines: BufWriter::with_capacity(256 << 10, file), path })
    }

    fn line(&mut self, suite: &SuiteId, item: &impl Serialize) -> Result<(), WriteError> {
        let mut json = serde_json::to_vec(&Tagged { suite, item }).expect("the nouns of the pipeline are JSON");
        json.push(b'\n');
        self.lines.write_all(&json).map_err(WriteError::at(&self.path))
    }

    fn finish(mut self) -> Result<Written, WriteError> {
        self.lines.flush().map_err(WriteError::at(&self.path))?;
        self.shards.finish()
    }
}
