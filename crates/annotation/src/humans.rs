//! People as a judge: what they settled, as verdicts of the run.

use crate::settled::Settled;
use crate::{Project, Rule, Side, Source};
use std::collections::BTreeMap;
use waterjar_core::{Audit, FamilyId, FamilyVerdict, JudgeId, Outcome, Ruling, SubjectId};
use waterjar_engine::PlannedSuite;
use waterjar_store::{Ratings, Store, StoreError};

/// Who people are among judges.
pub const JUDGE: &str = "humans";

/// Of one subject.
#[derive(Clone, Debug, Default)]
pub struct Humans {
    /// Where people said what became of an answer.
    pub outcomes: Rated,
    /// Where they said why it stayed with the old one: these were chosen by their outcome, and say nothing of outcomes.
    pub modes: Rated,
}

/// What people say of items, and what the run's judge says of the same answers. Each item is a family of its own here, named after the one
/// it comes from, because each has a weight of its own.
#[derive(Clone, Debug, Default)]
pub struct Rated {
    pub people: Vec<FamilyVerdict>,
    pub judge: Vec<FamilyVerdict>,
    /// How many of the run an item stands for.
    pub weights: BTreeMap<String, f64>,
}

/// Between the name of a family and what of it was rated.
const OF: char = '\u{1f}';

/// The family an item comes from: what is drawn as one when items are resampled.
pub(crate) fn family_of(item: &str) -> &str {
    item.split(OF).next().unwrap_or(item)
}

/// One answer of one subject to one variant.
type Item = (SubjectId, i64, u32, String);

/// What was settled of an item, the latest of each kind.
#[derive(Default)]
struct Said {
    outcome: Weighed,
    mode: Weighed,
}

/// Of one project, with the weight the item has in it.
#[derive(Default)]
struct Weighed {
    rules: Vec<(Rule, String)>,
    weight: f64,
}

/// Of every project of the suite whose form makes verdicts; where two rate the same answer, the later one counts.
pub async fn humans(
    ratings: &Ratings,
    store: &Store,
    planned: &PlannedSuite,
) -> Result<BTreeMap<SubjectId, Humans>, StoreError> {
    let mut items: BTreeMap<Item, Said> = BTreeMap::new();
    let mut projects: Vec<(String, Project)> = ratings.projects().await?;
    projects.sort_by_key(|(_, project)| project.made);
    for (id, project) in projects.iter().filter(|(_, it)| it.suite == *planned.id() && !it.form.verdicts.is_empty()) {
        let sources: Vec<Source> = ratings.sources(id).await?;
        let settled = Settled::of(&project.form, &ratings.of_all(id).await?);
        for (item, source) in sources.iter().enumerate() {
            let Some(subject) = source.subjects.first() else { continue };
            let value = |rule: &Rule| settled.value(item as u32, &rule.question).map(str::to_owned);
            let rules = project.form.verdicts.iter().filter_map(|rule| Some((rule.clone(), value(rule)?)));
            let (modes, outcomes): (Vec<_>, Vec<_>) = rules.partition(|(rule, _)| rule.outcome.is_empty());
            if modes.is_empty() && outcomes.is_empty() {
                continue;
            }
            let said = items.entry((subject.clone(), source.position, source.repeat, source.role.clone())).or_default();
            let weight = source.weight;
            if !outcomes.is_empty() {
                said.outcome = Weighed { rules: outcomes, weight };
            }
            if !modes.is_empty() {
                said.mode = Weighed { rules: modes, weight };
            }
        }
    }
    let mut found: BTreeMap<SubjectId, Humans> = BTreeMap::new();
    let judge = planned.suite().judge_id();
    for ((subject, position, repeat, role), said) in items {
        let page = store.verdicts_on(planned.id(), &subject, &judge, position - 1, 1).await?;
        let Some(stored) = page.items.into_iter().find(|it| it.verdict.repeat == repeat) else { continue };
        let of_subject = found.entry(subject).or_default();
        of_subject.outcomes.add(&stored.verdict, &role, &said.outcome);
        of_subject.modes.add(&stored.verdict, &role, &said.mode);
    }
    Ok(found)
}

impl Rated {
    /// Both verdicts are on the same answers, so that nothing but the judge differs. A control that nobody was asked about is taken as the
    /// judge has it: the figures of a change rest on it.
    fn add(&mut self, verdict: &FamilyVerdict, role: &str, said: &Weighed) {
        if said.rules.is_empty() {
            return;
        }
        let family = FamilyId::from(format!("{}{OF}{role}{OF}{}", verdict.family, verdict.repeat).as_str());
        let kept = verdict.rulings.iter().filter(|ruling| ruling.role == "control" || ruling.role == role);
        let judge = FamilyVerdict { family, rulings: kept.map(bare).collect(), ..verdict.clone() };
        let mut people = FamilyVerdict { judge: JudgeId::new(JUDGE), ..judge.clone() };
        for (rule, value) in &said.rules {
            let of = if rule.of == Side::Control { "control" } else { role };
            if let Some(ruling) = people.rulings.iter_mut().find(|ruling| ruling.role == of) {
                rule.apply(ruling, value);
            }
        }
        self.weights.insert(judge.family.to_string(), said.weight);
        self.people.push(people);
        self.judge.push(judge);
    }
}

/// Without what nobody asked people about: the place of a diagnosis in a list, and parts of a score.
fn bare(ruling: &Ruling) -> Ruling {
    Ruling { ranking: Vec::new(), listed: 0, parts: BTreeMap::new(), ..ruling.clone() }
}

impl Rule {
    fn apply(&self, ruling: &mut Ruling, value: &str) {
        if let Some(outcome) = self.outcome.get(value) {
            ruling.outcome = *outcome;
            ruling.named = None;
            if *outcome != Outcome::Trapped {
                ruling.audit = None;
            }
        }
        if let Some(score) = self.score.get(value) {
            ruling.score = Some(*score);
        }
        if let Some(mode) = self.mode.get(value) {
            let evidence = ruling.audit.take().map(|audit| audit.evidence).unwrap_or_default();
            let auditor = JudgeId::new(JUDGE);
            ruling.audit = Some(Audit { mode: *mode, auditor, evidence, quote: None, failure: None });
        }
        ruling.reason = format!("{}: {value}", self.question);
    }
}
