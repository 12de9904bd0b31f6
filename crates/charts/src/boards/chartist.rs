//! Puts one packet together: header blocks, then everything that happened.

use super::bank::{Bank, Disease};
use super::cases::BoardCase;
use super::labs::{self, Panel};
use super::story::Story;
use super::voices::{Author, Team};
use super::writer::Writer;
use super::{BoardError, NOTICE, values};
use crate::{Chart, Date, Entry, Section, render};
use rand::RngExt;
use waterjar_core::Seed;

pub(super) struct Chartist<'a> {
    pub case: &'a BoardCase,
    pub disease: &'a Disease,
    pub story: Story,
    pub writer: Writer<'a>,
    pub team: Team,
    pub entries: Vec<Entry>,
    pub last_panel: Panel,
    /// Kilograms at the board.
    pub weight: f64,
    /// The day from which the notes now written look back; what came later they do not know.
    pub today: Date,
}

/// How long packets are: drawn evenly on a logarithmic scale. A long disease makes a long record.
const LENGTHS_NEW: (f64, f64) = (6_000.0, 45_000.0);
const LENGTHS_KNOWN: (f64, f64) = (20_000.0, 77_000.0);
/// Months of disease from which a record counts as long.
const KNOWN: u16 = 12;

pub(super) fn chart(case: &BoardCase, seed: Seed) -> Result<Chart, BoardError> {
    let mut chartist = Chartist::new(case, seed)?;
    chartist.before_the_disease();
    chartist.workup();
    chartist.operation();
    for number in 0..case.facts.lines.len() {
        chartist.line(number);
    }
    chartist.before_the_board();
    let mut chart = Chart::new(case.id.clone());
    chart.notice = Some(NOTICE.to_owned());
    chartist.at(chartist.story.board);
    chart.blocks = chartist.blocks();
    chart.entries = std::mem::take(&mut chartist.entries);
    let mut length = seed.rng("tumor board length", &case.id);
    let (low, high) = if case.plot.diagnosed >= KNOWN { LENGTHS_KNOWN } else { LENGTHS_NEW };
    let target = (low.ln() + length.random::<f64>() * (high.ln() - low.ln())).exp() as usize;
    chartist.fill_up(&mut chart, target);
    chart.sort();
    // The encounters block counts visits, so it is written when all are there.
    chart.blocks.insert(Section::Encounters, chartist.encounters_block(&chart.entries));
    match chartist.writer.faults.first() {
        None => Ok(chart),
        Some(key) => Err(BoardError::new(&case.id, format!("no phrase under `{key}` fits this patient"))),
    }
}

impl<'a> Chartist<'a> {
    fn new(case: &'a BoardCase, seed: Seed) -> Result<Self, BoardError> {
        let bank = Bank::get()?;
        let disease = bank.disease(case.facts.cancer)?;
        let story = Story::new(case, seed);
        let board = story.board;
        let values = values::of(case, &story, disease);
        let mut writer = Writer::new(bank, values, seed.rng("tumor board words", &case.id));
        for name in ["kin", "club", "job", "drive", "home", "comfort", "thyroid", "cyst"] {
            let drawn = writer.say(&format!("persona.{name}"));
            writer.values.set_both(name, &drawn);
        }
        let team = Team::draw(&mut writer, &disease.oncology, &disease.surgeon);
        writer.values.set("oncologist", team.oncologist.name.clone());
        let last_panel = labs::panel(case, disease, &mut writer, 1.0, false);
        let weight = f64::from(match case.facts.sex {
            waterjar_core::Sex::F => writer.between(520, 810),
            waterjar_core::Sex::M => writer.between(630, 960),
        }) / 10.0;
        Ok(Self { case, disease, story, writer, team, entries: Vec::new(), last_panel, weight, today: board })
    }

    /// From here on notes are written on that day.
    pub fn at(&mut self, date: Date) {
        self.today = date;
        if let Some(due) = self.story.due {
            let weeks = 40 - (due.number() - date.number()) / 7;
            self.writer.values.set("weeks", weeks.to_string());
        }
        self.writer.values.set("age", self.story.born.years_until(date).to_string());
    }

    pub fn add(&mut self, date: Date, tag: &str, text: impl Into<String>) {
        self.entries.push(Entry::new(Some(date), tag, text));
    }

    /// Under the author's name, sometimes with an addendum.
    pub fn add_signed(&mut self, date: Date, tag: &str, text: &str, author: &Author) {
        let extra = [("author", author.name.as_str()), ("role", author.role.as_str())];
        let mut text = format!("{text}\n{}", self.writer.say_with("signoff.prose", &extra));
        if self.writer.chance(0.12) {
            text.push('\n');
            text.push_str(&self.writer.say("addendum.prose"));
        }
        self.add(date, tag, text);
    }

    pub fn add_labs(&mut self, date: Date, load: f64, on_treatment: bool, with_marker: bool) {
        let panel = labs::panel(self.case, self.disease, &mut self.writer, load, on_treatment);
        self.entries.extend(panel.entries(date, with_marker));
    }

    pub fn add_vitals(&mut self, date: Date, with_performance: bool) {
        let weight = self.weight_at(date);
        let performance = with_performance.then_some(self.case.facts.performance);
        let text = labs::vitals(&mut self.writer, weight, performance);
        self.add(date, "Vitals", text);
    }

    /// Half a kilogram a year down to now, and a little noise.
    pub fn weight_at(&mut self, date: Date) -> f64 {
        let years = f64::from(self.story.board.number() - date.number()) / 365.0;
        self.weight + years * 0.5 + f64::from(self.writer.between(-6, 6)) / 10.0
    }

    /// Adds visits that decide nothing until the packet is about as long as wanted, or the patient could not have had more.
    fn fill_up(&mut self, chart: &mut Chart, target: usize) {
        let mut length = render(chart).text.chars().count();
        for visit in self.possible_visits() {
            if length >= target {
                break;
            }
            for entry in self.visit(&visit) {
                length += entry.text.chars().count() + entry.tag.as_str().len() + 16;
                chart.entries.push(entry);
            }
        }
    }
}
