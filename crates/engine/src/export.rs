//! The files beside the database. Each is written aside and then moved into place, so none is ever half there.

use crate::unheard::{Unheard, is_unheard};
use crate::{EngineError, PlannedSuite};
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use waterjar_core::SuiteId;
use waterjar_store::{Page, Store, StoreError};

/// Families read at a time.
const PAGE: u32 = 128;
/// Bytes given to the system at a time.
const AT_ONCE: usize = 256 << 10;

pub fn write_json(path: &Path, content: &impl Serialize) -> Result<(), EngineError> {
    let mut json = serde_json::to_string_pretty(content).expect("figures hold nothing JSON cannot");
    json.push('\n');
    write_text(path, &json)
}

pub fn write_text(path: &Path, text: &str) -> Result<(), EngineError> {
    write_bytes(path, text.as_bytes())
}

pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), EngineError> {
    let mut aside = Aside::create(path)?;
    aside.write(bytes)?;
    aside.move_into_place()
}

/// To a place somebody named: behind a link is where it belongs, and what is no file (a pipe, `/dev/stdout`) is written to as it stands.
pub fn write_where_told(path: &Path, text: &str) -> Result<(), EngineError> {
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // `/dev/stdout` may be a file, which others write to as well.
    let is_device = path.starts_with("/dev") || path.starts_with("/proc");
    match std::fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(EngineError::file(path, "is a directory").with_hint("name a file")),
        Ok(there) if is_device || !there.is_file() => {
            let mut pipe = File::options().append(true).open(path).map_err(|error| unwritable(path, &error))?;
            pipe.write_all(text.as_bytes()).map_err(|error| unwritable(path, &error))
        }
        _ => write_text(&real, text),
    }
}

pub async fn variants(store: &Store, suites: &[PlannedSuite], path: &Path) -> Result<(), EngineError> {
    let mut aside = Aside::create(path)?;
    for suite in suites.iter().map(PlannedSuite::id) {
        let page = async |after| store.families_page(suite, after, PAGE).await;
        each(page, |family| family.variants.iter().try_for_each(|variant| aside.line(suite, variant))).await?;
    }
    aside.move_into_place()
}

/// What was written of cases that were lost, beside the variants; no file where there is nothing.
pub async fn lost(store: &Store, suites: &[PlannedSuite], path: &Path) -> Result<(), EngineError> {
    let mut aside = Aside::create(path)?;
    let mut any = false;
    for suite in suites.iter().map(PlannedSuite::id) {
        let page = async |after| store.lost_page(suite, after, PAGE).await;
        each(page, |family| {
            any = true;
            family.variants.iter().try_for_each(|variant| aside.line(suite, variant))
        })
        .await?;
    }
    if any { aside.move_into_place() } else { Ok(()) }
}

pub async fn responses(store: &Store, suites: &[PlannedSuite], repeats: u32, path: &Path) -> Result<(), EngineError> {
    let mut file = ResponsesFile::create(path, repeats)?;
    for planned in suites {
        file.rest(store, planned.id()).await?;
    }
    file.move_into_place()
}

/// `responses.jsonl`, suite by suite. What nobody changes any more is written while the last answers are waited for.
pub struct ResponsesFile {
    aside: Aside,
    /// The last family of the suite that is written.
    after: i64,
    /// Families read at a time: fewer of those that were asked more often.
    page: u32,
}

impl ResponsesFile {
    pub fn create(path: &Path, repeats: u32) -> Result<Self, EngineError> {
        Ok(Self { aside: Aside::create(path)?, after: 0, page: (PAGE / repeats.max(1)).max(1) })
    }

    /// Whole pages up to a family: all answers up to it are stored.
    pub async fn up_to(&mut self, store: &Store, suite: &SuiteId, last: i64) -> Result<(), EngineError> {
        loop {
            let Page { items, next } = store.response_lines(suite, self.after, self.page).await?;
            let Some(next) = next.filter(|next| *next <= last) else { return Ok(()) };
            items.iter().try_for_each(|lines| self.aside.stored_lines(suite, lines))?;
            self.after = next;
        }
    }

    /// The rest of the suite.
    pub async fn rest(&mut self, store: &Store, suite: &SuiteId) -> Result<(), EngineError> {
        let size = self.page;
        let page = async |after| store.response_lines(suite, after, size).await;
        let after = std::mem::take(&mut self.after);
        each_after(after, page, |lines| self.aside.stored_lines(suite, &lines)).await
    }

    pub fn move_into_place(self) -> Result<(), EngineError> {
        self.aside.move_into_place()
    }
}

/// Those of all judges. Tells how many that the study wants lack somebody's word.
pub async fn verdicts(
    store: &Store,
    suites: &[PlannedSuite],
    repeats: u32,
    path: &Path,
) -> Result<Unheard, EngineError> {
    let mut aside = Aside::create(path)?;
    let mut unheard = Unheard::default();
    for planned in suites {
        let suite = planned.id();
        let page = async |after| store.verdicts_page(suite, after, PAGE).await;
        let mut of_suite = 0;
        each(page, |stored| {
            of_suite += u64::from(is_unheard(&stored.verdict) && planned.counts(&stored.verdict, repeats));
            aside.line(suite, &stored.verdict)
        })
        .await?;
        unheard.add(planned, of_suite);
    }
    aside.move_into_place().map(|()| unheard)
}

/// Everything there is, a page at a time. While one is written, the database reads the next.
async fn each<T>(
    page: impl AsyncFn(i64) -> Result<Page<T>, StoreError>,
    write: impl FnMut(T) -> Result<(), EngineError>,
) -> Result<(), EngineError> {
    each_after(0, page, write).await
}

async fn each_after<T>(
    after: i64,
    page: impl AsyncFn(i64) -> Result<Page<T>, StoreError>,
    mut write: impl FnMut(T) -> Result<(), EngineError>,
) -> Result<(), EngineError> {
    let mut current = page(after).await?;
    loop {
        let Page { items, next } = current;
        let next = async {
            match next {
                Some(position) => page(position).await.map(Some),
                None => Ok(None),
            }
        };
        let (next, written) = tokio::join!(next, async { items.into_iter().try_for_each(&mut write) });
        written?;
        match next? {
            Some(page) => current = page,
            None => return Ok(()),
        }
    }
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
        Ok(Self { file: BufWriter::with_capacity(AT_ONCE, file), aside, path: path.to_owned() })
    }

    fn line(&mut self, suite: &SuiteId, item: &impl Serialize) -> Result<(), EngineError> {
        let mut json =
            serde_json::to_vec(&Tagged { suite: suite.as_str(), item }).expect("the nouns of the pipeline are JSON");
        json.push(b'\n');
        self.write(&json)
    }

    /// The same lines from JSON that is written already: reading it only to write it again would take longer than all the rest.
    fn stored_lines(&mut self, suite: &SuiteId, objects: &str) -> Result<(), EngineError> {
        let suite = serde_json::to_string(suite).expect("a name is JSON");
        for object in objects.split('\n') {
            let members = object.strip_prefix('{').expect("nouns are stored as objects");
            for part in ["{\"suite\":", &suite, ",", members, "\n"] {
                self.write(part.as_bytes())?;
            }
        }
        Ok(())
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
    if matches!(error.kind(), std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded) {
        return StoreError::DiskFull { path: path.to_owned() }.into();
    }
    EngineError::file(path, format!("cannot be written: {error}"))
        .with_hint("is the folder there, and may it be written to? What was there before is left as it was")
}
