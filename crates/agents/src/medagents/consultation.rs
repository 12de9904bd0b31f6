//! Fields are named, their consultants analyse, a report is written, voted on and revised, and the diagnosis is made from it.

use super::answers::{self, ConsultationReport, DomainAnalysis, MedicalDomains, ReportAdvice, ReportVote, YesNo};
use super::templates::{
    Advise, Analyse, COORDINATOR, Diagnose, EDITOR, NameDomains, PHYSICIAN, Revise, RoleOfConsultant, Vote, WriteReport,
};
use crate::asking::{Asking, Said, all, rendered};
use crate::opinion::{OPINION, Opinion};
use serde_json::json;
use waterjar_core::{AgentError, Conclusion};

pub(super) struct Consultation<'a> {
    pub asking: Asking<'a>,
    pub domains: usize,
    /// Rounds of voting, at most.
    pub votes: usize,
    /// Nobody sees the key knowledge of a report, as in the released code.
    pub without_knowledge: bool,
}

/// A field and who its consultant is told to be.
struct Consultant {
    domain: String,
    role: String,
}

impl Consultation<'_> {
    pub async fn hold(&self) -> Result<Conclusion, AgentError> {
        let consultants = self.consultants().await?;
        let mut report = self.report(&consultants).await?;
        let mut votes: Vec<Vec<bool>> = Vec::new();
        // The report of the last revision is used without being voted on.
        let agreed = loop {
            let agrees = self.vote(&consultants, &report).await?;
            votes.push(agrees.clone());
            if agrees.iter().all(|&agrees| agrees) {
                break true;
            }
            let against = consultants.iter().zip(&agrees).filter(|(_, agrees)| !**agrees);
            report = self.revise(against.map(|(consultant, _)| consultant), &report).await?;
            if votes.len() == self.votes {
                break false;
            }
        };
        let part = Diagnose { report: &report };
        let diagnosed = self.asking.ask(PHYSICIAN, &part, OPINION, Opinion::check).await?;
        let domains: Vec<&str> = consultants.iter().map(|it| it.domain.as_str()).collect();
        Ok(diagnosed.conclude(json!({ "domains": domains, "votes": votes, "agreed": agreed })))
    }

    async fn consultants(&self) -> Result<Vec<Consultant>, AgentError> {
        let check = |it: &MedicalDomains| it.check(self.domains);
        let part = NameDomains { domains: self.domains };
        let named = self.asking.ask(COORDINATOR, &part, answers::DOMAINS, check).await?;
        let consultant = |domain: String| {
            let domain = domain.trim().to_owned();
            Consultant { role: rendered(&RoleOfConsultant { domain: &domain }), domain }
        };
        Ok(named.domains.into_iter().map(consultant).collect())
    }

    async fn report(&self, consultants: &[Consultant]) -> Result<String, AgentError> {
        let analyses = all(consultants.iter().map(async |it| {
            let made = self.asking.ask(&it.role, &Analyse, answers::ANALYSIS, DomainAnalysis::check).await?;
            Ok(Said::new(it.domain.as_str(), made.analysis.trim()))
        }));
        let part = WriteReport { analyses: &analyses.await? };
        let written = self.asking.ask(EDITOR, &part, answers::REPORT, ConsultationReport::check).await?;
        Ok(self.shown(&written))
    }

    async fn vote(&self, consultants: &[Consultant], report: &str) -> Result<Vec<bool>, AgentError> {
        all(consultants.iter().map(async |it| {
            let ReportVote { agrees } = self.asking.ask(&it.role, &Vote { report }, answers::VOTE, |_| Ok(())).await?;
            Ok(agrees == YesNo::Yes)
        }))
        .await
    }

    async fn revise(&self, against: impl Iterator<Item = &Consultant>, report: &str) -> Result<String, AgentError> {
        let advice = all(against.map(async |it| {
            let part = Advise { report };
            let given = self.asking.ask(&it.role, &part, answers::ADVICE, ReportAdvice::check).await?;
            Ok(Said::new(it.domain.as_str(), given.advice.trim()))
        }));
        let part = Revise { report, advice: &advice.await? };
        let written = self.asking.ask(EDITOR, &part, answers::REPORT, ConsultationReport::check).await?;
        Ok(self.shown(&written))
    }

    fn shown(&self, report: &ConsultationReport) -> String {
        let analysis = format!("Total analysis: {}", report.total_analysis.trim());
        match self.without_knowledge {
            true => analysis,
            false => format!("Key knowledge: {}\n{analysis}", report.key_knowledge.trim()),
        }
    }
}
