//! What a path can hold, and who reads it.

use super::tables::{Layout, Tables};
use super::{ChartReader, detect, fhir, files, text};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use waterjar_core::SourceError;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// One FHIR R4 bundle, or a folder of them.
    Fhir,
    /// FHIR resources a line each, as bulk export writes them.
    FhirNdjson,
    /// Synthea's CSV export.
    SyntheaCsv,
    /// The flat files of the mCODE extraction framework.
    McodeCsv,
    /// Tables of the OMOP common data model.
    Omop,
    /// Eight CSV files a patient: demographics, diagnoses, staging, medications, labs, notes, pathology, radiology.
    TumorBoardCsv,
    /// A folder of tables, described by the user's own layout.
    Tables,
    /// Notes as CSV, JSON or JSON Lines.
    Notes,
    /// Plain text, Markdown or our own packets, a file or a sub-folder each.
    Text,
    /// A folder whose sub-folders are each looked at.
    Folders,
}

impl Kind {
    pub const ALL: [Self; 10] = [
        Self::Fhir,
        Self::FhirNdjson,
        Self::SyntheaCsv,
        Self::McodeCsv,
        Self::Omop,
        Self::TumorBoardCsv,
        Self::Tables,
        Self::Notes,
        Self::Text,
        Self::Folders,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Fhir => "fhir",
            Self::FhirNdjson => "fhir-ndjson",
            Self::SyntheaCsv => "synthea-csv",
            Self::McodeCsv => "mcode-csv",
            Self::Omop => "omop",
            Self::TumorBoardCsv => "tumor-board-csv",
            Self::Tables => "tables",
            Self::Notes => "notes",
            Self::Text => "text",
            Self::Folders => "folders",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no chart source is called `{0}`; the kinds are: fhir, fhir-ndjson, synthea-csv, mcode-csv, omop, tumor-board-csv, tables, notes, text, folders"
)]
pub struct NoSuchKind(pub String);

impl FromStr for Kind {
    type Err = NoSuchKind;

    fn from_str(name: &str) -> Result<Self, NoSuchKind> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| NoSuchKind(name.to_owned()))
    }
}

/// The readers of a path, in the order they will be read.
pub(super) fn open(
    kind: Kind,
    path: &Path,
    mapping: Option<&Path>,
    readers: &mut VecDeque<Box<dyn ChartReader>>,
) -> Result<(), SourceError> {
    if mapping.is_some() && !matches!(kind, Kind::Notes | Kind::Tables) {
        let problem = format!("a mapping file was given, but the source is of kind {kind}, whose columns are known");
        return Err(
            SourceError::at(path, problem).with_hint("say `notes` or `tables` as the kind, or leave the mapping out")
        );
    }
    let reader: Box<dyn ChartReader> = match kind {
        Kind::Fhir => Box::new(fhir::Bundles::open(path)?),
        Kind::FhirNdjson => Box::new(fhir::Ndjson::open(path)?),
        Kind::SyntheaCsv | Kind::McodeCsv | Kind::Omop | Kind::TumorBoardCsv => {
            Box::new(Tables::open(path, Layout::built_in(kind)?)?)
        }
        Kind::Tables => {
            let Some(mapping) = mapping else {
                let problem = "a folder of tables needs a layout that says what its columns mean";
                return Err(SourceError::at(path, problem).with_hint("give a mapping file"));
            };
            Box::new(Tables::open(path, Layout::read(mapping)?)?)
        }
        Kind::Notes => Box::new(Tables::open_notes(path, mapping)?),
        Kind::Text => Box::new(text::TextFiles::open(path)?),
        Kind::Folders => {
            for folder in files::folders(path)? {
                open(detect(&folder)?, &folder, None, readers)?;
            }
            return Ok(());
        }
    };
    readers.push_back(reader);
    Ok(())
}
