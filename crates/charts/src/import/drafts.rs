//! The patients of one file or one pass.

use super::draft::Draft;
use super::summary::Summary;
use crate::Chart;
use indexmap::IndexMap;
use std::fs;
use std::path::PathBuf;

#[derive(Debug, Default)]
pub(super) struct Drafts {
    by_patient: IndexMap<String, Draft>,
}

impl Drafts {
    pub fn of(&mut self, patient: &str) -> &mut Draft {
        if !self.by_patient.contains_key(patient) {
            self.by_patient.insert(patient.to_owned(), Draft::default());
        }
        self.by_patient.get_mut(patient).expect("it was put there when it was missing")
    }

    /// Sorted by patient, so that the order of rows does not matter.
    pub fn finish(mut self, summary: &mut Summary) -> Vec<Chart> {
        self.by_patient.sort_keys();
        let count = |draft: &Draft| u64::from(!draft.is_described());
        summary.undescribed += self.by_patient.values().map(count).sum::<u64>();
        self.by_patient.into_iter().map(|(patient, draft)| draft.finish(&patient)).collect()
    }
}

/// Tables and bulk exports are not sorted by patient. Each pass reads all files and keeps the patients whose turn it is, so
/// that memory is bounded by the size of a pass and not by the size of the source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passes {
    count: u64,
    next: u64,
}

/// How much input one pass may hold as drafts.
const BYTES_PER_PASS: u64 = 256 << 20;

impl Passes {
    pub fn over(files: &[PathBuf]) -> Self {
        let bytes: u64 = files.iter().filter_map(|path| fs::metadata(path).ok()).map(|data| data.len()).sum();
        Self::of(bytes.div_ceil(BYTES_PER_PASS).max(1))
    }

    pub fn of(count: u64) -> Self {
        Self { count, next: 0 }
    }
}

impl Iterator for Passes {
    type Item = Pass;

    fn next(&mut self) -> Option<Pass> {
        let pass = Pass { number: self.next, of: self.count };
        self.next += 1;
        (pass.number < pass.of).then_some(pass)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    number: u64,
    of: u64,
}

impl Pass {
    pub fn holds(self, patient: &str) -> bool {
        self.of == 1 || fnv(patient) % self.of == self.number
    }

    /// What belongs to no patient is counted once.
    pub fn is_first(self) -> bool {
        self.number == 0
    }
}

/// FNV-1a: spreads ids over passes, the same on every machine.
fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
