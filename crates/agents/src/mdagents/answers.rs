//! What each stage is asked for, as types. Their schemas are sent; the names beside them tell a simulated endpoint what is
//! wanted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) const COMPLEXITY: &str = "case_complexity";
pub(super) const EXPERTS: &str = "expert_team";
pub(super) const TEAMS: &str = "specialist_teams";
pub(super) const SUMMARY: &str = "panel_summary";
pub(super) const MESSAGES: &str = "panel_messages";
pub(super) const TIE: &str = "tie_break";
pub(super) const TASKS: &str = "team_tasks";
pub(super) const FINDINGS: &str = "team_findings";
pub(super) const REPORT: &str = "team_report";
pub(super) const WILLING: &str = "wants_to_speak";
pub(super) const ADDRESSEES: &str = "addressees";
pub(super) const MESSAGE: &str = "panel_message";

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CaseComplexity {
    pub reason: String,
    pub complexity: Complexity,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Complexity {
    Basic,
    Intermediate,
    Advanced,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpertTeam {
    pub experts: Vec<Expert>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Expert {
    /// What the specialist is called.
    pub role: String,
    /// What they are expert in.
    pub expertise: String,
    /// The role of the expert they work under, as written in the list; null for the independent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reports_to: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SpecialistTeams {
    pub teams: Vec<Team>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Team {
    pub name: String,
    pub purpose: Purpose,
    pub members: Vec<Member>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Purpose {
    InitialAssessment,
    FurtherWorkUp,
    FinalReview,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Member {
    pub role: String,
    pub expertise: String,
    pub lead: bool,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PanelSummary {
    pub key_knowledge: String,
    pub total_analysis: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PanelMessages {
    /// Empty if there is nothing to say.
    pub messages: Vec<ToColleague>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ToColleague {
    /// The colleague's number.
    pub to: u32,
    pub message: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TieBreak {
    pub reason: String,
    /// The number of the answer that is to stand.
    pub choice: u32,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TeamTasks {
    /// One for each assistant, in the order of the list.
    pub tasks: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TeamFindings {
    pub findings: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TeamReport {
    pub report: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Willing {
    pub speak: YesNo,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum YesNo {
    Yes,
    No,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Addressees {
    /// The numbers of the colleagues.
    pub experts: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PanelMessage {
    pub message: String,
}
