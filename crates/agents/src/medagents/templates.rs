//! The prompts as structs; the compiler finds a forgotten variable.

use crate::asking::Said;
use askama::Template;

pub(super) const COORDINATOR: &str = include_str!("prompts/role_coordinator.md");
pub(super) const EDITOR: &str = include_str!("prompts/role_editor.md");
pub(super) const PHYSICIAN: &str = include_str!("prompts/role_physician.md");

/// Every prompt, for the fingerprint.
pub(super) const ALL: &[&str] = &[
    COORDINATOR,
    EDITOR,
    PHYSICIAN,
    include_str!("prompts/role_consultant.md"),
    include_str!("prompts/domains.md"),
    include_str!("prompts/analysis.md"),
    include_str!("prompts/report.md"),
    include_str!("prompts/vote.md"),
    include_str!("prompts/advice.md"),
    include_str!("prompts/revise.md"),
    include_str!("prompts/diagnose.md"),
];

#[derive(Template)]
#[template(path = "medagents/prompts/role_consultant.md", escape = "none")]
pub(super) struct RoleOfConsultant<'a> {
    pub domain: &'a str,
}

#[derive(Template)]
#[template(path = "medagents/prompts/domains.md", escape = "none")]
pub(super) struct NameDomains {
    pub domains: usize,
}

#[derive(Template)]
#[template(path = "medagents/prompts/analysis.md", escape = "none")]
pub(super) struct Analyse;

#[derive(Template)]
#[template(path = "medagents/prompts/report.md", escape = "none")]
pub(super) struct WriteReport<'a> {
    pub analyses: &'a [Said],
}

#[derive(Template)]
#[template(path = "medagents/prompts/vote.md", escape = "none")]
pub(super) struct Vote<'a> {
    pub report: &'a str,
}

#[derive(Template)]
#[template(path = "medagents/prompts/advice.md", escape = "none")]
pub(super) struct Advise<'a> {
    pub report: &'a str,
}

#[derive(Template)]
#[template(path = "medagents/prompts/revise.md", escape = "none")]
pub(super) struct Revise<'a> {
    pub report: &'a str,
    pub advice: &'a [Said],
}

#[derive(Template)]
#[template(path = "medagents/prompts/diagnose.md", escape = "none")]
pub(super) struct Diagnose<'a> {
    pub report: &'a str,
}
