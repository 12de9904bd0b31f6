//! Replies of services in files, so that no run asks for what an earlier one was told.

use async_trait::async_trait;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use waterjar_evidence::EvidenceCache;

pub struct KeptReplies {
    folder: PathBuf,
}

impl KeptReplies {
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Keys are hashes in hex.
    fn file(&self, key: &str) -> PathBuf {
        self.folder.join(&key[..2]).join(key)
    }

    fn write(&self, key: &str, reply: &str) -> io::Result<()> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let file = self.file(key);
        // Aside first: whoever reads finds a whole reply or none, also after a kill.
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let aside = file.with_extension(format!("{}-{number}.new", std::process::id()));
        std::fs::create_dir_all(file.parent().unwrap_or(&self.folder))?;
        std::fs::write(&aside, reply)?;
        std::fs::rename(&aside, &file)
    }
}

#[async_trait]
impl EvidenceCache for KeptReplies {
    async fn get(&self, key: &str) -> Result<Option<String>, String> {
        match std::fs::read_to_string(self.file(key)) {
            Ok(reply) => Ok(Some(reply)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("{}: {error}", self.file(key).display())),
        }
    }

    async fn put(&self, key: &str, reply: &str) -> Result<(), String> {
        self.write(key, reply).map_err(|error| format!("{}: {error}", self.file(key).display()))
    }
}
