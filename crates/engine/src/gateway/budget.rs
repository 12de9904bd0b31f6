//! What a run has spent, what it has promised to calls under way, and what it may spend.

use super::events::{GatewayEvent, GatewayEvents};
use super::lock;
use super::price::{picodollars, usd};
use super::settings::BudgetSettings;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use tokio::sync::Notify;
use waterjar_core::{ModelError, ModelId, Usage};
use waterjar_store::{Spend, Writer};

/// One for the whole run, shared by all models.
pub struct BudgetState {
    account: Mutex<Account>,
    /// Something was given back, or the budget was raised.
    changed: Notify,
    ledger: Option<Writer>,
    events: Arc<dyn GatewayEvents>,
}

/// What there is to tell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BudgetReport {
    pub usd: f64,
    pub tokens: u64,
    pub reserved_usd: f64,
    pub reserved_tokens: u64,
    /// By model, in the order of their names.
    pub models: Vec<Spend>,
    /// Price unknown: counted as tokens only.
    pub unpriced: Vec<ModelId>,
    /// A call was refused because of the budget.
    pub reached: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Amount {
    pub picodollars: u64,
    pub tokens: u64,
}

#[derive(Debug, Default)]
struct Account {
    limit: BudgetSettings,
    spent: Amount,
    reserved: Amount,
    models: BTreeMap<ModelId, (Spend, Pricing)>,
    reached: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Pricing {
    #[default]
    NotSeen,
    Known,
    Unknown,
}

/// Promised to one call. Dropped without settling, it is free again.
pub(super) struct Reservation<'a> {
    state: &'a BudgetState,
    amount: Amount,
}

impl BudgetState {
    pub fn new(limit: BudgetSettings, events: Arc<dyn GatewayEvents>) -> Self {
        Self {
            account: Mutex::new(Account { limit, ..Account::default() }),
            changed: Notify::new(),
            ledger: None,
            events,
        }
    }

    /// Goes on counting where the run stopped, and writes down what is spent from now on.
    #[must_use]
    pub fn resumed(mut self, spent: Vec<Spend>, ledger: Writer) -> Self {
        let mut account = lock(&self.account);
        for spend in spent {
            account
                .spent
                .add(Amount { picodollars: spend.picodollars, tokens: spend.input.saturating_add(spend.output) });
            account.models.insert(spend.model.clone(), (spend, Pricing::NotSeen));
        }
        drop(account);
        self.ledger = Some(ledger);
        self
    }

    /// Other processes spend of it too: so much is gone, whoever spent it.
    pub(crate) fn at_least(&self, spent: &[Spend]) {
        let mut all = Amount::default();
        for spend in spent {
            all.add(Amount { picodollars: spend.picodollars, tokens: spend.input.saturating_add(spend.output) });
        }
        let mut account = lock(&self.account);
        account.spent.picodollars = account.spent.picodollars.max(all.picodollars);
        account.spent.tokens = account.spent.tokens.max(all.tokens);
    }

    pub fn report(&self) -> BudgetReport {
        let account = lock(&self.account);
        let unpriced = |(model, (_, pricing)): (&ModelId, &(Spend, Pricing))| {
            (*pricing == Pricing::Unknown).then(|| model.clone())
        };
        BudgetReport {
            usd: usd(account.spent.picodollars),
            tokens: account.spent.tokens,
            reserved_usd: usd(account.reserved.picodollars),
            reserved_tokens: account.reserved.tokens,
            models: account.models.values().map(|(spend, _)| spend.clone()).collect(),
            unpriced: account.models.iter().filter_map(unpriced).collect(),
            reached: account.reached,
        }
    }

    pub fn is_reached(&self) -> bool {
        lock(&self.account).reached
    }

    /// Another budget from now on; what was refused may be asked again.
    pub fn set_limit(&self, limit: BudgetSettings) {
        let mut account = lock(&self.account);
        account.limit = limit;
        account.reached = false;
        drop(account);
        self.changed.notify_waiters();
    }

    /// Whether there is anything to keep.
    pub(super) fn is_limited(&self) -> bool {
        let limit = lock(&self.account).limit;
        limit.usd.is_some() || limit.tokens.is_some()
    }

    /// How long the model's replies were in this run, if it was asked before.
    pub(super) fn usual_output(&self, model: &ModelId) -> Option<u64> {
        let account = lock(&self.account);
        let (spend, _) = account.models.get(model)?;
        spend.output.checked_div(spend.calls)
    }

    /// Said once by each model whose endpoint does not count tokens.
    pub(super) fn tell_uncounted(&self, model: &ModelId) {
        self.events.on(GatewayEvent::UsageUnknown { model: model.clone() });
    }

    /// Tells once that a model's price is not known.
    pub(super) fn meet(&self, model: &ModelId, priced: bool) {
        let mut account = lock(&self.account);
        let entry =
            account.models.entry(model.clone()).or_insert_with(|| (Spend::none(model.clone()), Pricing::NotSeen));
        let news = entry.1 == Pricing::NotSeen && !priced;
        entry.1 = if priced { Pricing::Known } else { Pricing::Unknown };
        drop(account);
        if news {
            self.events.on(GatewayEvent::PriceUnknown { model: model.clone() });
        }
    }

    /// Waits while only what others have reserved is in the way: most of it comes back.
    pub(super) async fn reserve(&self, amount: Amount) -> Result<Reservation<'_>, ModelError> {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            // Before looking, or what changes between looking and waiting would be missed.
            changed.as_mut().enable();
            match lock(&self.account).try_reserve(amount) {
                Answer::Reserved => return Ok(Reservation { state: self, amount }),
                Answer::Wait => {}
                Answer::Never { told, first } => {
                    if first {
                        self.events.on(GatewayEvent::BudgetReached { told: told.clone() });
                    }
                    // Whoever waits would not get it either.
                    self.changed.notify_waiters();
                    return Err(ModelError::Budget(told));
                }
            }
            changed.await;
        }
    }
}

enum Answer {
    Reserved,
    Wait,
    Never { told: String, first: bool },
}

impl Account {
    fn try_reserve(&mut self, amount: Amount) -> Answer {
        if let Some(told) = self.exceeded(self.spent.and(amount)) {
            let first = !std::mem::replace(&mut self.reached, true);
            return Answer::Never { told, first };
        }
        if self.exceeded(self.spent.and(self.reserved).and(amount)).is_some() {
            return Answer::Wait;
        }
        self.reserved.add(amount);
        Answer::Reserved
    }

    fn book(&mut self, spend: &Spend) -> GatewayEvent {
        self.spent.add(Amount { picodollars: spend.picodollars, tokens: spend.input.saturating_add(spend.output) });
        if let Some((sum, _)) = self.models.get_mut(&spend.model) {
            sum.add(spend);
        }
        GatewayEvent::Spent { usd: usd(self.spent.picodollars), tokens: self.spent.tokens }
    }

    fn exceeded(&self, with: Amount) -> Option<String> {
        if let Some(limit) = self.limit.usd
            && with.picodollars > picodollars(limit)
        {
            let (spent, next) = (usd(self.spent.picodollars), usd(with.picodollars - self.spent.picodollars));
            return Some(format!("{spent:.4} of {limit} USD are spent and the next call may cost {next:.4}"));
        }
        if let Some(limit) = self.limit.tokens
            && with.tokens > limit
        {
            let (spent, next) = (self.spent.tokens, with.tokens - self.spent.tokens);
            return Some(format!("{spent} of {limit} tokens are used and the next call may need {next}"));
        }
        None
    }
}

impl Amount {
    fn add(&mut self, other: Self) {
        *self = self.and(other);
    }

    fn and(self, other: Self) -> Self {
        Self {
            picodollars: self.picodollars.saturating_add(other.picodollars),
            tokens: self.tokens.saturating_add(other.tokens),
        }
    }

    fn without(self, other: Self) -> Self {
        Self { picodollars: self.picodollars - other.picodollars, tokens: self.tokens - other.tokens }
    }
}

impl Reservation<'_> {
    /// What it really was, whether more or less than reserved.
    pub async fn settle(self, model: &ModelId, usage: &Usage, cost: u64) {
        let state = self.state;
        let spend =
            Spend { model: model.clone(), calls: 1, input: usage.input, output: usage.output, picodollars: cost };
        let event = lock(&state.account).book(&spend);
        // The reservation ends only after the real cost is in the account.
        drop(self);
        state.events.on(event);
        if let Some(ledger) = &state.ledger {
            // The writer repeats its error to everyone, and so stops the run.
            let _ = ledger.spend(spend).await;
        }
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        let mut account = lock(&self.state.account);
        account.reserved = account.reserved.without(self.amount);
        drop(account);
        self.state.changed.notify_waiters();
    }
}
