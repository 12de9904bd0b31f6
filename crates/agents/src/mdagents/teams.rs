//! Advanced: teams work one after the other, each seeing what was reported before; the physician in charge sees all.

use super::answers::{self, Member, Purpose, SpecialistTeams, Team, TeamFindings, TeamReport, TeamTasks};
use super::recruit;
use super::templates::{
    DECISION_MAKER, Decide, GiveTasks, RECRUITER, RecruitTeams, ReportFindings, RoleOfMember, WriteReport,
};
use crate::asking::{Asking, Said, all, rendered, said};
use crate::opinion::{OPINION, Opinion};
use serde_json::json;
use waterjar_core::{AgentError, Conclusion};

pub(super) async fn answer(asking: Asking<'_>) -> Result<Conclusion, AgentError> {
    let recruiting = RecruitTeams { teams: recruit::TEAMS, members: recruit::MEMBERS };
    let teams: SpecialistTeams = asking.ask(RECRUITER, &recruiting, answers::TEAMS, SpecialistTeams::check).await?;
    let mut reports: Vec<Said> = Vec::new();
    for purpose in [Purpose::InitialAssessment, Purpose::FurtherWorkUp, Purpose::FinalReview] {
        // Teams of the same purpose see what was there before them, and not each other.
        let new = all(teams.of(purpose).map(|team| report(asking, team, &reports))).await?;
        reports.extend(new);
    }
    let decided = asking.ask(DECISION_MAKER, &Decide { reports: &reports }, OPINION, Opinion::check).await?;
    Ok(decided.conclude(json!({ "complexity": "advanced", "teams": teams.teams })))
}

/// The lead gives tasks, the assistants report, the lead concludes.
async fn report(asking: Asking<'_>, team: &Team, reports: &[Said]) -> Result<Said, AgentError> {
    let purpose = team.purpose.in_words();
    let assistants: Vec<&Member> = team.assistants().collect();
    let names: Vec<&str> = assistants.iter().map(|it| it.role.trim()).collect();
    let lead = role(team, team.lead());
    let giving = GiveTasks { reports, purpose, assistants: &names };
    let check = |it: &TeamTasks| it.check(names.len());
    let given = asking.ask(&lead, &giving, answers::TASKS, check).await?;
    let findings = all(assistants.iter().zip(&given.tasks).map(async |(member, task)| {
        let part = ReportFindings { reports, purpose, task: task.trim() };
        let found = asking.ask(&role(team, member), &part, answers::FINDINGS, TeamFindings::check).await?;
        Ok(Said::new(member.role.trim(), found.findings.trim()))
    }));
    let part = WriteReport { reports, purpose, findings: &findings.await? };
    let written = asking.ask(&lead, &part, answers::REPORT, TeamReport::check).await?;
    Ok(Said::new(headline(team), written.report.trim()))
}

pub(super) fn headline(team: &Team) -> String {
    format!("{} ({})", team.name.trim(), team.purpose.in_words())
}

pub(super) fn role(team: &Team, member: &Member) -> String {
    let (role, expertise) = (member.role.trim(), member.expertise.trim());
    rendered(&RoleOfMember { role, expertise, lead: member.lead, team: team.name.trim() })
}

impl TeamTasks {
    pub fn check(&self, assistants: usize) -> Result<(), String> {
        if self.tasks.len() != assistants {
            return Err(format!("tasks: there are {}, and there are {assistants} assistants", self.tasks.len()));
        }
        self.tasks.iter().try_for_each(|task| said("tasks", task))
    }
}

impl TeamFindings {
    pub fn check(&self) -> Result<(), String> {
        said("findings", &self.findings)
    }
}

impl TeamReport {
    pub fn check(&self) -> Result<(), String> {
        said("report", &self.report)
    }
}
