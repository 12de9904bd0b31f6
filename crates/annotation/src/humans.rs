//! People as a judge: what they settled, as verdicts of the run.

use crate::settled::Settled;
use crate::{Project, Rule, Side, Source};
use std::collections::BTreeMap;
use waterjar_core::{Audit, FamilyVerdict, JudgeId, Ruling, SubjectId};
use waterjar_engine::PlannedSuite;
use waterjar_store::{Ratings, Store, StoreError};

/// Who people are among judges.
pub const JUDGE: &str = "humans";

/// Of one subject: what people say of the families they rated, and what the run's judge says of the same answers.
#[derive(Clone, Debug, Default)]
pub struct Humans {
    pub people: Vec<FamilyVerdict>,
    pub judge: Vec<FamilyVerdict>,
    /// How many of the run each family stands for.
    pub weights: BTreeMap<String, f64>,
    /// Whether people said what became of answers, and not only why.
    pub outcomes: bool,
}

/// Of every project of the suite whose form makes verdicts; where two rate the same answer, the later one counts.
pub async fn humans(
    ratings: &Ratings,
    store: &Store,
    planned: &PlannedSuite,
) -> Result<BTreeMap<SubjectId, Humans>, StoreError> {
    let mut ruled: BTreeMap<(SubjectId, i64, u32), Rated> = BTreeMap::new();
    let mut projects: Vec<(String, Project)> = ratings.projects().await?;
    projects.sort_by_key(|(_, project)| project.made);
    for (id, project) in projects.iter().filter(|(_, it)| it.suite == *planned.id() && !it.form.verdicts.is_empty()) {
        let sources: Vec<Source> = ratings.sources(id).await?;
        let settled = Settled::of(&project.form, &ratings.of_all(id).await?);
        for (item, source) in sources.iter().enumerate() {
            let Some(subject) = source.subjects.first() else { continue };
            let key = (subject.clone(), source.position, source.repeat);
            for rule in &project.form.verdicts {
                let Some(value) = settled.value(item as u32, &rule.question) else { continue };
                let rated = ruled.entry(key.clone()).or_default();
                rated.weight = source.weight;
                let role = if rule.of == Side::Control { "control" } else { source.role.as_str() };
                rated.roles.insert(role.to_owned(), (rule.clone(), value.to_owned()));
            }
        }
    }
    let mut found: BTreeMap<SubjectId, Humans> = BTreeMap::new();
    let judge = planned.suite().judge_id();
    for ((subject, position, repeat), rated) in ruled {
        let page = store.verdicts_on(planned.id(), &subject, &judge, position - 1, 1).await?;
        let Some(stored) = page.items.into_iter().find(|it| it.verdict.repeat == repeat) else { continue };
        let (people, by_judge) = rated.both(&stored.verdict);
        let of_subject = found.entry(subject).or_default();
        of_subject.weights.insert(people.family.to_string(), rated.weight);
        of_subject.outcomes |= rated.roles.values().any(|(rule, _)| !rule.outcome.is_empty());
        of_subject.people.push(people);
        of_subject.judge.push(by_judge);
    }
    Ok(found)
}

#[derive(Default)]
struct Rated {
    weight: f64,
    /// What was settled, by role.
    roles: BTreeMap<String, (Rule, String)>,
}

impl Rated {
    /// Both verdicts are on the same answers, so that nothing but the judge differs. A control that nobody was asked about is taken as the
    /// judge has it: the figures of a change rest on it.
    fn both(&self, verdict: &FamilyVerdict) -> (FamilyVerdict, FamilyVerdict) {
        let kept = |ruling: &&Ruling| ruling.role == "control" || self.roles.contains_key(&ruling.role);
        let by_judge =
            FamilyVerdict { rulings: verdict.rulings.iter().filter(kept).map(bare).collect(), ..verdict.clone() };
        let by_people = |ruling: &Ruling| match self.roles.get(&ruling.role) {
            Some((rule, value)) => rule.applied(ruling, value),
            None => ruling.clone(),
        };
        let people = FamilyVerdict {
            judge: JudgeId::new(JUDGE),
            rulings: by_judge.rulings.iter().map(by_people).collect(),
            ..verdict.clone()
        };
        (people, by_judge)
    }
}

/// Without what nobody asked people about: the place of a diagnosis in a list, and parts of a score.
fn bare(ruling: &Ruling) -> Ruling {
    Ruling { ranking: Vec::new(), listed: 0, parts: BTreeMap::new(), ..ruling.clone() }
}

impl Rule {
    fn applied(&self, ruling: &Ruling, value: &str) -> Ruling {
        let mut ruling = ruling.clone();
        if let Some(outcome) = self.outcome.get(value) {
            ruling.outcome = *outcome;
            ruling.named = None;
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
        ruling
    }
}
