//! Vignettes as he, she and they: the answer must hold, and so must the reasoning (MEDEQUALQA).

mod announced;
mod answer;
mod ask;
mod attributes;
mod audit;
mod author;
mod bad_rows;
mod card;
mod conclusion;
mod contrast;
mod figures;
mod judge;
mod judged;
mod labelled;
mod likeness;
mod measure;
mod outcome;
mod pairing;
mod ratios;
mod region;
mod rows;
mod settings;
mod source;
mod spans;
mod suggest;
mod trace;
mod vary;
mod words;

pub use answer::Read;
pub use card::card;
pub use conclusion::Conclusion;
pub use contrast::{Contrast, Divergence};
pub use measure::measure;
pub use outcome::{FamilyOutcome, PairOutcome};
pub use pairing::{FLOOR, PUBLISHED, Pairing};
pub use region::{Pair, Region, region};
pub use settings::{Ambiguous, Settings, Who};
pub use source::{Vignettes, load, load_drawn};
pub use suggest::suggest;
pub use trace::Trace;
pub use vary::Record;

use async_trait::async_trait;
use std::path::PathBuf;
use std::sync::Arc;
use waterjar_core::{
    Audited, Case, Check, ConditionId, Embedder, Family, FamilyVerdict, Figure, JudgeId, Likeness, Loss, Measured,
    Prompt, Quota, Roles, Ruling, Seed, SourceError, Strata, SubjectResult, Suite, SuiteCard, SuiteContext, SuiteError,
    SuiteId, Variant, Varied,
};
use waterjar_vignettes::attributes::Attribute;

pub const KIND: &str = "parity";
/// The source of our own vignettes.
pub const STARTER: &str = "starter";
/// The author and the judge that ask nobody.
pub const RULES: &str = "rules";

pub struct Parity {
    id: SuiteId,
    settings: Settings,
    /// By the role of the variant.
    attributes: Vec<(String, Attribute)>,
}

impl Parity {
    /// The error is a problem with the settings, as `key: problem`.
    pub fn new(settings: Settings) -> Result<Self, String> {
        if let Some(problem) = settings.problem() {
            return Err(problem);
        }
        let attributes = settings.attributes.iter().map(|it| attributes::named(it)).collect::<Result<_, _>>();
        let attributes = attributes.map_err(|problem| format!("attributes: {problem}"))?;
        let id = SuiteId::new(settings.name.clone().unwrap_or_else(|| KIND.to_owned()));
        Ok(Self { id, settings, attributes })
    }

    fn judge_name(&self) -> JudgeId {
        JudgeId::new(self.settings.judge.join("+"))
    }
}

#[async_trait]
impl Suite for Parity {
    fn id(&self) -> &SuiteId {
        &self.id
    }

    fn card(&self) -> SuiteCard {
        card()
    }

    fn strata(&self, metric: &str) -> Option<Strata> {
        let attributes = self.attributes.iter().map(|(role, _)| role.as_str());
        let others: Vec<&str> = attributes.chain(self.settings.floor.then_some(pairing::AGAIN)).collect();
        Some(measure::strata(metric, &others))
    }

    fn roles(&self) -> Roles {
        let model = |name: &&String| *name != RULES;
        Roles {
            author: Some(&self.settings.author).filter(model).cloned(),
            judges: self.settings.judge.iter().filter(model).cloned().collect(),
            embedder: Some(self.settings.embedder.clone()),
            ..Roles::default()
        }
    }

    fn quota(&self) -> Quota {
        // The source draws the vignettes, so that all ablations of one are there.
        Quota { families: None, per_group: None }
    }

    fn screen(&self, case: &Case) -> Result<String, Loss> {
        Ok(vary::item_of(case.id.as_str(), &self.settings).0.to_owned())
    }

    async fn vary(&self, ctx: &SuiteContext, case: &Case) -> Result<Varied, SuiteError> {
        Ok(match self.family(ctx.author.as_deref(), case).await? {
            Ok(variants) => Varied::Family(variants),
            Err(loss) => Varied::Lost(loss),
        })
    }

    fn audit(&self, _: &SuiteContext, families: &mut dyn Iterator<Item = Vec<Variant>>) -> Audited {
        audit::audit(&self.attributes, families)
    }

    fn ask(&self, variant: &Variant) -> Prompt {
        ask::prompt(variant)
    }

    fn judge_id(&self) -> JudgeId {
        self.judge_name()
    }

    async fn judge(&self, ctx: &SuiteContext, family: &Family) -> Result<FamilyVerdict, SuiteError> {
        let Some(embedder) = &ctx.embedder else {
            let problem = "nobody can say how alike two reasonings are: no embedder was opened".to_owned();
            return Err(SuiteError::Case { case: family.id.to_string(), problem });
        };
        let (mut verdict, told) = self.verdict(embedder, family).await?;
        if !ctx.judges.is_empty() {
            self.label_by_models(&ctx.judges, &told, &mut verdict).await?;
        }
        Ok(verdict)
    }

    fn measure(&self, ctx: &SuiteContext, verdicts: &mut dyn Iterator<Item = FamilyVerdict>) -> Measured {
        let outcomes = verdicts.map(|verdict| FamilyOutcome::of_verdict(&verdict));
        measure(ctx, outcomes)
    }

    fn figures(&self, results: &[SubjectResult], _: &[Check]) -> Vec<Figure> {
        figures::figures(results)
    }

    fn likenesses(&self, verdict: &FamilyVerdict) -> Vec<Likeness> {
        let roles = verdict.rulings.iter().map(|it| it.role.as_str());
        let likeness = |pairing: Pairing| {
            let value = *verdict.ruling(&pairing.b)?.parts.get(&format!("{}.{}", judge::STS, pairing.name))?;
            Some(Likeness { title: pairing::in_words(&pairing.name), a: pairing.a, b: pairing.b, value })
        };
        Pairing::of_roles(roles).into_iter().filter_map(likeness).collect()
    }

    fn failed(&self, verdict: &FamilyVerdict) -> bool {
        let flipped = |pairing: &str, ruling: &Ruling| {
            ruling.parts.get(&format!("{}.{pairing}", judge::FLIPPED)).is_some_and(|it| *it > 0.0)
        };
        PUBLISHED.iter().any(|pairing| verdict.rulings.iter().any(|ruling| flipped(pairing, ruling)))
    }

    fn failing(&self) -> &'static str {
        "flipped"
    }

    fn in_words(&self, ruling: &Ruling) -> Option<String> {
        Some(ruling.reason.clone())
    }

    fn title_of(&self, family: &[Variant]) -> String {
        let record = family.first().map(Record::of).unwrap_or_default();
        match record.removed {
            Some(removed) => format!("{}, without “{removed}”", record.item),
            None => record.item,
        }
    }

    fn cluster_of(&self, family: &[Variant]) -> Option<String> {
        family.first().map(|variant| Record::of(variant).item)
    }

    /// Without a finding that decides, and where the source tells no answer, nobody can say which one is right: only that it is the same in
    /// every wording.
    fn expects(&self, variant: &Variant) -> Option<&'static str> {
        let record = Record::of(variant);
        if record.removed.is_none() && record.answer.is_some() {
            return None;
        }
        Some(if variant.is_control() { "one answer to all wordings" } else { "the same answer as the original's" })
    }

    /// A story without one of its findings has no answer that a reader of the field would call right.
    fn is_typical(&self, family: &[Variant]) -> bool {
        family.iter().all(|variant| Record::of(variant).removed.is_none())
    }

    fn name_of(&self, condition: &ConditionId) -> String {
        condition.to_string()
    }
}

/// Figures from outputs made elsewhere, by subject.
pub async fn score(seed: Seed, paths: Vec<PathBuf>, embedder: Arc<dyn Embedder>) -> Result<crate::Scored, SourceError> {
    let paths: Vec<_> = paths.iter().map(PathBuf::as_path).collect();
    let (subjects, notes) = rows::read(&paths, &embedder).await?;
    let ctx = SuiteContext::new(seed);
    let measured = |(subject, families): (String, Vec<_>)| (subject, measure(&ctx, families.into_iter()));
    Ok(crate::Scored { subjects: subjects.into_iter().map(measured).collect(), notes })
}
