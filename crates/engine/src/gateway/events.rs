//! What the gateway tells while it works.

use std::time::Duration;
use waterjar_core::ModelId;

#[derive(Clone, Debug, PartialEq)]
pub enum GatewayEvent {
    /// `attempt` is the one that failed, counted from 1.
    Retrying {
        model: ModelId,
        attempt: u32,
        wait: Duration,
        error: String,
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
    BudgetReached {
        told: String,
    },
}

/// Listens. Called from many tasks at once, so it should be quick.
pub trait GatewayEvents: Send + Sync {
    fn on(&self, event: GatewayEvent);
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
