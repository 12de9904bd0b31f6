//! Letters of patients with a trap, a voice and a rumor: the answer must hold, and put it right (DyReMe).

mod agreement;
mod ask;
mod asked;
mod audit;
mod authored;
mod card;
mod earlier;
mod figures;
mod judge;
mod judged;
mod measure;
mod outcome;
mod record;
mod rows;
mod settings;
mod source;
mod stance;
mod vary;

pub use card::card;
pub use earlier::Earlier;
pub use measure::measure;
pub use outcome::{AnswerOutcome, FamilyOutcome, Graded};
pub use record::Record;
pub use settings::{Keep, Method, Settings};
pub use source::{Dx, InLanguage};
pub use stance::{Claim, Stance, stance};

use async_trait::async_trait;
use std::path::Path;
use std::sync::Arc;
use waterjar_consultations::{Hearing, Language, Names};
use waterjar_core::{
    Audited, Case, Check, ConditionId, Family, FamilyVerdict, Figure, JudgeId, Loss, Measured, Outcome, Prompt, Quota,
    Roles, Ruling, Seed, SourceError, Strata, SubjectResult, Suite, SuiteCard, SuiteContext, SuiteError, SuiteId,
    Together, Variant, Varied,
};
use waterjar_knowledge::KnowledgeBase;
use waterjar_scoring::answer::Labels;

pub const KIND: &str = "consult";
/// The author and the judge that ask nobody.
pub const RULES: &str = "rules";

pub struct Consult {
    id: SuiteId,
    settings: Settings,
    language: Arc<Language>,
    base: Arc<KnowledgeBase>,
    hearing: Hearing,
    /// Every disease that could be named, as texts name it and as answers do.
    names: Names,
    labels: Labels,
    earlier: Earlier,
}

impl Consult {
    /// For patients of a base.
    pub fn new(settings: Settings, language: Arc<Language>, base: Arc<KnowledgeBase>) -> Self {
        let hearing = Hearing::of_base(&language, &base);
        let names = language.all_names(&base);
        // A code is a name of its own.
        let labels = names.iter().map(|(id, names)| {
            let code = base.condition(id).map(|it| it.icd10.clone());
            (id.clone(), names.iter().cloned().chain(code).collect())
        });
        Self {
            id: SuiteId::new(settings.name.clone().unwrap_or_else(|| KIND.to_owned())),
            labels: Labels::new(labels.collect::<Vec<_>>()),
            names: Names::new(names),
            settings,
            language,
            base,
            hearing,
            earlier: Earlier::default(),
        }
    }

    /// No question of these is asked again.
    #[must_use]
    pub fn apart_from(mut self, earlier: Earlier) -> Self {
        self.earlier = earlier;
        self
    }

    /// For cases of bare words, of whose diseases only the names are known.
    pub fn of_names(settings: Settings, language: Arc<Language>, diseases: Vec<(ConditionId, Vec<String>)>) -> Self {
        Self {
            id: SuiteId::new(settings.name.clone().unwrap_or_else(|| KIND.to_owned())),
            labels: Labels::new(diseases.clone()),
            names: Names::new(diseases),
            settings,
            language,
            base: Arc::new(KnowledgeBase::nothing()),
            hearing: Hearing::default(),
            earlier: Earlier::default(),
        }
    }
}

impl Consult {
    fn judge_name(&self) -> JudgeId {
        JudgeId::new(self.settings.judge.join("+"))
    }

    /// The proper name of a condition.
    fn called(&self, condition: &ConditionId) -> String {
        let known = self.base.condition(condition).map(|it| self.language.names_of(it));
        known.and_then(|names| names.into_iter().next()).unwrap_or_else(|| condition.to_string())
    }
}

#[async_trait]
impl Suite for Consult {
    fn id(&self) -> &SuiteId {
        &self.id
    }

    fn card(&self) -> SuiteCard {
        card()
    }

    fn strata(&self, metric: &str) -> Option<Strata> {
        measure::strata(metric, &self.settings.roles())
    }

    fn roles(&self) -> Roles {
        let is_model = |name: &&String| *name != RULES;
        let judges = self.settings.judge.iter().filter(is_model).cloned().collect();
        Roles { author: Some(&self.settings.author).filter(is_model).cloned(), judges, ..Roles::default() }
    }

    fn language(&self) -> &str {
        &self.language.id
    }

    fn quota(&self) -> Quota {
        Quota { families: self.settings.items, per_group: None }
    }

    /// Three times what is wanted, within bounds: what loses all of these will lose the others.
    fn patience(&self) -> Option<usize> {
        Some(self.settings.items.map_or(48, |wanted| wanted.saturating_mul(3).clamp(12, 48) as usize))
    }

    fn screen(&self, case: &Case) -> Result<String, Loss> {
        self.group(case)
    }

    async fn vary(&self, ctx: &SuiteContext, case: &Case) -> Result<Varied, SuiteError> {
        self.family(ctx.seed, ctx.author.as_deref(), case).await
    }

    fn audit(&self, _: &SuiteContext, families: &mut dyn Iterator<Item = Vec<Variant>>) -> Audited {
        self.look_over(families)
    }

    fn ask(&self, variant: &Variant) -> Prompt {
        self.prompt(variant)
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
        measure(ctx, verdicts.map(|verdict| FamilyOutcome::of_verdict(&verdict)))
    }

    fn figures(&self, results: &[SubjectResult], checks: &[Check]) -> Vec<Figure> {
        figures::figures(results, checks)
    }

    fn failed(&self, verdict: &FamilyVerdict) -> bool {
        let misled = |it: &Ruling| it.role != "control" && !matches!(it.outcome, Outcome::Right | Outcome::Missing);
        verdict.rulings.iter().any(misled)
    }

    fn failing(&self) -> &'static str {
        "misled"
    }

    fn in_words(&self, ruling: &Ruling) -> Option<String> {
        Some(ruling.reason.clone())
    }

    fn title_of(&self, family: &[Variant]) -> String {
        let condition = family.first().and_then(|it| it.expectation.condition());
        let distractor = family.iter().find_map(|it| Record::of(it).brief?.distractor);
        match (condition.map(|it| self.name_of(it)), distractor) {
            (Some(condition), Some(distractor)) => format!("{condition}, taken for {}", distractor.name),
            (condition, _) => condition.unwrap_or_default(),
        }
    }

    fn together(&self) -> Option<Together> {
        Some(agreement::TOGETHER)
    }

    fn name_of(&self, condition: &ConditionId) -> String {
        self.called(condition)
    }
}

/// Figures from outputs made elsewhere, by subject.
pub fn score(seed: Seed, paths: &[&Path]) -> Result<crate::Scored, SourceError> {
    let (ctx, (subjects, notes)) = (SuiteContext::new(seed), rows::read(paths)?);
    let measured = |(subject, families): (String, Vec<_>)| (subject, measure(&ctx, families.into_iter()));
    Ok(crate::Scored { subjects: subjects.into_iter().map(measured).collect(), notes })
}
