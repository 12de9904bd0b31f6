//! The layers together, and the fakes their own tests use.

use super::*;
use async_trait::async_trait;
use std::sync::atomic::{AtomicUsize, Ordering};
use waterjar_core::{ChatReply, ChatRequest, ModelError, ModelId, Usage};
use waterjar_store::{CallRole, Mode};

/// Says what it was told to say, and counts.
pub struct Fake {
    id: ModelId,
    latency: Duration,
    /// One for each call, then replies; or for every call.
    errors: Vec<ModelError>,
    for_ever: bool,
    usage: Usage,
    calls: AtomicUsize,
}

impl Fake {
    fn new(latency: Duration, errors: Vec<ModelError>, for_ever: bool, usage: Usage) -> Arc<Self> {
        Arc::new(Self { id: "fake".into(), latency, errors, for_ever, usage, calls: AtomicUsize::new(0) })
    }

    pub fn echo() -> Arc<Self> {
        Self::slow(Duration::ZERO)
    }

    pub fn slow(latency: Duration) -> Arc<Self> {
        Self::using(latency, Usage::default())
    }

    pub fn using(latency: Duration, usage: Usage) -> Arc<Self> {
        Self::new(latency, Vec::new(), false, usage)
    }

    pub fn script(errors: Vec<ModelError>) -> Arc<Self> {
        Self::slow_script(Duration::ZERO, errors)
    }

    pub fn slow_script(latency: Duration, errors: Vec<ModelError>) -> Arc<Self> {
        Self::new(latency, errors, false, Usage::default())
    }

    pub fn failing(error: ModelError) -> Arc<Self> {
        Self::new(Duration::ZERO, vec![error], true, Usage::default())
    }

    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl ChatModel for Fake {
    fn id(&self) -> &ModelId {
        &self.id
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let n = self.calls.fetch_add(1, Ordering::SeqCst);
        if !self.latency.is_zero() {
            tokio::time::sleep(self.latency).await;
        }
        match self.errors.get(if self.for_ever { 0 } else { n }) {
            Some(error) => Err(error.clone()),
            None => Ok(ChatReply { usage: self.usage, ..ChatReply::text(request.last_user_text()) }),
        }
    }
}

pub fn request(text: &str) -> ChatRequest {
    ChatRequest::new("You are a doctor.", text, 0)
}

pub fn rate_limited(seconds: Option<f64>) -> ModelError {
    let retry_after = seconds.map(Duration::from_secs_f64);
    ModelError::RateLimited { message: "slow down".to_owned(), retry_after }
}

fn prices() -> Prices {
    Prices::parse("\"fake\" = { input = 1.0, output = 2.0 }").unwrap()
}

async fn open(path: &std::path::Path, settings: GatewaySettings) -> (Store, Gateway) {
    let store = Store::open(path, Mode::Create).await.unwrap();
    let gateway = Gateway::open(settings, prices(), &store, Arc::new(Quiet)).await.unwrap();
    (store, gateway)
}

#[tokio::test]
async fn a_call_through_all_layers_leaves_its_transcript() {
    let dir = tempfile::tempdir().unwrap();
    let settings: GatewaySettings = toml::from_str("[retry]\nfirst_wait = 0.001").unwrap();
    let (store, gateway) = open(&dir.path().join("run.sqlite"), settings).await;
    let usage = Usage { input: 1000, output: 500, ..Usage::default() };
    let error = ModelError::Transport("reset".to_owned());
    let fake = Fake::new(Duration::from_millis(2), vec![error], false, usage);
    let model = gateway.stack(fake.clone()).fingerprint("v1").build();
    for item in ["first", "second"] {
        Purpose::subject(item).scope(model.chat(&request("x"))).await.unwrap();
    }
    gateway.flush().await.unwrap();
    assert_eq!(fake.calls(), 2);

    let first = store.transcript(CallRole::Subject, "first").await.unwrap().remove(0);
    assert_eq!((first.course.attempts, first.course.cached, first.course.usage), (2, false, usage));
    assert_eq!(first.course.picodollars, Some(2_000_000_000));
    assert!(first.course.took >= 2 && first.course.began > 0);
    assert_eq!(first.request, request("x"));
    assert_eq!(first.outcome.unwrap().text, "x");
    let second = store.transcript(CallRole::Subject, "second").await.unwrap().remove(0);
    assert_eq!((second.course.attempts, second.course.cached, second.course.picodollars), (0, true, None));
    assert_eq!(second.outcome.unwrap().text, "x");
}

#[tokio::test]
async fn a_run_stopped_by_its_budget_goes_on_when_it_is_raised_and_asks_nothing_twice() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.sqlite");
    let usage = Usage { input: 1000, output: 1000, ..Usage::default() };
    let mut asked = 0;
    for (budget, answered, spent) in [(0.010, 3, 0.009), (0.020, 6, 0.018), (1.0, 10, 0.030)] {
        let settings = GatewaySettings {
            budget: BudgetSettings { usd: Some(budget), tokens: None },
            ..GatewaySettings::default()
        };
        let (store, gateway) = open(&path, settings).await;
        let fake = Fake::using(Duration::ZERO, usage);
        let model = gateway.stack(fake.clone()).build();
        let mut good = 0;
        for n in 0..10 {
            let mut request = request(&n.to_string());
            request.sampling.max_tokens = Some(1000);
            match model.chat(&request).await {
                Ok(_) => good += 1,
                Err(ModelError::Budget(_)) => break,
                Err(other) => panic!("{other}"),
            }
        }
        gateway.flush().await.unwrap();
        asked += fake.calls();
        assert_eq!(good, answered);
        assert_eq!(asked, answered);
        let report = gateway.budget().report();
        assert_eq!(report.reached, good < 10);
        assert!((report.usd - spent).abs() < 1e-9, "{report:?}");
        drop((model, gateway));
        store.close().await;
    }
}

#[tokio::test]
async fn a_run_that_goes_on_knows_how_long_replies_are() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.sqlite");
    let usage = Usage { input: 20, output: 30, ..Usage::default() };
    // Two guesses of 1600 tokens would not fit into what is left; two of twice the usual do.
    for (budget, asked) in [(1_700, 10), (1_900, 14)] {
        let budget = BudgetSettings { usd: None, tokens: Some(budget) };
        let (store, gateway) = open(&path, GatewaySettings { budget, ..GatewaySettings::default() }).await;
        let fake = Fake::using(Duration::ZERO, usage);
        let model = gateway.stack(fake.clone()).build();
        let mut last = Ok(ChatReply::default());
        for n in 0..asked {
            last = model.chat(&request(&n.to_string())).await;
        }
        assert!(last.is_ok(), "{last:?}");
        gateway.flush().await.unwrap();
        drop((model, gateway));
        store.close().await;
    }
}

#[tokio::test]
async fn models_of_one_endpoint_share_its_limits_unless_they_have_their_own() {
    let gateway = Gateway::in_memory(
        GatewaySettings::default(),
        Prices::default(),
        1 << 20,
        Arc::new(MemorySink::default()),
        Arc::new(Quiet),
    );
    for _ in 0..2 {
        let _ = gateway.stack(Fake::echo()).endpoint("https://a").build();
    }
    let _ = gateway.stack(Fake::echo()).endpoint("https://a").timeout(Duration::from_secs(5)).build();
    assert_eq!(lock(&gateway.endpoints).len(), 1, "a timeout is no limit");
    let _ = gateway.stack(Fake::echo()).endpoint("https://a").limits(LimitSettings::default()).build();
    assert_eq!(lock(&gateway.endpoints).len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_long_queue_of_our_own_runs_into_no_deadline() {
    let settings: GatewaySettings =
        toml::from_str("[limits]\nconcurrency = 1\ntimeout = 20\n[retry]\ndeadline = 30").unwrap();
    let gateway =
        Gateway::in_memory(settings, Prices::default(), 1 << 20, Arc::new(MemorySink::default()), Arc::new(Quiet));
    let model = gateway.stack(Fake::slow(Duration::from_secs(10))).build();
    let requests: Vec<ChatRequest> = (0..50).map(|n| request(&n.to_string())).collect();
    let outcomes = futures::future::join_all(requests.iter().map(|request| model.chat(request))).await;
    assert!(outcomes.iter().all(Result::is_ok));
}
