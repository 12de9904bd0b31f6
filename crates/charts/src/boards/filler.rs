//! Visits that decide nothing: the bulk of every real chart.

use super::chartist::Chartist;
use super::labs;
use super::story::plus;
use crate::{Date, Entry};

/// Kinds of visits, when they can happen, and how many a year a patient has of them.
const KINDS: &[(&str, When, f64)] = &[
    ("primary", When::Ever, 4.0),
    ("dental", When::Ever, 1.2),
    ("eye", When::Ever, 0.6),
    ("skin", When::Ever, 0.6),
    ("injury", When::Ever, 0.3),
    ("gut", When::Ever, 0.4),
    ("vaccine", When::Ever, 1.4),
    ("labs", When::Ever, 2.5),
    ("vitals", When::Ever, 2.5),
    ("fever", When::Disease, 0.7),
    ("phone", When::Disease, 8.0),
    ("portal", When::Disease, 8.0),
    ("dietitian", When::Disease, 4.0),
    ("social", When::Disease, 3.0),
    ("physio", When::Disease, 6.0),
    ("psychology", When::Disease, 4.0),
    ("home", When::Disease, 4.0),
    ("admin", When::Disease, 5.0),
    ("labs", When::Disease, 7.0),
    ("vitals", When::Disease, 5.0),
    ("review", When::Present, 3.0),
    ("nursing", When::Infusions, 16.0),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// From years before the disease.
    Ever,
    /// Once the disease is known.
    Disease,
    /// Once the present disease is known, up to the weeks before the board.
    Present,
    /// While something is infused.
    Infusions,
}

/// A visit that could be in the chart.
pub(super) struct Visit {
    kind: &'static str,
    date: Date,
}

/// How far back a chart may reach before the disease.
const YEARS_BEFORE: i32 = 8;

/// The first whole year in which people were vaccinated against COVID-19 again.
const FIRST_BOOSTERS: i16 = 2022;

impl Chartist<'_> {
    /// All visits this patient could have had, in an order of chance. Taking more of them makes a longer chart, never a denser one
    /// than a patient could live.
    pub fn possible_visits(&mut self) -> Vec<Visit> {
        let last = plus(self.story.board, -2);
        let mut visits = Vec::new();
        for &(kind, when, per_year) in KINDS {
            let windows = match when {
                When::Ever => vec![(plus(self.story.presented, -365 * YEARS_BEFORE), last)],
                When::Disease => vec![(plus(self.story.diagnosed, 10), last)],
                When::Present => vec![(plus(self.story.consult, 30), plus(last, -30))],
                When::Infusions => self.infusions(),
            };
            for (from, to) in windows {
                visits.extend(self.spread(from, to, per_year).into_iter().map(|date| Visit { kind, date }));
            }
        }
        self.writer.shuffle(&mut visits);
        visits
    }

    /// Evenly over a stretch of time, with a little chance, so that no two are on one day.
    fn spread(&mut self, from: Date, to: Date, per_year: f64) -> Vec<Date> {
        let days = (to.number() - from.number()).max(0);
        let count = (f64::from(days) / 365.0 * per_year).floor() as i32;
        let step = |number: i32| days * number / count.max(1);
        (0..count)
            .map(|number| plus(from, self.writer.between(step(number), (step(number + 1) - 2).max(step(number)))))
            .collect()
    }

    pub fn visit(&mut self, visit: &Visit) -> Vec<Entry> {
        let Visit { kind, date } = *visit;
        let entry = match kind {
            "review" => {
                let author =
                    if self.writer.chance(0.5) { self.team.oncologist.clone() } else { self.team.second.clone() };
                self.full_note(date, "Oncology clinic", &author);
                return std::mem::take(&mut self.entries);
            }
            "labs" => {
                let on_treatment = self.infusions().iter().any(|(start, end)| *start < date && date < *end);
                let panel = labs::panel(self.case, self.disease, &mut self.writer, 0.8, on_treatment);
                let text = if self.writer.chance(0.5) {
                    format!("Chemistry: {}", panel.chemistry)
                } else {
                    format!("Blood count: {}", panel.counts)
                };
                Entry::new(Some(date), "Observation", text)
            }
            "vitals" => {
                let weight = self.weight_at(date);
                Entry::new(Some(date), "Vitals", labs::vitals(&mut self.writer, weight, None))
            }
            _ => self.told_visit(kind, date),
        };
        vec![entry]
    }

    fn told_visit(&mut self, kind: &str, date: Date) -> Entry {
        let known = date > plus(self.story.diagnosed, 8);
        self.writer.values.flag("known", known);
        self.writer.values.flag("boosters", date.year() >= FIRST_BOOSTERS);
        let tag = self.writer.say(&format!("{kind}.tag"));
        let mut said = vec![self.writer.say(&format!("{kind}.open"))];
        let (fewest, most) = match kind {
            "portal" | "vaccine" => (1, 2),
            "admin" | "dental" | "eye" | "skin" => (2, 4),
            _ => (3, 6),
        };
        let count = self.writer.between(fewest, most) as usize;
        said.extend(self.writer.some(&format!("{kind}.body"), count));
        said.push(self.writer.say(&format!("{kind}.close")));
        self.writer.values.unset("known");
        self.writer.values.unset("boosters");
        Entry::new(Some(date), &tag, said.join(" "))
    }

    /// The stretches of time in which something was infused.
    fn infusions(&self) -> Vec<(Date, Date)> {
        let lines = self.story.lines.iter().enumerate();
        lines.filter(|(number, _)| !self.is_oral(*number)).map(|(_, dates)| *dates).collect()
    }
}
