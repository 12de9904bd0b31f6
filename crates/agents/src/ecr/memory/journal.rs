//! One line per training case, written when the case is done, so that a kill loses at most the case under way.

use super::folder::MemoryError;
use super::lesson::JournalEntry;
use std::collections::HashSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

pub struct Journal {
    path: PathBuf,
    file: File,
    unsynced: u32,
}

pub const FILE: &str = "journal.jsonl";
/// Lines between two syncs: a power cut may lose so many cases, a kill none.
const SYNC_EVERY: u32 = 64;

impl Journal {
    /// Opens or begins the journal of a folder and gives back what it holds. A last line that was cut off is dropped; any other bad
    /// line is an error.
    pub fn open(folder: &Path) -> Result<(Self, Vec<JournalEntry>), MemoryError> {
        let path = folder.join(FILE);
        let at = |error| MemoryError::io(&path, error);
        let mut file =
            OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&path).map_err(at)?;
        // Held until the journal is closed, and taken before anything is cut.
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(MemoryError::InUse { path: folder.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(at(error)),
            Ok(()) => {}
        }
        // Bytes, because a line may be cut within a letter.
        let bytes = std::fs::read(&path).map_err(at)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let mut entries: Vec<JournalEntry> = Vec::new();
        let mut known = HashSet::new();
        for (number, line) in bytes[..whole].split_inclusive(|byte| *byte == b'\n').enumerate() {
            let wrong = |problem: String| MemoryError::corrupt(&path, format!("line {}: {problem}", number + 1));
            let entry: JournalEntry = serde_json::from_slice(line).map_err(|error| wrong(error.to_string()))?;
            if !known.insert(entry.case.clone()) {
                return Err(wrong(format!("case `{}` is there twice", entry.case)));
            }
            entries.push(entry);
        }
        file.set_len(whole as u64).map_err(at)?;
        file.seek(SeekFrom::End(0)).map_err(at)?;
        Ok((Self { path, file, unsynced: 0 }, entries))
    }

    pub fn append(&mut self, entry: &JournalEntry) -> Result<(), MemoryError> {
        let mut line = serde_json::to_string(entry).expect("an entry holds nothing JSON cannot");
        line.push('\n');
        self.file.write_all(line.as_bytes()).map_err(|error| MemoryError::io(&self.path, error))?;
        self.unsynced += 1;
        if self.unsynced >= SYNC_EVERY { self.sync() } else { Ok(()) }
    }

    pub fn sync(&mut self) -> Result<(), MemoryError> {
        self.unsynced = 0;
        self.file.sync_data().map_err(|error| MemoryError::io(&self.path, error))
    }
}
