//! The knowledge base that ships with the program: our own writing, illustrative, not for patient care.

use crate::{
    AgeRange, BaseError, Condition, Detail, Finding, Kind, KnowledgeBase, Likelihood, Prior, Umbrella, ValueChance,
};
use indexmap::IndexMap;
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use waterjar_core::{ConditionId, FindingId, Sex};

/// The files are part of the program, so it runs anywhere without them.
macro_rules! files {
    ($folder:literal: $($name:literal)*) => {
        &[$((
            concat!($folder, "/", $name, ".toml"),
            include_str!(concat!("../starter/", $folder, "/", $name, ".toml")),
        )),*]
    };
}

const FINDINGS: &[(&str, &str)] = files!("findings":
    "general" "heart_lung" "ear_nose_throat" "infection" "nerve_mind_eye" "belly" "joint_skin_endocrine");

const CONDITIONS: &[(&str, &str)] = files!("conditions":
    "cardiology" "respiratory" "ear_nose_throat" "paediatrics" "infectious" "neurology" "gastroenterology"
    "gynaecology" "urology" "rheumatology" "dermatology" "endocrinology" "psychiatry" "ophthalmology" "umbrellas");

pub const NAME: &str = "starter";

pub fn base() -> Result<KnowledgeBase, BaseError> {
    read(NAME, FINDINGS, CONDITIONS)
}

/// A base of one's own: a folder with `findings/*.toml` and `conditions/*.toml` in the starter's format.
pub fn read_folder(dir: &Path) -> Result<KnowledgeBase, BaseError> {
    let (findings, conditions) = (files_in(&dir.join("findings"))?, files_in(&dir.join("conditions"))?);
    let name = dir.file_name().map_or_else(|| NAME.to_owned(), |name| name.to_string_lossy().into_owned());
    read(&name, &borrowed(&findings), &borrowed(&conditions))
}

fn borrowed(files: &[(String, String)]) -> Vec<(&str, &str)> {
    files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect()
}

/// Every TOML file of a folder with its text, by name.
fn files_in(dir: &Path) -> Result<Vec<(String, String)>, BaseError> {
    let unreadable = |path: &Path, source| BaseError::Unreadable { path: path.display().to_string(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(|error| unreadable(dir, error))? {
        let path = entry.map_err(|error| unreadable(dir, error))?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let text = std::fs::read_to_string(&path).map_err(|error| unreadable(&path, error))?;
            files.push((path.display().to_string(), text));
        }
    }
    files.sort();
    Ok(files)
}

/// Reads files in the starter's format: a user's own base looks the same.
pub fn read(
    name: &str,
    finding_files: &[(&str, &str)],
    condition_files: &[(&str, &str)],
) -> Result<KnowledgeBase, BaseError> {
    // Every command reads them: 20 ms one after the other.
    let (finding_files, condition_files) =
        rayon::join(|| parsed::<FindingsFile>(finding_files), || parsed::<ConditionsFile>(condition_files));
    let mut findings = Vec::new();
    for (place, file) in finding_files? {
        for written in file.finding {
            findings.push(written.resolve(place)?);
        }
    }
    let (mut conditions, mut umbrellas) = (Vec::new(), Vec::new());
    for (place, file) in condition_files? {
        umbrellas.extend(file.umbrella);
        for written in file.condition {
            conditions.push(written.resolve(place, &findings)?);
        }
    }
    Ok(KnowledgeBase::new(name, conditions, findings)?.with_umbrellas(umbrellas).with_parents_answering())
}

/// Of several that cannot be read, the first is told.
fn parsed<'a, T: Deserialize<'a> + Send>(files: &[(&'a str, &'a str)]) -> Result<Vec<(&'a str, T)>, BaseError> {
    let parse = |&(place, text): &(&'a str, &'a str)| {
        toml::from_str(text).map(|file| (place, file)).map_err(|error| invalid(place, error.to_string()))
    };
    let parsed: Vec<Result<_, _>> = files.par_iter().map(parse).collect();
    parsed.into_iter().collect()
}

fn invalid(place: &str, problem: impl Into<String>) -> BaseError {
    BaseError::Invalid { place: place.to_owned(), problem: problem.into() }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FindingsFile {
    finding: Vec<WrittenFinding>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConditionsFile {
    #[serde(default)]
    condition: Vec<WrittenCondition>,
    #[serde(default)]
    umbrella: Vec<Umbrella>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenFinding {
    id: FindingId,
    kind: Kind,
    family: String,
    gravity: u8,
    #[serde(default)]
    background: f64,
    #[serde(rename = "type")]
    detail: Option<String>,
    present: String,
    denied: Option<String>,
    parent: Option<FindingId>,
    sex: Option<Sex>,
    age: Option<AgeRange>,
    values: Option<IndexMap<String, String>>,
}

impl WrittenFinding {
    fn resolve(self, place: &str) -> Result<Finding, BaseError> {
        let detail = match (self.detail.as_deref(), self.values) {
            (None, None) => Detail::None,
            (Some("scale"), None) => Detail::Scale,
            (Some("choice"), Some(values)) => Detail::Choice(values),
            (Some("multi"), Some(values)) => Detail::Multi(values),
            (kind, values) => {
                let values = if values.is_some() { "values" } else { "no values" };
                return Err(invalid(
                    place,
                    format!(
                        "finding `{}`: type {} with {values}; a choice or a multi has values, a scale has none",
                        self.id,
                        kind.unwrap_or("(none)"),
                    ),
                ));
            }
        };
        if (detail == Detail::None) != self.denied.is_some() {
            return Err(invalid(
                place,
                format!("finding `{}`: a finding has `denied`, one with detail has not", self.id),
            ));
        }
        Ok(Finding {
            id: self.id,
            kind: self.kind,
            family: self.family,
            gravity: self.gravity,
            background: self.background,
            present: self.present,
            denied: self.denied,
            parent: self.parent,
            sex: self.sex,
            age: self.age.unwrap_or(AgeRange::ANY),
            detail,
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCondition {
    id: ConditionId,
    name: String,
    icd10: String,
    synonyms: Vec<String>,
    specialty: String,
    severity: u8,
    sex: Option<Sex>,
    age: Option<AgeRange>,
    prior: Prior,
    rivals: Vec<ConditionId>,
    findings: BTreeMap<FindingId, WrittenLikelihood>,
    #[serde(default)]
    values: BTreeMap<FindingId, BTreeMap<String, f64>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenLikelihood {
    Plain(f64),
    Flagged {
        p: f64,
        #[serde(default)]
        essential: bool,
        #[serde(default)]
        pathognomonic: bool,
    },
}

impl WrittenCondition {
    fn resolve(self, place: &str, findings: &[Finding]) -> Result<Condition, BaseError> {
        let mut values = BTreeMap::new();
        for (id, written) in self.values {
            let finding = findings
                .iter()
                .find(|it| it.id == id)
                .ok_or_else(|| invalid(place, format!("condition `{}`: no finding is called `{id}`", self.id)))?;
            let chance = value_chance(finding, written)
                .map_err(|problem| invalid(place, format!("condition `{}`, values of `{id}`: {problem}", self.id)))?;
            values.insert(id, chance);
        }
        let findings = self.findings.into_iter().map(|(id, written)| (id, written.resolve())).collect();
        Ok(Condition {
            id: self.id,
            name: self.name,
            icd10: self.icd10,
            synonyms: self.synonyms,
            specialty: self.specialty,
            severity: self.severity,
            sex: self.sex,
            age: self.age.unwrap_or(AgeRange::ANY),
            prior: self.prior,
            rivals: self.rivals,
            findings,
            values,
        })
    }
}

impl WrittenLikelihood {
    fn resolve(self) -> Likelihood {
        match self {
            Self::Plain(p) => Likelihood { p, essential: false, pathognomonic: false },
            Self::Flagged { p, essential, pathognomonic } => Likelihood { p, essential, pathognomonic },
        }
    }
}

fn value_chance(finding: &Finding, mut written: BTreeMap<String, f64>) -> Result<ValueChance, String> {
    match &finding.detail {
        Detail::None => Err("this finding carries no detail".to_owned()),
        Detail::Scale => match (written.remove("mean"), written.remove("sd")) {
            (Some(mean), Some(sd)) if written.is_empty() && sd > 0.0 => Ok(ValueChance::Scale { mean, sd }),
            _ => Err("a scale is written { mean = 6, sd = 2 }".to_owned()),
        },
        Detail::Choice(known) | Detail::Multi(known) => {
            if let Some(unknown) = written.keys().find(|value| !known.contains_key(*value)) {
                return Err(format!("there is no value `{unknown}`"));
            }
            if matches!(finding.detail, Detail::Choice(_)) {
                let total: f64 = written.values().sum();
                written.values_mut().for_each(|share| *share /= total);
            }
            Ok(ValueChance::Shares(written))
        }
    }
}
