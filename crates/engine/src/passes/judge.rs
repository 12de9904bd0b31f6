//! responses → verdicts: what was judged before and has not changed is not judged again.

use super::{AT_ONCE, PAGE, models::Models};
use crate::gateway::Purpose;
use crate::key::key_of;
use crate::{EngineError, Pass, PlannedSuite, Run, RunEvent};
use futures::StreamExt;
use std::sync::Arc;
use waterjar_core::SuiteContext;
use waterjar_store::{Bench, FamilyToJudge, NewVerdict, Writer};

pub async fn judge(run: &Run<'_>, planned: &PlannedSuite) -> Result<(), EngineError> {
    let families = run.store.counts(planned.id()).await?.kept;
    let total = families * planned.subjects.len() as u64 * u64::from(run.plan.repeats);
    (run.tell)(RunEvent::Started { suite: planned.id().clone(), pass: Pass::Judge, total: Some(total) });
    let writer = run.store.writer();
    let models = Models::open(run, planned).await?;
    let judged = judge_all(run, planned, &models, &writer).await;
    // Also after an error: what was judged until then, and what was paid for, is kept.
    models.flush().await?;
    writer.flush().await?;
    judged?;
    (run.tell)(RunEvent::Finished { pass: Pass::Judge });
    Ok(())
}

async fn judge_all(
    run: &Run<'_>,
    planned: &PlannedSuite,
    models: &Models<'_>,
    writer: &Writer,
) -> Result<(), EngineError> {
    let suite = planned.suite();
    let (judge, version) = (suite.judge_id(), suite.card().version);
    let auditor = suite.roles().auditor.map(|id| (models.fingerprint(&id), id));
    let ctx = models.context()?;
    let mut done = 0;
    for subject in &planned.subjects {
        for repeat in 0..run.plan.repeats {
            let bench = Bench { suite: planned.id(), subject: &subject.id, repeat, judge: &judge };
            let mut after = 0;
            loop {
                run.check_stop()?;
                let page = run.store.judging_page(bench, after, PAGE).await?;
                done += page.items.len() as u64;
                let mut work = futures::stream::iter(page.items)
                    .map(|to_judge| {
                        let family = to_judge.family.id.as_str();
                        let key = key_of(&(&judge, version, &auditor, family, keys_of(&to_judge)));
                        (key, to_judge)
                    })
                    .filter(|(key, to_judge)| futures::future::ready(to_judge.judged.as_ref() != Some(key)))
                    .map(|(key, to_judge)| verdict(planned, ctx.clone(), key, to_judge))
                    .buffer_unordered(AT_ONCE);
                // The first reason to end counts; what is under way is waited for and kept.
                let mut ended = Ok(());
                while let Some(new) = work.next().await {
                    match new {
                        Ok(new) => writer.verdict(&new).await?,
                        Err(error) => ended = ended.and(Err(error)),
                    }
                }
                ended?;
                (run.tell)(RunEvent::Progress { pass: Pass::Judge, done });
                match page.next {
                    Some(next) => after = next,
                    None => break,
                }
            }
        }
    }
    Ok(())
}

fn keys_of(to_judge: &FamilyToJudge) -> Vec<(&str, Option<&str>)> {
    to_judge.keys.iter().map(|key| (key.variant.as_str(), key.response.as_deref())).collect()
}

async fn verdict(
    planned: &PlannedSuite,
    ctx: SuiteContext,
    key: String,
    to_judge: FamilyToJudge,
) -> Result<NewVerdict, EngineError> {
    let suite = Arc::clone(&planned.opened.suite);
    let (suite_id, position) = (planned.id().clone(), to_judge.position);
    let who = format!("judging {} of {}", to_judge.family.id, to_judge.family.subject);
    let item = format!("{suite_id}/{position:08}/{}/{}", to_judge.family.subject, to_judge.family.repeat);
    let work = async move { suite.judge(&ctx, &to_judge.family).await };
    let task = tokio::spawn(Purpose::judge(item).scope(work));
    let verdict = task.await.map_err(|error| EngineError::Lost(format!("{who}: {error}")))??;
    Ok(NewVerdict { suite: suite_id, position, key, verdict })
}
