//! The one object that all calls to one endpoint pass: how many at once, how many a minute, and whether it is open at all.

use super::adaptive::Adaptive;
use super::debt::Debt;
use super::events::{GatewayEvent, GatewayEvents};
use super::lock;
use super::settings::{LimitSettings, RetrySettings};
use super::window::{Taken, Window};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};
use tokio::sync::Semaphore;
use tokio::time::Instant;
use waterjar_core::ModelError;

/// Shared by all models of the endpoint. Whoever waits is served in the order of coming.
pub struct Endpoint {
    name: String,
    events: Arc<dyn GatewayEvents>,
    /// Whoever asks for a longer rest is not waited for.
    longest_rest: Duration,
    begun: Instant,
    slots: Semaphore,
    state: Mutex<State>,
    /// Held by the one who waits for the minute's share; the others queue up behind it.
    turn: tokio::sync::Mutex<()>,
    /// How many there are in that queue.
    waiting: AtomicUsize,
}

/// Counted as long as it is there, also when waiting is cancelled.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn of(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::AcqRel);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// What an endpoint tells about its limits, say in the headers of a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    pub requests_per_minute: Option<u64>,
    pub tokens_per_minute: Option<u64>,
    /// Nothing is to be sent for so long.
    pub pause: Option<Duration>,
}

struct State {
    adaptive: Adaptive,
    debt: Debt,
    requests: Option<Window>,
    tokens: Option<Window>,
    /// What the study allows; a hint may only lower it.
    stated: LimitSettings,
    closed_until: Duration,
    /// Until when nobody waits, in the endpoint's own time and as a date.
    away: Option<(Duration, String)>,
    refused_in_a_row: usize,
}

/// The right to make one call. Dropped, it makes room for the next.
pub(super) struct Slot<'a> {
    endpoint: &'a Endpoint,
    /// `None` when more calls are under way than there should be: how this one ends says nothing about the limit.
    era: Option<u64>,
    tokens: Option<Taken>,
}

/// How a call ended, as far as limits are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Replied {
        tokens: u64,
    },
    /// 429 or 503.
    Refused {
        retry_after: Option<Duration>,
    },
    Otherwise,
}

impl Endpoint {
    pub fn new(name: impl Into<String>, limits: LimitSettings, events: Arc<dyn GatewayEvents>) -> Self {
        let adaptive = Adaptive::new(limits.concurrency.map(|most| most.get() as usize), Duration::ZERO);
        Self {
            name: name.into(),
            events,
            longest_rest: RetrySettings::default().deadline(),
            begun: Instant::now(),
            slots: Semaphore::new(adaptive.limit()),
            state: Mutex::new(State {
                adaptive,
                debt: Debt::default(),
                requests: limits.requests_per_minute.map(|rate| Window::new(rate.get().into())),
                tokens: limits.tokens_per_minute.map(|rate| Window::new(rate.get())),
                stated: limits,
                closed_until: Duration::ZERO,
                away: None,
                refused_in_a_row: 0,
            }),
            turn: tokio::sync::Mutex::new(()),
            waiting: AtomicUsize::new(0),
        }
    }

    #[must_use]
    pub fn resting_at_most(mut self, longest: Duration) -> Self {
        self.longest_rest = longest;
        self
    }

    /// How many calls it is given at once, as things stand.
    pub fn at_once(&self) -> usize {
        lock(&self.state).adaptive.limit()
    }

    /// What the endpoint says of itself. It may lower what the study allows, and raise it again up to that.
    pub fn hear(&self, hints: Hints) {
        let now = self.now();
        let mut state = lock(&self.state);
        let stated = state.stated;
        let within =
            |told: Option<u64>, stated: Option<u64>| told.map(|told| stated.map_or(told, |most| told.min(most)));
        let requests = within(hints.requests_per_minute, stated.requests_per_minute.map(|rate| rate.get().into()));
        let tokens = within(hints.tokens_per_minute, stated.tokens_per_minute.map(|rate| rate.get()));
        set_rate(&mut state.requests, requests);
        set_rate(&mut state.tokens, tokens);
        if let Some(pause) = hints.pause {
            state.closed_until = state.closed_until.max(now + pause.min(self.longest_rest));
        }
    }

    /// Waits for a slot, then for the minute's share. The error is that the endpoint wants a rest nobody waits for.
    pub(super) async fn enter(&self, tokens: u64) -> Result<Slot<'_>, ModelError> {
        if self.slots.available_permits() == 0 {
            lock(&self.state).adaptive.waited();
        }
        let permit = self.slots.acquire().await.expect("the semaphore is never closed");
        permit.forget();
        // From here on the slot gives the permit back, also when waiting further is cancelled.
        let mut slot = Slot { endpoint: self, era: None, tokens: None };
        // While somebody waits, also whoever need not wait queues up: small calls must not overtake a large one for ever.
        if self.waiting.load(Ordering::Acquire) == 0 && self.start(&mut slot, tokens)?.is_none() {
            return Ok(slot);
        }
        let _waiting = Waiting::of(&self.waiting);
        let _turn = self.turn.lock().await;
        while let Some(ready) = self.start(&mut slot, tokens)? {
            tokio::time::sleep_until(self.begun + ready).await;
        }
        Ok(slot)
    }

    /// Starts the call if nothing is in the way; otherwise tells when to look again.
    fn start(&self, slot: &mut Slot<'_>, tokens: u64) -> Result<Option<Duration>, ModelError> {
        let now = self.now();
        let mut state = lock(&self.state);
        if let Some((until, told)) = &state.away
            && now < *until
        {
            return Err(ModelError::Closed(told.clone()));
        }
        let ready = state.ready(tokens, now);
        if ready > now {
            return Ok(Some(ready));
        }
        if let Some(window) = &mut state.requests {
            window.take(1, now);
        }
        slot.tokens = state.tokens.as_mut().map(|window| window.take(tokens, now));
        slot.era = state.debt.is_paid().then(|| state.adaptive.era());
        Ok(None)
    }

    fn now(&self) -> Duration {
        self.begun.elapsed()
    }
}

impl Endpoint {
    fn closed_for(&self, wait: Duration) -> String {
        let until = humantime::format_rfc3339_seconds(SystemTime::now() + wait);
        let length = humantime::format_duration(Duration::from_secs(wait.as_secs()));
        format!("{} asks to come back in {length}, at {until}", self.name)
    }
}

fn set_rate(window: &mut Option<Window>, rate: Option<u64>) {
    match (window, rate) {
        (_, None) => {}
        (Some(window), Some(rate)) => window.set_rate(rate),
        (window @ None, Some(rate)) => *window = Some(Window::new(rate)),
    }
}

impl State {
    fn ready(&mut self, tokens: u64, now: Duration) -> Duration {
        let requests = self.requests.as_mut().map_or(now, |window| window.ready(1, now));
        let tokens = self.tokens.as_mut().map_or(now, |window| window.ready(tokens, now));
        self.closed_until.max(requests).max(tokens)
    }
}

impl Slot<'_> {
    /// Gives an error where the endpoint wants a rest nobody waits for.
    pub fn end(self, ended: Ended) -> Option<ModelError> {
        let endpoint = self.endpoint;
        let now = endpoint.now();
        let (mut told, mut closed) = (None, None);
        let mut state = lock(&endpoint.state);
        let before = state.adaptive.limit();
        match ended {
            Ended::Replied { tokens } => {
                state.refused_in_a_row = 0;
                state.adaptive.replied(self.era, now);
                if let (Some(taken), Some(window)) = (self.tokens, &mut state.tokens) {
                    window.correct(taken, tokens);
                }
            }
            Ended::Refused { retry_after: Some(wait) } if wait > endpoint.longest_rest => {
                let told = endpoint.closed_for(wait);
                state.away = Some((now + wait, told.clone()));
                closed = Some(ModelError::Closed(told));
            }
            Ended::Refused { retry_after } => {
                state.refused_in_a_row += 1;
                // One refusal among replies is about how many at once. Nothing but refusals is about time: then everybody waits.
                let all_refused = state.refused_in_a_row > before.max(3);
                if let Some(wait) = retry_after.filter(|_| all_refused) {
                    let until = now + wait;
                    let later = until.saturating_sub(state.closed_until.max(now));
                    state.closed_until = state.closed_until.max(until);
                    // The others were told the same a moment ago; only a rest that is much longer is news.
                    if later > wait / 2 {
                        told = Some(GatewayEvent::Paused { endpoint: endpoint.name.clone(), wait });
                    }
                }
                if state.adaptive.refused(self.era, now) {
                    let at_once = state.adaptive.limit();
                    told = told.or(Some(GatewayEvent::Throttled { endpoint: endpoint.name.clone(), at_once }));
                }
            }
            Ended::Otherwise => {}
        }
        let after = state.adaptive.limit();
        state.debt.change(&endpoint.slots, before, after);
        drop(state);
        if let Some(event) = told {
            endpoint.events.on(event);
        }
        closed
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        lock(&self.endpoint.state).debt.give_back(&self.endpoint.slots);
    }
}
