//! `waterjar worker`: takes parts of runs from a shared store and does them.

mod tally;
mod traces;

use super::wishes::Wishes;
use crate::cli::WorkerArgs;
use crate::exit::Exit;
use crate::output::{Output, screen};
use crate::remote;
use crate::target::Target;
use anyhow::Result;
use futures::StreamExt;
use futures::stream::FuturesUnordered;
use std::collections::HashMap;
use std::future::Future;
use std::io::Write as _;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime};
use tally::Tally;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use traces::Traces;
use waterjar_engine::work::Desk;
use waterjar_engine::{Asks, EngineError, Others, Run, RunDir, Stop};
use waterjar_store::{Mode, Queue, Server, Store, Taken, WorkSettings};

/// Then a desk is cleared away, with its connections to the server; the next part sets it up again.
const IDLE: Duration = Duration::from_secs(120);
/// How long a worker that cannot work on a run leaves its parts to others.
const UNABLE: Duration = Duration::from_secs(5);
/// Before a part is given back of which a model said nothing.
const PAUSE: Duration = Duration::from_secs(2);
/// A look at whether there is still something to do.
const LOOK: Duration = Duration::from_millis(200);

pub async fn run(args: WorkerArgs, out: &Output) -> Result<Exit> {
    check_labels(&args.take)?;
    let server = Server::parse(&args.store).map_err(EngineError::from)?;
    let queue = Queue::open(&server).await.map_err(EngineError::from)?;
    let me = name();
    let tally = Arc::new(Tally::default());
    let health = match args.health {
        Some(address) => Some(health(address, &me, &tally, out).await?),
        None => None,
    };
    let (traces, sending) = traces::open(&me)?;
    let settings =
        WorkSettings { take: args.take, at_once: args.at_once.into(), lease: Duration::from_secs(args.lease) };
    let chosen = if settings.take.is_empty() { "everything".to_owned() } else { settings.take.join(", ") };
    out.say(&format!("worker {me} at {}: takes {chosen}, {} parts at once", server.shown(), settings.at_once));

    let stop = Stop::default();
    let (taken, mut waiting) = mpsc::channel(settings.at_once);
    let (say_stop, told_stop) = watch::channel(false);
    let taking = queue.work(settings, taken, told_stop);
    let lease = Duration::from_secs(args.lease);
    let others = Others { queue: queue.clone(), me: me.clone(), lease, instead: false };
    let office = Office { server, others, stop, tally, traces, programs: args.programs };
    let mut desks = Desks::default();
    let idle = args.until_idle.map(Duration::from_secs);
    desks.serve(&office, &mut waiting, idle, || taking.is_finished(), out).await;

    office.stop.request();
    let _ = say_stop.send(true);
    waiting.close();
    desks.open.clear();
    let ended = tokio::task::spawn_blocking(move || taking.join());
    while desks.at_work.next().await.is_some() {}
    let ended = ended.await?;
    let _ = queue.release(&me).await;
    if let Some(health) = health {
        health.abort();
    }
    out.say(&office.tally.line());
    drop(office);
    if let Some(sending) = sending {
        // The last spans; it waits for a collector only a little.
        let _ = sending.await;
    }
    match ended {
        Ok(ended) => ended.map_err(EngineError::from)?,
        Err(_) => return Err(EngineError::Lost("the thread that takes parts panicked".to_owned()).into()),
    }
    Ok(Exit::Done)
}

fn check_labels(labels: &[String]) -> Result<()> {
    let known = |label: &String| ["answer", "judge", "cpu"].contains(&label.as_str()) || label.starts_with("model:");
    if let Some(label) = labels.iter().find(|label| !known(label)) {
        let error = EngineError::study("--take", format!("no part is ever labelled `{label}`"));
        return Err(error.with_hint("the labels are: answer, judge, cpu, model:NAME").into());
    }
    Ok(())
}

/// Of this start, and of no other.
pub fn name() -> String {
    let since = SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    format!("{}-{:x}", std::process::id(), since.as_micros())
}

/// What all desks have in common.
#[derive(Clone)]
struct Office {
    server: Server,
    others: Others,
    stop: Stop,
    tally: Arc<Tally>,
    traces: Traces,
    /// Whether programs that a study names are started.
    programs: bool,
}

/// One for each run that something was taken of.
#[derive(Default)]
struct Desks {
    open: HashMap<String, mpsc::UnboundedSender<Taken>>,
    at_work: FuturesUnordered<Pin<Box<dyn Future<Output = ()>>>>,
}

impl Desks {
    /// Hands out what is taken, until nothing more comes, somebody wants it to stop, or there was nothing to do for too long.
    async fn serve(
        &mut self,
        office: &Office,
        waiting: &mut mpsc::Receiver<Taken>,
        idle: Option<Duration>,
        is_over: impl Fn() -> bool,
        out: &Output,
    ) {
        let mut wishes = Wishes::listen();
        let mut busy = Instant::now();
        loop {
            tokio::select! {
                part = waiting.recv() => match part {
                    Some(part) => {
                        busy = Instant::now();
                        self.hand(office, part);
                    }
                    None => return,
                },
                Some(()) = self.at_work.next(), if !self.at_work.is_empty() => {}
                () = wishes.next() => {
                    out.say("stopping: what is under way is waited for, the rest goes back");
                    return;
                }
                () = tokio::time::sleep(LOOK) => {
                    if office.tally.under_way() > 0 {
                        busy = Instant::now();
                    }
                    if idle.is_some_and(|idle| busy.elapsed() >= idle) || is_over() {
                        return;
                    }
                }
            }
        }
    }

    /// To the desk of the part's run, which is set up with its first part.
    fn hand(&mut self, office: &Office, part: Taken) {
        // A run that was started again with another study needs another desk.
        let key = format!("{} {}", part.shard.run, part.shard.study);
        let part = match self.open.get(&key) {
            Some(desk) => match desk.send(part) {
                Ok(()) => return,
                Err(gone) => gone.0,
            },
            None => part,
        };
        let (desk, parts) = mpsc::unbounded_channel();
        let run = part.shard.run.clone();
        if desk.send(part).is_ok() {
            self.at_work.push(Box::pin(office.clone().work(run, parts)));
            self.open.insert(key, desk);
        }
    }
}

impl Office {
    /// A desk that cannot be set up tells so to whoever plans the run, by way of its parts.
    async fn work(self, run: String, mut parts: mpsc::UnboundedReceiver<Taken>) {
        if let Err(error) = self.desk(&run, &mut parts).await {
            let why = format!("{error:#}");
            say(&format!("{run} cannot be worked on: {why}"));
            parts.close();
            // Others may be able to: they should come first.
            tokio::time::sleep(UNABLE).await;
            while let Some(part) = parts.recv().await {
                self.tell_trouble(&run, &part, &why).await;
                self.tally.failed.fetch_add(1, Ordering::Relaxed);
                part.give_back();
            }
        }
    }

    async fn desk(&self, run: &str, parts: &mut mpsc::UnboundedReceiver<Taken>) -> Result<()> {
        let server = self.server.clone().with_run(run).map_err(EngineError::from)?;
        let folder = crate::private::folder("worker")?;
        remote::stand_in(&server, folder.path()).await?;
        if !self.programs {
            refuse_programs(folder.path()).await?;
        }
        let target = Target::resolve(folder.path(), None, &[], Asks::Everybody).await?;
        let store = Store::open(target.dir.database(), Mode::Shared).await.map_err(EngineError::from)?;
        let run = Run {
            plan: &target.plan,
            dir: target.dir.clone(),
            store: store.clone(),
            stop: self.stop.clone(),
            limit: None,
            tell: Arc::new(|_| {}),
            tell_calls: false,
            others: Some(self.others.clone()),
        };
        let desk = Desk::open(&run, &self.others).await?;
        let mut under_way = FuturesUnordered::new();
        loop {
            tokio::select! {
                part = parts.recv() => match part {
                    Some(part) => under_way.push(self.part(&desk, part)),
                    None if under_way.is_empty() => break,
                    None => { under_way.next().await; }
                },
                Some(()) = under_way.next(), if !under_way.is_empty() => {}
                () = tokio::time::sleep(IDLE), if under_way.is_empty() => break,
            }
        }
        drop(under_way);
        drop(desk);
        store.close().await;
        Ok(())
    }

    async fn part(&self, desk: &Desk<'_>, part: Taken) {
        self.tally.begun.fetch_add(1, Ordering::Relaxed);
        let began = SystemTime::now();
        let done = desk.shard(&part.shard).await;
        self.traces.part(&part.shard, began, &done);
        match done {
            Ok(items) => {
                self.tally.items.fetch_add(items, Ordering::Relaxed);
                self.tally.done.fetch_add(1, Ordering::Relaxed);
                part.done();
            }
            Err(EngineError::Interrupted) => {
                self.tally.failed.fetch_add(1, Ordering::Relaxed);
                part.interrupted();
            }
            Err(error) => {
                say(&format!("{} goes back: {error}", part.shard.key()));
                self.tally.failed.fetch_add(1, Ordering::Relaxed);
                // A model that is out, or lets only us not in, says nothing against the part.
                if matches!(error, EngineError::Outage { .. }) {
                    tokio::time::sleep(PAUSE).await;
                    part.give_back();
                } else {
                    part.failed(error.to_string());
                }
            }
        }
    }

    async fn tell_trouble(&self, run: &str, part: &Taken, why: &str) {
        let Ok(server) = self.server.clone().with_run(run) else { return };
        if let Ok(store) = Store::open(server.address(), Mode::Shared).await {
            let why = format!("worker {} cannot work on it: {why}", self.others.me);
            let _ = store.tell_trouble(&part.shard.key(), "worker", &why).await;
            store.close().await;
        }
    }
}

/// A study is another's word on what runs here.
async fn refuse_programs(folder: &Path) -> Result<()> {
    let store = Store::open(RunDir::new(folder).database(), Mode::Read).await.map_err(EngineError::from)?;
    let text = store.identity().await.map_err(EngineError::from)?.map(|it| it.study_text).unwrap_or_default();
    store.close().await;
    let study: toml::Table = text.parse().unwrap_or_default();
    let models = study.get("models").and_then(toml::Value::as_table);
    let program = models.and_then(|it| it.iter().find(|(_, model)| model.get("command").is_some()));
    match program {
        Some((name, _)) => {
            Err(EngineError::study("worker", format!("`{name}` is a program, and this worker starts none"))
                .with_hint("start a worker with --programs where its study can be trusted")
                .into())
        }
        None => Ok(()),
    }
}

/// Whoever looks after the worker may be able to help.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", screen::talk(text));
}

async fn health(
    address: std::net::SocketAddr,
    me: &str,
    tally: &Arc<Tally>,
    out: &Output,
) -> Result<tokio::task::JoinHandle<()>> {
    let listener = TcpListener::bind(address).await.map_err(|error| {
        EngineError::study("--health", format!("{address} cannot be used: {error}")).with_hint("choose another port")
    })?;
    out.say(&format!("health at http://{}/healthz, figures at /metrics", listener.local_addr()?));
    let (me, tally) = (me.to_owned(), Arc::clone(tally));
    Ok(tokio::spawn(waterjar_web::health(listener, move || tally.metrics(&me))))
}
