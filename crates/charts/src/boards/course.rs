//! What happened before treatment: old illnesses, the work-up, the operation.

use super::chartist::Chartist;
use super::facts::Surgery;
use super::labs;
use super::phrase::capital;
use super::story::plus;
use super::voices::{Note, Slot};
use crate::{Date, Entry};

impl Chartist<'_> {
    /// Old illnesses, their drugs and allergies, with the years old records give.
    pub fn before_the_disease(&mut self) {
        let year = self.story.presented.year();
        let mut old = |back: i32, tag: &str, text: String| {
            let date = Date::from_year(year - back as i16);
            self.entries.push(Entry::new(date, tag, text));
        };
        for (number, other) in (4..).step_by(3).zip(&self.case.facts.comorbidities) {
            old(number, "Condition", capital(&other.name));
            if !other.drug.is_empty() {
                old(number, "Medication", format!("{} for {}", capital(&other.drug), other.name));
            }
        }
        for allergy in &self.case.facts.allergies {
            // A reaction to a cancer drug happened during its line.
            let during = self.case.facts.lines.iter().position(|line| line.drugs.contains(&allergy.substance));
            let back = during.map_or(6, |number| i32::from(year - self.story.lines[number].1.year()));
            old(back, "Allergy", format!("Allergic to {}: {}", allergy.substance, allergy.reaction));
        }
        if let Some(taken) = &self.case.facts.anticoagulation {
            old(2, "Medication", format!("{} {} for {}", capital(&taken.drug), taken.dose, taken.reason));
        }
        if self.case.facts.allergies.is_empty() {
            self.add(self.story.presented, "Allergy", "No known drug allergies");
        }
    }

    /// From the first visit to the oncologist's full note on the present disease.
    pub fn workup(&mut self) {
        self.at(self.story.present_disease());
        let (presented, diagnosed) = (self.story.presented, self.story.diagnosed);
        let family_doctor = self.team.family_doctor.clone();
        match self.story.relapse {
            None => {
                let text = self.writer.say("referral.prose");
                self.add_signed(presented, "Primary care", &text, &family_doctor);
                if self.case.plot.size > 0 && is_primary(&self.case.plot.lesion) {
                    self.first_imaging(plus(presented, 5));
                }
                self.biopsy(plus(diagnosed, -4));
            }
            Some(relapse) => {
                let mut said = vec![self.writer.say("outside.prose")];
                said.extend(self.tell_maybe("initial", "prose"));
                self.add_signed(diagnosed, "Outside record", &said.join(" "), &family_doctor);
                self.biopsy(plus(relapse, -4));
                let text = self.writer.say("relapse.prose");
                self.add(relapse, "Condition", text);
            }
        }
        let found = self.story.present_disease();
        if self.case.plot.size > 0 {
            let size = self.size_before_line(self.first_present_line());
            self.staging_imaging(plus(found, 4), size);
        }
        let stage = self.tell("stage", "list");
        self.add(plus(found, 7), "Stage", stage);
        let disease = self.tell("stage", "list");
        self.add(plus(found, 1), "Condition", disease);
        if let Some(test) = labs::pregnancy_test(self.case.facts.pregnancy) {
            self.add(plus(found, 2), "Observation", test);
        }
        self.add_labs(plus(found, 3), 0.9, false, true);
        let consult = self.story.consult;
        self.add_vitals(consult, true);
        let author = self.team.oncologist.clone();
        self.full_note(consult, "Oncology consultation", &author);
    }

    /// Done: anesthesia, report, specimen, discharge. Planned: the surgeon's visit and the request.
    pub fn operation(&mut self) {
        let surgeon = self.team.surgeon.clone();
        match self.case.facts.surgery.clone() {
            Surgery::Done { operation, nodes, margins, .. } => {
                let Some(date) = self.story.surgery else { return };
                self.at(plus(date, 5));
                let mut visit = vec![self.tell("performance", "prose")];
                visit.extend(self.tell_background("prose"));
                visit.push(self.tell("renal", "prose"));
                visit.extend(self.writer.some("anesthesia.prose", 3));
                self.add(plus(date, -2), "Anesthesia visit", visit.join(" "));
                let mut report = vec![format!("{}.", capital(&operation))];
                report.extend(self.writer.some("operative.prose", 6));
                self.add_signed(date, "Procedure", &report.join(" "), &surgeon);
                let tnm = self.case.facts.stage.tnm.clone().filter(|tnm| tnm.starts_with('p'));
                let mut lines =
                    vec![format!("SPECIMEN: {operation}"), self.diagnosis_line(false), "SYNOPTIC:".to_owned()];
                lines.push(format!("- Lymph nodes: {nodes}"));
                lines.push(format!("- Margins: {margins}"));
                lines.extend(tnm.map(|tnm| format!("- Pathologic classification: {tnm}")));
                let pathologist = self.team.pathologist.clone();
                self.add_signed(plus(date, 6), "Pathology", &lines.join("\n"), &pathologist);
                let mut letter = vec![self.tell("surgery", "prose")];
                letter.extend(self.writer.some("recovery.prose", 4));
                letter.push(self.tell("anticoagulation", "prose"));
                self.add_signed(plus(date, 5), "Discharge summary", &letter.join(" "), &surgeon);
            }
            Surgery::Planned { operation, .. } => {
                let date = plus(self.story.board, -11).max(plus(self.story.consult, 1));
                self.at(date);
                let register = surgeon.style.register();
                let mut note = Note::default();
                note.put(Slot::Opening, [self.tell("opening", register)]);
                note.put(Slot::Past, self.tell_background(register));
                note.put(Slot::Status, [self.tell("performance", register)]);
                note.put(Slot::Assessment, [self.tell("stage", register), self.tell("surgery", register)]);
                self.add_signed(date, "Surgery consultation", &note.write(surgeon.style), &surgeon);
                let month = self.writer.values.get("operation_month").unwrap_or_default().to_owned();
                self.add(
                    plus(date, 1),
                    "Procedure",
                    format!("Request for operation: {operation}, planned for {month}"),
                );
            }
            Surgery::None { .. } => {}
        }
    }
}

/// Whether the measured lesion is where the disease began; only then the first, local study can have seen it.
fn is_primary(lesion: &str) -> bool {
    let elsewhere = ["metastas", "brain", "liver", "node", "implant", "omental", "spleen", "hydronephrosis"];
    !elsewhere.iter().any(|word| lesion.contains(word))
}
