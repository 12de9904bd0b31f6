//! Replies that need not be fetched again.

use async_trait::async_trait;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Keeps replies by a key made of all that decides them. The engine backs it with its store.
#[async_trait]
pub trait EvidenceCache: Send + Sync {
    async fn get(&self, key: &str) -> Result<Option<String>, String>;
    async fn put(&self, key: &str, reply: &str) -> Result<(), String>;
}

/// As long as the process lives.
#[derive(Default)]
pub struct MemoryCache(Mutex<HashMap<String, String>>);

#[async_trait]
impl EvidenceCache for MemoryCache {
    async fn get(&self, key: &str) -> Result<Option<String>, String> {
        Ok(self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned())
    }

    async fn put(&self, key: &str, reply: &str) -> Result<(), String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned(), reply.to_owned());
        Ok(())
    }
}
