//! A file of JSON lines, made aside and moved into place when it is whole.

use crate::WriteError;
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

pub struct LineFile {
    file: BufWriter<File>,
    path: PathBuf,
    aside: Aside,
    n: u64,
}

/// Of no use to anybody unless it was moved.
struct Aside(PathBuf);

impl Drop for Aside {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

impl LineFile {
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        let name = path.file_name().ok_or_else(|| WriteError::new(path, "it has no name"))?.to_string_lossy();
        let aside = Aside(path.with_file_name(format!(".{name}.part")));
        let file = File::create(&aside.0).map_err(WriteError::at(path))?;
        Ok(Self { file: BufWriter::new(file), path: path.to_owned(), aside, n: 0 })
    }

    pub fn line(&mut self, content: &impl Serialize) -> Result<(), WriteError> {
        self.n += 1;
        serde_json::to_writer(&mut self.file, content).map_err(WriteError::at(&self.path))?;
        self.file.write_all(b"\n").map_err(WriteError::at(&self.path))
    }

    /// Tells how many there are.
    pub fn finish(mut self) -> Result<u64, WriteError> {
        let done = self.file.flush().and_then(|()| self.file.get_ref().sync_all());
        done.and_then(|()| std::fs::rename(&self.aside.0, &self.path)).map_err(WriteError::at(&self.path))?;
        Ok(self.n)
    }
}
