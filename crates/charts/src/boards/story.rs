//! When things happened: months before the board become days.

use super::cases::BoardCase;
use super::facts::{Pregnancy, Surgery};
use crate::Date;
use crate::date::MONTHS;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use waterjar_core::Seed;

#[derive(Clone, Debug)]
pub(super) struct Story {
    pub board: Date,
    pub born: Date,
    /// The first visit because of it.
    pub presented: Date,
    pub diagnosed: Date,
    /// When the present disease was found, where it is not the first.
    pub relapse: Option<Date>,
    /// The oncologist's first full note on the present disease.
    pub consult: Date,
    /// Start and end of each line.
    pub lines: Vec<(Date, Date)>,
    /// Done or planned.
    pub surgery: Option<Date>,
    pub due: Option<Date>,
}

impl Story {
    pub fn new(case: &BoardCase, seed: Seed) -> Self {
        let mut rng = seed.rng("tumor board dates", &case.id);
        // Any working day of a little under two years.
        let mut board = plus(day(2023, 9, 4), rng.random_range(0..640));
        while board.weekday().is_some_and(|weekday| weekday > 4) {
            board = plus(board, 1);
        }
        let diagnosed = ago(board, case.plot.diagnosed, &mut rng);
        let presented = plus(diagnosed, -rng.random_range(16..30));
        let relapse = case.plot.relapse.map(|months| ago(board, months, &mut rng));
        let consult = plus(relapse.unwrap_or(diagnosed), rng.random_range(9..15));
        let lines = case.facts.lines.iter().map(|line| {
            // A line of the present disease cannot begin before it was talked about.
            let start = ago(board, line.start, &mut rng);
            let of_present = case.plot.relapse.is_none_or(|months| line.start <= months);
            let start = if of_present { start.max(plus(consult, 4)) } else { start };
            (start, ago(board, line.end, &mut rng).max(plus(start, 40)))
        });
        let lines = lines.collect();
        let surgery = match &case.facts.surgery {
            Surgery::Done { ago: months, .. } => Some(ago(board, *months, &mut rng).max(plus(diagnosed, 6))),
            Surgery::Planned { ahead, .. } => Some(plus(board, i32::from(*ahead) * 30 + rng.random_range(0..9))),
            Surgery::None { .. } => None,
        };
        let due = match case.facts.pregnancy {
            Pregnancy::Pregnant { weeks } => Some(plus(board, (40 - i32::from(weeks)) * 7)),
            _ => None,
        };
        let birthday = rng.random_range(5..360);
        let born = plus(board, -(i32::from(case.facts.age) * 365 + i32::from(case.facts.age) / 4 + birthday));
        Self { board, born, presented, diagnosed, relapse, consult, lines, surgery, due }
    }

    /// From here on the chart is about the present disease.
    pub fn present_disease(&self) -> Date {
        self.relapse.unwrap_or(self.diagnosed)
    }
}

fn day(year: i16, month: u8, day: u8) -> Date {
    Date::from_day(year, month, day).expect("the days written here exist")
}

pub(super) fn plus(date: Date, days: i32) -> Date {
    date.plus_days(days).expect("boards are held in this century")
}

fn ago(board: Date, months: u16, rng: &mut ChaCha8Rng) -> Date {
    plus(board, -(i32::from(months) * 30 + i32::from(months) / 3 + rng.random_range(0..4)))
}

/// `March 2024`
pub(super) fn month(date: Date) -> String {
    let name = date.month().map_or("", |month| MONTHS[usize::from(month) - 1]);
    format!("{name} {}", date.year())
}
