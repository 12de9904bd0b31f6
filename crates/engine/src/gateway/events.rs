//! What the gateway tells while it works.

use std::time::Duration;
use waterjar_core::{ChatReply, ChatRequest, ModelId};
use waterjar_store::{CallRole, Course};

#[derive(Clone, Debug, PartialEq)]
pub enum GatewayEvent {
    /// `attempt` is the one that failed, counted from 1.
    Retrying {
        model: ModelId,
        attempt: u32,
        wait: Duration,
        error: String,
        patience: Patience,
    },
    /// The endpoint refused; from now on so many calls at once.
    Throttled {
        endpoint: String,
        at_once: usize,
    },
    /// The endpoint refuses everything; nothing is sent until then.
    Paused {
        endpoint: String,
        wait: Duration,
    },
    /// All that was spent so far.
    Spent {
        usd: f64,
        tokens: u64,
    },
    /// Told once for each model: its calls are counted as tokens only.
    PriceUnknown {
        model: ModelId,
    },
    /// Told once for each model: its endpoint does not say what a call used, so it is guessed.
    UsageUnknown {
        model: ModelId,
    },
    /// So many questions of a batch have come to an end; none where it was just sent.
    Batch {
        model: ModelId,
        /// As the vendor calls it.
        batch: String,
        done: usize,
        requests: usize,
    },
    BudgetReached {
        told: String,
    },
    /// A call has ended. Told only to those who hear calls.
    Called(Box<Call>),
}

/// Who is waited for, and how long.
#[derive(Clone, Debug, PartialEq)]
pub struct Patience {
    pub address: String,
    /// Whether it was asked to slow down: then it is there.
    pub slows_down: bool,
    /// Of one question, this one included.
    pub attempts: u32,
    /// The waits between all of them.
    pub waits: Duration,
    /// All attempts and waits of one question.
    pub deadline: Duration,
}

/// One call as it went, all layers included. It holds no key, because requests, replies and errors hold none.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub role: CallRole,
    pub item: String,
    pub model: ModelId,
    pub request: ChatRequest,
    pub outcome: Result<ChatReply, String>,
    pub course: Course,
}

/// Listens. Called from many tasks at once, so it should be quick.
pub trait GatewayEvents: Send + Sync {
    fn on(&self, event: GatewayEvent);

    /// Whether every call is told: telling copies all that was said.
    fn hears_calls(&self) -> bool {
        false
    }
}

impl<F: Fn(GatewayEvent) + Send + Sync> GatewayEvents for F {
    fn on(&self, event: GatewayEvent) {
        self(event);
    }
}

/// Nobody listens.
pub struct Quiet;

impl GatewayEvents for Quiet {
    fn on(&self, _: GatewayEvent) {}
}
