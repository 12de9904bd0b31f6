//! Puts one packet together: header blocks, then everything that happened.

use super::bank::{Bank, Disease};
use super::cases::BoardCase;
use super::labs::{self, Panel};
use super::story::{Story, plus};
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
    /// Whether what treatment selected has been tested for.
    pub retested: bool,
}

/// How long packets are: drawn evenly on a logarithmic scale.
const SHORTEST: f64 = 6_000.0;
const LONGEST: f64 = 77_000.0;

pub(super) fn chart(case: &BoardCase, seed: Seed) -> Result<Chart, BoardError> {
    let mut chartist = Chartist::new(case, seed)?;
    chartist.before_the_disease();
    chartist.workup();
    chartist.operation();
    for number in 0..case.facts.lines.len() {
        chartist.line(number);
    }
    chartist.retested = true;
    chartist.before_the_board();
    let mut chart = Chart::new(case.id.clone());
    chart.notice = Some(NOTICE.to_owned());
    chartist.at(chartist.story.board);
    chart.blocks = chartist.blocks();
    chart.entries = std::mem::take(&mut chartist.entries);
    let mut length = seed.rng("tumor board length", &case.id);
    let target = (SHORTEST.ln() + length.random::<f64>() * (LONGEST.ln() - SHORTEST.ln())).exp() as usize;
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
        Ok(Self { case, disease, story, writer, team, entries: Vec::new(), last_panel, weight, retested: false })
    }

    /// From here on phrases tell the age of that day.
    pub fn at(&mut self, date: Date) {
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
        // Half a kilogram a year up to now, and a little noise.
        let years = f64::from(self.story.board.number() - date.number()) / 365.0;
        let weight = self.weight + years * 0.5 + f64::from(self.writer.between(-6, 6)) / 10.0;
        let performance = with_performance.then_some(self.case.facts.performance);
        let text = labs::vitals(&mut self.writer, weight, performance);
        self.add(date, "Vitals", text);
    }

    /// Adds visits that decide nothing until the packet is about as long as wanted.
    fn fill_up(&mut self, chart: &mut Chart, target: usize) {
        let mut length = render(chart).text.chars().count();
        let first = plus(self.story.presented, -420);
        while length < target {
            let entry = self.filler(first);
            length += entry.text.chars().count() + entry.tag.as_str().len() + 16;
            chart.entries.push(entry);
        }
    }
}
