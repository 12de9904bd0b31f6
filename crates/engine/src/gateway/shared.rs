//! Limits that hold for all processes at work on a team's runs together. Each still has its own, above this.

use super::debt::Debt;
use super::estimate::Estimator;
use super::lock;
use super::notes::note;
use super::settings::LimitSettings;
use async_trait::async_trait;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use tokio::sync::{Notify, Semaphore, SemaphorePermit};
use tokio::time::{Instant, sleep, sleep_until};
use waterjar_core::{ChatModel, ChatReply, ChatRequest, ModelError, ModelId};
use waterjar_store::{Calls, Queue, StoreError, Wanted};

pub(crate) struct SharedLimits {
    queue: Queue,
    me: String,
    endpoints: Mutex<HashMap<String, Arc<Shared>>>,
}

/// One endpoint's limits, as far as this process may use them.
struct Shared {
    name: String,
    queue: Queue,
    me: String,
    limits: LimitSettings,
    slots: Semaphore,
    held: Mutex<Held>,
    /// Somebody wants a slot, and there are none.
    wanted: Arc<Notify>,
    /// When calls may begin that were reserved and not begun yet. Whoever has the lock reserves for all who wait.
    reserved: tokio::sync::Mutex<VecDeque<Instant>>,
    waiting: std::sync::atomic::AtomicU64,
}

#[derive(Default)]
struct Held {
    slots: usize,
    debt: Debt,
    used: usize,
    /// For a slot.
    waiting: usize,
    /// When the share was asked for that we have.
    since: Option<Instant>,
}

impl Held {
    fn is_ours(&self) -> bool {
        self.since.is_some_and(|since| since.elapsed() < LEASE - RENEWED)
    }
}

/// One more call is wanted, as long as it is there.
struct Wish<'a>(&'a Shared);

impl<'a> Wish<'a> {
    fn of(shared: &'a Shared) -> Self {
        let mut held = lock(&shared.held);
        held.waiting += 1;
        if held.slots == 0 {
            shared.wanted.notify_one();
        }
        Self(shared)
    }
}

impl Drop for Wish<'_> {
    fn drop(&mut self) {
        lock(&self.0.held).waiting -= 1;
    }
}

/// How long a share of the slots is ours without a word.
const LEASE: Duration = Duration::from_secs(10);
const RENEWED: Duration = Duration::from_secs(1);
/// A share that was never given is asked for again soon: somebody is giving theirs up.
const SOON: Duration = Duration::from_millis(200);

impl SharedLimits {
    pub fn new(queue: Queue, me: String) -> Arc<Self> {
        Arc::new(Self { queue, me, endpoints: Mutex::default() })
    }

    /// The model behind the endpoint's limits; as it is where none are stated.
    pub fn before(&self, model: Arc<dyn ChatModel>, endpoint: &str, limits: LimitSettings) -> Arc<dyn ChatModel> {
        if limits.concurrency.is_none() && limits.requests_per_minute.is_none() && limits.tokens_per_minute.is_none() {
            return model;
        }
        let mut endpoints = lock(&self.endpoints);
        let new = || Shared::start(endpoint, self.queue.clone(), self.me.clone(), limits);
        let shared = Arc::clone(endpoints.entry(endpoint.to_owned()).or_insert_with(new));
        Arc::new(SharedModel { model, shared, estimator: Estimator::default() })
    }
}

struct SharedModel {
    model: Arc<dyn ChatModel>,
    shared: Arc<Shared>,
    estimator: Estimator,
}

#[async_trait]
impl ChatModel for SharedModel {
    fn id(&self) -> &ModelId {
        self.model.id()
    }

    fn most_output(&self, request: &ChatRequest) -> Option<u32> {
        self.model.most_output(request)
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let told = |error: StoreError| ModelError::Transport(format!("the shared limits cannot be read: {error}"));
        let came = Instant::now();
        let _slot = self.shared.slot().await;
        let tokens = self.estimator.typical(request, self.most_output(request));
        self.shared.turn(tokens).await.map_err(told)?;
        note(|notes| notes.queued.set(notes.queued.get() + came.elapsed()));
        let outcome = self.model.chat(request).await;
        if let Ok(reply) = &outcome {
            self.estimator.learn(reply.usage.output);
            let used = reply.usage.input.saturating_add(reply.usage.output);
            self.shared.correct(tokens, used);
        }
        outcome
    }
}

/// The right to have a call under way. `None` where nobody counts them.
struct Slot<'a>(Option<&'a Shared>);

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        let Some(shared) = self.0 else { return };
        let mut held = lock(&shared.held);
        held.used -= 1;
        held.debt.give_back(&shared.slots);
    }
}

impl Shared {
    fn start(name: &str, queue: Queue, me: String, limits: LimitSettings) -> Arc<Self> {
        let shared = Arc::new(Self {
            name: name.to_owned(),
            queue,
            me,
            limits,
            slots: Semaphore::new(0),
            held: Mutex::default(),
            wanted: Arc::default(),
            reserved: tokio::sync::Mutex::default(),
            waiting: Default::default(),
        });
        if let Some(most) = limits.concurrency {
            tokio::spawn(renew(Arc::downgrade(&shared), most.get()));
        }
        shared
    }

    async fn slot(&self) -> Slot<'_> {
        if self.limits.concurrency.is_none() {
            return Slot(None);
        }
        let _wish = Wish::of(self);
        loop {
            let permit = self.slots.acquire().await.expect("the semaphore is never closed");
            if self.begin(permit) {
                return Slot(Some(self));
            }
            // The share is being asked for, or others may have it by now.
            sleep(SOON).await;
        }
    }

    /// A permit that came while the slots were counted is none.
    fn begin(&self, permit: SemaphorePermit<'_>) -> bool {
        let mut held = lock(&self.held);
        let begins = held.is_ours() && held.used < held.slots;
        if begins {
            held.used += 1;
            permit.forget();
        } else if held.debt.pay() {
            permit.forget();
        }
        begins
    }

    /// Waits until a call with so many tokens may begin.
    async fn turn(&self, tokens: u64) -> Result<(), StoreError> {
        use std::sync::atomic::Ordering::AcqRel;
        let requests_per_minute = self.limits.requests_per_minute.map(|rate| u64::from(rate.get()));
        let tokens_per_minute = self.limits.tokens_per_minute.map(|rate| rate.get());
        if requests_per_minute.is_none() && tokens_per_minute.is_none() {
            return Ok(());
        }
        let waiting = self.waiting.fetch_add(1, AcqRel) + 1;
        let begins = {
            let mut reserved = self.reserved.lock().await;
            // What was reserved for others may have been for one who gave up: it is no use any more when its time is past.
            while reserved.front().is_some_and(|at| at.elapsed() > RENEWED) {
                reserved.pop_front();
            }
            match reserved.pop_front() {
                Some(begins) => begins,
                None => {
                    // Tokens differ from call to call, so they are reserved one by one.
                    let requests = if tokens_per_minute.is_none() { waiting } else { 1 };
                    let wanted = Wanted { requests, tokens, requests_per_minute, tokens_per_minute };
                    let wait = self.queue.reserve(&self.name, wanted).await;
                    let first = Instant::now() + wait.inspect_err(|_| self.leave())?;
                    let apart = Duration::from_secs(60) / u32::try_from(requests_per_minute.unwrap_or(1)).unwrap_or(1);
                    reserved.extend((1..requests).map(|n| first + apart * u32::try_from(n).unwrap_or(u32::MAX)));
                    first
                }
            }
        };
        self.leave();
        sleep_until(begins).await;
        Ok(())
    }

    fn leave(&self) {
        self.waiting.fetch_sub(1, std::sync::atomic::Ordering::AcqRel);
    }

    /// Beside the call: a reply is worth more than an exact clock, and does not wait for it.
    fn correct(&self, reserved: u64, used: u64) {
        let Some(rate) = self.limits.tokens_per_minute else { return };
        let signed = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let beyond = signed(used).saturating_sub(signed(reserved));
        let (queue, name) = (self.queue.clone(), self.name.clone());
        tokio::spawn(async move { queue.correct(&name, beyond, rate.get()).await });
    }

    /// Tells how many calls are under way, and wanted. No more are begun until the slots are set again.
    fn freeze(&self) -> Calls {
        let mut held = lock(&self.held);
        let used = held.used;
        self.set(&mut held, used);
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Calls { under_way: small(used), wanted: small(used + held.waiting) }
    }

    fn set_slots(&self, wanted: usize) {
        self.set(&mut lock(&self.held), wanted);
    }

    fn set(&self, held: &mut Held, wanted: usize) {
        let before = held.slots;
        held.slots = wanted;
        held.debt.change(&self.slots, before, wanted);
    }
}

/// Keeps the share of the slots, and gives it up when it cannot be kept: others have it then.
async fn renew(shared: Weak<Shared>, most: u32) {
    while let Some(shared) = shared.upgrade() {
        let asked = Instant::now();
        // While we ask nothing is begun: what is told to be under way is all there is.
        let before = lock(&shared.held).slots;
        let calls = shared.freeze();
        let next = match shared.queue.hold(&shared.name, &shared.me, most, calls, LEASE).await {
            Ok(leave) => {
                lock(&shared.held).since = Some(asked);
                shared.set_slots(leave.held as usize);
                if leave.held < leave.share { SOON } else { RENEWED }
            }
            // What was ours stays ours until its time is up.
            Err(_) => {
                shared.set_slots(before);
                SOON
            }
        };
        // A wish that comes while there are no slots is heard at once, but not more often than soon.
        let wanted = Arc::clone(&shared.wanted);
        drop(shared);
        let wish = async {
            sleep(SOON).await;
            wanted.notified().await;
        };
        let _ = tokio::time::timeout(next.max(SOON), wish).await;
    }
}
