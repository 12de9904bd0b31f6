//! The way to every model that is not built in. Each layer is a `ChatModel` around a `ChatModel`, so authors, subjects and judges all have
//! them and none of them knows.
//!
//! ```text
//! Recorded   what was said, and for which piece of work
//! Cached     what was asked before is not asked again
//! Budgeted   a hard stop
//! Retried    what may pass is tried again
//! Limited    no more at once, and in a minute, than the endpoint takes
//! Timed      no attempt waits for ever
//! vendor
//! ```
//!
//! A model that is asked in batches has `Batched` in place of the last three, and those behind it for what no batch answers.
//! An embedder at an address is no `ChatModel`: what it is sent is paid at a `Till`, from the same budget.
//!
//! The order matters. Cached replies cost nothing and wait for nothing. A call is paid once however often it is tried. A call that waits
//! for its next attempt holds no place at the endpoint, and time spent in our own queue counts against no deadline.

mod adaptive;
mod batch;
mod budget;
mod budgeted;
mod cache;
mod cached;
mod debt;
mod endpoint;
mod estimate;
mod events;
mod in_role;
mod limited;
mod noise;
mod notes;
mod price;
mod purpose;
mod recorded;
mod retried;
mod seen;
mod settings;
mod shared;
mod till;
mod timed;
mod window;

pub use batch::{BatchPlan, BatchSettings, Batched, Gate};
pub use budget::{BudgetReport, BudgetState};
pub use budgeted::Budgeted;
pub use cache::{ReplyCache, ReplyKey};
pub use cached::Cached;
pub use endpoint::{Endpoint, Hints};
pub use estimate::{input_tokens, text_tokens};
pub use events::{Call, GatewayEvent, GatewayEvents, Patience, Quiet};
pub use in_role::InRole;
pub use limited::Limited;
pub(crate) use price::fits as stands_for;
pub use price::{Price, Prices};
pub use purpose::{Purpose, carried};
pub use recorded::{MemorySink, Recorded, Sink};
pub use retried::Retried;
pub use settings::{BudgetSettings, GatewaySettings, LimitSettings, RetrySettings};
use shared::SharedLimits;
pub(crate) use till::Till;
pub use timed::Timed;

use crate::{Others, VendorModel};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use waterjar_core::{ChatModel, ModelId};
use waterjar_store::{Store, StoreError, Writer};

/// What all models of a run share.
pub struct Gateway {
    settings: GatewaySettings,
    prices: Prices,
    events: Arc<dyn GatewayEvents>,
    /// Where batches are noted.
    store: Option<Store>,
    desks: Mutex<Vec<Arc<batch::Desk>>>,
    sink: Arc<dyn Sink>,
    cache: Arc<ReplyCache>,
    budget: Arc<BudgetState>,
    endpoints: Mutex<HashMap<String, Arc<Endpoint>>>,
    writer: Option<Writer>,
    /// With other processes.
    shared: Option<Arc<SharedLimits>>,
}

/// The layers of one model, put in their order.
#[must_use]
pub struct Stack<'a> {
    gateway: &'a Gateway,
    vendor: Arc<dyn ChatModel>,
    fingerprint: String,
    endpoint: String,
    limits: Option<LimitSettings>,
    timeout: Option<Duration>,
    price: Option<Price>,
    batches: Option<(BatchPlan, Arc<dyn Gate>)>,
}

impl Gateway {
    /// Replies, transcripts and spending go to the run's store; what was spent before is counted.
    pub async fn open(
        settings: GatewaySettings,
        prices: Prices,
        store: &Store,
        events: Arc<dyn GatewayEvents>,
    ) -> Result<Self, StoreError> {
        let writer = store.writer();
        let budget =
            BudgetState::new(settings.budget, Arc::clone(&events)).resumed(store.spend().await?, writer.clone());
        Ok(Self {
            settings,
            prices,
            events,
            store: Some(store.clone()),
            desks: Mutex::default(),
            sink: Arc::new(writer.clone()),
            cache: Arc::new(ReplyCache::stored(store, writer.clone()).await?),
            budget: Arc::new(budget),
            endpoints: Mutex::default(),
            writer: Some(writer),
            shared: None,
        })
    }

    /// Keeps nothing beyond the process, and of replies no more than fit into `bytes`.
    pub fn in_memory(
        settings: GatewaySettings,
        prices: Prices,
        bytes: usize,
        sink: Arc<dyn Sink>,
        events: Arc<dyn GatewayEvents>,
    ) -> Self {
        Self {
            budget: Arc::new(BudgetState::new(settings.budget, Arc::clone(&events))),
            settings,
            prices,
            events,
            store: None,
            desks: Mutex::default(),
            sink,
            cache: Arc::new(ReplyCache::in_memory(bytes)),
            endpoints: Mutex::default(),
            writer: None,
            shared: None,
        }
    }

    /// Limits hold for others and this process together.
    pub(crate) fn shared_by(mut self, others: Option<&Others>) -> Self {
        self.shared = others.map(|others| SharedLimits::new(others.queue.clone(), others.me.clone()));
        self
    }

    pub fn stack(&self, vendor: Arc<dyn ChatModel>) -> Stack<'_> {
        Stack {
            gateway: self,
            endpoint: vendor.id().as_str().to_owned(),
            price: self.prices.of(vendor.id()),
            vendor,
            fingerprint: String::new(),
            limits: None,
            timeout: None,
            batches: None,
        }
    }

    /// All layers around a vendor's model behind a gate, in batches where the study wants them.
    pub fn behind(&self, vendor: &VendorModel, gate: &Arc<dyn Gate>) -> Arc<dyn ChatModel> {
        let model = Arc::clone(&vendor.model);
        let asked = if vendor.batches.is_some() { gate.inside(model) } else { gate.before(model) };
        let mut stack = self.stack_of(vendor, asked);
        stack.batches = vendor.batches.clone().map(|plan| (plan, Arc::clone(gate)));
        stack.build()
    }

    /// All layers around a vendor's model, or around `asked` that stands before it; one by one, whatever the study wants.
    pub fn model(&self, vendor: &VendorModel, asked: Arc<dyn ChatModel>) -> Arc<dyn ChatModel> {
        self.stack_of(vendor, asked).build()
    }

    fn stack_of(&self, vendor: &VendorModel, asked: Arc<dyn ChatModel>) -> Stack<'_> {
        let mut stack = self.stack(asked);
        stack = stack.fingerprint(vendor.identity.as_str()).endpoint(vendor.endpoint.as_str());
        if let Some(limits) = vendor.limits {
            stack = stack.limits(limits);
        }
        if let Some(timeout) = vendor.timeout {
            stack = stack.timeout(timeout);
        }
        stack
    }

    /// Where requests for vectors are paid, from the same budget.
    pub(crate) fn till(&self, embedder: &ModelId) -> Till {
        Till::new(embedder.clone(), Arc::clone(&self.budget), self.prices.of(embedder))
    }

    pub fn budget(&self) -> &Arc<BudgetState> {
        &self.budget
    }

    /// What keeps replies, transcripts and spending.
    pub(crate) fn writer(&self) -> Option<&Writer> {
        self.writer.as_ref()
    }

    pub fn cache(&self) -> &Arc<ReplyCache> {
        &self.cache
    }

    /// The endpoint of that name, with the study's limits if it is new.
    pub fn endpoint(&self, name: &str) -> Arc<Endpoint> {
        self.endpoint_with(name, self.settings.limits)
    }

    /// Returns when everything kept so far is on the disk. The errors of storing are told here, because a call has its reply either way.
    pub async fn flush(&self) -> Result<(), StoreError> {
        if let Some(writer) = &self.writer {
            writer.flush().await?;
        }
        let desks: Vec<_> = lock(&self.desks).clone();
        if self.cache.failure().is_none() {
            for desk in desks {
                desk.tidy().await?;
            }
        }
        self.cache.failure().map_or(Ok(()), Err)
    }

    fn endpoint_with(&self, name: &str, limits: LimitSettings) -> Arc<Endpoint> {
        let mut endpoints = lock(&self.endpoints);
        let longest = self.settings.retry.deadline();
        let new = || Arc::new(Endpoint::new(name, limits, Arc::clone(&self.events)).resting_at_most(longest));
        Arc::clone(endpoints.entry(name.to_owned()).or_insert_with(new))
    }
}

impl Gateway {
    fn batched(
        &self,
        one_by_one: Arc<dyn ChatModel>,
        plan: BatchPlan,
        gate: Arc<dyn Gate>,
        fingerprint: &str,
    ) -> Arc<dyn ChatModel> {
        let id = one_by_one.id().clone();
        let notebook = self.store.clone().map(|store| batch::Notebook::new(store, &id, fingerprint));
        let (retry, events) = (self.settings.retry, Arc::clone(&self.events));
        let desk = batch::Desk::new(batch::Opening { id, plan, notebook, retry, gate: Arc::clone(&gate), events });
        lock(&self.desks).push(Arc::clone(&desk));
        gate.before(Arc::new(Batched::new(one_by_one, desk, fingerprint)))
    }
}

impl Stack<'_> {
    /// Changes whenever the model would answer differently under the same name; part of every reply's key.
    pub fn fingerprint(mut self, fingerprint: impl Into<String>) -> Self {
        self.fingerprint = fingerprint.into();
        self
    }

    /// Models with the same endpoint share its limits. Its address is a good name.
    pub fn endpoint(mut self, name: impl Into<String>) -> Self {
        self.endpoint = name.into();
        self
    }

    /// For one attempt, instead of what the study says for all.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// A model with limits of its own shares them with no other. Its timeout is not among them.
    pub fn limits(mut self, limits: LimitSettings) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Instead of what the prices say.
    pub fn price(mut self, price: Price) -> Self {
        self.price = Some(price);
        self
    }

    pub fn build(self) -> Arc<dyn ChatModel> {
        let Gateway { settings, events, sink, cache, budget, .. } = self.gateway;
        let limits = self.limits.unwrap_or(settings.limits);
        let name = match self.limits {
            Some(_) => format!("{} {}", self.endpoint, self.vendor.id()),
            None => self.endpoint.clone(),
        };
        let endpoint = self.gateway.endpoint_with(&name, limits);
        let timed = Arc::new(Timed::new(self.vendor, self.timeout.unwrap_or(settings.limits.timeout())));
        let shared: Arc<dyn ChatModel> = match &self.gateway.shared {
            Some(shared) => shared.before(timed, &name, limits),
            None => timed,
        };
        let limited = Arc::new(Limited::new(shared, endpoint));
        let retried = Arc::new(Retried::new(limited, settings.retry, Arc::clone(events)).at(&self.endpoint));
        let asked: Arc<dyn ChatModel> = match self.batches {
            Some((plan, gate)) => self.gateway.batched(retried, plan, gate, &self.fingerprint),
            None => retried,
        };
        let budgeted = Arc::new(Budgeted::new(asked, Arc::clone(budget), self.price));
        let cached = Arc::new(Cached::new(budgeted, Arc::clone(cache), &self.fingerprint));
        Arc::new(Recorded::new(cached, Arc::clone(sink)).telling(Arc::clone(events)))
    }
}

/// A panic while a lock was held is told where it happened; what the lock guards here is sound after every line.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
