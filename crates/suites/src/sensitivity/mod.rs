//! Charts under cataloged edits: one fact is changed wherever it stands, and the recommendations must follow (Causal Sensitivity
//! Score).

mod actions;
mod addition;
mod agreement;
mod ask;
pub mod audit;
mod calls;
mod card;
pub mod catalog;
#[cfg(test)]
mod contradictions;
pub mod coverage;
mod cues;
mod figures;
mod judge;
mod judged;
mod known;
mod measure;
pub mod mutate;
mod names;
mod outcome;
mod past;
mod plausible;
mod reading;
mod refused;
mod rows;
mod settings;
mod source;
mod synonyms;
mod timeline;
mod together;
mod treatments;
mod vary;
mod when;

pub use card::card;
pub use known::{Cases, Known};
pub use outcome::{CaseOutcome, TupleOutcome};
pub use settings::Settings;
pub use source::{Boards, Charts};
pub use vary::{Attempt, Attempted, Attempts, Record};

use async_trait::async_trait;
use audit::Auditor;
use catalog::Catalog;
use coverage::Agreed;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use waterjar_charts::boards::{Cancer, ConsensusClass};
use waterjar_core::{
    Account, Audited, Case, CaseId, Check, ConditionId, Family, FamilyVerdict, Figure, JudgeId, Loss, Measured, Prompt,
    Quota, Roles, Ruling, Seed, SourceError, Strata, SubjectId, SubjectResult, Suite, SuiteCard, SuiteContext,
    SuiteError, SuiteId, Together, Variant, Varied,
};

pub const KIND: &str = "sensitivity";
/// The source of our synthetic tumor boards.
pub const BOARDS: &str = "boards";
/// The judge and auditor that ask nobody.
pub const RULES: &str = "rules";

/// What models are asked beside the subjects' question: to judge, to look for what is left, to judge extras.
pub const PROMPTS: [&str; 3] =
    [include_str!("prompts/judge.md"), include_str!("prompts/residue.md"), include_str!("prompts/extras.md")];

pub struct Sensitivity {
    id: SuiteId,
    settings: Settings,
    catalog: Catalog,
    auditor: Auditor,
    /// By case.
    known: BTreeMap<String, Known>,
    /// What boards name at all, by cancer: an extra recommendation among it is plausible.
    usual: BTreeMap<String, BTreeSet<String>>,
}

impl Sensitivity {
    pub fn new(settings: Settings, catalog: Catalog, known: BTreeMap<String, Known>) -> Self {
        let mut usual: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for case in known.values() {
            let of_cancer = usual.entry(case.cancer.clone().unwrap_or_default()).or_default();
            let named = case.agreed.iter().filter(|item| item.class != ConsensusClass::Refusal);
            of_cancer.extend(named.flat_map(Agreed::alternatives).map(str::to_lowercase));
        }
        Self {
            id: SuiteId::new(settings.name.clone().unwrap_or_else(|| KIND.to_owned())),
            auditor: Auditor::new(&catalog),
            settings,
            catalog,
            known,
            usual,
        }
    }

    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    fn judge_name(&self) -> JudgeId {
        JudgeId::new(self.settings.judge.join("+"))
    }

    /// What was agreed on for a case, where anything was.
    fn agreed(&self, case: &CaseId) -> Option<&[Agreed]> {
        let known = self.known.get(case.as_str())?;
        (!known.agreed.is_empty()).then_some(known.agreed.as_slice())
    }

    fn usual(&self, cancer: &str) -> &BTreeSet<String> {
        static NOTHING: BTreeSet<String> = BTreeSet::new();
        self.usual.get(cancer).unwrap_or(&NOTHING)
    }
}

#[async_trait]
impl Suite for Sensitivity {
    fn id(&self) -> &SuiteId {
        &self.id
    }

    fn card(&self) -> SuiteCard {
        card()
    }

    fn strata(&self, metric: &str) -> Option<Strata> {
        measure::strata(metric)
    }

    fn roles(&self) -> Roles {
        let judges = self.settings.judge.iter().filter(|name| *name != RULES).cloned().collect();
        // Who reads changed charts takes part in making them: an auditor is asked only after the answers.
        let author = Some(self.settings.residue.clone()).filter(|name| name != RULES);
        Roles { judges, author, ..Roles::default() }
    }

    fn doubts(&self) -> Vec<String> {
        self.catalog.doubts()
    }

    fn quota(&self) -> Quota {
        Quota { families: self.settings.cases, per_group: self.settings.per_cancer }
    }

    fn screen(&self, case: &Case) -> Result<String, Loss> {
        Ok(self.cancer_of(case).unwrap_or_else(|| "unknown".to_owned()))
    }

    async fn vary(&self, ctx: &SuiteContext, case: &Case) -> Result<Varied, SuiteError> {
        let mut variants = match self.family(case) {
            Ok(variants) => variants,
            Err(loss) => return Ok(Varied::Lost(loss)),
        };
        if let Some(reader) = &ctx.author {
            self.read(reader.as_ref(), &mut variants).await?;
        }
        Ok(Varied::Family(variants))
    }

    fn audit(&self, _: &SuiteContext, families: &mut dyn Iterator<Item = Vec<Variant>>) -> Audited {
        Audited { checks: Vec::new(), accounts: vary::accounts(families) }
    }

    fn has_catalog(&self) -> bool {
        true
    }

    fn accounts_of(&self, lost: &Case) -> Vec<Account> {
        let not_asked = |mut account: Account| {
            // A change that could have been asked about: what was lost is the model's reading.
            if std::mem::take(&mut account.asked) > 0 {
                account = Account { group: account.group, eligible: 1, ..Account::default() };
                account.lost.insert("not_read".to_owned(), 1);
            }
            account
        };
        self.attempts(lost).0.accounts().map(not_asked).collect()
    }

    fn ask(&self, variant: &Variant) -> Prompt {
        ask::prompt(variant)
    }

    fn asks_by_text(&self) -> bool {
        true
    }

    fn judge_id(&self) -> JudgeId {
        self.judge_name()
    }

    async fn judge(&self, ctx: &SuiteContext, family: &Family) -> Result<FamilyVerdict, SuiteError> {
        let mut verdict = self.verdict(family);
        if !ctx.judges.is_empty() {
            self.judge_by_models(&ctx.judges, family, &mut verdict).await?;
        }
        Ok(verdict)
    }

    fn measure(&self, ctx: &SuiteContext, verdicts: &mut dyn Iterator<Item = FamilyVerdict>) -> Measured {
        measure::measure(ctx, verdicts.map(|verdict| CaseOutcome::of_verdict(&verdict)))
    }

    fn together(&self) -> Option<Together> {
        Some(together::TOGETHER)
    }

    fn figures(&self, results: &[SubjectResult], _: &[Check]) -> Vec<Figure> {
        figures::figures(results)
    }

    fn notes(&self, results: &[SubjectResult]) -> Vec<String> {
        agreement::notes(results)
    }

    fn failed(&self, verdict: &FamilyVerdict) -> bool {
        let deaf = |it: &Ruling| it.role != "control" && it.score == Some(0.0);
        verdict.rulings.iter().any(deaf)
    }

    fn failing(&self) -> &'static str {
        "unmoved"
    }

    fn in_words(&self, ruling: &Ruling) -> Option<String> {
        Some(ruling.reason.clone())
    }

    fn title_of(&self, family: &[Variant]) -> String {
        let control = family.iter().find(|variant| variant.is_control());
        let cancer = control.and_then(|control| control.strata.get("cancer")).map_or("unknown", String::as_str);
        let changes = family.iter().filter(|variant| !variant.is_control()).count();
        let of = if changes == 1 { "change" } else { "changes" };
        format!("{}, {changes} {of}", Cancer::named(cancer).map_or(cancer, |it| it.called()))
    }

    fn name_of(&self, condition: &ConditionId) -> String {
        condition.to_string()
    }
}

/// Figures from outputs made elsewhere, by subject.
pub fn score(seed: Seed, paths: &[&Path]) -> Result<crate::Scored, SourceError> {
    let (ctx, (subjects, notes)) = (SuiteContext::new(seed), rows::read(paths)?);
    let subjects = subjects.into_iter();
    let mut measured: Vec<(SubjectId, Measured)> =
        subjects.map(|(subject, cases)| (SubjectId::new(subject), measure::measure(&ctx, cases.into_iter()))).collect();
    together::add(seed, &mut measured);
    let subjects = measured.into_iter().map(|(subject, measured)| (subject.to_string(), measured)).collect();
    Ok(crate::Scored { subjects, notes })
}
