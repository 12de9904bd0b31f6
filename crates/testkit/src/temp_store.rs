//! A store for one test.

use std::ops::Deref;
use waterjar_store::{Mode, Store};

/// An empty run in a directory of its own, gone when this is dropped.
pub struct TempStore {
    store: Store,
    dir: tempfile::TempDir,
}

/// Panics where the directory cannot be written: a test without a store has nothing to go on with.
pub async fn temp_store() -> TempStore {
    let dir = tempfile::tempdir().expect("the temporary directory can be written");
    let store = Store::open(dir.path().join("run.sqlite"), Mode::Create).await.expect("a new store can be opened");
    TempStore { store, dir }
}

impl TempStore {
    pub fn dir(&self) -> &std::path::Path {
        self.dir.path()
    }
}

impl Deref for TempStore {
    type Target = Store;

    fn deref(&self) -> &Store {
        &self.store
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_temporary_store_takes_its_directory_with_it() {
        let store = temp_store().await;
        let (dir, file) = (store.dir().to_owned(), store.path().to_owned());
        assert!(file.is_file());
        drop(store);
        assert!(!dir.exists());
    }
}
