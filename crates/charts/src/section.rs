//! The ten sections of a chart.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// In the order a packet prints them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    Demographics,
    Diagnoses,
    Biomarkers,
    Medications,
    Procedures,
    Encounters,
    Labs,
    Vitals,
    Allergies,
    Overview,
}

impl Section {
    pub const ALL: [Self; 10] = [
        Self::Demographics,
        Self::Diagnoses,
        Self::Biomarkers,
        Self::Medications,
        Self::Procedures,
        Self::Encounters,
        Self::Labs,
        Self::Vitals,
        Self::Allergies,
        Self::Overview,
    ];

    /// As code, tables and tools write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Demographics => "demographics",
            Self::Diagnoses => "diagnoses",
            Self::Biomarkers => "biomarkers",
            Self::Medications => "medications",
            Self::Procedures => "procedures",
            Self::Encounters => "encounters",
            Self::Labs => "labs",
            Self::Vitals => "vitals",
            Self::Allergies => "allergies",
            Self::Overview => "overview",
        }
    }

    /// As a packet's heading writes it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Demographics => "Demographics",
            Self::Diagnoses => "Diagnoses",
            Self::Biomarkers => "Biomarkers",
            Self::Medications => "Medications",
            Self::Procedures => "Procedures",
            Self::Encounters => "Encounters",
            Self::Labs => "Labs",
            Self::Vitals => "Vitals",
            Self::Allergies => "Allergies",
            Self::Overview => "Overview",
        }
    }

    /// Where an entry with this tag belongs unless it says otherwise.
    pub fn of_tag(tag: &str) -> Self {
        match tag {
            "Condition" | "Stage" | "Problem" => Self::Diagnoses,
            "Biomarker" => Self::Biomarkers,
            "Medication" | "Administration" | "Immunization" => Self::Medications,
            "Procedure" | "Pathology" | "Imaging" | "Report" => Self::Procedures,
            "Observation" | "Lab" => Self::Labs,
            "Vitals" => Self::Vitals,
            "Allergy" => Self::Allergies,
            _ => Self::Encounters,
        }
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("a chart has no section `{0}`")]
pub struct NoSuchSection(pub String);

impl FromStr for Section {
    type Err = NoSuchSection;

    fn from_str(name: &str) -> Result<Self, NoSuchSection> {
        let found = Self::ALL.into_iter().find(|section| section.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| NoSuchSection(name.to_owned()))
    }
}
