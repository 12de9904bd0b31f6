//! What is true of a synthetic patient. The packet says it in many places; rules judge from here.

use serde::{Deserialize, Serialize};
use std::fmt;
use waterjar_core::Sex;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardFacts {
    pub cancer: Cancer,
    pub histology: String,
    pub site: String,
    pub age: u8,
    pub sex: Sex,
    pub stage: Stage,
    pub extent: Extent,
    /// Organs with metastases; empty unless metastatic.
    pub metastases: Vec<String>,
    pub biomarkers: Vec<Biomarker>,
    /// Earlier treatment, the first first.
    pub lines: Vec<Line>,
    /// ECOG performance status.
    pub performance: u8,
    pub surgery: Surgery,
    pub comorbidities: Vec<Comorbidity>,
    /// Empty: no known drug allergies.
    pub allergies: Vec<Allergy>,
    /// eGFR in mL/min/1.73 m².
    pub egfr: u16,
    pub pregnancy: Pregnancy,
    pub anticoagulation: Option<Anticoagulation>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cancer {
    Breast,
    Lung,
    Colorectal,
    Prostate,
    Melanoma,
    Ovarian,
    Gastric,
    Pancreatic,
    Bladder,
    HeadNeck,
    Lymphoma,
    Cll,
}

impl Cancer {
    pub const ALL: [Self; 12] = [
        Self::Breast,
        Self::Lung,
        Self::Colorectal,
        Self::Prostate,
        Self::Melanoma,
        Self::Ovarian,
        Self::Gastric,
        Self::Pancreatic,
        Self::Bladder,
        Self::HeadNeck,
        Self::Lymphoma,
        Self::Cll,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Breast => "breast",
            Self::Lung => "lung",
            Self::Colorectal => "colorectal",
            Self::Prostate => "prostate",
            Self::Melanoma => "melanoma",
            Self::Ovarian => "ovarian",
            Self::Gastric => "gastric",
            Self::Pancreatic => "pancreatic",
            Self::Bladder => "bladder",
            Self::HeadNeck => "head_neck",
            Self::Lymphoma => "lymphoma",
            Self::Cll => "cll",
        }
    }

    /// The words before a stage group.
    pub fn stage_words(self) -> &'static str {
        match self {
            Self::Ovarian => "FIGO stage",
            Self::Lymphoma => "Ann Arbor stage",
            Self::Cll => "Rai stage",
            _ => "stage",
        }
    }
}

impl Cancer {
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cancer| cancer.name() == name)
    }

    /// As people say it.
    pub fn called(self) -> &'static str {
        match self {
            Self::Breast => "breast cancer",
            Self::Lung => "lung cancer",
            Self::Colorectal => "colorectal cancer",
            Self::Prostate => "prostate cancer",
            Self::Melanoma => "melanoma",
            Self::Ovarian => "ovarian cancer",
            Self::Gastric => "gastric cancer",
            Self::Pancreatic => "pancreatic cancer",
            Self::Bladder => "bladder cancer",
            Self::HeadNeck => "head and neck cancer",
            Self::Lymphoma => "lymphoma",
            Self::Cll => "chronic lymphocytic leukemia",
        }
    }
}

impl fmt::Display for Cancer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stage {
    /// `IIIA`
    pub group: String,
    pub tnm: Option<String>,
    /// The group years ago, where the disease came back.
    pub initial: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Extent {
    #[serde(rename = "localized")]
    Localized,
    #[serde(rename = "locally advanced")]
    LocallyAdvanced,
    #[serde(rename = "metastatic")]
    Metastatic,
    /// Lymphoma and leukemia.
    #[serde(rename = "systemic")]
    Systemic,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Biomarker {
    /// `HER2`, `EGFR`, `PD-L1`
    pub marker: String,
    pub kind: MarkerKind,
    pub positive: bool,
    /// `IHC 3+`, `exon 19 deletion`, `TPS 80 %`; may be empty.
    pub detail: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MarkerKind {
    /// Stained: positive or negative.
    Receptor,
    Mutation,
    Fusion,
    Rearrangement,
    Amplification,
    /// Mismatch repair; positive is deficient.
    Mmr,
    /// A number: PD-L1.
    Score,
    Germline,
    Signature,
    Deletion,
    /// Positive is mutated.
    Ighv,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// As told: `FOLFOX with bevacizumab`, `carboplatin and paclitaxel`.
    pub regimen: String,
    /// Every drug in it, by its name in the table.
    pub drugs: Vec<String>,
    /// `adjuvant`, `first-line`
    pub setting: String,
    pub outcome: LineOutcome,
    /// Months before the board.
    pub start: u16,
    pub end: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineOutcome {
    Progressed,
    Completed,
    Responding,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Surgery {
    /// Months before the board.
    Done {
        operation: String,
        ago: u16,
        nodes: String,
        margins: String,
    },
    /// Months after it.
    Planned {
        operation: String,
        ahead: u16,
    },
    None {
        why: NoSurgery,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NoSurgery {
    #[serde(rename = "unresectable")]
    Unresectable,
    #[serde(rename = "undecided")]
    Undecided,
    #[serde(rename = "no role")]
    NoRole,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comorbidity {
    pub name: String,
    /// What is taken for it; may be empty.
    pub drug: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Allergy {
    pub substance: String,
    pub reaction: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Pregnancy {
    Male,
    Postmenopausal,
    /// Could be, is not: a test was negative.
    Excluded,
    /// Weeks at the board.
    Pregnant {
        weeks: u8,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anticoagulation {
    pub drug: String,
    pub dose: String,
    pub reason: String,
}
