//! The phrases of the wording files, by name.

use super::phrase::Phrase;
use super::{BoardError, facts::Cancer};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

#[derive(Clone, Debug)]
pub(super) struct Bank {
    phrases: BTreeMap<String, Vec<Phrase>>,
    diseases: BTreeMap<String, Disease>,
}

/// How one cancer is found, imaged and reported.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Disease {
    pub name: String,
    pub oncology: String,
    pub surgeon: String,
    pub first_imaging: String,
    pub staging_imaging: String,
    pub biopsy: String,
    pub microscopy: Vec<String>,
    pub synoptic: Vec<(String, String)>,
    /// Name, unit, upper limit.
    pub marker: (String, String, f64),
}

macro_rules! files {
    ($($name:literal)*) => {
        &[$((concat!("wording/", $name, ".toml"), include_str!(concat!("../../boards/wording/", $name, ".toml")))),*]
    };
}

const FILES: &[(&str, &str)] = files!("facts" "lines" "biomarkers" "course" "filler" "imaging");

static BANK: LazyLock<Result<Bank, BoardError>> = LazyLock::new(Bank::read);

impl Bank {
    pub fn get() -> Result<&'static Self, BoardError> {
        BANK.as_ref().map_err(Clone::clone)
    }

    fn read() -> Result<Self, BoardError> {
        let mut phrases = BTreeMap::new();
        for (place, text) in FILES {
            let table: toml::Table = super::parse(place, text)?;
            collect(place, "", &table, &mut phrases)?;
        }
        let diseases: BTreeMap<String, Disease> =
            super::parse("diseases.toml", include_str!("../../boards/diseases.toml"))?;
        let mut bank = Self { phrases, diseases };
        bank.add_diseases()?;
        Ok(bank)
    }

    /// What a disease file says in phrases is looked up like all others: `breast.microscopy`.
    fn add_diseases(&mut self) -> Result<(), BoardError> {
        for (name, disease) in &self.diseases {
            let read = |texts: Vec<&String>| {
                let phrases = texts.into_iter().map(|text| Phrase::read(text)).collect::<Result<Vec<_>, _>>();
                phrases.map_err(|problem| BoardError::new("diseases.toml", problem))
            };
            self.phrases.insert(format!("{name}.microscopy"), read(disease.microscopy.iter().collect())?);
            self.phrases.insert(format!("{name}.biopsy"), read(vec![&disease.biopsy])?);
            for (number, (_, value)) in disease.synoptic.iter().enumerate() {
                self.phrases.insert(format!("{name}.synoptic.{number}"), read(vec![value])?);
            }
        }
        Ok(())
    }

    pub fn phrases(&self, key: &str) -> &[Phrase] {
        self.phrases.get(key).map_or(&[], Vec::as_slice)
    }

    #[cfg(test)]
    pub fn all(&self) -> impl Iterator<Item = (&str, &[Phrase])> {
        self.phrases.iter().map(|(key, phrases)| (key.as_str(), phrases.as_slice()))
    }

    pub fn disease(&self, cancer: Cancer) -> Result<&Disease, BoardError> {
        self.diseases.get(cancer.name()).ok_or_else(|| BoardError::new("diseases.toml", format!("has no `[{cancer}]`")))
    }
}

/// Every list of strings, named by the tables it stands in.
fn collect(
    place: &str,
    prefix: &str,
    table: &toml::Table,
    phrases: &mut BTreeMap<String, Vec<Phrase>>,
) -> Result<(), BoardError> {
    for (name, value) in table {
        let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        match value {
            toml::Value::Table(inner) => collect(place, &key, inner, phrases)?,
            toml::Value::Array(items) => {
                let texts =
                    items.iter().map(|item| item.as_str().ok_or_else(|| format!("`{key}` holds more than strings")));
                let read = texts.map(|text| text.and_then(Phrase::read)).collect::<Result<Vec<_>, _>>();
                let read = read.map_err(|problem| BoardError::new(place, problem))?;
                if phrases.insert(key.clone(), read).is_some() {
                    return Err(BoardError::new(place, format!("`{key}` is there twice")));
                }
            }
            _ => return Err(BoardError::new(place, format!("`{key}` is neither a table nor a list"))),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{cases, story::Story, values};
    use super::*;
    use waterjar_core::Seed;

    /// Values that notes add for one phrase.
    const FOR_ONE_PHRASE: &[&str] = &[
        "regimen",
        "setting",
        "line_start",
        "line_end",
        "marker",
        "a_marker",
        "detail",
        "comorbidity",
        "comorbidity_drug",
        "mm",
        "mm_before",
        "cycle",
        "author",
        "role",
        "kin",
        "club",
        "job",
        "drive",
        "home",
        "comfort",
        "thyroid",
        "cyst",
        "oncologist",
    ];

    #[test]
    fn every_phrase_fits_some_patient() {
        let bank = Bank::get().unwrap();
        let mut fillings = Vec::new();
        for case in cases::all().unwrap() {
            let story = Story::new(&case, Seed(7));
            let mut base = values::of(&case, &story, bank.disease(case.facts.cancer).unwrap());
            for name in FOR_ONE_PHRASE {
                base.set_both(name, "x");
            }
            for flags in [&[][..], &["known"], &["boosters"], &["oral"], &["restaging"]] {
                let mut filling = base.clone();
                for flag in flags {
                    filling.flag(flag, true);
                }
                fillings.push(filling);
            }
        }
        for (key, phrases) in bank.all() {
            for phrase in phrases {
                assert!(fillings.iter().any(|values| phrase.fits(values)), "{key}: {phrase:?} fits nobody");
            }
        }
    }
}
