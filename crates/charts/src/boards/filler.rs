//! Visits that decide nothing: the bulk of every real chart.

use super::chartist::Chartist;
use super::labs;
use super::story::plus;
use crate::{Date, Entry};

/// Kinds of visits, when they can happen, and how often.
const KINDS: &[(&str, When, i32)] = &[
    ("phone", When::Disease, 16),
    ("nursing", When::Infusions, 22),
    ("dietitian", When::Disease, 7),
    ("social", When::Disease, 6),
    ("primary", When::Ever, 14),
    ("physio", When::Disease, 6),
    ("portal", When::Disease, 9),
    ("dental", When::Ever, 3),
    ("eye", When::Ever, 3),
    ("skin", When::Ever, 3),
    ("emergency", When::Ever, 4),
    ("psychology", When::Disease, 6),
    ("home", When::Disease, 6),
    ("admin", When::Disease, 6),
    ("vaccine", When::Ever, 2),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Ever,
    /// Once the disease is known.
    Disease,
    /// While something is infused.
    Infusions,
}

impl Chartist<'_> {
    /// One more entry between the first day and the board.
    pub fn filler(&mut self, first: Date) -> Entry {
        let span = self.story.board.number() - first.number() - 2;
        // Lines of many years ago would thin the visits out; most fall into the last three.
        let span = if self.writer.chance(0.8) { span.min(1100) } else { span };
        let date = plus(self.story.board, -2 - self.writer.between(0, span));
        let known = date > plus(self.story.diagnosed, 8);
        if self.writer.chance(0.16) {
            return self.filler_labs(date, known);
        }
        let infusing = self.infusing(date);
        let fits = |when: When| match when {
            When::Ever => true,
            When::Disease => known,
            When::Infusions => infusing,
        };
        let total: i32 = KINDS.iter().filter(|(_, when, _)| fits(*when)).map(|(_, _, weight)| weight).sum();
        let mut drawn = self.writer.between(1, total);
        let mut kind = "primary";
        for (name, when, weight) in KINDS {
            if fits(*when) {
                drawn -= weight;
                if drawn <= 0 {
                    kind = name;
                    break;
                }
            }
        }
        let tag = self.writer.say(&format!("{kind}.tag"));
        let mut said = vec![self.writer.say(&format!("{kind}.open"))];
        let count = self.writer.between(2, 5) as usize;
        said.extend(self.writer.some(&format!("{kind}.body"), count));
        said.push(self.writer.say(&format!("{kind}.close")));
        Entry::new(Some(date), &tag, said.join(" "))
    }

    fn filler_labs(&mut self, date: Date, known: bool) -> Entry {
        if self.writer.chance(0.5) {
            let years = f64::from(self.story.board.number() - date.number()) / 365.0;
            let weight = self.weight + years * 0.5 + f64::from(self.writer.between(-6, 6)) / 10.0;
            return Entry::new(Some(date), "Vitals", labs::vitals(&mut self.writer, weight, None));
        }
        let on_treatment = known && self.infusing(date);
        let panel = labs::panel(self.case, self.disease, &mut self.writer, 0.8, on_treatment);
        Entry::new(Some(date), "Observation", format!("Chemistry: {}", panel.chemistry))
    }

    fn infusing(&self, date: Date) -> bool {
        let lines = self.story.lines.iter().enumerate();
        lines.into_iter().any(|(number, (start, end))| *start < date && date < *end && !self.is_oral(number))
    }
}
