//! What two built-in readers recommend for a chart: one goes by the cancer alone, the other by rules over what the chart says.
//!
//! Illustrative, not for patient care. Neither knows a case, a consensus list or what was changed.

mod cancers;
mod condition;
mod course;
mod reading;
mod rules;

pub use reading::Reading;

use crate::boards::{BoardError, Cancer, Formulary, TreatmentKind};
use rules::Rules;
use waterjar_core::{Intent, Recommendation, Recommendations, Timing, TreatmentClass};

/// Raised whenever one of them would recommend something else for the same chart.
pub const VERSION: u32 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advisor {
    /// By the cancer alone: the negative control, blind to every other fact.
    Protocolist,
    /// By rules over what the chart says.
    Guideline,
}

impl Advisor {
    pub const ALL: [Self; 2] = [Self::Protocolist, Self::Guideline];

    pub fn id(self) -> &'static str {
        match self {
            Self::Protocolist => "protocolist",
            Self::Guideline => "guideline",
        }
    }

    pub fn about(self) -> &'static str {
        match self {
            Self::Protocolist => {
                "recommends by the kind of cancer and reads nothing else of the chart: the negative control"
            }
            Self::Guideline => "reads the chart by patterns and recommends by rules",
        }
    }

    pub fn named(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|advisor| advisor.id() == id)
    }

    pub fn recommend(self, reading: &Reading) -> Result<Recommendations, BoardError> {
        let rules = Rules::get()?;
        let given = match self {
            Self::Protocolist => rules.protocol(reading.cancer),
            Self::Guideline => rules.advise(reading)?,
        };
        let formulary = Formulary::get()?;
        Ok(Recommendations { recommendations: given.into_iter().map(|it| recommendation(formulary, it)).collect() })
    }
}

/// A treatment, when, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Given {
    treatment: String,
    timing: Timing,
    why: String,
}

fn recommendation(formulary: &Formulary, given: Given) -> Recommendation {
    let class = match formulary.kind(&given.treatment) {
        Some(TreatmentKind::Drug | TreatmentKind::Regimen) => TreatmentClass::Drug,
        Some(TreatmentKind::Surgery) => TreatmentClass::Surgery,
        Some(TreatmentKind::Radiotherapy) => TreatmentClass::Radiotherapy,
        Some(TreatmentKind::Care) | None => TreatmentClass::Care,
    };
    let intent = match given.timing {
        Timing::Neoadjuvant | Timing::Definitive | Timing::Adjuvant => Intent::Curative,
        Timing::Systemic | Timing::Maintenance => Intent::Palliative,
        Timing::Supportive | Timing::Workup => Intent::Supportive,
    };
    Recommendation { treatment: given.treatment, class, intent, timing: given.timing, rationale: given.why }
}

/// The cancer a text is about: the one whose words it uses most.
pub fn cancer_of(text: &str) -> Option<Cancer> {
    cancers::cancer_of(text)
}
