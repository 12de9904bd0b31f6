//! The models of a pass, made ready when first needed: a run that finds everything done prepares nothing.

use super::door::{Door, Roads};
use crate::events::Telling;
use crate::gateway::{Gate, Gateway, InRole, Till};
use crate::{EngineError, PlannedSuite, Run, RunEvent};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use waterjar_core::{ChatModel, SuiteContext};
use waterjar_store::Writer;

pub(crate) struct Models<'a> {
    run: &'a Run<'a>,
    planned: &'a PlannedSuite,
    /// `None` where the study names nobody at an address.
    gateway: Option<Arc<Gateway>>,
    /// Pays for the suite's embedder, where it is at an address.
    till: Option<Arc<Till>>,
    pub(super) door: Arc<Door>,
    /// Behind the door.
    remote: Made,
    /// To make one may take a while, so it is made once for all that need it.
    built_in: Arc<Made>,
}

/// What parts of a run have in common that one process does: the gateway, models of a suite that are ready, and who was answered.
#[derive(Clone, Default)]
pub(crate) struct SharedByParts {
    pub gateway: Option<Arc<Gateway>>,
    pub built_in: Arc<Made>,
    pub roads: Arc<Roads>,
}

/// Models that are ready, by name.
pub(crate) type Made = Mutex<HashMap<String, Arc<dyn ChatModel>>>;

/// The gateway of a run; `None` where its study names nobody at an address.
pub(crate) async fn gateway_of(run: &Run<'_>) -> Result<Option<Arc<Gateway>>, EngineError> {
    let plan = run.plan;
    if plan.vendors.is_empty() && plan.remote_embedders().next().is_none() {
        return Ok(None);
    }
    let events = Arc::new(Telling { tell: Arc::clone(&run.tell), calls: run.tell_calls });
    let gateway = Gateway::open(plan.gateway.clone(), plan.prices.clone(), &run.store, events).await?;
    Ok(Some(Arc::new(gateway.shared_by(run.others.as_ref()))))
}

impl<'a> Models<'a> {
    /// `writer` keeps what comes of the answers.
    pub async fn open(run: &'a Run<'a>, planned: &'a PlannedSuite, writer: &Writer) -> Result<Self, EngineError> {
        let shared = SharedByParts { gateway: gateway_of(run).await?, ..SharedByParts::default() };
        Self::beside(run, planned, writer, shared).await
    }

    pub async fn beside(
        run: &'a Run<'a>,
        planned: &'a PlannedSuite,
        writer: &Writer,
        shared: SharedByParts,
    ) -> Result<Self, EngineError> {
        let SharedByParts { gateway, built_in, roads } = shared;
        let writers =
            gateway.as_ref().and_then(|gateway| gateway.writer()).into_iter().chain([writer]).cloned().collect();
        let spent = run.store.spend().await?;
        if let (Some(gateway), Some(_)) = (&gateway, &run.others) {
            gateway.budget().at_least(&spent);
        }
        let known = spent.into_iter().filter(|spend| spend.calls > 0).map(|spend| spend.model.to_string()).collect();
        let door = Door::new(run.stop.clone(), writers, known, roads);
        let paid = planned.remote_embedder.as_ref().zip(gateway.as_ref());
        let till = paid.map(|(embedder, gateway)| Arc::new(gateway.till(embedder)));
        Ok(Self { run, planned, gateway, till, door, remote: Mutex::default(), built_in })
    }

    pub fn get(&self, id: &str) -> Result<Arc<dyn ChatModel>, EngineError> {
        let made = if self.is_remote(id) { &self.remote } else { &*self.built_in };
        let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = made.get(id) {
            return Ok(Arc::clone(model));
        }
        let model = self.make(id)?;
        made.insert(id.to_owned(), Arc::clone(&model));
        Ok(model)
    }

    /// Whether it waits on a network rather than on the processor.
    pub fn is_remote(&self, id: &str) -> bool {
        self.run.plan.vendors.contains_key(id)
    }

    /// Changes whenever the model would answer differently; part of every key.
    pub fn fingerprint(&self, id: &str) -> String {
        match self.run.plan.vendors.get(id) {
            Some(vendor) => vendor.identity.clone(),
            None => self.planned.opened.makes.fingerprint(id),
        }
    }

    /// How a judge is asked, where its name does not tell: part of the keys of its verdicts.
    pub fn asked_otherwise(&self, id: &str) -> Option<String> {
        self.run.plan.vendors.get(id)?.asked_otherwise(id)
    }

    /// What the suite may use in this pass: of the models it names, those that were opened for it.
    pub fn context(&self) -> Result<SuiteContext, EngineError> {
        let roles = self.planned.suite().roles();
        let is_open = |id: &String| self.is_remote(id);
        Ok(SuiteContext {
            author: roles.author.filter(is_open).map(|id| self.get(&id)).transpose()?,
            voters: roles.voters.iter().filter(|id| is_open(id)).map(|id| self.judge(id)).collect::<Result<_, _>>()?,
            judges: roles.judges.iter().filter(|id| is_open(id)).map(|id| self.judge(id)).collect::<Result<_, _>>()?,
            auditor: roles.auditor.filter(is_open).map(|id| self.judge(&id)).transpose()?,
            embedder: self.planned.embedder.clone().map(|it| self.door.before_embedder(it, self.till.clone())),
            ..SuiteContext::new(self.run.plan.seed)
        })
    }

    /// A judge's word is a judge's, also where it is asked for while an author is at work.
    fn judge(&self, id: &str) -> Result<Arc<dyn ChatModel>, EngineError> {
        Ok(Arc::new(InRole::judge(self.get(id)?)))
    }

    /// Returns when replies, transcripts and spending are on the disk.
    pub async fn flush(&self) -> Result<(), EngineError> {
        match &self.gateway {
            Some(gateway) => Ok(gateway.flush().await?),
            None => Ok(()),
        }
    }

    fn make(&self, id: &str) -> Result<Arc<dyn ChatModel>, EngineError> {
        if let (Some(vendor), Some(gateway)) = (self.run.plan.vendors.get(id), &self.gateway) {
            let gate: Arc<dyn Gate> = Arc::new(Arc::clone(&self.door));
            return Ok(gateway.behind(vendor, &gate));
        }
        (self.run.tell)(RunEvent::Preparing { model: id.to_owned() });
        let made = self.planned.opened.makes.model(id);
        made.map_err(|problem| EngineError::Model { model: id.to_owned(), problem })
    }
}
