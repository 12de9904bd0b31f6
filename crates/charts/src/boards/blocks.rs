//! The header blocks: what the record says at a glance.

use super::chartist::Chartist;
use super::facts::{Pregnancy, Surgery};
use super::story::plus;
use crate::{Entry, Section};
use std::collections::BTreeMap;
use waterjar_core::Sex;

impl Chartist<'_> {
    /// All but the encounters, which are counted at the end.
    pub fn blocks(&mut self) -> BTreeMap<Section, String> {
        let blocks = [
            (Section::Demographics, self.demographics_block()),
            (Section::Diagnoses, self.diagnoses_block()),
            (Section::Biomarkers, self.tell_biomarkers("list")),
            (Section::Medications, self.medications_block()),
            (Section::Procedures, self.procedures_block()),
            (Section::Labs, self.labs_block()),
            (Section::Vitals, self.vitals_block()),
            (Section::Allergies, self.allergies_block()),
            (Section::Overview, vec![self.overview_block()]),
        ];
        blocks.into_iter().map(|(section, lines)| (section, lines.join("\n"))).collect()
    }

    fn demographics_block(&mut self) -> Vec<String> {
        let sex = if self.case.facts.sex == Sex::F { "female" } else { "male" };
        let mut lines = vec![
            format!("Sex: {sex}"),
            format!("Age: {}", self.case.facts.age),
            format!("Born: {}", self.story.born),
            format!("Home: {}", self.writer.values.get("home").unwrap_or_default()),
            format!("Occupation: {}", self.writer.values.get("job").unwrap_or_default()),
        ];
        lines.extend(self.tell_maybe("pregnancy", "list"));
        lines
    }

    fn diagnoses_block(&mut self) -> Vec<String> {
        let mut lines = self.tell_stage("list");
        lines.extend(self.tell_comorbidities("list"));
        if matches!(self.case.facts.pregnancy, Pregnancy::Pregnant { .. }) {
            lines.extend(self.tell_maybe("pregnancy", "list"));
        }
        lines
    }

    fn medications_block(&mut self) -> Vec<String> {
        let mut lines = vec!["Current:".to_owned()];
        for other in &self.case.facts.comorbidities {
            if !other.drug.is_empty() {
                lines.push(format!("- {} for {}", other.drug, other.name));
            }
        }
        let blood = self.tell("anticoagulation", "list");
        lines.push(format!("- {blood}"));
        lines.push("Cancer treatment so far:".to_owned());
        lines.extend(self.tell_lines("list").into_iter().map(|line| format!("- {line}")));
        lines.push(format!("Alert: {}", self.tell("allergy", "list")));
        lines
    }

    fn procedures_block(&mut self) -> Vec<String> {
        let biopsy = self.writer.say(&format!("{}.biopsy", self.case.facts.cancer));
        let mut lines = vec![format!("{biopsy} ({})", self.story.diagnosed), self.tell("surgery", "list")];
        if self.case.plot.size > 0 {
            lines.push(format!("{} (staging)", self.imaging_name()));
        }
        lines
    }

    fn labs_block(&mut self) -> Vec<String> {
        let mut lines = vec![
            format!("Last blood count: {}", self.last_panel.counts),
            format!("Last tumor marker: {}", self.last_panel.marker),
            self.tell("renal", "list"),
        ];
        if let Some(test) = super::labs::pregnancy_test(self.case.facts.pregnancy) {
            lines.push(test.to_owned());
        }
        lines
    }

    fn vitals_block(&mut self) -> Vec<String> {
        let (low, high) = if self.case.facts.sex == Sex::F { (153, 175) } else { (166, 188) };
        let height = self.writer.between(low, high);
        vec![
            format!("Height {height} cm, weight {:.1} kg", self.weight),
            self.tell("performance", "list"),
            format!("Weight six months ago {:.1} kg", self.weight + f64::from(self.writer.between(-8, 28)) / 10.0),
        ]
    }

    fn allergies_block(&mut self) -> Vec<String> {
        vec![self.tell("allergy", "list")]
    }

    /// The coordinator's summary: everything once, in whole sentences.
    fn overview_block(&mut self) -> String {
        let mut said = vec![self.tell("overview", "prose")];
        said.extend(self.tell_stage("prose"));
        said.extend(self.tell_biomarkers("prose"));
        said.extend(self.tell_lines("prose"));
        said.push(self.tell("surgery", "prose"));
        said.push(self.tell("performance", "prose"));
        said.extend(self.tell_background("prose"));
        said.push(self.tell("renal", "prose"));
        said.push(self.writer.say("board_question.prose"));
        said.join(" ")
    }

    pub fn encounters_block(&mut self, entries: &[Entry]) -> String {
        let visits: Vec<_> = entries.iter().filter(|entry| entry.section == Section::Encounters).collect();
        let recent = plus(self.story.board, -90);
        let lately = visits.iter().filter(|entry| entry.date.is_some_and(|date| date >= recent)).count();
        let mut lines = vec![
            format!("{} notes on file, {lately} in the last three months", visits.len()),
            format!("Oncology: {}, {}", self.team.oncologist.name, self.team.oncologist.role),
            format!("Family doctor: {}", self.team.family_doctor.name),
        ];
        if !matches!(self.case.facts.surgery, Surgery::None { .. }) {
            lines.insert(2, format!("Surgeon: {}, {}", self.team.surgeon.name, self.team.surgeon.role));
        }
        lines.join("\n")
    }
}
