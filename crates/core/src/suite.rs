//! A benchmark: how it varies, asks, judges and measures.

use crate::{
    Case, ChatModel, ConditionId, Embedder, Family, FamilyVerdict, Figure, JudgeId, MetricColumn, ModelError, ModelId,
    Outcome, Prompt, Ruling, Seed, Strata, SubjectId, SubjectResult, SuiteId, Variant,
};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[async_trait]
pub trait Suite: Send + Sync {
    /// What the study calls it.
    fn id(&self) -> &SuiteId;

    /// How it is presented: name, paragraph, columns of the main table.
    fn card(&self) -> SuiteCard;

    /// What a metric of the card is broken down by, as far as that is known before anybody is asked. `None`: only the figures tell.
    fn strata(&self, metric: &str) -> Option<Strata> {
        let _ = metric;
        None
    }

    /// What its metrics are broken down by, a noun each: `place`, of which `history` is a value.
    fn divides_by(&self) -> Vec<String> {
        let strata = self.card().columns.into_iter().filter_map(|column| self.strata(&column.name));
        let nouns: std::collections::BTreeSet<&str> = strata.flat_map(|it| it.keys).collect();
        nouns.into_iter().map(str::to_owned).collect()
    }

    /// The models it wants to write variants, to vote on them, to judge and to audit.
    fn roles(&self) -> Roles {
        Roles::default()
    }

    /// The language of its texts, and of the answers it asks for, as pages mark it: `en`, `zh`.
    fn language(&self) -> &str {
        "en"
    }

    /// What is odd about what it was given beside its cases, in sentences: whoever asks should know it before anybody answers.
    fn doubts(&self) -> Vec<String> {
        Vec::new()
    }

    /// How many families the study wants.
    fn quota(&self) -> Quota;

    /// How many cases in a row may be lost where a model writes, before the others are left alone: every one of them is paid for. `None` tries
    /// all.
    fn patience(&self) -> Option<usize> {
        None
    }

    /// Whether the case is a candidate at all, without asking anybody; the answer names the group it is balanced in.
    fn screen(&self, case: &Case) -> Result<String, Loss>;

    /// case → variants. Draws only from `ctx.seed`.
    async fn vary(&self, ctx: &SuiteContext, case: &Case) -> Result<Varied, SuiteError>;

    /// Checks on the finished benchmark that ask no subject. What was rejected on the way to it is among the families.
    fn audit(&self, ctx: &SuiteContext, families: &mut dyn Iterator<Item = Vec<Variant>>) -> Audited;

    /// Whether its interventions are cataloged. A case may then be eligible for several, and what is eligible and what is lost is counted
    /// in interventions; otherwise it is counted in cases, and accounts only tell what became of the variants of those that were kept.
    fn has_catalog(&self) -> bool {
        false
    }

    /// What became of every cataloged intervention on a case that was lost: the case may have been eligible for some.
    fn accounts_of(&self, lost: &Case) -> Vec<crate::Account> {
        let _ = lost;
        Vec::new()
    }

    /// variant → prompt. The same variant always asks the same thing.
    fn ask(&self, variant: &Variant) -> Prompt;

    /// Whether `ask` leaves facts and record alone. They are most of what is stored of a variant, and are not read then to ask.
    fn asks_by_text(&self) -> bool {
        false
    }

    /// Who judges; part of the key of every verdict.
    fn judge_id(&self) -> JudgeId;

    /// A hash of what answers are read by, where neither the version nor the cases tell: names of the base that no patient is made of. Part of the
    /// key of every verdict, and of a study's lock.
    fn reads_by(&self) -> Option<String> {
        None
    }

    /// responses → verdict.
    async fn judge(&self, ctx: &SuiteContext, family: &Family) -> Result<FamilyVerdict, SuiteError>;

    /// verdicts of one subject → figures. Pure but for the seeded bootstrap.
    fn measure(&self, ctx: &SuiteContext, verdicts: &mut dyn Iterator<Item = FamilyVerdict>) -> Measured;

    /// What can only be said of all subjects at once, such as their ranks: adds to what was measured of each. The shares that it reads are
    /// held in memory of all subjects together.
    fn together(&self) -> Option<Together> {
        None
    }

    /// results of all subjects, and what was found looking over the benchmark → figures to draw.
    fn figures(&self, results: &[SubjectResult], checks: &[Check]) -> Vec<Figure>;

    /// Answers of a family that should be alike, and how alike they are: the least alike are shown side by side.
    fn likenesses(&self, verdict: &FamilyVerdict) -> Vec<Likeness> {
        let _ = verdict;
        Vec::new()
    }

    /// Whether the subject failed the family.
    fn failed(&self, verdict: &FamilyVerdict) -> bool {
        verdict.rulings.iter().any(|it| it.outcome == Outcome::Trapped)
    }

    /// What a reader of the figures should know of how they came about, a line each.
    fn notes(&self, results: &[SubjectResult]) -> Vec<String> {
        let _ = results;
        Vec::new()
    }

    /// What one is that failed a family, in a word: `3 of 6 trapped`.
    fn failing(&self) -> &'static str {
        "trapped"
    }

    /// What became of an answer, where the suite has better words for it than right and missed.
    fn in_words(&self, ruling: &Ruling) -> Option<String> {
        let _ = ruling;
        None
    }

    /// What a reader calls the family: `Pulmonary embolism → Pneumothorax`.
    fn title_of(&self, family: &[Variant]) -> String;

    /// What a sound reader gives, where the suite has better words for it than the expectation: `the same answer as the original's`.
    fn expects(&self, variant: &Variant) -> Option<&'static str> {
        let _ = variant;
        None
    }

    /// What several families are versions of that are not independent, where the suite makes such: the vignette of an ablation.
    fn cluster_of(&self, family: &[Variant]) -> Option<String> {
        let _ = family;
        None
    }

    /// Whether a family can stand for the others, where one is shown as an example: nothing in it makes a reader of the field stop.
    fn is_typical(&self, family: &[Variant]) -> bool {
        let _ = family;
        true
    }

    /// What people call a condition.
    fn name_of(&self, condition: &ConditionId) -> String;
}

/// How alike two answers of a family are.
#[derive(Clone, Debug, PartialEq)]
pub struct Likeness {
    /// The roles of the two.
    pub a: String,
    pub b: String,
    /// What a reader calls the pair.
    pub title: String,
    /// 1 for the same.
    pub value: f64,
}

/// How a suite presents itself.
#[derive(Clone, Debug, PartialEq)]
pub struct SuiteCard {
    /// `einstellung`
    pub kind: &'static str,
    /// Changes whenever the same study would give another benchmark or other figures.
    pub version: u32,
    pub title: &'static str,
    /// What it does, in one paragraph.
    pub about: &'static str,
    /// The columns of the main table, in order.
    pub columns: Vec<MetricColumn>,
}

/// What a suite may use beside the thing it works on.
#[derive(Clone)]
pub struct SuiteContext {
    pub seed: Seed,
    /// The models that `roles` named, ready to be asked.
    pub author: Option<Arc<dyn ChatModel>>,
    pub voters: Vec<Arc<dyn ChatModel>>,
    pub judges: Vec<Arc<dyn ChatModel>>,
    pub auditor: Option<Arc<dyn ChatModel>>,
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Who takes shares while a subject is measured; where nobody does they are all in [`Measured`].
    pub taker: Option<crate::shares::Taker>,
}

/// The models a suite wants beside the subjects, by their names in the study. Rules are no model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roles {
    pub author: Option<String>,
    /// Vote on what the author wrote: they take part in making the benchmark.
    pub voters: Vec<String>,
    /// Judge answers.
    pub judges: Vec<String>,
    /// Looks into what went wrong where an answer stayed with the old one.
    pub auditor: Option<String>,
    /// Says how alike two texts are.
    pub embedder: Option<String>,
}

impl SuiteContext {
    pub const fn new(seed: Seed) -> Self {
        Self { seed, author: None, voters: Vec::new(), judges: Vec::new(), auditor: None, embedder: None, taker: None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    pub families: Option<u64>,
    /// Capped balanced sampling: at most so many families of one group.
    pub per_group: Option<u64>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Varied {
    Family(Vec<Variant>),
    Lost(Loss),
    /// Lost, with what was written on the way: kept and looked over, never asked.
    Rejected(Loss, Vec<Variant>),
}

/// A case that did not make it into the benchmark, and why. Losses are counted and shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loss {
    /// A few words in snake case: `no_isomorph`.
    pub reason: String,
}

impl Loss {
    pub fn new(reason: &str) -> Self {
        Self { reason: reason.to_owned() }
    }
}

/// What the suite found when it went over the finished benchmark.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Audited {
    pub checks: Vec<Check>,
    pub accounts: Vec<crate::Account>,
}

impl From<Vec<Check>> for Audited {
    fn from(checks: Vec<Check>) -> Self {
        Self { checks, accounts: Vec::new() }
    }
}

/// A property of the benchmark that was tested, with what it should be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Check {
    pub name: String,
    pub value: f64,
    pub low: f64,
    pub high: f64,
    pub n: u64,
    /// What a reader should conclude, in one sentence.
    pub reading: String,
}

/// What only all subjects tell.
#[derive(Clone, Copy, Debug)]
pub struct Together {
    /// The metrics whose shares it reads.
    pub reads: &'static [&'static str],
    /// Adds to the figures of every subject. Pure but for the seeded bootstrap.
    pub add: fn(Seed, &mut [(SubjectId, Measured)]),
}

/// What `measure` finds for one subject; the engine adds who and where.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    pub n: u64,
    pub missing: u64,
    pub metrics: std::collections::BTreeMap<String, crate::Metric>,
    pub breakdown: Vec<crate::Breakdown>,
    /// Per-family shares of the headline metrics, for paired comparison: those that nobody took before.
    pub shares: crate::Shares,
}

#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    #[error("case {case}: {problem}")]
    Case { case: String, problem: String },
    /// A model that nobody can ask any more in this run.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A model that gave no answer, good or bad: the case is as undecided as before.
    #[error("{model}: {error}")]
    Unanswered { model: ModelId, error: ModelError },
}
