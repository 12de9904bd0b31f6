//! The files beside the database. Each is written aside and then moved into place, so none is ever half there.

use crate::{EngineError, PlannedSuite};
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use waterjar_store::{Store, StoreError};

/// Families read at a time.
const PAGE: u32 = 64;

pub fn write_json(path: &Path, content: &impl Serialize) -> Result<(), EngineError> {
    let mut json = serde_json::to_string_pretty(content).expect("figures hold nothing JSON cannot");
    json.push('\n');
    write_text(path, &json)
}

pub fn write_text(path: &Path, text: &str) -> Result<(), EngineError> {
    let mut aside = Aside::create(path)?;
    aside.write(text.as_bytes())?;
    aside.move_into_place()
}

pub async fn variants(store: &Store, suites: &[PlannedSuite], path: &Path) -> Result<(), EngineError> {
    let mut aside = Aside::create(path)?;
    for planned in suites {
        let mut after = 0;
        loop {
            let page = store.families_page(planned.id(), after, PAGE).await?;
            for variant in page.items.iter().flat_map(|family| &family.variants) {
                aside.line(&Tagged { suite: planned.id().as_str(), item: variant })?;
            }
            match page.next {
                Some(next) => after = next,
                None => break,
            }
        }
    }
    aside.move_into_place()
}

pub async fn responses(store: &Store, suites: &[PlannedSuite], path: &Path) -> Result<(), EngineError> {
    let mut aside = Aside::create(path)?;
    for planned in suites {
        let mut after = 0;
        loop {
            let page = store.responses_page(planned.id(), after, PAGE).await?;
            for stored in &page.items {
                aside.line(&Tagged { suite: planned.id().as_str(), item: &stored.response })?;
            }
            match page.next {
                Some(next) => after = next,
                None => break,
            }
        }
    }
    aside.move_into_place()
}

pub async fn verdicts(store: &Store, suites: &[PlannedSuite], path: &Path) -> Result<(), EngineError> {
    let mut aside = Aside::create(path)?;
    for planned in suites {
        let mut after = 0;
        loop {
            let page = store.verdicts_page(planned.id(), after, PAGE).await?;
            for stored in &page.items {
                aside.line(&Tagged { suite: planned.id().as_str(), item: &stored.verdict })?;
            }
            match page.next {
                Some(next) => after = next,
                None => break,
            }
        }
    }
    aside.move_into_place()
}

/// A line says which suite it belongs to.
#[derive(Serialize)]
struct Tagged<'a, T> {
    suite: &'a str,
    #[serde(flatten)]
    item: &'a T,
}

struct Aside {
    file: BufWriter<File>,
    aside: PathBuf,
    path: PathBuf,
}

impl Aside {
    fn create(path: &Path) -> Result<Self, EngineError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let aside = path.with_file_name(format!(".{name}.part"));
        let file = File::create(&aside).map_err(|error| unwritable(path, &error))?;
        Ok(Self { file: BufWriter::new(file), aside, path: path.to_owned() })
    }

    fn line(&mut self, content: &impl Serialize) -> Result<(), EngineError> {
        let mut json = serde_json::to_vec(content).expect("the nouns of the pipeline are JSON");
        json.push(b'\n');
        self.write(&json)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
        self.file.write_all(bytes).map_err(|error| unwritable(&self.path, &error))
    }

    fn move_into_place(mut self) -> Result<(), EngineError> {
        let done = self
            .file
            .flush()
            .and_then(|()| self.file.get_ref().sync_all())
            .and_then(|()| std::fs::rename(&self.aside, &self.path));
        done.map_err(|error| unwritable(&self.path, &error))
    }
}

/// What was written aside is of no use to anybody.
impl Drop for Aside {
    fn drop(&mut self) {
        // After the move there is nothing left to remove.
        let _ = std::fs::remove_file(&self.aside);
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> EngineError {
    EngineError::file(path, format!("cannot be written: {error}"))
        .with_hint("the file was left as it was; make room, then start the same command again")
}

impl From<&StoreError> for EngineError {
    fn from(error: &StoreError) -> Self {
        Self::Store(error.clone())
    }
}
