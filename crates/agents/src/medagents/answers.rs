//! What each stage is asked for, as types.

use crate::asking::said;
use schemars::JsonSchema;
use serde::Deserialize;

pub(super) const DOMAINS: &str = "medical_domains";
pub(super) const ANALYSIS: &str = "domain_analysis";
pub(super) const REPORT: &str = "consultation_report";
pub(super) const VOTE: &str = "report_vote";
pub(super) const ADVICE: &str = "report_advice";

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MedicalDomains {
    pub domains: Vec<String>,
}

impl MedicalDomains {
    pub fn check(&self, wanted: usize) -> Result<(), String> {
        if self.domains.len() != wanted {
            return Err(format!("domains: there are {}, and {wanted} were asked for", self.domains.len()));
        }
        for (at, domain) in self.domains.iter().enumerate() {
            said("domains", domain)?;
            let same = |known: &String| known.trim().to_lowercase() == domain.trim().to_lowercase();
            if self.domains[..at].iter().any(same) {
                return Err(format!("domains: `{}` is there twice", domain.trim()));
            }
        }
        Ok(())
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DomainAnalysis {
    pub analysis: String,
}

impl DomainAnalysis {
    pub fn check(&self) -> Result<(), String> {
        said("analysis", &self.analysis)
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ConsultationReport {
    pub key_knowledge: String,
    pub total_analysis: String,
}

impl ConsultationReport {
    pub fn check(&self) -> Result<(), String> {
        said("key_knowledge", &self.key_knowledge).and(said("total_analysis", &self.total_analysis))
    }
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReportVote {
    pub agrees: YesNo,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum YesNo {
    Yes,
    No,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReportAdvice {
    pub advice: String,
}

impl ReportAdvice {
    pub fn check(&self) -> Result<(), String> {
        said("advice", &self.advice)
    }
}
