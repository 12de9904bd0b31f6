//! The models of a pass, made ready when first needed: a run that finds everything done prepares nothing.

use crate::gateway::{Gateway, GatewayEvent, GatewayEvents, InRole};
use crate::{EngineError, PlannedSuite, Run, RunEvent, Tell};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use waterjar_core::{ChatModel, SuiteContext};

pub(super) struct Models<'a> {
    run: &'a Run<'a>,
    planned: &'a PlannedSuite,
    /// `None` where the study names no model that is not built in.
    gateway: Option<Gateway>,
    made: Mutex<HashMap<String, Arc<dyn ChatModel>>>,
}

/// What the gateway tells is part of what the run tells.
struct Telling {
    tell: Tell,
    calls: bool,
}

impl GatewayEvents for Telling {
    fn on(&self, event: GatewayEvent) {
        (self.tell)(RunEvent::Gateway(event));
    }

    fn hears_calls(&self) -> bool {
        self.calls
    }
}

impl<'a> Models<'a> {
    pub async fn open(run: &'a Run<'a>, planned: &'a PlannedSuite) -> Result<Self, EngineError> {
        let plan = run.plan;
        let gateway = if plan.vendors.is_empty() {
            None
        } else {
            let events = Arc::new(Telling { tell: Arc::clone(&run.tell), calls: run.tell_calls });
            Some(Gateway::open(plan.gateway.clone(), plan.prices.clone(), &run.store, events).await?)
        };
        Ok(Self { run, planned, gateway, made: Mutex::default() })
    }

    pub fn get(&self, id: &str) -> Result<Arc<dyn ChatModel>, EngineError> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
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

    /// What the suite may use in this pass.
    pub fn context(&self) -> Result<SuiteContext, EngineError> {
        let roles = self.planned.suite().roles();
        Ok(SuiteContext {
            author: roles.author.map(|id| self.get(&id)).transpose()?,
            judges: roles.judges.iter().map(|id| self.judge(id)).collect::<Result<_, _>>()?,
            auditor: roles.auditor.map(|id| self.judge(&id)).transpose()?,
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
            let mut stack = gateway.stack(Arc::clone(&vendor.model));
            stack = stack.fingerprint(vendor.identity.as_str()).endpoint(vendor.endpoint.as_str());
            if let Some(limits) = vendor.limits {
                stack = stack.limits(limits);
            }
            if let Some(timeout) = vendor.timeout {
                stack = stack.timeout(timeout);
            }
            return Ok(stack.build());
        }
        (self.run.tell)(RunEvent::Preparing { model: id.to_owned() });
        let made = self.planned.opened.makes.model(id);
        made.map_err(|problem| EngineError::Model { model: id.to_owned(), problem })
    }
}
