//! Advanced, as released.

use super::super::answers::{self, Purpose, SpecialistTeams, Team, TeamFindings, TeamReport, TeamTasks};
use super::super::recruit;
use super::super::teams::{headline, role};
use super::super::templates::{
    DECISION_MAKER, DecideOnOne, GiveTasks, RECRUITER, RecruitTeams, ReportFindings, WriteReport,
};
use super::chat::Chat;
use crate::asking::{Asking, Said, all};
use crate::opinion::{OPINION, Opinion};
use serde_json::json;
use waterjar_core::{AgentError, Conclusion};

struct Crew<'a> {
    team: &'a Team,
    lead: Chat<'a>,
    assistants: Vec<Chat<'a>>,
}

/// The initial team, then all others, then the reviewers once more. None sees another's report, and of the reports only
/// the first reaches the decision maker.
pub(super) async fn answer(asking: Asking<'_>) -> Result<Conclusion, AgentError> {
    let mut recruiter = Chat::primed(asking, RECRUITER).await?;
    let recruiting = RecruitTeams { teams: recruit::TEAMS, members: recruit::MEMBERS };
    let teams = recruiter.ask(&recruiting, answers::TEAMS, SpecialistTeams::check).await?;
    let crews = all(teams.teams.iter().map(|team| gathered(asking, team))).await?;
    let (initial, others): (Vec<Crew>, Vec<Crew>) =
        crews.into_iter().partition(|crew| crew.team.purpose == Purpose::InitialAssessment);
    let first = all(initial.into_iter().map(|mut crew| async move { report(&mut crew).await })).await?;
    all(others.into_iter().map(|mut crew| async move {
        let mut told = report(&mut crew).await?;
        if crew.team.purpose == Purpose::FinalReview {
            told = report(&mut crew).await?;
        }
        Ok(told)
    }))
    .await?;
    let mut decision_maker = Chat::primed(asking, DECISION_MAKER).await?;
    let read = first.iter().map(|it| format!("{}: {}", it.who, it.what)).collect::<Vec<_>>().join("\n\n");
    let decided = decision_maker.ask(&DecideOnOne { report: &read }, OPINION, Opinion::check).await?;
    Ok(decided.conclude(json!({
        "complexity": "advanced",
        "compat": true,
        "teams": teams.teams,
        "reports_seen_by_decision_maker": first.len(),
    })))
}

async fn gathered<'a>(asking: Asking<'a>, team: &'a Team) -> Result<Crew<'a>, AgentError> {
    let members = [team.lead()].into_iter().chain(team.assistants());
    let roles: Vec<String> = members.map(|member| role(team, member)).collect();
    let mut chats = all(roles.iter().map(|role| Chat::primed(asking, role))).await?;
    let lead = chats.remove(0);
    Ok(Crew { team, lead, assistants: chats })
}

async fn report(crew: &mut Crew<'_>) -> Result<Said, AgentError> {
    let purpose = crew.team.purpose.in_words();
    let names: Vec<&str> = crew.team.assistants().map(|it| it.role.trim()).collect();
    let giving = GiveTasks { reports: &[], purpose, assistants: &names };
    let given = crew.lead.ask(&giving, answers::TASKS, |it: &TeamTasks| it.check(names.len())).await?;
    let findings = all(crew.assistants.iter_mut().zip(&names).zip(&given.tasks).map(async |((chat, name), task)| {
        let part = ReportFindings { reports: &[], purpose, task: task.trim() };
        let found = chat.ask(&part, answers::FINDINGS, TeamFindings::check).await?;
        Ok(Said::new(*name, found.findings.trim()))
    }));
    let part = WriteReport { reports: &[], purpose, findings: &findings.await? };
    let written = crew.lead.ask(&part, answers::REPORT, TeamReport::check).await?;
    Ok(Said::new(headline(crew.team), written.report.trim()))
}
