//! Where vectors are paid for. An embedder at an address limits itself and tries again by itself, so that of all layers only the budget is left.

use super::budget::{Amount, BudgetState};
use super::estimate::text_tokens;
use super::price::Price;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use waterjar_core::{ModelError, ModelId, Usage, VectorRequest};

/// Pays for the requests of one embedder.
pub struct Till {
    /// As prices call it.
    model: ModelId,
    price: Option<Price>,
    budget: Arc<BudgetState>,
    /// The endpoint told no usage, and that was said.
    uncounted: AtomicBool,
}

impl Till {
    pub fn new(model: ModelId, budget: Arc<BudgetState>, price: Option<Price>) -> Self {
        Self { model, price, budget, uncounted: AtomicBool::new(false) }
    }

    /// Reserves what the request may cost, sends it, and settles what it did cost.
    pub async fn pay(&self, request: &dyn VectorRequest) -> Result<Vec<Vec<f32>>, ModelError> {
        // Not before: of an embedder whose vectors are all kept nobody need know the price.
        self.budget.meet(&self.model, self.price.is_some());
        let most = Usage { input: request.texts().iter().map(|text| text_tokens(text)).sum(), ..Usage::default() };
        let reserved = Amount { picodollars: self.cost(&most), tokens: most.input };
        let reservation = self.budget.reserve(reserved).await?;
        let outcome = request.send().await;
        if let Some(used) = self.used(most, &outcome) {
            reservation.settle(&self.model, &used, self.cost(&used)).await;
        }
        outcome.map(|(vectors, _)| vectors).map_err(ModelError::uncharged)
    }

    fn cost(&self, usage: &Usage) -> u64 {
        self.price.map_or(0, |price| price.of(usage))
    }

    /// What the endpoint says it used; where it read the texts and says nothing, our guess. `None` where it did not read them.
    fn used(&self, most: Usage, outcome: &Result<(Vec<Vec<f32>>, Usage), ModelError>) -> Option<Usage> {
        match outcome {
            Ok((_, told)) if told.is_none() => {
                if !self.uncounted.swap(true, Ordering::Relaxed) {
                    self.budget.tell_uncounted(&self.model);
                }
                Some(most)
            }
            Ok((_, told)) => Some(*told),
            Err(ModelError::Charged { usage, .. }) => Some(usage.unwrap_or(most)),
            Err(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::events::{GatewayEvent, Quiet};
    use super::super::settings::BudgetSettings;
    use super::*;
    use async_trait::async_trait;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicUsize;
    use std::time::Duration;

    /// Ten guessed tokens each.
    const TEXTS: [&str; 2] = ["fever and a cough that is dry", "no fever, and a cough for days"];

    /// Ends the same way each time, after a second, and counts.
    struct Scripted {
        outcome: Result<Usage, ModelError>,
        sent: AtomicUsize,
    }

    impl Scripted {
        fn new(outcome: Result<Usage, ModelError>) -> Self {
            Self { outcome, sent: AtomicUsize::new(0) }
        }

        fn using(input: u64) -> Self {
            Self::new(Ok(Usage { input, ..Usage::default() }))
        }
    }

    #[async_trait]
    impl VectorRequest for Scripted {
        fn texts(&self) -> &[&str] {
            &TEXTS
        }

        async fn send(&self) -> Result<(Vec<Vec<f32>>, Usage), ModelError> {
            self.sent.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_secs(1)).await;
            self.outcome.clone().map(|usage| (vec![vec![1.0]; TEXTS.len()], usage))
        }
    }

    fn till(limit: BudgetSettings) -> Till {
        let price = Price { input: 1.0, output: 0.0, cached_input: None };
        Till::new("local/vectors".into(), Arc::new(BudgetState::new(limit, Arc::new(Quiet))), Some(price))
    }

    /// The tokens that are booked for a request that ends so.
    async fn check(outcome: Result<Usage, ModelError>, booked: u64) {
        let till = till(BudgetSettings { usd: Some(1.0), tokens: None });
        let paid = till.pay(&Scripted::new(outcome.clone())).await;
        let uncharged = outcome.map(|_| vec![vec![1.0]; TEXTS.len()]).map_err(ModelError::uncharged);
        assert_eq!(paid, uncharged, "what was charged for stays here");
        let report = till.budget.report();
        assert_eq!((report.tokens, report.reserved_tokens), (booked, 0));
        assert!((report.usd - booked as f64 / 1e6).abs() < 1e-12, "{report:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn what_the_endpoint_tells_is_booked() {
        check(Ok(Usage { input: 13, ..Usage::default() }), 13).await;
        let unusable = ModelError::InvalidOutput("too few".to_owned());
        check(Err(unusable.charged(Some(Usage { input: 13, ..Usage::default() }))), 13).await;
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_read_and_not_told_is_guessed() {
        check(Ok(Usage::default()), 20).await;
        check(Err(ModelError::Timeout("lost".to_owned()).charged(None)), 20).await;
    }

    #[tokio::test(start_paused = true)]
    async fn what_nobody_read_costs_nothing() {
        check(Err(ModelError::Transport("nobody is there".to_owned())), 0).await;
        check(Err(ModelError::Stopped), 0).await;
    }

    #[tokio::test(start_paused = true)]
    async fn the_budget_is_never_exceeded_however_many_ask_at_once() {
        let till = till(BudgetSettings { usd: None, tokens: Some(100) });
        let request = Scripted::using(15);
        let outcomes = futures::future::join_all((0..30).map(|_| till.pay(&request))).await;
        // After six of them 90 are spent, and a seventh may need 20.
        assert_eq!(request.sent.load(Ordering::SeqCst), 6);
        assert_eq!(outcomes.iter().filter(|it| it.is_ok()).count(), 6);
        assert!(outcomes.iter().filter(|it| it.is_err()).all(|it| matches!(it, Err(ModelError::Budget(_)))));
        let report = till.budget.report();
        assert!(report.reached && report.tokens == 90 && report.reserved_tokens == 0, "{report:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn that_nobody_counts_is_told_once_and_a_price_only_where_something_is_sent() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let hears = told.clone();
        let events = move |event| hears.lock().unwrap().push(event);
        let budget = Arc::new(BudgetState::new(BudgetSettings::default(), Arc::new(events)));
        let till = Till::new("local/vectors".into(), budget, None);
        assert!(told.lock().unwrap().is_empty());
        for _ in 0..2 {
            till.pay(&Scripted::using(0)).await.unwrap();
        }
        let count = |wanted: fn(&GatewayEvent) -> bool| told.lock().unwrap().iter().filter(|it| wanted(it)).count();
        assert_eq!(count(|it| matches!(it, GatewayEvent::UsageUnknown { .. })), 1);
        assert_eq!(count(|it| matches!(it, GatewayEvent::PriceUnknown { .. })), 1);
    }
}
