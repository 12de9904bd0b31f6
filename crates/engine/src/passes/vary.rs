//! candidates → families, until the quota is full. Candidates come in a fixed order of chance, the groups in turn, so
//! the same study keeps the same families however often it was interrupted.

use super::{AT_ONCE, PAGE, models::Models, screen::screen};
use crate::gateway::Purpose;
use crate::key::key_of;
use crate::{EngineError, Pass, PlannedSuite, Run, RunEvent};
use futures::StreamExt;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::mpsc;
use waterjar_core::{Account, BenchmarkSummary, FamilyId, Quota, SuiteContext, Variant, Varied};
use waterjar_store::{CandidateCase, FamilyOutcome, FamilyState, NewFamily, NewVariant, Stage, Store};

pub async fn vary(run: &Run<'_>, planned: &PlannedSuite) -> Result<BenchmarkSummary, EngineError> {
    let screened = screen(run, planned).await?;
    let suite = planned.id();
    let quota = limited(planned.suite().quota(), run.limit);
    (run.tell)(RunEvent::Started { suite: suite.clone(), pass: Pass::Vary, total: quota.families });
    make_families(run, planned, quota).await?;
    let settled = run.store.settle(suite, quota).await?;
    (run.tell)(RunEvent::Finished { pass: Pass::Vary });

    let mut losses = screened.losses;
    let varied_away: u64 = settled.losses.values().sum();
    for (reason, n) in settled.losses {
        *losses.entry(reason).or_default() += n;
    }
    // Eligible cases beyond the quota were not needed; with them the counts add up to all cases.
    let accounted = settled.kept + varied_away;
    if let Some(left) = screened.eligible.checked_sub(accounted).filter(|left| *left > 0) {
        losses.insert("not_needed".to_owned(), left);
    }
    let (variants, accounts) = audit(run, planned).await?;
    // Where interventions are cataloged, a case may be eligible for many.
    let eligible = if accounts.is_empty() { screened.eligible } else { accounts.iter().map(|it| it.eligible).sum() };
    for (reason, n) in accounts.iter().flat_map(|account| &account.lost) {
        *losses.entry(reason.clone()).or_default() += n;
    }
    let summary = BenchmarkSummary {
        suite: suite.clone(),
        cases: screened.cases,
        eligible,
        families: settled.kept,
        variants,
        losses,
        accounts,
    };
    run.store.finish_stage(suite, Stage::Vary, &summary).await?;
    Ok(summary)
}

/// What the last `vary` made of the source.
pub async fn summary(store: &Store, planned: &PlannedSuite) -> Result<BenchmarkSummary, EngineError> {
    let made = store.stage(planned.id(), Stage::Vary).await?;
    made.ok_or_else(|| {
        EngineError::file(store.path(), format!("holds no variants of `{}` yet", planned.id()))
            .with_hint("make them with `waterjar vary`, or all at once with `waterjar run`")
    })
}

fn limited(quota: Quota, limit: Option<u64>) -> Quota {
    let families = match (quota.families, limit) {
        (Some(asked), Some(limit)) => Some(asked.min(limit)),
        (asked, limit) => asked.or(limit),
    };
    Quota { families, ..quota }
}

async fn make_families(run: &Run<'_>, planned: &PlannedSuite, quota: Quota) -> Result<(), EngineError> {
    let writer = run.store.writer();
    let models = Models::open(run, planned).await?;
    let ctx = models.context()?;
    let mut kept = Kept::new(quota);
    let mut after = 0;
    while !kept.is_full() {
        run.check_stop()?;
        let page = run.store.candidates(planned.id(), after, PAGE).await?;
        let mut work = futures::stream::iter(page.items)
            .map(|candidate| {
                let (suite, ctx) = (Arc::clone(&planned.opened.suite), ctx.clone());
                // A candidate of a group that is full already would only be surplus.
                let wanted = candidate.state.is_none() && kept.has_room(&candidate.group);
                async move {
                    if !wanted {
                        return Ok((candidate, None));
                    }
                    let case = candidate.case.id.clone();
                    let purpose = Purpose::author(format!("{}/{:08}", suite.id(), candidate.position));
                    let task = tokio::spawn(purpose.scope(async move {
                        let varied = suite.vary(&ctx, &candidate.case).await;
                        (candidate, varied)
                    }));
                    let (candidate, varied) =
                        task.await.map_err(|error| EngineError::Lost(format!("case {case}: {error}")))?;
                    Ok::<_, EngineError>((candidate, Some(varied?)))
                }
            })
            .buffered(AT_ONCE);
        let mut made = Vec::new();
        while let Some(done) = work.next().await {
            let (candidate, varied) = done?;
            let is_family = match &varied {
                Some(varied) => matches!(varied, Varied::Family(_)),
                None => matches!(candidate.state, Some(FamilyState::Kept | FamilyState::Surplus)),
            };
            if let Some(varied) = varied {
                writer.family(&new_family(planned, &candidate, varied)).await?;
            }
            made.push((candidate.group, is_family));
        }
        drop(work);
        for (group, is_family) in made {
            if is_family {
                kept.count(&group);
            }
        }
        (run.tell)(RunEvent::Progress { pass: Pass::Vary, done: kept.total });
        match page.next {
            Some(next) => after = next,
            None => break,
        }
    }
    models.flush().await?;
    Ok(writer.flush().await?)
}

fn new_family(planned: &PlannedSuite, candidate: &CandidateCase, varied: Varied) -> NewFamily {
    NewFamily {
        suite: planned.id().clone(),
        id: FamilyId::new(candidate.case.id.as_str()),
        case: candidate.case.id.clone(),
        position: candidate.position,
        group: candidate.group.clone(),
        outcome: match varied {
            Varied::Family(variants) => FamilyOutcome::Made(
                variants.into_iter().map(|variant| NewVariant { hash: key_of(&variant), variant }).collect(),
            ),
            Varied::Lost(loss) => FamilyOutcome::Lost(loss),
        },
    }
}

/// How far the quota is filled.
struct Kept {
    quota: Quota,
    total: u64,
    groups: HashMap<String, u64>,
}

impl Kept {
    fn new(quota: Quota) -> Self {
        Self { quota, total: 0, groups: HashMap::new() }
    }

    fn is_full(&self) -> bool {
        self.quota.families.is_some_and(|wanted| self.total >= wanted)
    }

    fn has_room(&self, group: &str) -> bool {
        let held = self.groups.get(group).copied().unwrap_or(0);
        self.quota.per_group.is_none_or(|cap| held < cap)
    }

    fn count(&mut self, group: &str) {
        if self.has_room(group) && !self.is_full() {
            self.total += 1;
            *self.groups.entry(group.to_owned()).or_default() += 1;
        }
    }
}

/// Runs the suite's own checks on the benchmark, family by family, and counts its variants.
async fn audit(run: &Run<'_>, planned: &PlannedSuite) -> Result<(u64, Vec<Account>), EngineError> {
    let (send, mut families) = mpsc::channel::<Vec<Variant>>(64);
    let (suite, ctx) = (Arc::clone(&planned.opened.suite), SuiteContext::new(run.plan.seed));
    let auditing =
        tokio::task::spawn_blocking(move || suite.audit(&ctx, &mut std::iter::from_fn(|| families.blocking_recv())));
    let mut variants = 0;
    let mut after = 0;
    loop {
        let page = run.store.families_page(planned.id(), after, PAGE).await?;
        for family in page.items {
            variants += family.variants.len() as u64;
            // A receiver that is gone has panicked; the join below tells.
            let _ = send.send(family.variants).await;
        }
        match page.next {
            Some(next) => after = next,
            None => break,
        }
    }
    drop(send);
    let audited = auditing.await.map_err(|error| EngineError::Lost(error.to_string()))?;
    run.store.replace_checks(planned.id(), &audited.checks).await?;
    Ok((variants, audited.accounts))
}
