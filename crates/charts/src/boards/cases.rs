//! Case files: what somebody wrote, checked, and what is true of the case.

use super::consensus::{ConsensusClass, Recommendation, Timing};
use super::drugs::Formulary;
use super::facts::*;
use super::{BoardError, parse};
use serde::Deserialize;
use waterjar_core::Sex;

/// A case as the generator needs it: facts, consensus, and the words that are its own.
#[derive(Clone, Debug)]
pub(super) struct BoardCase {
    pub id: String,
    pub facts: BoardFacts,
    pub consensus: Vec<Recommendation>,
    pub plot: Plot,
}

#[derive(Clone, Debug)]
pub(super) struct Plot {
    pub alias: Option<String>,
    /// Months before the board.
    pub diagnosed: u16,
    /// Months before the board at which the present disease was found, where it is not the first.
    pub relapse: Option<u16>,
    pub presentation: String,
    pub lesion: String,
    /// Millimeters at the board; zero where there is nothing to measure.
    pub size: u16,
    pub question: String,
    /// The tumor marker at the board, where the story tells it.
    pub marker: Option<f64>,
}

macro_rules! files {
    ($($cancer:ident $name:literal)*) => {
        &[$((Cancer::$cancer, concat!("cases/", $name, ".toml"), include_str!(concat!("../../boards/cases/", $name, ".toml")))),*]
    };
}

const FILES: &[(Cancer, &str, &str)] = files!(
    Breast "breast" Lung "lung" Colorectal "colorectal" Prostate "prostate" Melanoma "melanoma" Ovarian "ovarian"
    Gastric "gastric" Pancreatic "pancreatic" Bladder "bladder" HeadNeck "head_neck" Lymphoma "lymphoma" Cll "cll"
);

pub(super) fn all() -> Result<Vec<BoardCase>, BoardError> {
    let formulary = Formulary::get()?;
    let mut cases = Vec::new();
    for (cancer, place, text) in FILES {
        let file: CaseFile = parse(place, text)?;
        for written in file.case {
            let place = format!("{place}, {}", written.id);
            let case = written.resolve(*cancer, formulary).map_err(|problem| BoardError::new(&place, problem))?;
            cases.push(case);
        }
    }
    Ok(cases)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    case: Vec<WrittenCase>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCase {
    id: String,
    age: u8,
    sex: Sex,
    histology: String,
    alias: Option<String>,
    site: String,
    stage: String,
    tnm: Option<String>,
    initial: Option<WrittenInitial>,
    extent: Extent,
    #[serde(default)]
    metastases: Vec<String>,
    /// Marker, kind, positive or negative, detail.
    biomarkers: Vec<(String, MarkerKind, String, String)>,
    #[serde(default)]
    lines: Vec<WrittenLine>,
    ecog: u8,
    surgery: WrittenSurgery,
    /// Name, drug.
    #[serde(default)]
    comorbidities: Vec<(String, String)>,
    /// Substance, reaction.
    #[serde(default)]
    allergies: Vec<(String, String)>,
    egfr: u16,
    menopause: Option<String>,
    pregnant: Option<u8>,
    anticoagulation: Option<Anticoagulation>,
    diagnosed: u16,
    relapse: Option<u16>,
    marker: Option<f64>,
    presentation: String,
    lesion: String,
    size: u16,
    question: String,
    /// Treatment, class, timing, reason.
    consensus: Vec<(String, ConsensusClass, Timing, String)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenInitial {
    group: String,
    #[expect(dead_code, reason = "for whoever reads the file; the date follows from `diagnosed`")]
    years: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLine {
    regimen: Option<String>,
    #[serde(default)]
    drugs: Vec<String>,
    #[serde(default)]
    with: Vec<String>,
    setting: String,
    start: u16,
    end: u16,
    outcome: LineOutcome,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSurgery {
    operation: Option<String>,
    done: Option<u16>,
    planned: Option<u16>,
    none: Option<NoSurgery>,
    nodes: Option<String>,
    margins: Option<String>,
}

impl WrittenCase {
    fn resolve(self, cancer: Cancer, formulary: &Formulary) -> Result<BoardCase, String> {
        if (self.extent == Extent::Metastatic) == self.metastases.is_empty() {
            return Err("metastases are named where, and only where, the disease is metastatic".to_owned());
        }
        let pregnancy = self.pregnancy()?;
        let lines = self.lines.into_iter().map(|line| line.resolve(formulary)).collect::<Result<_, _>>()?;
        let agreed = self.consensus.into_iter().map(|item| recommendation(item, formulary));
        let consensus = agreed.collect::<Result<_, _>>()?;
        let facts = BoardFacts {
            cancer,
            histology: self.histology,
            site: self.site,
            age: self.age,
            sex: self.sex,
            stage: Stage { group: self.stage, tnm: self.tnm, initial: self.initial.map(|initial| initial.group) },
            extent: self.extent,
            metastases: self.metastases,
            biomarkers: self.biomarkers.into_iter().map(biomarker).collect::<Result<_, _>>()?,
            lines,
            performance: self.ecog,
            surgery: self.surgery.resolve()?,
            comorbidities: self.comorbidities.into_iter().map(|(name, drug)| Comorbidity { name, drug }).collect(),
            allergies: self
                .allergies
                .into_iter()
                .map(|(substance, reaction)| Allergy { substance, reaction })
                .collect(),
            egfr: self.egfr,
            pregnancy,
            anticoagulation: self.anticoagulation,
        };
        let plot = Plot {
            alias: self.alias,
            diagnosed: self.diagnosed,
            relapse: self.relapse,
            presentation: self.presentation,
            lesion: self.lesion,
            size: self.size,
            question: self.question,
            marker: self.marker,
        };
        Ok(BoardCase { id: self.id, facts, consensus, plot })
    }

    fn pregnancy(&self) -> Result<Pregnancy, String> {
        match (self.sex, self.menopause.as_deref(), self.pregnant) {
            (Sex::M, None, None) => Ok(Pregnancy::Male),
            (Sex::F, Some("post"), None) => Ok(Pregnancy::Postmenopausal),
            (Sex::F, Some("pre"), None) => Ok(Pregnancy::Excluded),
            (Sex::F, Some("pre"), Some(weeks)) => Ok(Pregnancy::Pregnant { weeks }),
            _ => Err("a woman has `menopause` pre or post, a man has not; only the first can be pregnant".to_owned()),
        }
    }
}

fn biomarker((marker, kind, status, detail): (String, MarkerKind, String, String)) -> Result<Biomarker, String> {
    match status.as_str() {
        "positive" => Ok(Biomarker { marker, kind, positive: true, detail }),
        "negative" => Ok(Biomarker { marker, kind, positive: false, detail }),
        _ => Err(format!("{marker} is `{status}`; a marker is positive or negative")),
    }
}

fn recommendation(
    (treatment, class, timing, reason): (String, ConsensusClass, Timing, String),
    formulary: &Formulary,
) -> Result<Recommendation, String> {
    if let Some(unknown) = treatment.split(" | ").find(|name| formulary.kind(name).is_none()) {
        return Err(format!("the consensus names `{unknown}`, which neither drugs.toml nor treatments.toml has"));
    }
    Ok(Recommendation { treatment, class, timing, reason })
}

impl WrittenLine {
    fn resolve(self, formulary: &Formulary) -> Result<Line, String> {
        let mut drugs = self.drugs;
        if let Some(name) = &self.regimen {
            let regimen =
                formulary.treatment(name).ok_or_else(|| format!("treatments.toml has no regimen `{name}`"))?;
            drugs.extend(regimen.drugs.iter().cloned());
        }
        let told = match (&self.regimen, self.with.is_empty()) {
            (Some(name), true) => name.clone(),
            (Some(name), false) => format!("{name} with {}", and_list(&self.with)),
            (None, _) => and_list(&drugs),
        };
        drugs.extend(self.with);
        if let Some(unknown) = drugs.iter().find(|drug| formulary.drug(drug).is_none()) {
            return Err(format!("drugs.toml has no drug `{unknown}`"));
        }
        if drugs.is_empty() || self.start <= self.end {
            return Err("a line has drugs, and starts more months ago than it ends".to_owned());
        }
        Ok(Line {
            regimen: told,
            drugs,
            setting: self.setting,
            outcome: self.outcome,
            start: self.start,
            end: self.end,
        })
    }
}

impl WrittenSurgery {
    fn resolve(self) -> Result<Surgery, String> {
        match (self.operation, self.done, self.planned, self.none, self.nodes, self.margins) {
            (Some(operation), Some(ago), None, None, Some(nodes), Some(margins)) => {
                Ok(Surgery::Done { operation, ago, nodes, margins })
            }
            (Some(operation), None, Some(ahead), None, None, None) => Ok(Surgery::Planned { operation, ahead }),
            (None, None, None, Some(why), None, None) => Ok(Surgery::None { why }),
            _ => Err("surgery is done (with nodes and margins), planned, or none".to_owned()),
        }
    }
}

/// `a`, `a and b`, `a, b and c`
pub(super) fn and_list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
