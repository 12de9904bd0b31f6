//! The prompts of the model author. A clinician can read and correct them; the compiler finds a forgotten variable.

use askama::Template;

#[derive(Template)]
#[template(path = "einstellung/prompts/narrate.md", escape = "none")]
pub(super) struct Narrate<'a> {
    pub header: &'a str,
    pub statements: &'a [String],
}

#[derive(Template)]
#[template(path = "einstellung/prompts/coverage.md", escape = "none")]
pub(super) struct CoverageOf<'a> {
    pub statements: &'a [String],
    pub story: &'a str,
}

#[derive(Template)]
#[template(path = "einstellung/prompts/telling_feature.md", escape = "none")]
pub(super) struct FindTelling<'a> {
    pub truth: &'a str,
    pub rival: &'a str,
    pub truth_findings: &'a [(String, String)],
    pub rival_findings: &'a [(String, String)],
    pub story: &'a str,
}

#[derive(Template)]
#[template(path = "einstellung/prompts/stand_in.md", escape = "none")]
pub(super) struct ChooseStandIn<'a> {
    pub phrase: &'a str,
    pub kind: &'a str,
    pub owner: &'a str,
    pub person: &'a str,
    pub findings: &'a [(String, String)],
    pub story: &'a str,
}

#[derive(Template)]
#[template(path = "einstellung/prompts/rewrite.md", escape = "none")]
pub(super) struct RewriteOne<'a> {
    pub phrase: &'a str,
    pub information: &'a str,
    pub story: &'a str,
}

#[derive(Template)]
#[template(path = "einstellung/prompts/vote.md", escape = "none")]
pub(super) struct CastVote<'a> {
    pub expected: &'a str,
    pub other: &'a str,
    pub story: &'a str,
}
