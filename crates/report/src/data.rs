//! What a report is made from. Whoever calls fills it in; nothing here knows where the figures came from.

use crate::ReasoningView;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use waterjar_core::{
    BenchmarkSummary, BoundCheck, Check, Edit, Figure, MetricColumn, Outcome, Registration, SubjectId, SubjectResult,
    SuiteId,
};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportData {
    pub study: StudySummary,
    /// Of `variants.jsonl`, which holds what all suites ask.
    pub variants_hash: String,
    pub suites: Vec<SuiteSection>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudySummary {
    pub name: String,
    pub seed: u64,
    pub study_hash: String,
    pub program_version: String,
    /// Some of the cases are none of ours: they may hold patients' data.
    #[serde(default)]
    pub own_cases: bool,
    /// Whether the study was locked before it was run and the lock held.
    pub registered: bool,
    /// When it was declared, by whose word, and what was changed since; nothing where nobody declared it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registration: Option<Registration>,
    /// When a subject was first asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_asked: Option<String>,
    /// What the study demands of the figures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<BoundCheck>,
    /// The study file as it was run.
    pub study_toml: String,
    /// What was asked over a network; empty where every model is built in.
    pub uses: Vec<ModelUse>,
}

/// Whether a study was declared before it was asked, and kept to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Of a run that keeps no more than that.
    Locked,
    NotDeclared,
    AsDeclared,
    /// As far as the lock goes: those of earlier versions do not hold everything.
    AsFarAsDeclared,
    Deviated,
    /// After the first question.
    Late,
    LateAndDeviated,
}

impl StudySummary {
    pub fn standing(&self) -> Standing {
        let Some(it) = &self.registration else {
            return if self.registered { Standing::Locked } else { Standing::NotDeclared };
        };
        match (it.is_before(self.first_asked.as_deref()), it.deviations.is_empty()) {
            (true, true) if it.undeclared.is_empty() => Standing::AsDeclared,
            (true, true) => Standing::AsFarAsDeclared,
            (true, false) => Standing::Deviated,
            (false, true) => Standing::Late,
            (false, false) => Standing::LateAndDeviated,
        }
    }

    /// When it was declared and by whose word, when it was first asked, and everything that is another thing now.
    pub fn declaration(&self) -> Vec<String> {
        let Some(it) = &self.registration else { return Vec::new() };
        let stamps = it.stamps.iter().map(|stamp| format!("declared {}, by {}", stamp.at, stamp.by));
        let asked = self.first_asked.as_deref();
        let asked = asked.map(|at| format!("first question {at}, by the clock of the machine that asked"));
        let deviations = it.deviations.iter().map(|what| format!("changed since it was declared: {what}"));
        let undeclared = it.undeclared.iter();
        let undeclared = undeclared
            .map(|what| format!("not in the lock, which an earlier version made, so perhaps changed: {what}"));
        stamps.chain(asked).chain(deviations).chain(undeclared).collect()
    }

    /// What became of all bounds together.
    pub fn gate(&self) -> String {
        let broken = self.bounds.iter().filter(|bound| bound.broken.is_some()).count();
        match broken {
            0 => "all kept".to_owned(),
            broken => format!("{broken} of {} broken", self.bounds.len()),
        }
    }
}

/// What one model was asked and what that cost, authors and judges included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelUse {
    pub model: String,
    pub calls: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// `None` where no price is known: not the same as nothing.
    pub usd: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuiteSection {
    pub id: SuiteId,
    pub kind: String,
    pub title: String,
    /// What the suite does, in one paragraph.
    pub about: String,
    pub benchmark: BenchmarkSummary,
    pub checks: Vec<Check>,
    /// The columns of the main table, in order.
    pub headline: Vec<MetricColumn>,
    /// What strata divide by, a noun each: `place` for `place_history`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub divides_by: Vec<String>,
    pub results: Vec<SubjectResult>,
    /// What tables mark the best by.
    #[serde(default, skip_serializing_if = "Leads::is_empty")]
    pub leads: Leads,
    pub figures: Vec<Figure>,
    /// What some answers had to be made without, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// A few answers followed from the first impression to the verdict, and how they were chosen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasonings: Vec<ReasoningView>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasonings_chosen: String,
    /// Answers that should be alike and are least so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contrasts: Vec<ContrastView>,
    /// What one is that failed a family, in a word.
    pub failing: String,
    /// The families shown in full, which may be fewer than there are.
    pub families: Vec<FamilyView>,
    pub families_total: u64,
}

/// By the name of a column. One whose figures are not kept by family has none.
pub type Leads = BTreeMap<String, Lead>;

/// Whom the best of a column is ahead of by more than chance; the others may be behind it by nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lead {
    /// Who was best when the others were tested against it.
    pub of: SubjectId,
    pub over: BTreeSet<SubjectId>,
}

/// Two answers side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContrastView {
    pub title: String,
    pub subject: SubjectId,
    /// 1 for the same.
    pub likeness: f64,
    /// What the two are called, and what they say.
    pub names: (String, String),
    pub texts: (String, String),
}

/// One family as a reader sees it: what changed, what should follow, what each subject made of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FamilyView {
    pub id: String,
    /// `Pulmonary embolism → Pneumothorax`
    pub title: String,
    pub control_text: String,
    /// The variants beside the control. The first stands beside it, the others below.
    pub variants: Vec<VariantView>,
    pub answers: Vec<AnswerView>,
    /// Whether it can be shown as an example of the others.
    #[serde(default)]
    pub is_typical: bool,
    /// Of its texts and answers, where it is not English, as the page around them is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VariantView {
    /// `trap`, `sham`
    pub role: String,
    pub text: String,
    pub edits: Vec<Edit>,
    /// What a sound reader does, in one sentence.
    pub expectation: String,
    /// Odds before and after, strata: what and how much.
    pub notes: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AnswerView {
    pub subject: SubjectId,
    /// Whether the subject failed the family.
    pub failed: bool,
    pub roles: Vec<RoleAnswer>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoleAnswer {
    /// `control`, `trap`, `sham`
    pub role: String,
    pub outcome: Outcome,
    /// What became of the answer, where the suite has better words for it than right and missed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_words: Option<String>,
    /// What the answer puts first; empty where nothing was recognised.
    pub named: String,
    /// First choice first, with the confidence where the subject gave one.
    pub ranking: Vec<(String, Option<f64>)>,
    /// The answer as it was given, or why there is none.
    pub text: String,
    /// What went wrong, where somebody looked into it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<String>,
}
