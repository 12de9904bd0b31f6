//! Answers that name neither diagnosis of their pair: a third one, or one of the two by another name, which labels do not tell.

use super::label::bare;
use std::collections::BTreeMap;
use waterjar_core::counted;

/// So many are told, the commonest first.
const TOLD: usize = 3;

#[derive(Debug, Default)]
pub(super) struct Third {
    /// As first written, and how often, by what is compared.
    labels: BTreeMap<String, (String, u64)>,
}

impl Third {
    pub fn add(&mut self, label: &str) {
        self.labels.entry(bare(label)).or_insert_with(|| (label.to_owned(), 0)).1 += 1;
    }

    pub fn note(&self) -> Option<String> {
        let mut labels: Vec<&(String, u64)> = self.labels.values().collect();
        // Of those as common the order of the alphabet is kept.
        labels.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        let all: u64 = labels.iter().map(|(_, n)| n).sum();
        let told: Vec<String> = labels.iter().take(TOLD).map(|(label, n)| format!("`{label}` ({n})")).collect();
        let answers =
            counted(all, "answer names neither diagnosis of its pair", "answers name neither diagnosis of their pair");
        (all > 0).then(|| {
            format!(
                "{answers} and count as a third one: {}{}; labels are compared and not read, so where one of them means the pair's `gt` or \
                 `bias` write it as the row has it there",
                told.join(", "),
                if labels.len() > TOLD { " …" } else { "" }
            )
        })
    }
}
