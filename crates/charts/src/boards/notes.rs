//! The notes that tell everything: the full visit, and the days before the board.

use super::chartist::Chartist;
use super::story::plus;
use super::voices::{Author, Note, Slot, Style};
use crate::Date;

impl Chartist<'_> {
    /// Everything a doctor knows, in one note.
    pub fn full_note(&mut self, date: Date, tag: &str, author: &Author) {
        let register = author.style.register();
        self.at(date);
        let plan = if register == "list" { "prose" } else { register };
        let mut note = Note::default();
        note.put(Slot::Opening, [self.tell("opening", register)]);
        let mut history = vec![self.tell("history", register)];
        history.extend(self.tell_lines(register));
        note.put(Slot::History, history);
        note.put(
            Slot::Interval,
            self.writer.some(if register == "short" { "interval.short" } else { "interval.prose" }, 4),
        );
        note.put(Slot::Past, self.tell_background(register));
        note.put(Slot::Status, [self.tell("performance", register)]);
        note.put(Slot::Exam, self.writer.some(if register == "short" { "exam.short" } else { "exam.prose" }, 4));
        note.put(Slot::Results, [self.tell("renal", register)]);
        let mut assessment = self.tell_stage(register);
        assessment.extend(self.tell_biomarkers(register));
        assessment.extend(self.tell_surgery(register));
        note.put(Slot::Assessment, assessment);
        note.put(Slot::Plan, [self.tell("consult_plan", plan)]);
        self.add_signed(date, tag, &note.write(author.style), author);
    }

    /// A short opinion from radiation oncology, which not every patient has.
    fn radiation_visit(&mut self, date: Date) {
        let mut said =
            vec![self.tell("opening", "prose"), self.tell("stage", "prose"), self.tell("performance", "prose")];
        said.push(self.tell("allergy", "prose"));
        said.extend(self.tell_maybe("pregnancy", "prose"));
        said.push(self.writer.say("radiation.prose"));
        self.add(date, "Radiation oncology", said.join(" "));
    }

    /// The second opinion, the navigator, the pharmacist, and the board's own note.
    pub fn before_the_board(&mut self) {
        let board = self.story.board;
        self.entries.extend(self.last_panel.entries(plus(board, -8), true));
        self.add_vitals(plus(board, -6), true);
        let author = self.team.second.clone();
        self.full_note(plus(board, -6), "Oncology clinic", &author);
        self.at(board);
        if self.writer.chance(0.5) {
            self.radiation_visit(plus(board, -5));
        }
        let mut intake = vec![self.writer.say("navigator.prose")];
        intake.push(self.tell("performance", "prose"));
        intake.push(self.tell("allergy", "prose"));
        intake.extend(self.tell_maybe("pregnancy", "prose"));
        intake.push(self.tell("surgery", "prose"));
        self.add(plus(board, -4), "Nurse navigator", intake.join(" "));
        let mut review = vec![self.writer.say("reconciliation.prose")];
        review.extend(
            self.case
                .facts
                .comorbidities
                .iter()
                .filter(|it| !it.drug.is_empty())
                .map(|it| format!("Takes {} for {}.", it.drug, it.name)),
        );
        review.push(self.tell("anticoagulation", "prose"));
        review.push(self.tell("allergy", "prose"));
        review.push(self.tell("renal", "prose"));
        self.add(plus(board, -3), "Pharmacy", review.join(" "));
        let mut note = Note::default();
        note.put(Slot::Opening, [self.tell("overview", "prose")]);
        let mut history = self.tell_lines("prose");
        history.push(self.tell("surgery", "prose"));
        note.put(Slot::History, history);
        note.put(Slot::Status, [self.tell("performance", "prose"), self.tell("comorbidities", "prose")]);
        let mut assessment = self.tell_stage("prose");
        assessment.extend(self.tell_biomarkers("prose"));
        note.put(Slot::Assessment, assessment);
        let mut plan = self.writer.some("board_talk.prose", 3);
        plan.push(self.writer.say("board_question.prose"));
        note.put(Slot::Plan, plan);
        self.add(board, "Tumor board", note.write(Style::Dictated));
    }
}
