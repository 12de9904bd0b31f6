//! One patient in small numbers. The row is filled again and again; only patients somebody keeps become `Facts`.

use super::codes::{Answer, Codes};
use super::release::DataType;
use crate::gap::nearest;
use waterjar_core::{Candidate, CaseId, Facts, FindingState, Observation, Sex};

#[derive(Debug)]
pub(super) struct Row {
    /// From 1; 0 before the first.
    pub number: u64,
    /// Where the file names its patients.
    pub own_id: Option<String>,
    pub sex: Sex,
    pub age: u8,
    pub condition: u16,
    /// (finding, answer), in the file's order, without repetitions.
    pub answers: Vec<(u16, Answer)>,
    /// (condition, probability), in the file's order.
    pub differential: Vec<(u16, f64)>,
    /// Per finding, the row that last spoke of it: tells a repetition without a search.
    spoken: Vec<u64>,
}

/// A finding that takes one answer got two.
#[derive(Debug)]
pub(super) struct Contradiction;

impl Row {
    pub fn new(codes: &Codes) -> Self {
        Self {
            number: 0,
            own_id: None,
            sex: Sex::F,
            age: 0,
            condition: 0,
            answers: Vec::new(),
            differential: Vec::new(),
            spoken: vec![0; codes.findings.len()],
        }
    }

    /// The next row begins.
    pub fn begin(&mut self) {
        self.number += 1;
        self.own_id = None;
        self.answers.clear();
        self.differential.clear();
    }

    pub fn add(&mut self, codes: &Codes, finding: u16, answer: Answer) -> Result<(), Contradiction> {
        let spoken = &mut self.spoken[usize::from(finding)];
        if *spoken == self.number {
            if self.answers.contains(&(finding, answer)) {
                return Ok(());
            }
            if codes.findings[usize::from(finding)].data_type != DataType::M {
                return Err(Contradiction);
            }
        }
        *spoken = self.number;
        self.answers.push((finding, answer));
        Ok(())
    }

    pub fn id(&self) -> CaseId {
        match &self.own_id {
            Some(own) => CaseId::new(format!("ddxplus-{own}")),
            None => CaseId::new(format!("ddxplus-{}", self.number)),
        }
    }

    pub fn gap(&self) -> Option<f64> {
        nearest(&self.condition, self.differential.iter().copied()).map(|(_, gap)| gap)
    }

    pub fn facts(&self, codes: &Codes) -> Facts {
        Facts {
            sex: self.sex,
            age: self.age,
            findings: self.observations(codes),
            condition: codes.conditions[usize::from(self.condition)].clone(),
            differential: self.candidates(codes),
        }
    }

    /// The values of one finding in one observation, where the first of them stands.
    fn observations(&self, codes: &Codes) -> Vec<Observation> {
        let mut out: Vec<Observation> = Vec::with_capacity(self.answers.len());
        let mut last = None;
        for &(at, answer) in &self.answers {
            let known = &codes.findings[usize::from(at)];
            let (state, value) = match answer {
                Answer::Nothing => continue,
                Answer::Yes => (FindingState::Present, None),
                Answer::No => (FindingState::Denied, None),
                Answer::Value(value) => (FindingState::Present, Some(&known.values[usize::from(value)])),
            };
            if let Some(value) = value {
                let same = if last == Some(at) {
                    out.last_mut()
                } else {
                    out.iter_mut().find(|seen| seen.finding == known.id)
                };
                if let Some(same) = same {
                    same.values.push(value.clone());
                    continue;
                }
            }
            out.push(Observation { finding: known.id.clone(), state, values: value.cloned().into_iter().collect() });
            last = Some(at);
        }
        out
    }

    /// Most likely first, ties by name, whatever order the file has.
    fn candidates(&self, codes: &Codes) -> Vec<Candidate> {
        let mut out: Vec<Candidate> = self
            .differential
            .iter()
            .map(|&(condition, probability)| Candidate {
                condition: codes.conditions[usize::from(condition)].clone(),
                probability,
            })
            .collect();
        out.sort_by(|a, b| b.probability.total_cmp(&a.probability).then_with(|| a.condition.cmp(&b.condition)));
        out
    }
}
