//! Who writes, and what of it the letter shows: the style, never the person.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Persona {
    pub id: String,
    /// Never shown to whoever answers.
    pub about: String,
    medical_knowledge: Level,
    clarity: Level,
    communication: Communication,
}

impl Persona {
    pub fn style(&self) -> Style {
        let Self { medical_knowledge, clarity, communication, .. } = *self;
        Style { medical_knowledge, clarity, communication }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Style {
    pub medical_knowledge: Level,
    /// How orderly the person tells things.
    pub clarity: Level,
    pub communication: Communication,
}

impl Style {
    /// The voice of the raw question.
    pub const PLAIN: Self =
        Self { medical_knowledge: Level::Medium, clarity: Level::High, communication: Communication::Neutral };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    Low,
    Medium,
    High,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Communication {
    Direct,
    Neutral,
    Indirect,
}

impl Level {
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

impl Communication {
    pub const ALL: [Self; 3] = [Self::Direct, Self::Neutral, Self::Indirect];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Neutral => "neutral",
            Self::Indirect => "indirect",
        }
    }
}
