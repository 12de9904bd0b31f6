//! How the rule author says things: lists of sentences with slots in braces.

use crate::persona::{Communication, Level};
use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frames {
    pub voice: Voice,
    pub opening: ByCommunication,
    /// `{child}`
    pub opening_parent: ByCommunication,
    /// `{}` is where a further symptom sentence goes.
    pub joining: ByLevel,
    pub denying: ByLevel,
    /// How much medicine the writer knows.
    pub knowledge: ByLevel,
    pub closing: ByCommunication,
    pub trap: TrapFrames,
    /// `{rumor}`
    pub rumor: ByCommunication,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Voice {
    /// In place of the figures of a scale, mildest first.
    pub severity: [String; 5],
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrapFrames {
    /// `{distractor}`
    pub self_diagnosis: ByCommunication,
    pub history: HistoryFrames,
    pub external: ExternalFrames,
    pub misplaced: MisplacedFrames,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryFrames {
    pub own: Vec<String>,
    pub family: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExternalFrames {
    pub any: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MisplacedFrames {
    /// `{minor}`
    pub dwell: Vec<String>,
    /// `{key}`
    pub play_down: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByCommunication {
    direct: Vec<String>,
    neutral: Vec<String>,
    indirect: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByLevel {
    low: Vec<String>,
    medium: Vec<String>,
    high: Vec<String>,
}

impl ByCommunication {
    pub fn of(&self, communication: Communication) -> &[String] {
        match communication {
            Communication::Direct => &self.direct,
            Communication::Neutral => &self.neutral,
            Communication::Indirect => &self.indirect,
        }
    }

    pub fn all(&self) -> impl Iterator<Item = &String> {
        self.direct.iter().chain(&self.neutral).chain(&self.indirect)
    }
}

impl ByLevel {
    pub fn of(&self, level: Level) -> &[String] {
        match level {
            Level::Low => &self.low,
            Level::Medium => &self.medium,
            Level::High => &self.high,
        }
    }

    pub fn all(&self) -> impl Iterator<Item = &String> {
        self.low.iter().chain(&self.medium).chain(&self.high)
    }
}
