//! `waterjar vary`, `answer`, `judge`, `measure`: one pass on a run.

use super::wishes::Wishes;
use super::{card, gate, report, shortfall};
use crate::asked_anew;
use crate::cli::{AskingArgs, MeasureArgs, PassArgs, VaryArgs};
use crate::embedders;
use crate::exit::Exit;
use crate::lock::Held;
use crate::output::{Output, table};
use crate::target::Target;
use anyhow::Result;
use serde_json::{Value, json};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;
use waterjar_core::{SubjectId, counted};
use waterjar_engine::{Asks, EngineError, Others, Outcome, PlannedSuite, Run, Stop};
use waterjar_store::{Queue, Server, Store};
use waterjar_views::{notes, spending};

/// Where the figures are that the terminal has no room for.
const REST: &str = "metrics.json; how to read them: report.html";

pub async fn vary(VaryArgs { asking: args, fresh }: VaryArgs, out: &Output) -> Result<Exit> {
    let passes = match fresh {
        true => Passes::of(Target::fresh(&args.pass, Asks::Writers).await?, &args.pass, Asks::Writers, out).await?,
        false => Passes::open(&args.pass, Asks::Writers, out).await?,
    };
    if args.retry_failed {
        passes.forget_unanswered(out).await?;
    }
    let summaries = passes.with(out, async |run| run.vary().await).await?;
    card::write(&passes.target, &passes.store, &summaries).await?;
    for (planned, made) in passes.target.plan.suites.iter().zip(&summaries) {
        shortfall::tell_fewer(planned, made, &passes.store, out).await?;
    }
    passes.store.close().await;
    for planned in &passes.target.plan.suites {
        // A second reading, which only those who look at the variants have to wait for.
        if let Some(read) = planned.opened.source.read_through().map_err(EngineError::from)? {
            out.say(&read);
        }
    }
    if args.pass.json {
        out.json(&summaries)?;
    } else {
        out.print(&table::benchmarks(&summaries));
    }
    for made in summaries.iter().filter(|made| made.families == 0) {
        out.warn(&format!("suite `{}`: no family could be made; the losses say why", made.suite));
    }
    let unanswered = summaries.iter().filter(|made| shortfall::tell_unanswered(made, out)).count();
    if unanswered > 0 {
        shortfall::hint(out);
    }
    let gave_up = summaries.iter().filter(|made| shortfall::tell_not_tried(made, out)).count();
    Ok(if unanswered + gave_up > 0 { Exit::MissingAnswers } else { Exit::Done })
}

pub async fn answer(args: AskingArgs, out: &Output) -> Result<Exit> {
    let passes = Passes::open(&args.pass, Asks::Subjects, out).await?;
    if args.retry_failed {
        passes.forget_failed(out).await?;
    }
    passes.with(out, async |run| run.answer().await).await?;
    let mut failed = 0;
    let mut results = Vec::new();
    for planned in &passes.target.plan.suites {
        let subjects = passes.store.subjects(planned.id()).await.map_err(EngineError::from)?;
        for (subject, counts) in subjects.iter().filter(|(id, _)| is_subject(planned, id)) {
            let (suite, answered) = (planned.id(), counts.responses - counts.failed);
            failed += counts.failed;
            out.say(&format!("{suite} {subject}: {answered} answered, {} failed", counts.failed));
            results.push(json!({ "suite": suite, "subject": subject, "answered": answered, "failed": counts.failed }));
        }
    }
    if failed > 0 {
        shortfall::hint(out);
    }
    passes.say_uses(out).await?;
    passes.say_notes(out).await?;
    passes.store.close().await;
    if args.pass.json {
        out.json(&json!({ "results": results }))?;
    }
    Ok(if failed > 0 { Exit::MissingAnswers } else { Exit::Done })
}

pub async fn judge(args: AskingArgs, out: &Output) -> Result<Exit> {
    let passes = Passes::open(&args.pass, Asks::Judges, out).await?;
    if args.retry_failed {
        passes.forget_unheard(out).await?;
    }
    let unheard = passes.with(out, async |run| run.judge().await).await?;
    if shortfall::tell_unheard(unheard, out) {
        shortfall::hint(out);
    }
    if args.pass.json {
        let results = passes.verdicts().await?;
        out.json(&json!({ "results": results, "unaudited": unheard.all() }))?;
    }
    passes.store.close().await;
    Ok(if unheard.all() > 0 { Exit::MissingAnswers } else { Exit::Done })
}

pub async fn measure(MeasureArgs { pass: args, junit, .. }: MeasureArgs, out: &Output) -> Result<Exit> {
    let passes = Passes::open(&args, Asks::Nobody, out).await?;
    gate::check_place(junit.as_deref(), &args.target, passes.target.dir.path())?;
    let outcome = passes.with(out, async |run| run.measure().await).await?;
    passes.show_outcome(&outcome, args.json, out)?;
    if let Some(page) = report::renew_html(&passes.target, &passes.store).await? {
        out.say(&format!("report: {}", page.display()));
    }
    gate::write(&outcome, junit.as_deref(), out)?;
    let exit = passes.exit_of(&outcome, out).await?;
    passes.store.close().await;
    Ok(exit)
}

/// A run opened for writing.
pub struct Passes {
    pub target: Target,
    pub store: Store,
    others: Option<Others>,
    limit: Option<u64>,
    stop: Stop,
}

impl Passes {
    pub async fn open(args: &PassArgs, asks: Asks, out: &Output) -> Result<Self> {
        if ![Asks::Everybody, Asks::Writers].contains(&asks) {
            refuse_limit(args)?;
        }
        let target = Target::resolve(&args.target, args.out.as_deref(), &args.set, asks).await?;
        Self::of(target.cut_to(args.limit), args, asks, out).await
    }

    /// How many verdicts there are on each subject.
    async fn verdicts(&self) -> Result<Vec<Value>> {
        let mut results = Vec::new();
        for planned in &self.target.plan.suites {
            let subjects = self.store.subjects(planned.id()).await.map_err(EngineError::from)?;
            let judged =
                self.store.judged(planned.id(), &planned.suite().judge_id()).await.map_err(EngineError::from)?;
            for subject in subjects.keys().filter(|id| is_subject(planned, id)) {
                let verdicts = judged.get(subject).copied().unwrap_or(0);
                results.push(json!({ "suite": planned.id(), "subject": subject, "verdicts": verdicts }));
            }
        }
        Ok(results)
    }

    /// Others ask and judge; this process only plans and waits.
    pub fn leave_to_workers(mut self) -> Result<Self> {
        let Some(others) = &mut self.others else {
            let error = EngineError::study("--workers-only", "workers find the run only on a server");
            return Err(error.with_hint("say which with --store postgres://…").into());
        };
        if !self.target.plan.stopping.is_empty() {
            let error = EngineError::study("[stopping]", "one process looks whether a subject is known well enough");
            return Err(error.with_hint("leave --workers-only away, or [stopping]").into());
        }
        if let Some((model, _)) = self.target.plan.vendors.iter().find(|(_, vendor)| vendor.batches.is_some()) {
            let error = EngineError::study(
                "--workers-only",
                format!("`{model}` is asked in batches, which one process gathers"),
            );
            return Err(error.with_hint("leave --workers-only away, or `mode = \"batch\"`").into());
        }
        others.instead = true;
        Ok(self)
    }

    async fn of(mut target: Target, args: &PassArgs, asks: Asks, out: &Output) -> Result<Self> {
        let before = asked_anew::addresses_before(&target.dir).await;
        let store = target.open_at(&args.target, args.store.as_deref()).await?;
        let others = match store.is_shared() {
            true => Some(others_at(&target).await?),
            false => None,
        };
        out.say(&format!("{} → {}", target.plan.name, target.dir.path().display()));
        for idle in &target.plan.idle {
            out.warn(idle);
        }
        if [Asks::Everybody, Asks::Writers].contains(&asks) {
            target.plan.doubts().iter().for_each(|it| out.warn(it));
        }
        match &target.held {
            Held::NotLocked => {}
            Held::Yes if target.plan.registered && target.undeclared().is_empty() => {
                out.say("lock: held; what was declared is what is run");
            }
            Held::Yes if target.plan.registered => {
                let what = target.undeclared().join(", ");
                out.warn(&format!("lock: held, but made by an earlier version: it holds no {what}"));
                out.hint("whether these are as declared nobody can tell; to declare a new run, `waterjar register STUDY --again`");
            }
            Held::Yes => {
                out.warn("lock: held, but declared after the first question: the run counts as not registered")
            }
            Held::No(changed) => {
                out.warn(&format!("lock: broken; changed since it was declared: {}", changed.join(", ")))
            }
        }
        if [Asks::Everybody, Asks::Subjects].contains(&asks) {
            let anew = asked_anew::told(&before, &target.plan, &store).await?;
            anew.iter().for_each(|told| out.warn(told));
            if !anew.is_empty() {
                out.hint("to keep them, stop with Ctrl-C and set the study back; to keep both, choose another --out");
            }
        }
        for (model, vendor) in &target.plan.vendors {
            for note in &vendor.notes {
                out.warn(&format!("{model}: {note}"));
            }
        }
        for planned in &target.plan.suites {
            if let Some(told) = embedders::stand_in(planned) {
                out.warn(&format!("{}: {told}", planned.id()));
            }
        }
        if let Some(limit) = args.limit {
            tell_cut(&target.plan.suites, &store, limit, out).await?;
        }
        Ok(Self { target, store, others, limit: args.limit, stop: stop_on_interrupt() })
    }

    /// Does the work with progress shown; Ctrl-C stops it.
    pub async fn with<T>(&self, out: &Output, work: impl AsyncFnOnce(&Run<'_>) -> Result<T, EngineError>) -> Result<T> {
        let progress = Arc::new(out.progress());
        let telling = Arc::clone(&progress);
        let run = Run {
            plan: &self.target.plan,
            dir: self.target.dir.clone(),
            store: self.store.clone(),
            stop: self.stop.clone(),
            limit: self.limit,
            tell: Arc::new(move |event| telling.tell(&event)),
            tell_calls: out.verbose >= 2,
            others: self.others.clone(),
        };
        let done = work(&run).await;
        progress.clear();
        if let Err(EngineError::Budget(_)) = done {
            // Calls that were under way have ended since: this is all of it.
            self.say_uses(out).await?;
        }
        Ok(done?)
    }

    pub async fn forget_failed(&self, out: &Output) -> Result<()> {
        let forgotten = self.with(out, async |run| run.forget_failed().await).await?;
        out.say(&format!("{} asked for again", counted(forgotten, "failed answer is", "failed answers are")));
        Ok(())
    }

    pub async fn forget_unanswered(&self, out: &Output) -> Result<()> {
        let forgotten = self.with(out, async |run| run.forget_unanswered().await).await?;
        if forgotten > 0 {
            let cases = counted(
                forgotten,
                "case that a model gave no answer for is",
                "cases that a model gave no answer for are",
            );
            out.say(&format!("{cases} tried again"));
        }
        Ok(())
    }

    pub async fn forget_unheard(&self, out: &Output) -> Result<()> {
        let forgotten = self.with(out, async |run| run.forget_unheard().await).await?;
        if forgotten > 0 {
            let verdicts = counted(forgotten, "verdict without a usable word is", "verdicts without a usable word are");
            out.say(&format!("{verdicts} asked for again"));
        }
        Ok(())
    }

    /// What models over a network were asked so far, and what it cost.
    pub async fn say_uses(&self, out: &Output) -> Result<()> {
        for it in spending::uses(&self.target.plan.prices, &self.store).await? {
            out.say(&spending::line(&it));
        }
        Ok(())
    }

    /// What answers had to be made without.
    pub async fn say_notes(&self, out: &Output) -> Result<()> {
        for planned in &self.target.plan.suites {
            for line in notes::lines(&self.target.plan, &self.store, planned).await? {
                out.warn(&line);
            }
        }
        Ok(())
    }

    pub fn show_outcome(&self, outcome: &Outcome, json: bool, out: &Output) -> Result<()> {
        if json {
            return out.json(&outcome.metrics);
        }
        let mut marked = false;
        for (at, planned) in self.target.plan.suites.iter().enumerate() {
            let card = planned.suite().card();
            let results: Vec<_> = outcome.metrics.results.iter().filter(|it| it.suite == *planned.id()).collect();
            if at > 0 {
                out.print("");
            }
            let told = table::results(planned.id().as_str(), &card.columns, &results);
            marked |= told.marked;
            out.print(&told.text);
            let results: Vec<_> = results.into_iter().cloned().collect();
            planned.suite().notes(&results).iter().for_each(|line| out.say(line));
        }
        out.print(&table::legend(marked, REST));
        Ok(())
    }

    pub async fn exit_of(&self, outcome: &Outcome, out: &Output) -> Result<Exit> {
        for broken in outcome.broken_bounds() {
            out.warn(&format!("bound broken: {broken}"));
        }
        let complete = shortfall::tell(&self.target.plan, &self.store, outcome, out).await?;
        Ok(match (outcome.broken_bounds().next().is_none(), complete) {
            (false, _) => Exit::BoundBroken,
            (true, true) => Exit::Done,
            (true, false) => Exit::MissingAnswers,
        })
    }
}

/// A run keeps what was said by subjects that the study no longer has.
fn is_subject(planned: &PlannedSuite, id: &SubjectId) -> bool {
    planned.subjects.iter().any(|subject| subject.id == *id)
}

/// Passes after the first take the families that were made: a limit would cut nothing.
pub fn refuse_limit(args: &PassArgs) -> Result<()> {
    if args.limit.is_none() {
        return Ok(());
    }
    let error = EngineError::study("--limit", "says how many families are made, and this pass takes those that were");
    Err(error.with_hint("leave it away; `waterjar run` and `waterjar vary` take it").into())
}

/// A limit leaves families out that the run has already: they stay in the store, which nobody can tell from files and figures.
async fn tell_cut(suites: &[PlannedSuite], store: &Store, limit: u64, out: &Output) -> Result<()> {
    let mut cut = Vec::new();
    for planned in suites {
        let made = store.counts(planned.id()).await.map_err(EngineError::from)?.kept;
        if made > limit {
            cut.push(format!("{} of {}", counted(made, "family", "families"), planned.id()));
        }
    }
    if !cut.is_empty() {
        out.warn(&format!(
            "this run has {}; --limit {limit} leaves the others out of files and figures. Nothing is lost: run it without --limit to have \
             them back.",
            cut.join(" and ")
        ));
    }
    Ok(())
}

/// Who else is at work on the server that holds the run.
async fn others_at(target: &Target) -> Result<Others> {
    let server = Server::read(&target.dir.pointer()).map_err(EngineError::from)?;
    let queue = Queue::open(&server).await.map_err(EngineError::from)?;
    Ok(Others { queue, me: super::worker::name(), lease: Duration::from_secs(30), instead: false })
}

/// Ctrl-C asks to stop, and what is under way is waited for a little; once more ends the program as it stands, which the store
/// survives as it does a kill.
pub fn stop_on_interrupt() -> Stop {
    let stop = Stop::default();
    let on_interrupt = stop.clone();
    // Opened before anybody is told to press again: a wish that comes between two listeners would be lost.
    let mut wishes = Wishes::listen();
    tokio::spawn(async move {
        wishes.next().await;
        on_interrupt.request();
        let _ =
            writeln!(std::io::stderr().lock(), "stopping: what is under way is waited for; once more ends it at once");
        wishes.next().await;
        std::process::exit(Exit::Stopped.code().into());
    });
    stop
}
