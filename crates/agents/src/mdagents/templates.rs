//! The prompts as structs; the compiler finds a forgotten variable.

use crate::asking::Said;
use askama::Template;

pub(super) const TRIAGE: &str = include_str!("prompts/role_triage.md");
pub(super) const GENERALIST: &str = include_str!("prompts/role_generalist.md");
pub(super) const RECRUITER: &str = include_str!("prompts/role_recruiter.md");
pub(super) const SUMMARISER: &str = include_str!("prompts/role_summariser.md");
pub(super) const MODERATOR: &str = include_str!("prompts/role_moderator.md");
pub(super) const DECISION_MAKER: &str = include_str!("prompts/role_decision_maker.md");

/// Every prompt, for the fingerprint.
pub(super) const ALL: &[&str] = &[
    TRIAGE,
    GENERALIST,
    RECRUITER,
    SUMMARISER,
    MODERATOR,
    DECISION_MAKER,
    include_str!("prompts/role_expert.md"),
    include_str!("prompts/role_member.md"),
    include_str!("prompts/complexity.md"),
    include_str!("prompts/answer.md"),
    include_str!("prompts/recruit_experts.md"),
    include_str!("prompts/recruit_teams.md"),
    include_str!("prompts/opinion.md"),
    include_str!("prompts/summary.md"),
    include_str!("prompts/speak.md"),
    include_str!("prompts/final_answer.md"),
    include_str!("prompts/tie.md"),
    include_str!("prompts/tasks.md"),
    include_str!("prompts/findings.md"),
    include_str!("prompts/team_report.md"),
    include_str!("prompts/decide.md"),
    include_str!("prompts/compat/willing.md"),
    include_str!("prompts/compat/address.md"),
    include_str!("prompts/compat/message.md"),
    include_str!("prompts/compat/final_answer.md"),
    include_str!("prompts/compat/moderate.md"),
    include_str!("prompts/compat/decide.md"),
];

#[derive(Template)]
#[template(path = "mdagents/prompts/role_expert.md", escape = "none")]
pub(super) struct RoleOfExpert<'a> {
    pub number: usize,
    pub role: &'a str,
    pub expertise: &'a str,
    pub reports_to: Option<&'a str>,
}

#[derive(Template)]
#[template(path = "mdagents/prompts/role_member.md", escape = "none")]
pub(super) struct RoleOfMember<'a> {
    pub role: &'a str,
    pub expertise: &'a str,
    pub lead: bool,
    pub team: &'a str,
}

#[derive(Template)]
#[template(path = "mdagents/prompts/complexity.md", escape = "none")]
pub(super) struct JudgeComplexity;

#[derive(Template)]
#[template(path = "mdagents/prompts/answer.md", escape = "none")]
pub(super) struct AnswerAlone;

#[derive(Template)]
#[template(path = "mdagents/prompts/recruit_experts.md", escape = "none")]
pub(super) struct RecruitExperts {
    pub experts: usize,
}

#[derive(Template)]
#[template(path = "mdagents/prompts/recruit_teams.md", escape = "none")]
pub(super) struct RecruitTeams {
    pub teams: usize,
    pub members: usize,
}

#[derive(Template)]
#[template(path = "mdagents/prompts/opinion.md", escape = "none")]
pub(super) struct GiveOpinion;

#[derive(Template)]
#[template(path = "mdagents/prompts/summary.md", escape = "none")]
pub(super) struct SumUp<'a> {
    pub opinions: &'a [Said],
}

#[derive(Template)]
#[template(path = "mdagents/prompts/speak.md", escape = "none")]
pub(super) struct Speak<'a> {
    pub key_knowledge: &'a str,
    pub total_analysis: &'a str,
    pub own: &'a str,
    pub log: &'a [Said],
    pub colleagues: &'a [(usize, &'a str)],
}

#[derive(Template)]
#[template(path = "mdagents/prompts/final_answer.md", escape = "none")]
pub(super) struct FinalAnswer<'a> {
    pub key_knowledge: &'a str,
    pub total_analysis: &'a str,
    pub own: &'a str,
    pub log: &'a [Said],
}

#[derive(Template)]
#[template(path = "mdagents/prompts/tie.md", escape = "none")]
pub(super) struct BreakTie<'a> {
    pub sides: &'a [Said],
}

#[derive(Template)]
#[template(path = "mdagents/prompts/tasks.md", escape = "none")]
pub(super) struct GiveTasks<'a> {
    pub reports: &'a [Said],
    pub purpose: &'a str,
    pub assistants: &'a [&'a str],
}

#[derive(Template)]
#[template(path = "mdagents/prompts/findings.md", escape = "none")]
pub(super) struct ReportFindings<'a> {
    pub reports: &'a [Said],
    pub purpose: &'a str,
    pub task: &'a str,
}

#[derive(Template)]
#[template(path = "mdagents/prompts/team_report.md", escape = "none")]
pub(super) struct WriteReport<'a> {
    pub reports: &'a [Said],
    pub purpose: &'a str,
    pub findings: &'a [Said],
}

#[derive(Template)]
#[template(path = "mdagents/prompts/decide.md", escape = "none")]
pub(super) struct Decide<'a> {
    pub reports: &'a [Said],
}

#[derive(Template)]
#[template(path = "mdagents/prompts/compat/willing.md", escape = "none")]
pub(super) struct AskWilling<'a> {
    pub first_round: bool,
    pub shown: &'a [Said],
}

#[derive(Template)]
#[template(path = "mdagents/prompts/compat/address.md", escape = "none")]
pub(super) struct AskAddressees<'a> {
    pub colleagues: &'a [(usize, &'a str)],
}

#[derive(Template)]
#[template(path = "mdagents/prompts/compat/message.md", escape = "none")]
pub(super) struct WriteMessage<'a> {
    pub role: &'a str,
}

#[derive(Template)]
#[template(path = "mdagents/prompts/compat/final_answer.md", escape = "none")]
pub(super) struct AnswerAfterRound;

#[derive(Template)]
#[template(path = "mdagents/prompts/compat/moderate.md", escape = "none")]
pub(super) struct Moderate<'a> {
    pub answers: &'a [Said],
}

#[derive(Template)]
#[template(path = "mdagents/prompts/compat/decide.md", escape = "none")]
pub(super) struct DecideOnOne<'a> {
    pub report: &'a str,
}
