//! Earlier lines of treatment, with their visits, labs and scans.

use super::chartist::Chartist;
use super::facts::LineOutcome;
use super::phrase::capital;
use super::reports::Change;
use super::story::plus;
use super::voices::{Note, Slot};
use crate::Date;

impl Chartist<'_> {
    /// One line of treatment with its visits, labs and scans.
    pub fn line(&mut self, number: usize) {
        let line = self.case.facts.lines[number].clone();
        let (start, end) = self.story.lines[number];
        let oral = self.is_oral(number);
        let regimen = capital(&line.regimen);
        self.add(start, "Medication", format!("{regimen}, started as {} treatment", line.setting));
        let given: Vec<String> = line.drugs.iter().map(|drug| with_brand(drug)).collect();
        self.add(plus(start, 1), "Administration", format!("First doses: {}", given.join(", ")));
        if !oral {
            self.add(plus(start, -3), "Procedure", "Implanted port placed under local anesthesia, position checked.");
        }
        let days = end.number() - start.number();
        let visits = (days / if oral { 75 } else { 45 }).clamp(1, 8);
        for visit in 1..=visits {
            let date = plus(start, days * visit / (visits + 1));
            let gone = date.number() - start.number();
            self.treatment_visit(date, oral, if oral { gone / 30 + 1 } else { gone / 21 + 1 });
        }
        let present = self.case.plot.relapse.is_none_or(|months| line.start <= months);
        if present && self.case.plot.size > 0 {
            self.scans(number, start, days);
        }
        let last = match line.outcome {
            LineOutcome::Progressed => format!("{regimen} stopped because of progression"),
            LineOutcome::Completed => format!("{regimen} completed as planned"),
            LineOutcome::Responding => format!("{regimen} paused after the planned cycles, disease responding"),
        };
        self.add(end, "Medication", last);
        if number + 1 == self.case.facts.lines.len() {
            self.repeat_testing(plus(end, 5));
        }
        let author = if number.is_multiple_of(2) { self.team.oncologist.clone() } else { self.team.second.clone() };
        self.at(plus(end, 2));
        let register = author.style.register();
        let mut note = Note::default();
        note.put(Slot::Opening, [self.tell("opening", register)]);
        note.put(Slot::History, [self.tell_line(number, register)]);
        note.put(Slot::Status, [self.tell("performance", register)]);
        note.put(Slot::Exam, self.writer.some("exam.short", 3));
        self.add_signed(plus(end, 2), "Oncology clinic", &note.write(author.style), &author);
    }

    pub fn is_oral(&self, number: usize) -> bool {
        let Ok(formulary) = super::Formulary::get() else { return false };
        let oral = |drug: &String| formulary.drug(drug).is_some_and(|drug| drug.route == "oral");
        self.case.facts.lines[number].drugs.iter().all(oral)
    }

    fn treatment_visit(&mut self, date: Date, oral: bool, cycle: i32) {
        let cycle = cycle.to_string();
        if oral {
            self.writer.values.flag("oral", true);
        }
        let mut said = vec![self.writer.say_with("treatment_visit.prose", &[("cycle", &cycle)])];
        said.extend(self.writer.some("interval.prose", 2));
        if self.writer.chance(0.4) {
            said.push(self.tell("performance", "prose"));
        }
        said.push(self.writer.say("treatment_visit.plan"));
        self.writer.values.unset("oral");
        let author = if self.writer.chance(0.5) { self.team.oncologist.clone() } else { self.team.second.clone() };
        self.add_signed(date, "Oncology clinic", &said.join(" "), &author);
        self.add_labs(plus(date, -1), 0.7, true, false);
        self.add_vitals(date, false);
    }

    /// Every three months or so, the last one at the end of the line.
    fn scans(&mut self, number: usize, start: Date, days: i32) {
        let progressed = self.case.facts.lines[number].outcome == LineOutcome::Progressed;
        let (first, last) = (f64::from(self.size_before_line(number)), f64::from(self.size_after_line(number)));
        let count = (days / 95).clamp(1, 6);
        let mut before = first;
        for scan in 1..=count {
            let share = f64::from(scan) / f64::from(count);
            let low = first.min(last) * 0.8;
            let size = match (progressed, scan == count) {
                (_, true) => last,
                // Down at first, then level until it grows.
                (true, false) => first + (low - first) * (share * 2.0).min(1.0),
                (false, false) => first + (last - first) * share,
            };
            let change = match size / before {
                ratio if scan == count && progressed && ratio > 1.0 => Change::Progression,
                ratio if ratio < 0.93 => Change::Response,
                _ => Change::Stable,
            };
            self.restaging(plus(start, days * scan / count - 3), size.round() as u16, before.round() as u16, change);
            before = size;
        }
    }

    pub fn first_present_line(&self) -> usize {
        let of_present = |start: u16| self.case.plot.relapse.is_none_or(|months| start <= months);
        self.case.facts.lines.iter().position(|line| of_present(line.start)).unwrap_or(self.case.facts.lines.len())
    }

    /// Sizes are told backwards from the board: each failed line ends larger than it began, a response smaller.
    pub fn size_before_line(&self, number: usize) -> u16 {
        let factor: f64 = self.case.facts.lines.iter().skip(number).map(|line| growth(line.outcome)).product();
        (f64::from(self.case.plot.size) / factor).round() as u16
    }

    fn size_after_line(&self, number: usize) -> u16 {
        self.size_before_line(number + 1)
    }
}

/// `pembrolizumab (Keytruda)`
fn with_brand(drug: &str) -> String {
    let brand = super::Formulary::get().ok().and_then(|formulary| formulary.drug(drug)?.brands.first());
    brand.map_or_else(|| drug.to_owned(), |brand| format!("{drug} ({brand})"))
}

fn growth(outcome: LineOutcome) -> f64 {
    match outcome {
        LineOutcome::Progressed => 1.25,
        LineOutcome::Completed => 1.0,
        LineOutcome::Responding => 0.6,
    }
}
