//! verdicts → figures, one subject after the other. Verdicts stream; what is kept of each is a few numbers.

use super::{PAGE, stopping::reaches};
use crate::unheard::{Unheard, is_unheard};
use crate::{EngineError, Pass, PlannedSubject, PlannedSuite, Run, RunEvent};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::Handle;
use waterjar_core::shares::{Shares, Taker};
use waterjar_core::{FamilyVerdict, JudgeId, Measured, SubjectId, SubjectResult, SuiteContext, SuiteId};
use waterjar_store::{NewShares, Store, StoreError, StoredVerdict};

/// Adds to `unheard` the verdicts that lack somebody's word.
pub async fn measure(
    run: &Run<'_>,
    planned: &PlannedSuite,
    unheard: &mut Unheard,
) -> Result<Vec<SubjectResult>, EngineError> {
    let total = Some(planned.subjects.len() as u64);
    (run.tell)(RunEvent::Started { suite: planned.id().clone(), pass: Pass::Measure, total });
    let together = planned.suite().together();
    let (mut held, mut asides, mut results) = (Vec::new(), Vec::new(), Vec::new());
    for (at, subject) in planned.subjects.iter().enumerate() {
        run.check_stop()?;
        let (measured, aside) = measured(run, planned, subject, unheard).await?;
        match together {
            Some(_) => {
                held.push((subject.id.clone(), measured));
                asides.push(aside);
            }
            None => results.push(keep(run, planned, subject, measured, aside).await?),
        }
        (run.tell)(RunEvent::Progress { pass: Pass::Measure, done: at as u64 + 1 });
    }
    if let Some(together) = together {
        let seed = run.plan.seed;
        let comparing = tokio::task::spawn_blocking(move || {
            (together.add)(seed, &mut held);
            held
        });
        let held = comparing.await.map_err(|error| EngineError::Lost(error.to_string()))?;
        for ((subject, (_, measured)), aside) in planned.subjects.iter().zip(held).zip(asides) {
            results.push(keep(run, planned, subject, measured, aside).await?);
        }
    }
    (run.tell)(RunEvent::Finished { pass: Pass::Measure });
    Ok(results)
}

async fn keep(
    run: &Run<'_>,
    planned: &PlannedSuite,
    subject: &PlannedSubject,
    measured: Measured,
    aside: NewShares,
) -> Result<SubjectResult, EngineError> {
    // A family that was not judged is missing too: figures of an unfinished run say so.
    let expected = families(run, planned, subject).await? * u64::from(run.plan.repeats);
    let unjudged = expected.saturating_sub(measured.n);
    let result = SubjectResult {
        suite: planned.id().clone(),
        subject: subject.id.clone(),
        n: measured.n,
        missing: measured.missing + unjudged,
        reference: subject.reference,
        metrics: measured.metrics,
        breakdown: measured.breakdown,
    };
    run.store.replace_result_after(&result, aside, &measured.shares).await?;
    Ok(result)
}

/// How many of them the subject is asked about.
async fn families(run: &Run<'_>, planned: &PlannedSuite, subject: &PlannedSubject) -> Result<u64, EngineError> {
    let reaches = reaches(run.plan, planned, &run.store).await?;
    let kept = run.store.counts(planned.id()).await?.kept;
    // The benchmark may be smaller now than when the subject was asked.
    Ok(reaches.get(&subject.id).map_or(kept, |reach| reach.families.min(kept)))
}

/// Reads, measures and puts shares aside on one thread: what is let go where it was made can be used again at once.
async fn measured(
    run: &Run<'_>,
    planned: &PlannedSuite,
    subject: &PlannedSubject,
    unheard: &mut Unheard,
) -> Result<(Measured, NewShares), EngineError> {
    let suite = Arc::clone(&planned.opened.suite);
    let most = families(run, planned, subject).await? * u64::from(run.plan.repeats);
    let mut verdicts = Verdicts {
        of: Of {
            runtime: Handle::current(),
            store: run.store.clone(),
            suite: planned.id().clone(),
            subject: subject.id.clone(),
        },
        judge: suite.judge_id(),
        repeats: run.plan.repeats,
        most: usize::try_from(most).unwrap_or(usize::MAX),
        next: Some(0),
        page: Vec::new().into_iter(),
        unheard: 0,
        failed: None,
    };
    let shelf = Shelf { of: verdicts.of.clone(), aside: Arc::new(Mutex::new(Ok(NewShares::default()))) };
    let aside = Arc::clone(&shelf.aside);
    // What all subjects are compared by in the end is held until then.
    let but = suite.together().map(|it| it.reads).unwrap_or_default();
    let taker = Taker { take: Arc::new(move |shares: Shares| shelf.put(&shares)), but };
    let ctx = SuiteContext { taker: Some(taker), ..SuiteContext::new(run.plan.seed) };
    let measuring = tokio::task::spawn_blocking(move || {
        let measured = suite.measure(&ctx, &mut verdicts);
        (measured, verdicts)
    });
    let (measured, verdicts) = measuring.await.map_err(|error| EngineError::Lost(error.to_string()))?;
    if let Some(error) = verdicts.failed {
        return Err(error.into());
    }
    unheard.add(planned, verdicts.unheard);
    let aside = aside.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
    Ok((measured, aside))
}

/// Whose verdicts and shares, and where they are.
#[derive(Clone)]
struct Of {
    runtime: Handle,
    store: Store,
    suite: SuiteId,
    subject: SubjectId,
}

/// A page at a time.
struct Verdicts {
    of: Of,
    judge: JudgeId,
    repeats: u32,
    most: usize,
    /// After which the next page begins.
    next: Option<i64>,
    page: std::vec::IntoIter<StoredVerdict>,
    unheard: u64,
    /// After which there are no more.
    failed: Option<StoreError>,
}

impl Iterator for Verdicts {
    type Item = FamilyVerdict;

    fn next(&mut self) -> Option<FamilyVerdict> {
        loop {
            // A study may ask fewer times than it once did.
            if let Some(stored) = self.page.find(|stored| stored.verdict.repeat < self.repeats) {
                self.unheard += u64::from(is_unheard(&stored.verdict));
                return Some(stored.verdict);
            }
            let Of { runtime, store, suite, subject } = &self.of;
            match runtime.block_on(store.verdicts_on(suite, subject, &self.judge, self.next?, PAGE)) {
                Ok(page) => (self.page, self.next) = (page.items.into_iter(), page.next),
                Err(error) => (self.failed, self.next) = (Some(error), None),
            }
        }
    }

    /// Who keeps something of each may make room for all at once.
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.most))
    }
}

/// Where shares go while verdicts come: those of a large benchmark are megabytes.
struct Shelf {
    of: Of,
    aside: Arc<Mutex<Result<NewShares, StoreError>>>,
}

impl Shelf {
    /// After an error nothing more is put there; it is told in the end.
    fn put(&self, shares: &Shares) {
        let mut aside = self.aside.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(before) = *aside {
            let Of { runtime, store, suite, subject } = &self.of;
            *aside = runtime.block_on(store.put_aside(suite, subject, before, shares));
        }
    }
}
