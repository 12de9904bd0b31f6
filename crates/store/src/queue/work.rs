//! Taking parts of runs from the queue. Heartbeats and fetching have a thread of their own: a subject that keeps every core busy must not
//! cost a worker its lease.

use super::{Queue, Shard};
use crate::StoreError;
use crate::postgres::Patience;
use graphile_worker::{IntoTaskHandlerResult, TaskHandler, WorkerContext, WorkerOptions};
use serde::{Deserialize, Serialize};
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgPool;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};

pub(super) const TASK: &str = "shard";
/// Calls under way are waited for, after a wish to stop, a little less than this; what has not ended then goes back at once.
const GRACE: Duration = Duration::from_secs(12);

#[derive(Clone, Debug)]
pub struct WorkSettings {
    /// Only parts with one of these labels; all where there are none.
    pub take: Vec<String>,
    /// Parts at once.
    pub at_once: usize,
    /// How long a worker may be silent before what it had goes to others.
    pub lease: Duration,
}

/// A part that is ours for now. Dropped without a word, it goes back to the queue.
pub struct Taken {
    pub shard: Shard,
    /// Of this start of this worker.
    pub worker: String,
    done: oneshot::Sender<Ended>,
}

enum Ended {
    Done,
    Failed(String),
    /// Not our fault and not the part's: it waits for anybody as if nobody had had it.
    Back,
}

impl Taken {
    /// All of it is stored.
    pub fn done(self) {
        let _ = self.done.send(Ended::Done);
    }

    /// The worker stops: it goes back with all that has not ended.
    pub fn interrupted(self) {
        // Whoever waits for a word waits until the worker is gone, and puts it back without a delay.
        std::mem::forget(self.done);
    }

    /// It waits a while, longer each time, and is taken again, by us or by others.
    pub fn failed(self, why: String) {
        let _ = self.done.send(Ended::Failed(why));
    }

    /// Somebody else may be able to: it is there again at once, and no attempt is counted.
    pub fn give_back(self) {
        let _ = self.done.send(Ended::Back);
    }
}

#[derive(Serialize, Deserialize)]
struct Job(Shard);

/// Where what was taken goes, and how the queue hears that there is room for more.
#[derive(Clone, Debug)]
struct Desk {
    taken: mpsc::Sender<Taken>,
    queue: Queue,
    pool: PgPool,
    next: Arc<str>,
}

impl Desk {
    /// The library takes one part for each signal, and signals come with new parts and with every poll: a worker whose parts are short
    /// would stand still until the next one (measured: 62 ms a part, 8 at once). Only where something waits, or the last parts of a run
    /// would wake everybody for nothing.
    async fn ask_for_more(&self) {
        // What is lost here comes with the next poll.
        let _ = sqlx::query(AssertSqlSafe(self.next.as_ref())).execute(&self.pool).await;
    }
}

impl TaskHandler for Job {
    const IDENTIFIER: &'static str = TASK;

    async fn run(self, ctx: WorkerContext) -> impl IntoTaskHandlerResult {
        let Some(desk) = ctx.get_ext::<Desk>() else { return Err("the worker has no desk".to_owned()) };
        let (done, ended) = oneshot::channel();
        let shard = self.0;
        let taken = Taken { shard: shard.clone(), worker: ctx.worker_id().to_owned(), done };
        if desk.taken.send(taken).await.is_err() {
            return Err("the worker is stopping".to_owned());
        }
        let done = match ended.await {
            Ok(Ended::Done) => Ok(()),
            Ok(Ended::Failed(why)) => Err(why),
            Ok(Ended::Back) => desk.queue.add(&[shard]).await.map_err(|error| error.to_string()),
            Err(_) => Err("the worker has stopped".to_owned()),
        };
        desk.ask_for_more().await;
        done
    }
}

impl Queue {
    /// Gives what is taken to `desk` until `stop` says so. A server that is away is waited for.
    pub fn work(
        &self,
        settings: WorkSettings,
        desk: mpsc::Sender<Taken>,
        stop: watch::Receiver<bool>,
    ) -> std::thread::JoinHandle<Result<(), StoreError>> {
        let queue = self.clone();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = runtime.map_err(|error| queue.told(error))?;
            runtime.block_on(queue.take_until_stopped(&settings, &desk, stop))
        })
    }

    async fn take_until_stopped(
        &self,
        settings: &WorkSettings,
        desk: &mpsc::Sender<Taken>,
        stop: watch::Receiver<bool>,
    ) -> Result<(), StoreError> {
        // Pools belong to the runtime they were made on.
        let pool = self.server.pool();
        let next = format!(
            "SELECT pg_notify('jobs:insert', '') WHERE EXISTS (SELECT 1 FROM \"{}\"._private_jobs WHERE is_available AND run_at <= now())",
            self.server.queue()
        );
        let queue = Self { server: self.server.clone(), pool: pool.clone() };
        let desk = Desk { taken: desk.clone(), queue, pool: pool.clone(), next: next.into() };
        let mut patience = Patience::new();
        while !*stop.borrow() {
            let mut options = WorkerOptions::default()
                .pg_pool(pool.clone())
                .schema(self.server.queue())
                .concurrency(settings.at_once.max(1))
                .poll_interval(Duration::from_millis(500))
                .heartbeat_interval(settings.lease / 5)
                .sweep_interval(settings.lease / 3)
                .sweep_threshold(settings.lease)
                .recovery_delay(Duration::ZERO)
                .listen_os_shutdown_signals(false)
                .shutdown_signal(stopped(stop.clone()))
                .shutdown_grace_period(GRACE)
                .shutdown_interrupted_job_retry_delay(Duration::ZERO)
                .add_extension(desk.clone())
                .define_job::<Job>();
            for label in &settings.take {
                options = options.add_accepted_flag(label);
            }
            let ended = match options.init().await {
                Ok(worker) => {
                    let ran = worker.run().await.map_err(|error| self.told(error));
                    // It was there until now: waiting for it begins.
                    patience = Patience::new();
                    ran
                }
                Err(error) => Err(self.told(error)),
            };
            if let Err(error) = ended
                && !patience.wait().await
            {
                return Err(error);
            }
        }
        pool.close().await;
        Ok(())
    }
}

async fn stopped(mut stop: watch::Receiver<bool>) {
    // Whoever could say so is gone: then it is time, too.
    let _ = stop.wait_for(|stop| *stop).await;
}
