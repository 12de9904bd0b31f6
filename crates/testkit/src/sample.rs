//! Patients and stores for tests.

use std::ops::Deref;
use std::sync::{Arc, LazyLock};
use waterjar_core::{Case, CaseSource, Seed};
use waterjar_knowledge::{KnowledgeBase, simulate::Simulated, starter as starter_base};
use waterjar_store::{Mode, Store};

/// The starter base, read once for all tests of a process.
pub fn starter() -> Arc<KnowledgeBase> {
    static BASE: LazyLock<Arc<KnowledgeBase>> =
        LazyLock::new(|| Arc::new(starter_base::base().expect("the starter base is checked by its own tests")));
    BASE.clone()
}

/// Three patients that stay the same, for snapshots.
pub fn sample_cases() -> Vec<Case> {
    simulated_cases(3)
}

/// As many patients as wanted; the first of them are always the same.
pub fn simulated_cases(count: u64) -> Vec<Case> {
    let source = Simulated::for_test(starter(), Seed(7), count);
    source.cases().map(|case| case.expect("simulation does not fail")).collect()
}

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

    #[test]
    fn more_patients_begin_with_the_same_ones() {
        assert_eq!(simulated_cases(5)[..3], sample_cases());
    }

    #[tokio::test]
    async fn a_temporary_store_takes_its_directory_with_it() {
        let store = temp_store().await;
        let (dir, file) = (store.dir().to_owned(), store.path().to_owned());
        assert!(file.is_file());
        drop(store);
        assert!(!dir.exists());
    }
}
