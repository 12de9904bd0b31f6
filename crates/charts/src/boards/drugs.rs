//! The drugs and treatments consensus lists speak of: what else they are called, and what they belong to.

use super::BoardError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drug {
    /// Brand names, as facts.
    pub brands: Vec<String>,
    #[serde(default)]
    pub synonyms: Vec<String>,
    pub class: String,
    pub route: String,
}

/// Something other than one drug: a regimen, an operation, radiotherapy, care.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Treatment {
    pub kind: TreatmentKind,
    /// The drugs of a regimen.
    pub drugs: Vec<String>,
    pub synonyms: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TreatmentKind {
    Drug,
    Regimen,
    Surgery,
    Radiotherapy,
    Care,
}

/// The one shared table.
#[derive(Clone, Debug)]
pub struct Formulary {
    drugs: BTreeMap<String, Drug>,
    treatments: BTreeMap<String, Treatment>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DrugsFile {
    drug: BTreeMap<String, Drug>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TreatmentsFile {
    regimen: BTreeMap<String, Written>,
    surgery: BTreeMap<String, Written>,
    radiotherapy: BTreeMap<String, Written>,
    care: BTreeMap<String, Written>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default)]
    drugs: Vec<String>,
    #[serde(default)]
    synonyms: Vec<String>,
}

static FORMULARY: LazyLock<Result<Formulary, BoardError>> = LazyLock::new(Formulary::read);

impl Formulary {
    pub fn get() -> Result<&'static Self, BoardError> {
        FORMULARY.as_ref().map_err(Clone::clone)
    }

    fn read() -> Result<Self, BoardError> {
        let drugs: DrugsFile = super::parse("drugs.toml", include_str!("../../boards/drugs.toml"))?;
        let file: TreatmentsFile = super::parse("treatments.toml", include_str!("../../boards/treatments.toml"))?;
        let mut treatments = BTreeMap::new();
        for (kind, table) in [
            (TreatmentKind::Regimen, file.regimen),
            (TreatmentKind::Surgery, file.surgery),
            (TreatmentKind::Radiotherapy, file.radiotherapy),
            (TreatmentKind::Care, file.care),
        ] {
            for (name, written) in table {
                if let Some(unknown) = written.drugs.iter().find(|drug| !drugs.drug.contains_key(*drug)) {
                    return Err(BoardError::new(
                        "treatments.toml",
                        format!("`{name}` has a drug `{unknown}` that drugs.toml lacks"),
                    ));
                }
                treatments.insert(name, Treatment { kind, drugs: written.drugs, synonyms: written.synonyms });
            }
        }
        Ok(Self { drugs: drugs.drug, treatments })
    }

    pub fn drug(&self, name: &str) -> Option<&Drug> {
        self.drugs.get(name)
    }

    pub fn treatment(&self, name: &str) -> Option<&Treatment> {
        self.treatments.get(name)
    }

    pub fn drugs(&self) -> impl Iterator<Item = (&str, &Drug)> {
        self.drugs.iter().map(|(name, drug)| (name.as_str(), drug))
    }

    pub fn treatments(&self) -> impl Iterator<Item = (&str, &Treatment)> {
        self.treatments.iter().map(|(name, treatment)| (name.as_str(), treatment))
    }

    pub fn kind(&self, name: &str) -> Option<TreatmentKind> {
        let drug = self.drugs.contains_key(name).then_some(TreatmentKind::Drug);
        drug.or_else(|| self.treatments.get(name).map(|treatment| treatment.kind))
    }

    /// The drugs in a treatment: itself, a regimen's parts, or none.
    pub fn drugs_of<'a>(&'a self, name: &'a str) -> Vec<&'a str> {
        match self.treatments.get(name) {
            Some(treatment) => treatment.drugs.iter().map(String::as_str).collect(),
            None => self.drugs.get_key_value(name).map(|(name, _)| name.as_str()).into_iter().collect(),
        }
    }

    /// Everything a drug or treatment may be called, its own name first.
    pub fn names<'a>(&'a self, name: &'a str) -> Vec<&'a str> {
        let mut names = vec![name];
        if let Some(drug) = self.drugs.get(name) {
            names.extend(drug.brands.iter().chain(&drug.synonyms).map(String::as_str));
        }
        if let Some(treatment) = self.treatments.get(name) {
            names.extend(treatment.synonyms.iter().map(String::as_str));
        }
        names
    }
}
