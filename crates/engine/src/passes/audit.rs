//! What the suite finds in the finished benchmark, and the accounts of what is not in it.

use super::PAGE;
use crate::{EngineError, PlannedSuite, Run};
use rayon::prelude::*;
use std::sync::Arc;
use tokio::sync::mpsc;
use waterjar_core::{Account, SuiteContext, Variant};
use waterjar_store::{CandidateCase, FamilyState, Settled, StoredFamily};

/// Runs the suite's own checks on the benchmark, family by family, and counts its variants.
pub(super) async fn audit(
    run: &Run<'_>,
    planned: &PlannedSuite,
    settled: &Settled,
) -> Result<(u64, Vec<Account>), EngineError> {
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
    let mut after = 0;
    loop {
        let page = run.store.lost_page(planned.id(), after, PAGE).await?;
        let is_counted = |it: &StoredFamily| settled.needed.is_none_or(|last| it.position <= last);
        for family in page.items.into_iter().filter(is_counted) {
            let _ = send.send(family.variants).await;
        }
        match page.next {
            Some(next) if settled.needed.is_none_or(|last| next < last) => after = next,
            _ => break,
        }
    }
    drop(send);
    let audited = auditing.await.map_err(|error| EngineError::Lost(error.to_string()))?;
    run.store.replace_checks(planned.id(), &audited.checks).await?;
    let lost = if planned.suite().has_catalog() { of_lost(run, planned, settled.needed).await? } else { Vec::new() };
    Ok((variants, Account::by_group(audited.accounts.into_iter().chain(lost))))
}

/// Cases that were needed and lost: an intervention may have applied to them and changed nothing.
async fn of_lost(run: &Run<'_>, planned: &PlannedSuite, through: Option<i64>) -> Result<Vec<Account>, EngineError> {
    let mut accounts = Vec::new();
    let mut after = 0;
    loop {
        let page = run.store.candidates(planned.id(), after, PAGE).await?;
        let is_counted =
            |it: &CandidateCase| it.state == Some(FamilyState::Lost) && through.is_none_or(|last| it.position <= last);
        let lost: Vec<CandidateCase> = page.items.into_iter().filter(is_counted).collect();
        let suite = Arc::clone(&planned.opened.suite);
        let work = move || lost.par_iter().flat_map_iter(|it| suite.accounts_of(&it.case)).collect::<Vec<_>>();
        let found = tokio::task::spawn_blocking(work).await.map_err(|error| EngineError::Lost(error.to_string()))?;
        accounts = Account::by_group(accounts.into_iter().chain(found));
        match page.next {
            Some(next) if through.is_none_or(|last| next < last) => after = next,
            _ => return Ok(accounts),
        }
    }
}
