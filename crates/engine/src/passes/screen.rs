//! source → candidates: every case is looked at once, those that qualify are stored in an order of chance.

use crate::{EngineError, Pass, PlannedSuite, Run, RunEvent};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::mpsc;
use waterjar_core::{Case, CaseSource, Seed, SourceError, Suite};
use waterjar_store::NewCase;

/// Cases screened together, one after the other on each core.
const CHUNK: usize = 256;
/// Cases that may wait to be stored: a source is read faster than a disk writes.
const WAITING: usize = 2048;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Screened {
    pub cases: u64,
    pub eligible: u64,
    pub losses: BTreeMap<String, u64>,
}

pub(super) async fn screen(run: &Run<'_>, planned: &PlannedSuite) -> Result<Screened, EngineError> {
    let suite = planned.id();
    if let Some(done) = run.store.begin_screening::<Screened>(suite).await? {
        return Ok(done);
    }
    (run.tell)(RunEvent::Started { suite: suite.clone(), pass: Pass::Screen, total: None });
    let screened = stream(run, planned).await?;
    if screened.cases == 0 {
        let source = planned.opened.source.name();
        return Err(SourceError::new(source, "the source holds no cases").into());
    }
    run.store.finish_screening(suite, &screened).await?;
    (run.tell)(RunEvent::Finished { pass: Pass::Screen });
    Ok(screened)
}

/// Reading and screening run on their own threads; this task stores what they send, and waits when the disk is slow.
async fn stream(run: &Run<'_>, planned: &PlannedSuite) -> Result<Screened, EngineError> {
    let (send, mut chunks) = mpsc::channel(4);
    let (suite, source) = (Arc::clone(&planned.opened.suite), Arc::clone(&planned.opened.source));
    let seed = run.plan.seed;
    let reading = tokio::task::spawn_blocking(move || read(&*suite, &*source, seed, &send));
    let writer = run.store.writer();
    let mut screened = Screened::default();
    let mut waiting = 0;
    while let Some(Chunk { cases, eligible, losses }) = chunks.recv().await {
        run.check_stop()?;
        screened.cases += cases;
        screened.eligible += eligible.len() as u64;
        for reason in losses {
            *screened.losses.entry(reason).or_default() += 1;
        }
        for new in &eligible {
            writer.case(new).await?;
        }
        waiting += eligible.len();
        if waiting >= WAITING {
            writer.flush().await?;
            waiting = 0;
        }
        (run.tell)(RunEvent::Progress { pass: Pass::Screen, done: screened.cases });
    }
    reading.await.map_err(|error| EngineError::Lost(error.to_string()))??;
    writer.flush().await?;
    refuse_repeated(writer.repeated_case().map(ToString::to_string), planned.opened.source.name())?;
    Ok(screened)
}

fn refuse_repeated(repeated: Option<String>, source: &str) -> Result<(), EngineError> {
    match repeated {
        None => Ok(()),
        Some(id) => Err(SourceError::new(source, format!("the case id `{id}` is there twice"))
            .with_hint("ids tell cases apart; give each case its own")
            .into()),
    }
}

struct Chunk {
    cases: u64,
    eligible: Vec<NewCase>,
    losses: Vec<String>,
}

fn read(suite: &dyn Suite, source: &dyn CaseSource, seed: Seed, send: &mpsc::Sender<Chunk>) -> Result<(), SourceError> {
    let mut cases = source.cases();
    loop {
        let chunk: Vec<Case> = cases.by_ref().take(CHUNK).collect::<Result<_, _>>()?;
        let last = chunk.len() < CHUNK;
        // A receiver that is gone has an error of its own to tell.
        if send.blocking_send(screen_chunk(suite, seed, chunk)).is_err() || last {
            return Ok(());
        }
    }
}

fn screen_chunk(suite: &dyn Suite, seed: Seed, chunk: Vec<Case>) -> Chunk {
    let cases = chunk.len() as u64;
    let looked_at: Vec<Result<NewCase, String>> = chunk
        .into_par_iter()
        .map(|case| match suite.screen(&case) {
            Ok(group) => {
                let rank = seed.rank("order of candidates", case.id.as_str());
                Ok(NewCase { suite: suite.id().clone(), group, rank, case })
            }
            Err(loss) => Err(loss.reason),
        })
        .collect();
    let mut eligible = Vec::new();
    let mut losses = Vec::new();
    for case in looked_at {
        match case {
            Ok(new) => eligible.push(new),
            Err(reason) => losses.push(reason),
        }
    }
    Chunk { cases, eligible, losses }
}
