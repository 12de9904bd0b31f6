//! The prompts as structs; the compiler finds a forgotten variable.

use askama::Template;

pub(super) const RANKER: &str = include_str!("prompts/role_ranker.md");

/// Every prompt, for the fingerprint.
pub(super) const ALL: &[&str] = &[
    RANKER,
    include_str!("prompts/role_member.md"),
    include_str!("prompts/first.md"),
    include_str!("prompts/again.md"),
    include_str!("prompts/best_two.md"),
];

#[derive(Template)]
#[template(path = "dylan/prompts/role_member.md", escape = "none")]
pub(super) struct RoleOfMember<'a> {
    pub role: &'a str,
    pub others: usize,
}

#[derive(Template)]
#[template(path = "dylan/prompts/first.md", escape = "none")]
pub(super) struct AnswerFirst;

#[derive(Template)]
#[template(path = "dylan/prompts/again.md", escape = "none")]
pub(super) struct AnswerAgain<'a> {
    pub answers: &'a [String],
}

#[derive(Template)]
#[template(path = "dylan/prompts/best_two.md", escape = "none")]
pub(super) struct NameBestTwo<'a> {
    pub answers: &'a [String],
}
