//! Doing parts of a run that another process planned.

use super::Others;
use crate::gateway::Gateway;
use crate::passes::models::{Models, SharedByParts, gateway_of};
use crate::passes::{answer, judge};
use crate::{EngineError, Run};
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::Semaphore;
use waterjar_core::SuiteId;
use waterjar_store::{Begun, Shard, Store};

/// What the parts of a run have in common in one process: the limits of endpoints, and models that are ready.
pub struct Desk<'a> {
    run: &'a Run<'a>,
    others: &'a Others,
    /// By suite; the gateway and who was answered are the same in all.
    shared: HashMap<SuiteId, SharedByParts>,
    cores: Arc<Semaphore>,
}

impl<'a> Desk<'a> {
    pub async fn open(run: &'a Run<'a>, others: &'a Others) -> Result<Self, EngineError> {
        let gateway = gateway_of(run).await?;
        if let Some(gateway) = &gateway {
            tokio::spawn(watch_purse(Arc::downgrade(gateway), run.store.reader()));
        }
        let all = SharedByParts { gateway, ..SharedByParts::default() };
        let of_suite = || SharedByParts { built_in: Arc::default(), ..all.clone() };
        let shared = run.plan.suites.iter().map(|planned| (planned.id().clone(), of_suite())).collect();
        Ok(Self { run, others, shared, cores: answer::cores() })
    }

    /// Returns how much of it was open, when all of it is kept. What was done before is not done again, whoever did it.
    pub async fn shard(&self, shard: &Shard) -> Result<u64, EngineError> {
        let run = self.run;
        let planned = run.plan.suites.iter().find(|planned| planned.id().as_str() == shard.suite);
        let Some(planned) = planned.filter(|_| shard.study == run.plan.identity) else {
            return Err(EngineError::Lost("it was planned for another study".to_owned()));
        };
        let writer = run.store.writer();
        let models = Models::beside(run, planned, &writer, self.shared[planned.id()].clone()).await?;
        let key = shard.key();
        let begun = self.begin(&key).await?;
        let work = async {
            match shard.pass.as_str() {
                "answer" => answer::shard(run, planned, &models, &self.cores, shard, begun).await,
                "judge" => judge::shard(run, planned, &models, shard).await,
                other => Err(EngineError::Lost(format!("`{other}` is no pass"))),
            }
        };
        let done = tokio::select! {
            done = work => done,
            never = self.keep(&key) => match never {},
        };
        run.store.end_shard(&key, &self.others.me).await?;
        match &done {
            Ok(_) => run.store.trouble_is_over(&key).await?,
            Err(EngineError::Interrupted) => {}
            Err(error) => run.store.tell_trouble(&key, kind_of(error), &error.to_string()).await?,
        }
        done
    }
}

impl Desk<'_> {
    /// Waits while somebody is at it: the queue may have lost sight of them, and what they do need not be done twice.
    async fn begin(&self, key: &str) -> Result<Begun, EngineError> {
        loop {
            let begun = self.run.store.begin_shard(key, &self.others.me, self.others.lease).await?;
            if let Some(begun) = begun {
                return Ok(begun);
            }
            self.run.check_stop()?;
            tokio::time::sleep(self.others.lease / 5).await;
        }
    }

    async fn keep(&self, key: &str) -> Infallible {
        loop {
            tokio::time::sleep(self.others.lease / 5).await;
            // A server that is away is told by whoever has something to keep.
            let _ = self.run.store.keep_shard(key, &self.others.me, self.others.lease).await;
        }
    }
}

/// Others spend of it too, and it is a hard stop: what they spent is looked at every second, as long as anybody here spends.
async fn watch_purse(gateway: Weak<Gateway>, store: Store) {
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let Some(gateway) = gateway.upgrade() else { return };
        // A server that is away is told by whoever has something to keep.
        if let Ok(spent) = store.spend().await {
            gateway.budget().at_least(&spent);
        }
    }
}

/// What whoever plans the run should make of it.
fn kind_of(error: &EngineError) -> &'static str {
    match error {
        EngineError::Budget(_) => "budget",
        EngineError::Closed(_) => "closed",
        EngineError::Forbidden(_) => "forbidden",
        EngineError::Outage { .. } => "outage",
        _ => "other",
    }
}
