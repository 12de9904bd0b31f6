//! Asks only while there is money for it.

use super::budget::{Amount, BudgetState};
use super::estimate::{Estimator, Tokens, reply_tokens};
use super::notes::{charge, note, with_notes};
use super::price::Price;
use async_trait::async_trait;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::{Mutex, MutexGuard};
use waterjar_core::{ChatModel, ChatReply, ChatRequest, ModelError, ModelId, Usage};

/// Reserves what a call may cost, and settles what it did cost.
pub struct Budgeted {
    inner: Arc<dyn ChatModel>,
    budget: Arc<BudgetState>,
    price: Option<Price>,
    estimator: Estimator,
    /// Whether it is known how long the model's replies are.
    known: AtomicBool,
    /// Held by the call that finds out.
    first: Mutex<()>,
    /// The endpoint told no usage, and that was said.
    uncounted: AtomicBool,
}

impl Budgeted {
    pub fn new(inner: Arc<dyn ChatModel>, budget: Arc<BudgetState>, price: Option<Price>) -> Self {
        budget.meet(inner.id(), price.is_some());
        let usual = budget.usual_output(inner.id());
        Self {
            estimator: usual.map_or_else(Estimator::default, Estimator::knowing),
            known: AtomicBool::new(usual.is_some()),
            inner,
            budget,
            price,
            first: Mutex::new(()),
            uncounted: AtomicBool::new(false),
        }
    }

    async fn pay(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let limit = self.inner.most_output(request);
        // Where nothing limits a reply, the first one goes alone: how long it is says what may be reserved for the others.
        let alone = if limit.is_none() { self.alone().await } else { None };
        note(|notes| notes.alone.set(alone.is_some()));
        let most = self.estimator.at_most(request, limit);
        let reservation = self.budget.reserve(self.amount(&most)).await?;
        let outcome = self.inner.chat(request).await.map_err(charge);
        let (usage, booked) = self.used(most, &outcome);
        if alone.is_some() && usage.output > 0 {
            self.estimator.learn_first(usage.output);
        } else if usage.output > 0 {
            self.estimator.learn(usage.output);
        }
        if alone.is_some() {
            self.known.store(true, Ordering::Release);
        }
        if booked {
            let in_batch = note(|notes| notes.batched.get()).unwrap_or(false);
            let price = self.price.map(|price| if in_batch { price.in_batch() } else { price });
            let cost = price.map(|price| price.of(&usage));
            note(|notes| notes.picodollars.set(cost));
            reservation.settle(self.id(), &usage, cost.unwrap_or(0)).await;
        }
        outcome
    }

    async fn alone(&self) -> Option<MutexGuard<'_, ()>> {
        if self.known.load(Ordering::Acquire) || !self.budget.is_limited() {
            return None;
        }
        let first = self.first.lock().await;
        (!self.known.load(Ordering::Acquire)).then_some(first)
    }

    fn amount(&self, tokens: &Tokens) -> Amount {
        let usage = Usage { input: tokens.input, output: tokens.output, ..Usage::default() };
        let picodollars = self.price.map_or(0, |price| price.of(&usage));
        Amount { picodollars, tokens: tokens.input.saturating_add(tokens.output) }
    }

    /// All that was used for the call, attempts in vain included, and whether there is anything to book.
    fn used(&self, most: Tokens, outcome: &Result<ChatReply, ModelError>) -> (Usage, bool) {
        let lost = note(|notes| notes.charged.take()).unwrap_or_default();
        let (read, answered) = (u64::from(lost.read), u64::from(lost.answered));
        let guessed = Usage {
            input: (read + answered).saturating_mul(most.input),
            output: answered.saturating_mul(most.output),
            ..Usage::default()
        };
        let wasted = lost.told.and(guessed);
        match outcome {
            Ok(reply) => (self.told(most, reply).and(wasted), true),
            Err(_) => (wasted, !wasted.is_none()),
        }
    }

    /// What the endpoint says it used; for each count that it does not tell, or that is no count, our guess.
    fn told(&self, most: Tokens, reply: &ChatReply) -> Usage {
        let told = reply.usage;
        let wrote = if told.output == 0 { reply_tokens(reply) } else { 0 };
        if told.input > 0 && (told.output > 0 || wrote == 0) {
            return told;
        }
        if !self.uncounted.swap(true, Ordering::Relaxed) {
            self.budget.tell_uncounted(self.id());
        }
        let input = if told.input == 0 { most.input } else { told.input };
        Usage { input, output: told.output + wrote, cached_input: told.cached_input.min(input), ..told }
    }
}

#[async_trait]
impl ChatModel for Budgeted {
    fn id(&self) -> &ModelId {
        self.inner.id()
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        with_notes(self.pay(request)).await
    }

    fn most_output(&self, request: &ChatRequest) -> Option<u32> {
        self.inner.most_output(request)
    }
}

#[cfg(test)]
mod tests {
    use super::super::events::{GatewayEvent, Quiet};
    use super::super::retried::Retried;
    use super::super::settings::{BudgetSettings, RetrySettings};
    use super::super::tests::{Fake, request};
    use super::*;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicU64;
    use std::time::Duration;

    const PRICE: Price = Price { input: 1.0, output: 1.0, cached_input: None };

    fn limit(usd: Option<f64>, tokens: Option<u64>) -> BudgetSettings {
        BudgetSettings { usd, tokens }
    }

    fn capped(text: &str) -> ChatRequest {
        let mut request = request(text);
        request.sampling.max_tokens = Some(100);
        request
    }

    /// Replies that use 100 + 100 tokens after a second.
    fn paid() -> Arc<Fake> {
        Fake::using(Duration::from_secs(1), Usage { input: 20, output: 100, ..Usage::default() })
    }

    #[tokio::test(start_paused = true)]
    async fn the_budget_is_never_exceeded_however_many_ask_at_once() {
        let budget = Arc::new(BudgetState::new(limit(None, Some(10_000)), Arc::new(Quiet)));
        let fake = paid();
        let model = Arc::new(Budgeted::new(fake.clone(), budget.clone(), Some(PRICE)));
        let most = Arc::new(AtomicU64::new(0));
        let mut tasks = tokio::task::JoinSet::new();
        for n in 0..300 {
            let (model, budget, most) = (model.clone(), budget.clone(), most.clone());
            tasks.spawn(async move {
                let outcome = model.chat(&capped(&n.to_string())).await;
                let report = budget.report();
                most.fetch_max(report.tokens + report.reserved_tokens, Ordering::Relaxed);
                outcome
            });
        }
        let outcomes = tasks.join_all().await;
        let good = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        let stopped = outcomes.iter().filter(|outcome| matches!(outcome, Err(ModelError::Budget(_)))).count();
        assert_eq!(good + stopped, 300);
        // 120 tokens each: 83 would just fit. The guess for the last ones is a little higher than that.
        assert!((80..=83).contains(&good), "{good}");
        assert_eq!(fake.calls(), good);
        assert!(most.load(Ordering::Relaxed) <= 10_000);
        let report = budget.report();
        assert!(report.reached && report.tokens == 120 * good as u64 && report.reserved_tokens == 0, "{report:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_raised_budget_goes_on_and_counts_what_was_spent() {
        let budget = Arc::new(BudgetState::new(limit(Some(0.0002), None), Arc::new(Quiet)));
        let model = Budgeted::new(paid(), budget.clone(), Some(PRICE));
        model.chat(&capped("a")).await.unwrap();
        let error = model.chat(&capped("b")).await.unwrap_err();
        assert!(error.to_string().contains("0.0001 of 0.0002 USD"), "{error}");
        budget.set_limit(limit(Some(0.001), None));
        assert!(!budget.is_reached());
        model.chat(&capped("b")).await.unwrap();
        assert!((budget.report().usd - 0.00024).abs() < 1e-12);
    }

    #[tokio::test(start_paused = true)]
    async fn large_reservations_wait_for_each_other_instead_of_stopping_the_run() {
        let budget = Arc::new(BudgetState::new(limit(None, Some(5_000)), Arc::new(Quiet)));
        let model = Budgeted::new(paid(), budget, None);
        let mut big = request("x");
        // Each reserves three fifths of the budget and uses a fortieth.
        big.sampling.max_tokens = Some(3_000);
        let (a, b, c) = tokio::join!(model.chat(&big), model.chat(&big), model.chat(&big));
        assert!(a.is_ok() && b.is_ok() && c.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn what_failed_or_was_cancelled_is_given_back() {
        let budget = Arc::new(BudgetState::new(limit(None, Some(10_000)), Arc::new(Quiet)));
        let failing = Budgeted::new(Fake::failing(ModelError::Transport(String::new())), budget.clone(), None);
        failing.chat(&capped("a")).await.unwrap_err();
        let slow = Budgeted::new(paid(), budget.clone(), None);
        let cancelled = tokio::time::timeout(Duration::from_millis(1), slow.chat(&capped("b"))).await;
        assert!(cancelled.is_err());
        let report = budget.report();
        assert_eq!((report.tokens, report.reserved_tokens), (0, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn a_refusal_is_charged_for_what_was_read() {
        let budget = Arc::new(BudgetState::new(limit(None, Some(10_000)), Arc::new(Quiet)));
        let refusing = Fake::failing(ModelError::Refused(String::new()).charged(None));
        Budgeted::new(refusing, budget.clone(), None).chat(&capped("a")).await.unwrap_err();
        let report = budget.report();
        assert!(report.tokens > 0 && report.tokens < 100 && report.reserved_tokens == 0, "{report:?}");
    }

    /// What is booked for one call to a model that fails so, with up to five attempts.
    async fn booked(errors: Vec<ModelError>, for_ever: bool) -> (u64, u64) {
        let budget = Arc::new(BudgetState::new(limit(None, Some(1_000_000)), Arc::new(Quiet)));
        let fake = if for_ever { Fake::failing(errors[0].clone()) } else { Fake::script(errors) };
        let retried = Arc::new(Retried::new(fake, RetrySettings::default(), Arc::new(Quiet)));
        let _ = Budgeted::new(retried, budget.clone(), None).chat(&capped("a")).await;
        let report = budget.report();
        let spend = &report.models[0];
        assert_eq!(report.reserved_tokens, 0);
        (spend.input, spend.output)
    }

    #[tokio::test(start_paused = true)]
    async fn a_reply_that_thought_and_said_nothing_is_paid_in_full() {
        let thought = Usage { input: 300, output: 16_000, reasoning: 16_000, ..Usage::default() };
        let error = ModelError::InvalidOutput("nothing".to_owned()).charged(Some(thought));
        assert_eq!(booked(vec![error], true).await, (300, 16_000));
    }

    #[tokio::test(start_paused = true)]
    async fn attempts_that_were_sent_and_lost_are_paid_as_read() {
        let once = Estimator::default().at_most(&capped("a"), None).input;
        let lost = || ModelError::Timeout(String::new()).charged(None);
        assert_eq!(booked(vec![lost()], true).await, (5 * once, 0));
        let nobody = || ModelError::Transport(String::new());
        assert_eq!(booked(vec![nobody()], true).await, (0, 0));
        let cut = ModelError::InvalidOutput(String::new()).charged(None);
        assert_eq!(booked(vec![lost(), nobody(), cut], false).await, (2 * once, 100));
    }

    /// A model that writes at most so much, whatever the request says.
    struct Within(Arc<Fake>, Option<u32>);

    #[async_trait]
    impl ChatModel for Within {
        fn id(&self) -> &ModelId {
            self.0.id()
        }

        async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
            self.0.chat(request).await
        }

        fn most_output(&self, _: &ChatRequest) -> Option<u32> {
            self.1
        }
    }

    /// How many of thirty calls at once are made, each of which uses 300 + 20,000 tokens, and what they cost.
    async fn long(limit_of_model: Option<u32>) -> (usize, f64) {
        let budget = Arc::new(BudgetState::new(limit(Some(0.5), None), Arc::new(Quiet)));
        let price = Price { input: 1.0, output: 10.0, cached_input: None };
        let fake = Fake::using(Duration::from_secs(1), Usage { input: 300, output: 20_000, ..Usage::default() });
        let model = Budgeted::new(Arc::new(Within(fake.clone(), limit_of_model)), budget.clone(), Some(price));
        let requests: Vec<ChatRequest> = (0..30).map(|n| request(&n.to_string())).collect();
        futures::future::join_all(requests.iter().map(|request| model.chat(request))).await;
        (fake.calls(), budget.report().usd)
    }

    #[tokio::test(start_paused = true)]
    async fn the_limit_a_model_has_is_what_is_reserved() {
        let (calls, usd) = long(Some(20_000)).await;
        assert_eq!(calls, 2);
        assert!(usd <= 0.5, "{usd}");
    }

    #[tokio::test(start_paused = true)]
    async fn where_nothing_limits_a_reply_the_first_tells_how_long_the_others_may_be() {
        let (calls, usd) = long(None).await;
        assert_eq!(calls, 1);
        assert!(usd <= 0.5, "{usd}");
    }

    #[tokio::test(start_paused = true)]
    async fn an_endpoint_that_does_not_count_is_guessed_and_told_once() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let hears = told.clone();
        let events = move |event| hears.lock().unwrap().push(event);
        let budget = Arc::new(BudgetState::new(limit(None, Some(1000)), Arc::new(events)));
        let model = Budgeted::new(Fake::echo(), budget.clone(), None);
        for _ in 0..2 {
            model.chat(&capped("a long answer, as long as the question")).await.unwrap();
        }
        let report = budget.report();
        assert!(report.models[0].input > 20 && report.models[0].output > 20, "{report:?}");
        let uncounted = |event: &&GatewayEvent| matches!(event, GatewayEvent::UsageUnknown { .. });
        assert_eq!(told.lock().unwrap().iter().filter(uncounted).count(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_count_that_is_missing_is_guessed_alone() {
        for (input, output) in [(0, 70), (70, 0)] {
            let told = Arc::new(Mutex::new(0));
            let hears = told.clone();
            let events =
                move |event| *hears.lock().unwrap() += i32::from(matches!(event, GatewayEvent::UsageUnknown { .. }));
            let budget = Arc::new(BudgetState::new(limit(None, Some(10_000)), Arc::new(events)));
            let fake = Fake::using(Duration::from_secs(1), Usage { input, output, ..Usage::default() });
            Budgeted::new(fake, budget.clone(), None).chat(&capped("fever and cough")).await.unwrap();
            let report = budget.report();
            let spend = &report.models[0];
            assert!(if input > 0 { spend.input == 70 } else { (1..70).contains(&spend.input) }, "{spend:?}");
            assert!(if output > 0 { spend.output == 70 } else { (1..70).contains(&spend.output) }, "{spend:?}");
            assert_eq!(*told.lock().unwrap(), 1);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_unknown_price_is_told_once_and_counted_as_tokens() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let hears = told.clone();
        let events = move |event| hears.lock().unwrap().push(event);
        let budget = Arc::new(BudgetState::new(limit(Some(1.0), None), Arc::new(events)));
        for _ in 0..2 {
            let model = Budgeted::new(paid(), budget.clone(), None);
            model.chat(&capped("a")).await.unwrap();
        }
        let report = budget.report();
        assert_eq!((report.usd, report.tokens, report.unpriced), (0.0, 240, vec!["fake".into()]));
        let unknown = |event: &&GatewayEvent| matches!(event, GatewayEvent::PriceUnknown { .. });
        assert_eq!(told.lock().unwrap().iter().filter(unknown).count(), 1);
    }
}
