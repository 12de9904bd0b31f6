//! One writer per run: an advisory lock on a file beside the database.

use crate::StoreError;
use std::fs::{File, TryLockError};
use std::io::{Read, Write};
use std::path::Path;

/// Held as long as it lives. The operating system lets go of it when the process dies, however it dies.
pub(crate) struct RunLock {
    _file: File,
}

impl RunLock {
    /// Locks `run.lock` for `run.sqlite`.
    pub fn take(database: &Path) -> Result<Self, StoreError> {
        let path = database.with_extension("lock");
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|error| StoreError::from_io(&path, &error))?;
        match file.try_lock() {
            Ok(()) => {
                sign(&mut file);
                Ok(Self { _file: file })
            }
            Err(TryLockError::WouldBlock) => {
                Err(StoreError::InUse { path: database.to_owned(), pid: signature(&mut file) })
            }
            Err(TryLockError::Error(error)) => Err(StoreError::from_io(&path, &error)),
        }
    }
}

/// Who writes to the run just now, if anybody does. Looks without keeping the lock.
pub(crate) fn in_use(database: &Path) -> Option<StoreError> {
    let mut file = File::open(database.with_extension("lock")).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => {
            Some(StoreError::InUse { path: database.to_owned(), pid: signature(&mut file) })
        }
        Ok(()) | Err(TryLockError::Error(_)) => None,
    }
}

/// The process id only makes the message better; the lock holds without it.
fn sign(file: &mut File) {
    let _ = file.set_len(0);
    let _ = write!(file, "{}", std::process::id());
}

fn signature(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}
