//! What the columns of a folder of tables mean. The built-in layouts are files; a user's own looks the same.

use super::super::files;
use super::super::kind::Kind;
use super::super::when::DateOrder;
use crate::Section;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use waterjar_core::SourceError;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Layout {
    #[serde(default)]
    pub date_order: DateOrder,
    /// Names for codes that a source leaves bare.
    #[serde(default)]
    pub codes: BTreeMap<String, String>,
    /// Tables that only say what codes mean.
    #[serde(default)]
    pub lookup: BTreeMap<String, LookupTable>,
    #[serde(default)]
    pub patient: Vec<PatientTable>,
    #[serde(default)]
    pub table: Vec<EventTable>,
    /// Files that are left out on purpose, and why.
    #[serde(default)]
    pub skip: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct LookupTable {
    pub file: String,
    pub key: String,
    pub value: String,
}

/// One row a patient: who they are.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct PatientTable {
    pub file: String,
    pub patient: String,
    /// Labels and their templates, in the order of the block.
    pub demographics: Vec<(String, String)>,
}

/// One row an entry. All but `section` are templates.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct EventTable {
    pub file: String,
    pub patient: String,
    #[serde(default)]
    pub date: String,
    pub tag: String,
    #[serde(default)]
    pub section: SectionRule,
    pub text: String,
    /// The line in the section's block; none where left out.
    #[serde(default)]
    pub headline: Option<String>,
    /// What the headline is about; its text where left out. The latest of a name stands.
    #[serde(default)]
    pub name: Option<String>,
    /// Of an observation: its category and code, which help to find its section.
    #[serde(default)]
    pub category: String,
    #[serde(default)]
    pub code: String,
    /// A row counts as left out where this is filled, for the reason it gives.
    #[serde(default)]
    pub unless: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in super::super) enum SectionRule {
    /// By the tag.
    #[default]
    Tag,
    /// By name, category and code, as observations are sorted.
    Observation,
    /// By the category of a note; the tag is the category.
    Note,
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

impl SectionRule {
    /// Where a fixed rule leads; the others say encounters until they have seen the row.
    pub fn section(self) -> Section {
        match self {
            Self::Demographics => Section::Demographics,
            Self::Diagnoses => Section::Diagnoses,
            Self::Biomarkers => Section::Biomarkers,
            Self::Medications => Section::Medications,
            Self::Procedures => Section::Procedures,
            Self::Labs => Section::Labs,
            Self::Vitals => Section::Vitals,
            Self::Allergies => Section::Allergies,
            Self::Overview => Section::Overview,
            Self::Encounters | Self::Tag | Self::Observation | Self::Note => Section::Encounters,
        }
    }
}

impl Layout {
    pub fn built_in(kind: Kind) -> Result<Self, SourceError> {
        let (name, text) = match kind {
            Kind::SyntheaCsv => ("synthea", include_str!("../../../layouts/synthea.toml")),
            Kind::McodeCsv => ("mcode", include_str!("../../../layouts/mcode.toml")),
            Kind::Omop => ("omop", include_str!("../../../layouts/omop.toml")),
            _ => ("tumor-board", include_str!("../../../layouts/tumor-board.toml")),
        };
        Self::parse(&format!("built-in layout {name}"), text)
    }

    pub fn read(path: &Path) -> Result<Self, SourceError> {
        Self::parse(&path.display().to_string(), &files::text(path)?)
    }

    fn parse(place: &str, text: &str) -> Result<Self, SourceError> {
        let layout: Self = toml::from_str(text).map_err(|error| {
            SourceError::new(place, error.to_string()).with_hint("crates/charts/README.md shows a layout")
        })?;
        if layout.table.is_empty() {
            return Err(SourceError::new(place, "names no `[[table]]`, so no entry would be read"));
        }
        Ok(layout)
    }

    pub fn files(&self) -> impl Iterator<Item = &str> {
        let patients = self.patient.iter().map(|table| table.file.as_str());
        patients.chain(self.table.iter().map(|table| table.file.as_str()))
    }
}
