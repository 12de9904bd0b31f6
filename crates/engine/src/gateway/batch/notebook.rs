//! What was sent and is not yet kept: the store remembers it over any end of ours.

use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use waterjar_core::{ModelId, SentBatch};
use waterjar_store::{Store, StoreError};

/// One batch. It is written before the batch is sent, and again when the vendor has named it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::gateway) struct Noted {
    /// Ours.
    pub name: String,
    /// Seconds since 1970.
    pub at: u64,
    /// The vendor's name for it. `None`: it may never have arrived.
    pub id: Option<String>,
    /// The keys of the replies.
    pub keys: Vec<String>,
}

impl Noted {
    pub fn sent(&self) -> SentBatch {
        SentBatch { name: self.name.clone(), at: self.at, requests: self.keys.len() }
    }
}

/// The notes of one model. Only one process writes them.
pub(in crate::gateway) struct Notebook {
    store: Store,
    /// The names of all its batches stand under this.
    list: String,
    /// Batches are sent side by side, and each changes the list.
    writing: Mutex<()>,
}

impl Notebook {
    /// A model that would be asked differently has other keys, and so other batches.
    pub fn new(store: Store, model: &ModelId, fingerprint: &str) -> Self {
        let hash = blake3::hash(fingerprint.as_bytes()).to_hex();
        Self { store, list: format!("batches/{model}/{}", &hash[..16]), writing: Mutex::default() }
    }

    pub async fn read(&self) -> Result<Vec<Noted>, StoreError> {
        let mut all = Vec::new();
        for name in self.names().await? {
            let text = self.store.meta(&place(&name)).await?;
            all.extend(text.and_then(|text| serde_json::from_str(&text).ok()));
        }
        Ok(all)
    }

    /// What is noted goes before its name in the list.
    pub async fn put(&self, noted: &Noted) -> Result<(), StoreError> {
        let text = serde_json::to_string(noted).expect("texts and numbers are JSON");
        self.store.put_meta(&place(&noted.name), &text).await?;
        let _alone = self.writing.lock().await;
        let mut names = self.names().await?;
        if names.contains(&noted.name) {
            return Ok(());
        }
        names.push(noted.name.clone());
        self.put_names(&names).await
    }

    pub async fn forget(&self, name: &str) -> Result<(), StoreError> {
        let _alone = self.writing.lock().await;
        let mut names = self.names().await?;
        names.retain(|known| known != name);
        self.put_names(&names).await?;
        self.store.put_meta(&place(name), "").await
    }

    async fn names(&self) -> Result<Vec<String>, StoreError> {
        let text = self.store.meta(&self.list).await?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
    }

    async fn put_names(&self, names: &[String]) -> Result<(), StoreError> {
        let text = serde_json::to_string(names).expect("texts are JSON");
        self.store.put_meta(&self.list, &text).await
    }
}

fn place(name: &str) -> String {
    format!("batch/{name}")
}
