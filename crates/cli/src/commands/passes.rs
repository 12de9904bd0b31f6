//! `waterjar vary`, `answer`, `judge`, `measure`: one pass on a run.

use super::spending;
use crate::cli::{AnswerArgs, PassArgs};
use crate::exit::Exit;
use crate::lock::Held;
use crate::output::{Output, table};
use crate::target::Target;
use anyhow::Result;
use std::sync::Arc;
use waterjar_engine::{EngineError, Outcome, Run, Stop};
use waterjar_store::Store;

pub async fn vary(args: PassArgs, out: &Output) -> Result<Exit> {
    let passes = Passes::open(&args, out).await?;
    let summaries = passes.with(out, async |run| run.vary().await).await?;
    passes.store.close().await;
    if args.json {
        out.json(&summaries)?;
    } else {
        out.print(&table::benchmarks(&summaries));
    }
    for made in summaries.iter().filter(|made| made.families == 0) {
        out.warn(&format!("suite `{}`: no family could be made; the losses say why", made.suite));
    }
    Ok(Exit::Done)
}

pub async fn answer(args: AnswerArgs, out: &Output) -> Result<Exit> {
    let passes = Passes::open(&args.pass, out).await?;
    passes.forget_failed(args.retry_failed, out).await?;
    passes.with(out, async |run| run.answer().await).await?;
    let mut failed = 0;
    for planned in &passes.target.plan.suites {
        let counts = passes.store.counts(planned.id()).await.map_err(EngineError::from)?;
        failed += counts.subjects.values().map(|subject| subject.failed).sum::<u64>();
        for (subject, counts) in &counts.subjects {
            out.say(&format!(
                "{} {subject}: {} answered, {} failed",
                planned.id(),
                counts.responses - counts.failed,
                counts.failed
            ));
        }
    }
    passes.say_uses(out).await?;
    passes.store.close().await;
    Ok(if failed > 0 { Exit::MissingAnswers } else { Exit::Done })
}

pub async fn judge(args: PassArgs, out: &Output) -> Result<Exit> {
    let passes = Passes::open(&args, out).await?;
    passes.with(out, async |run| run.judge().await).await?;
    passes.store.close().await;
    Ok(Exit::Done)
}

pub async fn measure(args: PassArgs, out: &Output) -> Result<Exit> {
    let passes = Passes::open(&args, out).await?;
    let outcome = passes.with(out, async |run| run.measure().await).await?;
    passes.show_outcome(&outcome, args.json, out)?;
    let exit = passes.exit_of(&outcome, out);
    passes.store.close().await;
    Ok(exit)
}

/// A run opened for writing.
pub struct Passes {
    pub target: Target,
    pub store: Store,
    limit: Option<u64>,
}

impl Passes {
    pub async fn open(args: &PassArgs, out: &Output) -> Result<Self> {
        let target = Target::resolve(&args.target, args.out.as_deref(), &args.set).await?;
        let store = target.open(&args.target).await?;
        out.say(&format!("{} → {}", target.plan.name, target.dir.path().display()));
        match &target.held {
            Held::NotLocked => {}
            Held::Yes => out.say("lock: held; what was declared is what is run"),
            Held::No(changed) => {
                out.warn(&format!("lock: broken; changed since it was declared: {}", changed.join(", ")))
            }
        }
        for (model, vendor) in &target.plan.vendors {
            for note in &vendor.notes {
                out.warn(&format!("{model}: {note}"));
            }
        }
        Ok(Self { target, store, limit: args.limit })
    }

    /// Does the work with progress shown; Ctrl-C stops it between two units of work.
    pub async fn with<T>(&self, out: &Output, work: impl AsyncFnOnce(&Run<'_>) -> Result<T, EngineError>) -> Result<T> {
        let stop = Stop::default();
        let on_interrupt = stop.clone();
        let listening = tokio::spawn(async move {
            asked_to_stop().await;
            on_interrupt.request();
        });
        let progress = Arc::new(out.progress());
        let telling = Arc::clone(&progress);
        let run = Run {
            plan: &self.target.plan,
            dir: self.target.dir.clone(),
            store: self.store.clone(),
            stop,
            limit: self.limit,
            tell: Arc::new(move |event| telling.tell(&event)),
            tell_calls: out.verbose >= 2,
        };
        let done = work(&run).await;
        listening.abort();
        progress.clear();
        Ok(done?)
    }

    pub async fn forget_failed(&self, wanted: bool, out: &Output) -> Result<()> {
        if wanted {
            let forgotten = self.with(out, async |run| run.forget_failed().await).await?;
            out.say(&format!("{forgotten} failed answers are asked for again"));
        }
        Ok(())
    }

    /// What models over a network were asked so far, and what it cost.
    pub async fn say_uses(&self, out: &Output) -> Result<()> {
        for it in spending::uses(&self.target.plan, &self.store).await? {
            out.say(&spending::line(&it));
        }
        Ok(())
    }

    pub fn show_outcome(&self, outcome: &Outcome, json: bool, out: &Output) -> Result<()> {
        if json {
            return out.json(&outcome.metrics);
        }
        for planned in &self.target.plan.suites {
            let card = planned.suite().card();
            let results: Vec<_> = outcome.metrics.results.iter().filter(|it| it.suite == *planned.id()).collect();
            out.print(&table::results(planned.id().as_str(), &card.columns, &results));
        }
        Ok(())
    }

    pub fn exit_of(&self, outcome: &Outcome, out: &Output) -> Exit {
        for broken in &outcome.broken_bounds {
            out.warn(&format!("bound broken: {broken}"));
        }
        match (outcome.broken_bounds.is_empty(), outcome.missing()) {
            (false, _) => Exit::BoundBroken,
            (true, 0) => Exit::Done,
            (true, missing) => {
                out.warn(&format!("{missing} families have a missing answer; they are counted beside every figure"));
                Exit::MissingAnswers
            }
        }
    }
}

/// Ctrl-C asks to stop; the work does so between two of its units.
pub fn stop_on_interrupt() -> Stop {
    let stop = Stop::default();
    let on_interrupt = stop.clone();
    tokio::spawn(async move {
        asked_to_stop().await;
        on_interrupt.request();
    });
    stop
}

/// Ctrl-C, or the signal that service managers send.
pub async fn asked_to_stop() {
    #[cfg(unix)]
    if let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = tokio::signal::ctrl_c() => {}
        }
        return;
    }
    // Without a way to be told, the run goes on to its end.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
