//! responses → verdicts: what was judged before and has not changed is not judged again.

use super::course::{Course, apart, is_stopped};
use super::{
    PAGE,
    models::Models,
    outages::{Outages, Reason},
    stopping::reaches,
};
use crate::gateway::Purpose;
use crate::key::key_of;
use crate::unheard::{is_unheard, unheard};
use crate::{EngineError, Pass, PlannedSuite, Run, RunEvent, ToJudge};
use futures::StreamExt;
use std::future::ready;
use std::sync::Arc;
use waterjar_core::{Failure, FailureState, SubjectId, SuiteContext, SuiteId};
use waterjar_store::{Bench, FamilyToJudge, NewVerdict, Shard, Writer};

/// What whoever waits is told before models judge.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Announce {
    /// What there is to judge now.
    Open,
    /// What there may be until the last round.
    AtMost,
    /// A later round: it was told before the first.
    Nothing,
}

pub async fn judge(run: &Run<'_>, planned: &PlannedSuite, announce: Announce) -> Result<(), EngineError> {
    let families = run.store.counts(planned.id()).await?.kept;
    let total = families * planned.subjects.len() as u64 * u64::from(run.plan.repeats);
    (run.tell)(RunEvent::Started { suite: planned.id().clone(), pass: Pass::Judge, total: Some(total) });
    let writer = run.store.writer();
    let models = Models::open(run, planned, &writer).await?;
    let judging = Judging { run, planned, models: &models, writer: &writer };
    judging.announce(announce).await?;
    let judged = judging.all().await;
    // Also after an error: what was judged until then, and what was paid for, is kept.
    let kept = (models.flush().await, writer.flush().await);
    kept.0?;
    kept.1?;
    judged?;
    (run.tell)(RunEvent::Finished { pass: Pass::Judge });
    Ok(())
}

/// Where others judge: the same words as when this process does.
pub(crate) async fn announce(run: &Run<'_>, planned: &PlannedSuite) -> Result<(), EngineError> {
    let writer = run.store.writer();
    let models = Models::open(run, planned, &writer).await?;
    Judging { run, planned, models: &models, writer: &writer }.announce(Announce::Open).await
}

/// A part of the pass: one subject, a few families. Returns when all of it is kept.
pub(crate) async fn shard(
    run: &Run<'_>,
    planned: &PlannedSuite,
    models: &Models<'_>,
    shard: &Shard,
) -> Result<u64, EngineError> {
    let writer = run.store.writer();
    let judging = Judging { run, planned, models, writer: &writer };
    let subject = SubjectId::new(shard.subject.clone());
    let judged = judging.part(&subject, shard).await;
    let kept = (models.flush().await, writer.flush().await);
    kept.0?;
    kept.1?;
    judged
}

/// How many families in the page have no verdict on what they hold now.
pub(crate) async fn open_in(
    run: &Run<'_>,
    planned: &PlannedSuite,
    models: &Models<'_>,
    subject: &SubjectId,
    after: i64,
    families: u32,
) -> Result<Vec<i64>, EngineError> {
    let writer = run.store.writer();
    let judging = Judging { run, planned, models, writer: &writer };
    let ctx = models.context()?;
    let judge = planned.suite().judge_id();
    let mut open = Vec::new();
    for repeat in 0..run.plan.repeats {
        let bench = Bench { suite: planned.id(), subject, repeat, judge: &judge };
        let page = run.store.judging_page(bench, after, families).await?;
        open.extend(judging.open(page.items, &ctx).map(|(_, to_judge)| to_judge.position));
    }
    open.sort_unstable();
    open.dedup();
    Ok(open)
}

struct Judging<'a> {
    run: &'a Run<'a>,
    planned: &'a PlannedSuite,
    models: &'a Models<'a>,
    writer: &'a Writer,
}

impl Judging<'_> {
    /// Calls of models are paid for: whoever waits is told how many verdicts are to come of them, before the first.
    async fn announce(&self, announce: Announce) -> Result<(), EngineError> {
        let (run, planned) = (self.run, self.planned);
        let roles = planned.suite().roles();
        let judges: Vec<String> = roles.judges.into_iter().filter(|id| self.models.is_remote(id)).collect();
        let auditor = roles.auditor.filter(|id| self.models.is_remote(id));
        if announce == Announce::Nothing || judges.is_empty() && auditor.is_none() {
            return Ok(());
        }
        let ctx = self.models.context()?;
        let judge = planned.suite().judge_id();
        let mut reaches = reaches(run.plan, planned, &run.store).await?;
        let at_most = announce == Announce::AtMost && reaches.values().any(|reach| reach.stopped.is_none());
        if at_most {
            // Whoever is not known well enough yet may be asked everything.
            reaches.retain(|_, reach| reach.stopped.is_some());
        }
        let (mut all, mut open, mut anew) = (0, 0, 0);
        for subject in &planned.subjects {
            let last = reaches.get(&subject.id).map_or(i64::MAX, |reach| reach.position);
            for repeat in 0..run.plan.repeats {
                let bench = Bench { suite: planned.id(), subject: &subject.id, repeat, judge: &judge };
                let mut after = Some(0);
                while let Some(from) = after {
                    run.check_stop()?;
                    let mut page = run.store.judging_page(bench, from, run.plan.page()).await?;
                    page.items.retain(|family| family.position <= last);
                    all += page.items.len() as u64;
                    for (_, to_judge) in self.open(page.items, &ctx) {
                        open += 1;
                        anew += u64::from(to_judge.judged.is_some());
                    }
                    after = page.next.filter(|next| *next < last);
                }
            }
        }
        let suite = planned.id().clone();
        let told = ToJudge { suite, judges, auditor, open, at_most, anew, stored: all - open };
        (run.tell)(RunEvent::ToJudge(told));
        Ok(())
    }

    async fn all(&self) -> Result<(), EngineError> {
        let (run, planned) = (self.run, self.planned);
        let judge = planned.suite().judge_id();
        let ctx = self.models.context()?;
        let mut outages = Outages::new(&self.models.door);
        let mut done = 0;
        let reaches = reaches(run.plan, planned, &run.store).await?;
        for subject in &planned.subjects {
            let last = reaches.get(&subject.id).map_or(i64::MAX, |reach| reach.position);
            for repeat in 0..run.plan.repeats {
                let bench = Bench { suite: planned.id(), subject: &subject.id, repeat, judge: &judge };
                let mut after = 0;
                loop {
                    run.check_stop()?;
                    let mut page = run.store.judging_page(bench, after, run.plan.page()).await?;
                    page.items.retain(|family| family.position <= last);
                    done += page.items.len() as u64;
                    self.page(page.items, &ctx, &mut outages).await?;
                    (run.tell)(RunEvent::Progress { pass: Pass::Judge, done });
                    match page.next {
                        Some(next) if next < last => after = next,
                        _ => break,
                    }
                }
            }
        }
        for new in outages.rest_unless_out()? {
            self.writer.verdict(&new).await?;
        }
        Ok(())
    }

    async fn part(&self, subject: &SubjectId, shard: &Shard) -> Result<u64, EngineError> {
        let (run, planned) = (self.run, self.planned);
        let judge = planned.suite().judge_id();
        let ctx = self.models.context()?;
        let mut outages = Outages::new(&self.models.door);
        let mut seen = 0;
        for repeat in 0..run.plan.repeats {
            let bench = Bench { suite: planned.id(), subject, repeat, judge: &judge };
            let page = run.store.judging_page(bench, shard.after, shard.families).await?;
            seen += page.items.len() as u64;
            self.page(page.items, &ctx, &mut outages).await?;
        }
        if outages.holds_some() {
            outages = outages.unless_silent(self.unjudged(subject).await?)?;
        }
        for new in outages.rest_unless_out()? {
            self.writer.verdict(&new).await?;
        }
        Ok(seen)
    }

    /// How many families of the subject have no verdict yet, in the whole run.
    async fn unjudged(&self, subject: &SubjectId) -> Result<u64, EngineError> {
        self.writer.flush().await?;
        let (store, suite) = (&self.run.store, self.planned.id());
        let all = store.counts(suite).await?.kept * u64::from(self.run.plan.repeats);
        let judged = store.judged(suite, &self.planned.suite().judge_id()).await?.get(subject).copied().unwrap_or(0);
        Ok(all.saturating_sub(judged))
    }

    /// Those that were not judged as they stand.
    fn open<'f>(
        &'f self,
        families: Vec<FamilyToJudge>,
        ctx: &SuiteContext,
    ) -> impl Iterator<Item = (String, FamilyToJudge)> + use<'f> {
        let suite = self.planned.suite();
        let (judge, version) = (suite.judge_id(), suite.card().version);
        let roles = suite.roles();
        let auditor = roles.auditor.map(|id| (self.models.fingerprint(&id), id));
        // Other vectors make other verdicts.
        let mut judge = ctx.embedder.as_ref().map_or_else(|| judge.to_string(), |it| format!("{judge} by {}", it.id()));
        // And so does a judge that is asked in another way. Where its name tells all, it alone is in the key, as in runs of earlier versions.
        for (id, how) in roles.judges.iter().filter_map(|id| Some((id, self.models.asked_otherwise(id)?))) {
            judge = format!("{judge}, {id} with {how}");
        }
        // With other names the same answers are other diagnoses.
        if let Some(names) = suite.reads_by() {
            judge = format!("{judge} reading by {names}");
        }
        families.into_iter().filter_map(move |to_judge| {
            let family = to_judge.family.id.as_str();
            let key = key_of(&(&judge, version, &auditor, family, keys_of(&to_judge)));
            (to_judge.judged.as_ref() != Some(&key)).then_some((key, to_judge))
        })
    }

    async fn page(
        &self,
        families: Vec<FamilyToJudge>,
        ctx: &SuiteContext,
        outages: &mut Outages<NewVerdict>,
    ) -> Result<(), EngineError> {
        let open = self.open(families, ctx);
        let course = Course::new(&self.run.stop, &self.models.door);
        let begun = futures::stream::iter(open).take_while(|_| ready(course.goes_on()));
        let begun = begun.map(|(key, to_judge)| verdict(self.planned, ctx.clone(), key, to_judge));
        let mut work = std::pin::pin!(begun.buffer_unordered(self.run.plan.at_once()));
        while let Some(new) = course.next(&mut work).await {
            let kept = match new {
                Ok(Some(new)) => self.keep(new, outages).await,
                Ok(None) => Ok(()),
                Err(error) => Err(error),
            };
            if let Err(error) = kept {
                course.end(error);
            }
        }
        course.result()
    }

    /// A verdict that lacks the word of somebody who gave no answer is held back until it is known why.
    async fn keep(&self, new: NewVerdict, outages: &mut Outages<NewVerdict>) -> Result<(), EngineError> {
        let unanswered = unheard(&new.verdict).find(|(_, failure)| is_outage(failure)).map(|(who, failure)| {
            let reason = Reason { told: failure.detail.clone(), may_lie_in_the_question: failure.of_question };
            (who.to_string(), reason)
        });
        let Some((who, reason)) = unanswered else { return Ok(self.writer.verdict(&new).await?) };
        for held in outages.failed(&who, reason, new)? {
            self.writer.verdict(&held).await?;
        }
        Ok(())
    }
}

fn is_outage(failure: &Failure) -> bool {
    matches!(failure.state, FailureState::Timeout | FailureState::TransportError)
}

/// What transcripts call the judging of a family.
pub fn item_of(suite: &SuiteId, position: i64, subject: &SubjectId, repeat: u32) -> String {
    format!("{suite}/{position:08}/{subject}/{repeat}")
}

/// Verdicts without a usable word are forgotten, so that they are made again as if never made; tells how many there were. Those of other
/// judges than the study names now stay: nobody would make them again.
pub async fn forget_unheard(run: &Run<'_>, planned: &PlannedSuite) -> Result<u64, EngineError> {
    let (store, suite) = (&run.store, planned.id());
    let mut found = Vec::new();
    let mut after = 0;
    loop {
        let page = store.verdicts_page(suite, after, PAGE).await?;
        // Which it was is all that is needed: with its rulings each takes kilobytes.
        let verdicts = page.items.into_iter().filter(|it| planned.counts(&it.verdict, run.plan.repeats));
        found.extend(verdicts.filter(|it| is_unheard(&it.verdict)).map(|mut it| {
            it.verdict.rulings = Vec::new();
            it
        }));
        match page.next {
            Some(next) => after = next,
            None => break,
        }
    }
    store
        .forget_verdicts(suite, &found, |it| item_of(suite, it.position, &it.verdict.subject, it.verdict.repeat))
        .await?;
    Ok(found.len() as u64)
}

fn keys_of(to_judge: &FamilyToJudge) -> Vec<(&str, Option<&str>)> {
    to_judge.keys.iter().map(|key| (key.variant.as_str(), key.response.as_deref())).collect()
}

/// `None` where nothing more was to be asked.
async fn verdict(
    planned: &PlannedSuite,
    ctx: SuiteContext,
    key: String,
    to_judge: FamilyToJudge,
) -> Result<Option<NewVerdict>, EngineError> {
    let suite = Arc::clone(&planned.opened.suite);
    let (suite_id, position) = (planned.id().clone(), to_judge.position);
    let who = format!("judging {} of {}", to_judge.family.id, to_judge.family.subject);
    let item = item_of(&suite_id, position, &to_judge.family.subject, to_judge.family.repeat);
    let work = async move { suite.judge(&ctx, &to_judge.family).await };
    let judged = apart(Purpose::judge(item).scope(work)).await;
    match judged.map_err(|error| EngineError::Lost(format!("{who}: {error}")))? {
        Ok(verdict) => Ok(Some(NewVerdict { suite: suite_id, position, key, verdict })),
        Err(error) if is_stopped(&error) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
