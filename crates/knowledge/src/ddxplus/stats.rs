//! `symptom_condition_probs.json`: P(evidence | condition) and patients per condition over the whole training split.

use super::codes::Codes;
use super::estimate::smoothed;
use super::release::read_json;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;
use waterjar_core::{SourceError, slip};

/// By the places of `Codes`. Says nothing of values: those come from the patients.
#[derive(Debug)]
pub(super) struct Stats {
    cells: HashMap<(u16, u16), f64>,
    patients: HashMap<u16, f64>,
}

#[derive(Deserialize)]
struct WrittenStats {
    probabilities: HashMap<String, HashMap<String, f64>>,
    condition_counts: HashMap<String, u64>,
}

impl Stats {
    pub fn read(path: &Path, codes: &Codes) -> Result<Self, SourceError> {
        let written: WrittenStats = read_json(path)?;
        let place = path.display().to_string();
        let condition = |name: &str| {
            codes.condition(name).ok_or_else(|| unknown(&place, "condition", name, codes.condition_names()))
        };
        let mut stats = Self { cells: HashMap::new(), patients: HashMap::new() };
        for (name, count) in &written.condition_counts {
            stats.patients.insert(condition(name)?, *count as f64);
        }
        for (name, row) in &written.probabilities {
            let at = condition(name)?;
            for (code, p) in row {
                let finding = codes.finding(code).ok_or_else(|| unknown(&place, "evidence", code, codes.items()))?;
                if !(0.0..=1.0).contains(p) {
                    return Err(SourceError::new(place, format!("P({code} | {name}) = {p} is not a probability")));
                }
                stats.cells.insert((at, finding), *p);
            }
        }
        Ok(stats)
    }

    pub fn patients(&self, condition: u16) -> Option<f64> {
        self.patients.get(&condition).copied()
    }

    /// Smoothed as counts are, so that a listed evidence nobody had gets a small chance.
    pub fn chance(&self, condition: u16, finding: u16) -> Option<f64> {
        let patients = self.patients(condition)?;
        let p = self.cells.get(&(condition, finding))?;
        Some(smoothed(p * patients, patients))
    }
}

fn unknown<'a>(place: &str, noun: &str, name: &str, known: impl Iterator<Item = &'a str>) -> SourceError {
    let hint = slip::did_you_mean(name, known).unwrap_or_else(|| {
        "the table is of another release; take it out of the folder to use the patients alone".to_owned()
    });
    SourceError::new(place, format!("unknown {noun} `{name}`")).with_hint(hint)
}
