//! verdicts → figures, one subject after the other. Verdicts stream; what is kept of each is a few numbers.

use super::{PAGE, judge::is_unaudited, stopping::reaches};
use crate::{EngineError, Pass, PlannedSubject, PlannedSuite, Run, RunEvent};
use futures::future::join;
use std::sync::Arc;
use tokio::sync::mpsc;
use waterjar_core::shares::{Shares, Taker};
use waterjar_core::{FamilyVerdict, Measured, SubjectResult, SuiteContext};
use waterjar_store::NewShares;

/// Adds to `unaudited` what somebody was to look into and nobody could.
pub async fn measure(
    run: &Run<'_>,
    planned: &PlannedSuite,
    unaudited: &mut u64,
) -> Result<Vec<SubjectResult>, EngineError> {
    let total = Some(planned.subjects.len() as u64);
    (run.tell)(RunEvent::Started { suite: planned.id().clone(), pass: Pass::Measure, total });
    let together = planned.suite().together();
    let (mut held, mut results) = (Vec::new(), Vec::new());
    for (at, subject) in planned.subjects.iter().enumerate() {
        run.check_stop()?;
        let (measured, aside) = measured(run, planned, subject, unaudited).await?;
        match together {
            Some(_) => held.push((subject.id.clone(), measured)),
            None => results.push(keep(run, planned, subject, measured, aside).await?),
        }
        (run.tell)(RunEvent::Progress { pass: Pass::Measure, done: at as u64 + 1 });
    }
    if let Some(together) = together {
        let seed = run.plan.seed;
        let comparing = tokio::task::spawn_blocking(move || {
            together(seed, &mut held);
            held
        });
        let held = comparing.await.map_err(|error| EngineError::Lost(error.to_string()))?;
        for (subject, (_, measured)) in planned.subjects.iter().zip(held) {
            results.push(keep(run, planned, subject, measured, NewShares::default()).await?);
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
    match reaches.get(&subject.id) {
        Some(reach) => Ok(reach.families),
        None => Ok(run.store.counts(planned.id()).await?.kept),
    }
}

/// As they are read.
struct Verdicts {
    coming: mpsc::Receiver<FamilyVerdict>,
    most: usize,
}

impl Iterator for Verdicts {
    type Item = FamilyVerdict;

    fn next(&mut self) -> Option<FamilyVerdict> {
        self.coming.blocking_recv()
    }

    /// Who keeps something of each may make room for all at once.
    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(self.most))
    }
}

/// Shares leave the memory while verdicts come, unless all subjects are to be compared.
async fn measured(
    run: &Run<'_>,
    planned: &PlannedSuite,
    subject: &PlannedSubject,
    unaudited: &mut u64,
) -> Result<(Measured, NewShares), EngineError> {
    let suite = Arc::clone(&planned.opened.suite);
    let (hand_on, handed) = mpsc::channel::<Shares>(1);
    let taker = suite.together().is_none().then(move || -> Taker {
        // Whoever takes them is gone only after an error of his own.
        Arc::new(move |shares| drop(hand_on.blocking_send(shares)))
    });
    let ctx = SuiteContext { taker, ..SuiteContext::new(run.plan.seed) };
    let most = families(run, planned, subject).await? * u64::from(run.plan.repeats);
    let (send, coming) = mpsc::channel::<FamilyVerdict>(AHEAD);
    let mut verdicts = Verdicts { coming, most: usize::try_from(most).unwrap_or(usize::MAX) };
    let measuring = tokio::task::spawn_blocking(move || suite.measure(&ctx, &mut verdicts));
    let (read, aside) =
        join(read(run, planned, subject, unaudited, send), put_aside(run, planned, subject, handed)).await;
    read?;
    let measured = measuring.await.map_err(|error| EngineError::Lost(error.to_string()))?;
    Ok((measured, aside?))
}

/// Verdicts that are read before they are measured.
const AHEAD: usize = 64;

async fn read(
    run: &Run<'_>,
    planned: &PlannedSuite,
    subject: &PlannedSubject,
    unaudited: &mut u64,
    send: mpsc::Sender<FamilyVerdict>,
) -> Result<(), EngineError> {
    let judge = planned.suite().judge_id();
    let mut after = 0;
    loop {
        let page = run.store.verdicts_on(planned.id(), &subject.id, &judge, after, PAGE).await?;
        // A study may ask fewer times than it once did.
        for stored in page.items.into_iter().filter(|stored| stored.verdict.repeat < run.plan.repeats) {
            *unaudited += u64::from(is_unaudited(&stored.verdict));
            // A receiver that is gone has panicked; who joins it tells.
            let _ = send.send(stored.verdict).await;
        }
        match page.next {
            Some(next) => after = next,
            None => return Ok(()),
        }
    }
}

async fn put_aside(
    run: &Run<'_>,
    planned: &PlannedSuite,
    subject: &PlannedSubject,
    mut handed: mpsc::Receiver<Shares>,
) -> Result<NewShares, EngineError> {
    let mut aside = NewShares::default();
    while let Some(shares) = handed.recv().await {
        aside = run.store.put_aside(planned.id(), &subject.id, aside, &shares).await?;
    }
    Ok(aside)
}
