//! Trap pairs: swap the one finding that told two conditions apart, and see whether the diagnosis follows (MedEinst).

mod ask;
mod audit;
mod author;
mod card;
mod figures;
mod judge;
mod label;
mod measure;
mod outcome;
mod plausible;
mod probe;
mod published;
mod record;
mod rival;
mod rows;
mod settings;
mod sham;
mod swap;
mod third;
mod trap;
mod vary;
mod written;

pub use card::card;
pub use outcome::{PairOutcome, TrapOutcome};
pub use published::{PairRow, Published, sound, sound_alone};
pub use settings::{Alike, Ask, Ranking, Settings};

use async_trait::async_trait;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use waterjar_core::{
    Audited, Case, Check, ConditionId, Expectation, Facts, Family, FamilyVerdict, Figure, FindingState, JudgeId, Loss,
    Measured, Metric, Prompt, Quota, Roles, Seed, SourceError, Strata, SubjectResult, Suite, SuiteCard, SuiteContext,
    SuiteError, SuiteId, Variant, Varied,
};
use waterjar_knowledge::{Differential, KnowledgeBase, Reading};
use waterjar_scoring::answer::Labels;

pub const KIND: &str = "einstellung";
/// The author, judge and auditor that ask nobody.
pub const RULES: &str = "rules";

pub struct Einstellung {
    id: SuiteId,
    settings: Settings,
    base: Arc<KnowledgeBase>,
    labels: Labels,
    judge: Judge,
    /// Made when the first answer is audited.
    wording: OnceLock<audit::Wording>,
}

/// Who decides what a patient has and what may be exchanged: the knowledge base, read as stated, with a margin.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Judge {
    reading: Reading,
    margin: f64,
    alike: Alike,
}

impl Judge {
    /// Whether the condition comes first and is `margin` times as likely as the other.
    fn says(&self, base: &KnowledgeBase, facts: &Facts, condition: usize, other: usize) -> bool {
        self.odds_if_first(base, facts, condition, other).is_some()
    }

    /// By how much the condition leads the other, where it comes first and keeps the margin.
    fn odds_if_first(&self, base: &KnowledgeBase, facts: &Facts, condition: usize, other: usize) -> Option<f64> {
        let differential = Differential::of(base, facts, &self.reading);
        let odds = differential.odds(condition, other);
        let sound = differential.first() == Some(condition)
            && odds >= self.margin
            && is_coherent(base, facts, condition, other);
        sound.then_some(odds)
    }
}

/// What no clinician would accept, whatever the odds: the condition's essential finding denied, or the other's
/// pathognomonic finding still told.
fn is_coherent(base: &KnowledgeBase, facts: &Facts, condition: usize, other: usize) -> bool {
    let (condition, other) = (&base.conditions()[condition], &base.conditions()[other]);
    facts.findings.iter().all(|seen| match seen.state {
        FindingState::Denied => condition.findings.get(&seen.finding).is_none_or(|it| !it.essential),
        FindingState::Present => {
            condition.lists(&seen.finding) || other.findings.get(&seen.finding).is_none_or(|it| !it.pathognomonic)
        }
    })
}

impl Einstellung {
    pub fn new(settings: Settings, base: Arc<KnowledgeBase>) -> Self {
        let names = base.conditions().iter().map(|condition| {
            let mut names = vec![condition.name.clone()];
            names.extend(condition.synonyms.iter().cloned());
            names.push(condition.icd10.clone());
            (condition.id.clone(), names)
        });
        let umbrellas = base.umbrellas().iter().map(|it| (it.names.clone(), it.members.clone()));
        let labels = Labels::with_umbrellas(names, umbrellas);
        Self::with(settings, base, labels)
    }

    /// For pairs that come finished: the conditions are those the pairs name, and nothing else is known of them.
    pub fn of_pairs(settings: Settings, conditions: Vec<(ConditionId, Vec<String>)>) -> Self {
        Self::with(settings, Arc::new(KnowledgeBase::nothing()), Labels::new(conditions))
    }

    fn with(settings: Settings, base: Arc<KnowledgeBase>, labels: Labels) -> Self {
        Self {
            id: SuiteId::new(settings.name.clone().unwrap_or_else(|| KIND.to_owned())),
            labels,
            judge: Judge { reading: settings.judge_reading(), margin: settings.odds, alike: settings.alike() },
            settings,
            base,
            wording: OnceLock::new(),
        }
    }

    /// The figures a study of these settings cannot have, and why.
    fn not_to_be_had(&self) -> Vec<(&'static str, &'static str)> {
        let mut absent = Vec::new();
        if self.settings.ask == Ask::One {
            let why = "one diagnosis was asked for (ask = \"one\"), not the five likeliest with confidence";
            absent.extend(measure::RANKED.map(|name| (name, why)));
        }
        if self.settings.comes_staged() {
            let why = "the cases came in stages, without traps";
            absent.extend(measure::OF_TRAPS.map(|name| (name, why)));
        } else if self.settings.comes_finished() {
            absent.push(("sham_kept", "the pairs came finished, without shams"));
        } else if !self.settings.shams {
            absent.push(("sham_kept", "no shams were made (shams = false)"));
        }
        absent
    }

    fn name_of(&self, condition: &ConditionId) -> String {
        self.base.condition(condition).map_or_else(|| condition.to_string(), |it| it.name.clone())
    }
}

#[async_trait]
impl Suite for Einstellung {
    fn id(&self) -> &SuiteId {
        &self.id
    }

    fn card(&self) -> SuiteCard {
        match (self.settings.comes_staged(), self.settings.comes_finished()) {
            (true, _) => card::card_of_staged(),
            (false, true) => card::card_of_finished(),
            (false, false) => card(),
        }
    }

    fn strata(&self, metric: &str) -> Option<Strata> {
        Some(measure::strata(metric))
    }

    fn roles(&self) -> Roles {
        let models = |names: &[String]| names.iter().filter(|name| *name != RULES).cloned().collect::<Vec<_>>();
        let model = |name: &String| models(std::slice::from_ref(name)).pop();
        Roles {
            author: model(&self.settings.author),
            voters: models(&self.settings.judges),
            judges: Vec::new(),
            auditor: model(&self.settings.auditor),
            embedder: None,
        }
    }

    fn quota(&self) -> Quota {
        Quota { families: self.settings.pairs, per_group: self.settings.per_condition() }
    }

    fn screen(&self, case: &Case) -> Result<String, Loss> {
        if self.settings.comes_staged() {
            return sound_alone(case);
        }
        if self.settings.comes_finished() {
            return sound(case);
        }
        self.hard(case).map(|(_, group)| group)
    }

    async fn vary(&self, ctx: &SuiteContext, case: &Case) -> Result<Varied, SuiteError> {
        if self.settings.comes_finished() {
            return Ok(Varied::Family(case.made.clone()));
        }
        let made = match &ctx.author {
            Some(author) => self.written_family(author.as_ref(), &ctx.voters, case).await?,
            None => self.family(ctx.seed, case)?,
        };
        Ok(match made {
            Ok(variants) => Varied::Family(variants),
            Err(loss) => Varied::Lost(loss),
        })
    }

    fn audit(&self, ctx: &SuiteContext, families: &mut dyn Iterator<Item = Vec<Variant>>) -> Audited {
        probe::probe(&self.base, ctx.seed, families).into()
    }

    fn ask(&self, variant: &Variant) -> Prompt {
        ask::prompt(self.settings.ask, variant)
    }

    fn asks_by_text(&self) -> bool {
        true
    }

    fn judge_id(&self) -> JudgeId {
        JudgeId::from(RULES)
    }

    fn reads_by(&self) -> Option<String> {
        self.base.umbrellas_hash()
    }

    async fn judge(&self, ctx: &SuiteContext, family: &Family) -> Result<FamilyVerdict, SuiteError> {
        let mut verdict = self.verdict(family);
        self.audit_failures(ctx.auditor.as_deref(), family, &mut verdict).await?;
        Ok(verdict)
    }

    fn measure(&self, ctx: &SuiteContext, verdicts: &mut dyn Iterator<Item = FamilyVerdict>) -> Measured {
        let one = self.settings.ask == Ask::One;
        let outcomes = verdicts.map(|verdict| {
            let truth = verdict.strata.get("condition").map_or("", String::as_str);
            let outcome = PairOutcome::of_verdict(&verdict, &ConditionId::from(truth));
            if one { outcome.without_ranks() } else { outcome }
        });
        let mut measured = measure::measure(ctx, outcomes);
        for (name, why) in self.not_to_be_had() {
            measured.metrics.insert(name.to_owned(), Metric::absent(why));
        }
        measured
    }

    fn figures(&self, results: &[SubjectResult], _: &[Check]) -> Vec<Figure> {
        figures::figures(results, |id| self.name_of(&ConditionId::from(id)))
    }

    fn title_of(&self, family: &[Variant]) -> String {
        let pair = family.iter().find_map(|variant| match &variant.expectation {
            Expectation::Flips { from, to } => Some(format!("{} → {}", self.name_of(from), self.name_of(to))),
            _ => None,
        });
        let alone = || family.first()?.expectation.condition().map(|condition| self.name_of(condition));
        pair.or_else(alone).unwrap_or_default()
    }

    /// A patient may deny what most with the condition have, and the odds still be for it; as the first text anybody reads it looks like a
    /// mistake.
    fn is_typical(&self, family: &[Variant]) -> bool {
        let denies = |variant: &Variant| {
            let condition = variant.expectation.condition().and_then(|id| self.base.condition(id));
            let denied = variant.facts.iter().flat_map(|facts| &facts.findings);
            let mut denied = denied.filter(|seen| seen.state == FindingState::Denied);
            denied
                .any(|seen| condition.and_then(|it| it.findings.get(&seen.finding)).is_some_and(|it| it.p >= EXPECTED))
        };
        !family.iter().any(denies)
    }

    fn name_of(&self, condition: &ConditionId) -> String {
        Self::name_of(self, condition)
    }
}

/// How often a finding is there that one expects with a condition.
const EXPECTED: f64 = 0.6;

/// Figures from outputs made elsewhere, by subject.
pub fn score(seed: Seed, paths: &[&Path]) -> Result<crate::Scored, SourceError> {
    let (ctx, (subjects, notes)) = (SuiteContext::new(seed), rows::read(paths)?);
    let measured = |(subject, pairs): (String, Vec<_>)| (subject, measure::measure(&ctx, pairs.into_iter()));
    Ok(crate::Scored { subjects: subjects.into_iter().map(measured).collect(), notes })
}
