//! A subject may be asked no more when its figure is known well enough, if the study says so beforehand.
//!
//! Families are asked in the order of the benchmark, which chance decided. After every so many of them the answers are judged and measured.
//! The intervals are those of a sample of fixed size: looking often makes them a little too narrow, which docs/statistics.md says.

use super::judge::Announce;
use super::{answer, judge, measure};
use crate::study::StopRule;
use crate::unheard::Unheard;
use crate::{EngineError, Plan, PlannedSubject, PlannedSuite, Run, RunEvent};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use waterjar_core::{Metric, SubjectId, SubjectResult, SuiteId, counted};
use waterjar_store::Store;

/// Under this the store keeps how far subjects are asked.
const REACHES: &str = "reaches";

/// How far a subject is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reach {
    /// The last family, by its place in the benchmark.
    pub position: i64,
    /// How many that are.
    pub families: u64,
    /// Whether what is so far there was measured: a run that is killed before looks first when it goes on.
    pub looked: bool,
    /// Why it is asked no further; `None` while it may be.
    pub stopped: Option<String>,
    /// The rules it was looked at by.
    #[serde(default)]
    pub rules: String,
}

/// By suite and subject.
type Reaches = BTreeMap<SuiteId, BTreeMap<SubjectId, Reach>>;

async fn kept(store: &Store) -> Result<Reaches, EngineError> {
    let text = store.meta(REACHES).await?;
    Ok(text.and_then(|it| serde_json::from_str(&it).ok()).unwrap_or_default())
}

/// Of the suite's subjects; those without an entry are asked everything.
pub async fn reaches(
    plan: &Plan,
    planned: &PlannedSuite,
    store: &Store,
) -> Result<BTreeMap<SubjectId, Reach>, EngineError> {
    // A study that no longer stops anybody asks the rest.
    if rules(plan, planned).next().is_none() {
        return Ok(BTreeMap::new());
    }
    let mut reaches = kept(store).await?.remove(planned.id()).unwrap_or_default();
    // Nor does it stop whom no rule concerns any more, also where its passes are made one by one.
    let is_concerned = |subject: &PlannedSubject| rules(plan, planned).any(|(_, rule)| concerns(rule, subject));
    reaches.retain(|id, _| planned.subjects.iter().any(|subject| subject.id == *id && is_concerned(subject)));
    Ok(reaches)
}

/// The rules on a suite: metric and rule.
fn rules<'a>(plan: &'a Plan, planned: &'a PlannedSuite) -> impl Iterator<Item = (&'a str, &'a StopRule)> {
    let of = |key: &'a str| {
        key.split_once('.').filter(|(suite, _)| *suite == planned.id().as_str()).map(|(_, metric)| metric)
    };
    plan.stopping.iter().filter_map(move |(key, rule)| Some((of(key)?, rule)))
}

fn concerns(rule: &StopRule, subject: &PlannedSubject) -> bool {
    rule.subject.as_ref().is_none_or(|named| *named == subject.id.as_str())
}

impl Run<'_> {
    /// Asks and judges in rounds until every subject is known well enough or asked everything.
    pub(crate) async fn ask_until_known(&self, planned: &PlannedSuite) -> Result<(), EngineError> {
        let all = self.store.counts(planned.id()).await?.kept;
        let mut announce = Announce::AtMost;
        loop {
            let mut reaches = kept(&self.store).await?;
            let of_suite = reaches.entry(planned.id().clone()).or_default();
            let mut goes_on = false;
            for subject in planned.asked() {
                goes_on |= self.extend(planned, subject, all, of_suite).await?;
            }
            self.keep_reaches(&reaches).await?;
            answer::answer(self, planned, None).await?;
            judge::judge(self, planned, announce).await?;
            announce = Announce::Nothing;
            if !goes_on {
                return Ok(());
            }
            self.look(planned, reaches).await?;
        }
    }

    /// By one step; tells whether there will be another.
    async fn extend(
        &self,
        planned: &PlannedSuite,
        subject: &PlannedSubject,
        all: u64,
        reaches: &mut BTreeMap<SubjectId, Reach>,
    ) -> Result<bool, EngineError> {
        let steps = rules(self.plan, planned).filter(|(_, rule)| concerns(rule, subject)).map(|(_, rule)| rule.every);
        let Some(step) = steps.min() else {
            // Whom no rule concerns any more is asked the rest.
            reaches.remove(&subject.id);
            return Ok(false);
        };
        let declared = self.declared(planned, subject);
        let reach = reaches.get_mut(&subject.id);
        match reach {
            // Enough by another rule may be too little by this one: what is there is looked at anew.
            Some(reach) if reach.rules != declared => {
                (reach.rules, reach.looked, reach.stopped) = (declared, false, None);
                return Ok(reach.families < all);
            }
            Some(Reach { stopped: Some(_), .. }) => return Ok(false),
            Some(Reach { looked: false, families, .. }) => return Ok(*families < all),
            _ => {}
        }
        let families = (reaches.get(&subject.id).map_or(0, |reach| reach.families) + step).min(all);
        let position = self.store.nth_family(planned.id(), families).await?.unwrap_or(i64::MAX);
        let reach = Reach { position, families, looked: false, stopped: None, rules: declared };
        reaches.insert(subject.id.clone(), reach);
        Ok(families < all)
    }

    /// `bias_trap_rate ±0.05` for each rule on the subject.
    fn declared(&self, planned: &PlannedSuite, subject: &PlannedSubject) -> String {
        let concerned = rules(self.plan, planned).filter(|(_, rule)| concerns(rule, subject));
        concerned.map(|(metric, rule)| format!("{metric} ±{}", rule.half_width)).collect::<Vec<_>>().join("; ")
    }

    /// Measures what is there, and stops whom the study says to stop.
    async fn look(&self, planned: &PlannedSuite, mut reaches: Reaches) -> Result<(), EngineError> {
        let results = measure::measure(self, planned, &mut Unheard::default()).await?;
        for subject in planned.asked() {
            let Some(reach) = reaches.get_mut(planned.id()).and_then(|it| it.get_mut(&subject.id)) else { continue };
            reach.looked = true;
            let Some(result) = results.iter().find(|it| it.subject == subject.id) else { continue };
            let widths = self.widths(planned, subject, result).await?;
            // Every rule on the subject has to be content.
            let Some(widths) = widths.filter(|it| !it.is_empty()) else { continue };
            if reach.stopped.is_none() && widths.iter().all(|(_, wanted, is)| is <= wanted) {
                let told = widths
                    .iter()
                    .map(|(metric, wanted, is)| format!("{metric} is known to ±{is:.4}, wanted ±{wanted}"));
                let why = told.collect::<Vec<_>>().join("; ");
                (self.tell)(RunEvent::Notice(format!(
                    "{}: enough after {}: {why}",
                    subject.id,
                    counted(reach.families, "family", "families")
                )));
                reach.stopped = Some(why);
            }
        }
        self.keep_reaches(&reaches).await
    }

    /// What each rule on the subject is about, wants and has; `None` where one of them has nothing to go by yet.
    async fn widths<'a>(
        &'a self,
        planned: &'a PlannedSuite,
        subject: &PlannedSubject,
        result: &SubjectResult,
    ) -> Result<Option<Vec<(&'a str, f64, f64)>>, EngineError> {
        let concerned: Vec<_> = rules(self.plan, planned).filter(|(_, rule)| concerns(rule, subject)).collect();
        let mut widths = Vec::new();
        for (metric, rule) in concerned {
            let Some(half) = self.half_width(result, metric).await? else { return Ok(None) };
            widths.push((metric, rule.half_width, half));
        }
        Ok(Some(widths))
    }

    async fn half_width(&self, result: &SubjectResult, metric: &str) -> Result<Option<f64>, EngineError> {
        let Some(half) = result.metrics.get(metric).and_then(Metric::half_width) else { return Ok(None) };
        Ok((self.cases_bearing(result, metric).await? >= FEWEST).then_some(half))
    }

    async fn keep_reaches(&self, reaches: &Reaches) -> Result<(), EngineError> {
        let text = serde_json::to_string(reaches).expect("names and numbers are JSON");
        Ok(self.store.put_meta(REACHES, &text).await?)
    }
}

/// Fewer cases than this are not known to anything, however many answers they gave: a bootstrap of ten that happen to be alike has no width at all.
const FEWEST: u64 = 30;
