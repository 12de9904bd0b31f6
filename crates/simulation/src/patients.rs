//! Patients of the starter base.

use std::sync::{Arc, LazyLock};
use waterjar_core::{Case, CaseSource, Seed};
use waterjar_knowledge::{KnowledgeBase, simulate::Simulated, starter as starter_base};

/// The starter base, read once in a process.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_patients_begin_with_the_same_ones() {
        assert_eq!(simulated_cases(5)[..3], sample_cases());
    }
}
