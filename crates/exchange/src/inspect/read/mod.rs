//! A log of Inspect AI as answers.

mod archive;
mod head;
mod one_file;
mod sample;

use crate::recorded::{Each, Recording};
use head::Head;
use std::path::{Path, PathBuf};
use waterjar_core::SourceError;

/// A log, `.eval` or `.json`.
pub struct Log {
    path: PathBuf,
    kind: Kind,
    head: Head,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Archive,
    OneFile,
}

/// The version of logs we know.
const VERSION: u64 = 2;

impl Log {
    /// Reads what it says of itself, and looks whether it is one we know. What the file is called does not matter.
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        let kind = kind(path)?;
        let head = match kind {
            Kind::Archive => archive::head(path)?,
            Kind::OneFile => one_file::head(path)?,
        };
        if head.version != VERSION {
            let problem = format!("is a log of version {}; we read version {VERSION}", head.version);
            return Err(SourceError::at(path, problem)
                .with_hint("`inspect log convert` of a current inspect_ai brings older logs up to date"));
        }
        Ok(Self { path: path.to_owned(), kind, head })
    }
}

fn kind(path: &Path) -> Result<Kind, SourceError> {
    use std::io::Read;
    let mut first = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(4).read_to_end(&mut first));
    read.map_err(|error| SourceError::unreadable(path, &error))?;
    match first.as_slice() {
        b"PK\x03\x04" => Ok(Kind::Archive),
        [b'{' | b' ' | b'\n' | b'\r' | b'\t', ..] => Ok(Kind::OneFile),
        _ => Err(not_a_log(path, "it is neither a zip archive nor a JSON object")),
    }
}

fn not_a_log(path: &Path, why: &str) -> SourceError {
    SourceError::at(path, format!("is no log of Inspect: {why}"))
        .with_hint("logs are what `inspect eval` writes to its log directory: .eval or .json")
}

impl Recording for Log {
    /// Without the `none/` that our own logs have before the subject.
    fn model(&self) -> Option<&str> {
        let model = self.head.eval.model.as_str();
        Some(model.strip_prefix("none/").unwrap_or(model)).filter(|model| !model.is_empty())
    }

    fn notes(&self) -> Vec<String> {
        let status = self.head.status.as_deref().unwrap_or("started");
        let unfinished = (status != "success").then(|| {
            format!(
                "{}: its status is `{status}`; what it holds is read, and what it does not hold is missing",
                self.path.display()
            )
        });
        Vec::from_iter(unfinished)
    }

    fn each(&self, each: Each<'_>) -> Result<(), SourceError> {
        match self.kind {
            Kind::Archive => archive::each(&self.path, each),
            Kind::OneFile => one_file::each(&self.path, each),
        }
    }
}
