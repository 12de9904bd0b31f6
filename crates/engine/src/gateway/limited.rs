//! Gives the endpoint no more than it takes.

use super::endpoint::{Ended, Endpoint, Hints};
use super::estimate::Estimator;
use super::notes::note;
use async_trait::async_trait;
use std::sync::Arc;
use tokio::time::Instant;
use waterjar_core::{ChatModel, ChatReply, ChatRequest, ModelError, ModelId};

pub struct Limited {
    inner: Arc<dyn ChatModel>,
    endpoint: Arc<Endpoint>,
    estimator: Estimator,
}

impl Limited {
    pub fn new(inner: Arc<dyn ChatModel>, endpoint: Arc<Endpoint>) -> Self {
        Self { inner, endpoint, estimator: Estimator::default() }
    }
}

#[async_trait]
impl ChatModel for Limited {
    fn id(&self) -> &ModelId {
        self.inner.id()
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let came = Instant::now();
        let slot = self.endpoint.enter(self.estimator.typical(request, self.most_output(request))).await?;
        note(|notes| notes.queued.set(notes.queued.get() + came.elapsed()));
        let outcome = self.inner.chat(request).await;
        if let Ok(reply) = &outcome {
            self.estimator.learn(reply.usage.output);
            if reply.rest.is_some() {
                self.endpoint.hear(Hints { pause: reply.rest, ..Hints::default() });
            }
        }
        match slot.end(ended(&outcome)) {
            Some(closed) => Err(closed),
            None => outcome,
        }
    }

    fn most_output(&self, request: &ChatRequest) -> Option<u32> {
        self.inner.most_output(request)
    }
}

fn ended(outcome: &Result<ChatReply, ModelError>) -> Ended {
    match outcome {
        Ok(reply) => Ended::Replied { tokens: reply.usage.input.saturating_add(reply.usage.output) },
        Err(error) => failed(error),
    }
}

fn failed(error: &ModelError) -> Ended {
    match error {
        ModelError::RateLimited { retry_after, .. } => Ended::Refused { retry_after: *retry_after },
        // 529 is how Anthropic says "overloaded".
        ModelError::Endpoint { status: 503 | 529, retry_after, .. } => Ended::Refused { retry_after: *retry_after },
        ModelError::Charged { error, .. } => failed(error),
        _ => Ended::Otherwise,
    }
}

#[cfg(test)]
mod tests {
    use super::super::events::{GatewayEvent, Quiet};
    use super::super::retried::Retried;
    use super::super::settings::{LimitSettings, RetrySettings};
    use super::super::tests::{Fake, rate_limited, request};
    use super::*;
    use std::num::{NonZeroU32, NonZeroU64};
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;
    use waterjar_core::Seed;

    /// An endpoint as it may behave.
    struct Simulated {
        id: ModelId,
        /// Above this many at once it answers 429.
        admits: AtomicUsize,
        /// So many are worked on at once; the rest wait there. 0: all.
        workers: Option<tokio::sync::Semaphore>,
        /// Share of calls refused whatever comes.
        random: f64,
        retry_after: Option<f64>,
        inside: AtomicUsize,
        calls: AtomicUsize,
        replies: AtomicUsize,
        most: AtomicUsize,
    }

    const LATENCY: Duration = Duration::from_millis(50);

    fn simulated(admits: usize) -> Simulated {
        Simulated {
            id: "simulated".into(),
            admits: AtomicUsize::new(admits),
            workers: None,
            random: 0.0,
            retry_after: None,
            inside: AtomicUsize::new(0),
            calls: AtomicUsize::new(0),
            replies: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
        }
    }

    #[async_trait]
    impl ChatModel for Simulated {
        fn id(&self) -> &ModelId {
            &self.id
        }

        async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
            let n = self.calls.fetch_add(1, Ordering::SeqCst);
            let chance = |purpose| Seed(n as u64).rank(purpose, "") as f64 / i64::MAX as f64;
            let inside = self.inside.fetch_add(1, Ordering::SeqCst) + 1;
            let leave = Leaves(&self.inside);
            self.most.fetch_max(inside, Ordering::SeqCst);
            if inside > self.admits.load(Ordering::SeqCst) || chance("refuse") < self.random {
                tokio::time::sleep(Duration::from_millis(2)).await;
                return Err(rate_limited(self.retry_after));
            }
            // Between a half and one and a half of it: replies differ in length.
            let latency = LATENCY.mul_f64(0.5 + chance("latency"));
            match &self.workers {
                Some(workers) => {
                    let _worker = workers.acquire().await.unwrap();
                    tokio::time::sleep(latency).await;
                }
                None => tokio::time::sleep(latency).await,
            }
            drop(leave);
            self.replies.fetch_add(1, Ordering::SeqCst);
            Ok(ChatReply::text(request.last_user_text()))
        }
    }

    struct Leaves<'a>(&'a AtomicUsize);

    impl Drop for Leaves<'_> {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::SeqCst);
        }
    }

    fn limits(concurrency: Option<u32>) -> LimitSettings {
        LimitSettings { concurrency: concurrency.and_then(NonZeroU32::new), ..LimitSettings::default() }
    }

    struct Load {
        /// Replies a second, in all and after the first five seconds.
        whole: f64,
        settled: f64,
        endpoint: Arc<Endpoint>,
        simulated: Arc<Simulated>,
    }

    /// So many clients ask without a pause for half a minute.
    async fn load(simulated: Simulated, limits: LimitSettings, clients: usize) -> Load {
        let simulated = Arc::new(simulated);
        let endpoint = Arc::new(Endpoint::new("simulated", limits, Arc::new(Quiet)));
        let limited = Arc::new(Limited::new(simulated.clone(), endpoint.clone()));
        let model = Arc::new(Retried::new(limited, RetrySettings::default(), Arc::new(Quiet)));
        let mut tasks = tokio::task::JoinSet::new();
        for n in 0..clients {
            let model = model.clone();
            tasks.spawn(async move {
                loop {
                    // Errors of the simulation pass; here only the number of replies counts.
                    let _ = model.chat(&request(&n.to_string())).await;
                }
            });
        }
        tokio::time::sleep(Duration::from_secs(5)).await;
        let early = simulated.replies.load(Ordering::SeqCst);
        tokio::time::sleep(Duration::from_secs(25)).await;
        let all = simulated.replies.load(Ordering::SeqCst);
        tasks.shutdown().await;
        Load { whole: all as f64 / 30.0, settled: (all - early) as f64 / 25.0, endpoint, simulated }
    }

    #[tokio::test(start_paused = true)]
    async fn it_settles_within_a_tenth_of_what_the_endpoint_admits() {
        let fixed = load(simulated(40), limits(Some(40)), 400).await;
        for (name, start) in [("none stated", None), ("too many stated", Some(300))] {
            let adaptive = load(simulated(40), limits(start), 400).await;
            println!(
                "40 admitted, {name}: {:.0} of {:.0}/s, from the start {:.0}",
                adaptive.settled, fixed.settled, adaptive.whole
            );
            assert!(adaptive.settled >= 0.9 * fixed.settled, "{name}: {} of {}", adaptive.settled, fixed.settled);
            assert!(adaptive.whole >= 0.85 * fixed.whole, "{name}: {} of {}", adaptive.whole, fixed.whole);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn telling_how_long_to_wait_does_not_slow_the_others_down() {
        let fixed = load(simulated(40), limits(Some(40)), 400).await;
        let adaptive = load(Simulated { retry_after: Some(1.0), ..simulated(40) }, limits(None), 400).await;
        println!("with Retry-After: {:.0} of {:.0}/s", adaptive.settled, fixed.settled);
        assert!(adaptive.settled >= 0.9 * fixed.settled, "{} of {}", adaptive.settled, fixed.settled);
    }

    #[tokio::test(start_paused = true)]
    async fn it_opens_up_quickly_where_nothing_is_refused() {
        let adaptive = load(simulated(usize::MAX), limits(None), 500).await;
        // 500 clients and 50 ms: 10,000 a second.
        println!("open: {:.0} of 10000/s, from the start {:.0}", adaptive.settled, adaptive.whole);
        assert!(adaptive.settled > 9_000.0 && adaptive.whole > 8_800.0, "{} {}", adaptive.settled, adaptive.whole);
    }

    #[tokio::test(start_paused = true)]
    async fn it_stops_growing_where_more_at_once_brings_nothing() {
        let workers = Some(tokio::sync::Semaphore::new(20));
        let adaptive = load(Simulated { workers, ..simulated(usize::MAX) }, limits(None), 400).await;
        println!("20 workers: {:.0} of 400/s with {} at once", adaptive.settled, adaptive.endpoint.at_once());
        assert!(adaptive.settled > 360.0, "{}", adaptive.settled);
        assert!(adaptive.simulated.most.load(Ordering::SeqCst) <= 128, "{:?}", adaptive.simulated.most);
    }

    #[tokio::test(start_paused = true)]
    async fn refusals_by_chance_do_not_choke_it() {
        for random in [0.02, 0.05, 0.15] {
            let adaptive = load(Simulated { random, ..simulated(usize::MAX) }, limits(Some(100)), 1000).await;
            let most = 100.0 / 0.05;
            println!("{random} refused by chance: {:.0} of {most:.0}/s", adaptive.settled);
            assert!(adaptive.settled > 0.6 * most, "{}", adaptive.settled);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn refusals_by_chance_do_not_hide_those_of_too_many() {
        let fixed = load(Simulated { random: 0.03, ..simulated(40) }, limits(Some(38)), 600).await;
        let adaptive = load(Simulated { random: 0.03, ..simulated(40) }, limits(None), 600).await;
        let (calls, replies) = (&adaptive.simulated.calls, &adaptive.simulated.replies);
        let refused = 1.0 - replies.load(Ordering::SeqCst) as f64 / calls.load(Ordering::SeqCst) as f64;
        println!(
            "40 admitted and 0.03 by chance: {:.0} of {:.0}/s, {refused:.2} refused",
            adaptive.settled, fixed.settled
        );
        assert!(adaptive.settled >= 0.85 * fixed.settled, "{} of {}", adaptive.settled, fixed.settled);
        assert!(refused < 0.2, "{refused}");
    }

    #[tokio::test(start_paused = true)]
    async fn it_follows_an_endpoint_that_changes() {
        let simulated = simulated(40);
        let simulated = Arc::new(simulated);
        let endpoint = Arc::new(Endpoint::new("simulated", limits(None), Arc::new(Quiet)));
        let limited = Arc::new(Limited::new(simulated.clone(), endpoint));
        let model = Arc::new(Retried::new(limited, RetrySettings::default(), Arc::new(Quiet)));
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..600 {
            let model = model.clone();
            tasks.spawn(async move {
                loop {
                    let _ = model.chat(&request("x")).await;
                }
            });
        }
        for admits in [40, 8, 120, 30] {
            simulated.admits.store(admits, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_secs(20)).await;
            let before = simulated.replies.load(Ordering::SeqCst);
            tokio::time::sleep(Duration::from_secs(20)).await;
            let rate = (simulated.replies.load(Ordering::SeqCst) - before) as f64 / 20.0;
            let most = admits as f64 / LATENCY.as_secs_f64();
            println!("now {admits} admitted: {rate:.0} of {most:.0}/s");
            assert!(rate >= 0.85 * most, "{admits}: {rate} of {most}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_stated_maximum_is_kept() {
        let load = load(simulated(usize::MAX), limits(Some(7)), 50).await;
        assert_eq!(load.simulated.most.load(Ordering::SeqCst), 7);
        assert!(load.settled > 0.95 * 7.0 / 0.05, "{}", load.settled);
    }

    #[tokio::test(start_paused = true)]
    async fn an_endpoint_that_refuses_everything_is_left_alone_for_as_long_as_it_says() {
        let load = load(Simulated { retry_after: Some(10.0), ..simulated(0) }, limits(None), 100).await;
        let calls = load.simulated.calls.load(Ordering::SeqCst);
        assert!(calls < 200, "{calls} calls in half a minute");
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_waits_is_served_in_the_order_of_coming() {
        let endpoint = Arc::new(Endpoint::new("e", limits(Some(1)), Arc::new(Quiet)));
        let model = Arc::new(Limited::new(Fake::slow(Duration::from_secs(1)), endpoint));
        let served = Arc::new(Mutex::new(Vec::new()));
        let mut tasks = tokio::task::JoinSet::new();
        for n in 0..20 {
            let (model, served) = (model.clone(), served.clone());
            tasks.spawn(async move {
                tokio::time::sleep(Duration::from_millis(n)).await;
                model.chat(&request("x")).await.unwrap();
                served.lock().unwrap().push(n);
            });
        }
        tasks.join_all().await;
        assert_eq!(*served.lock().unwrap(), (0..20).collect::<Vec<_>>());
    }

    #[tokio::test(start_paused = true)]
    async fn a_small_call_does_not_overtake_a_large_one() {
        let stated = LimitSettings { tokens_per_minute: NonZeroU64::new(1000), ..limits(Some(9)) };
        let endpoint = Endpoint::new("e", stated, Arc::new(Quiet));
        drop(endpoint.enter(900).await.unwrap());
        let served = Mutex::new(Vec::new());
        let come = async |after: u64, tokens: u64| {
            tokio::time::sleep(Duration::from_secs(after)).await;
            drop(endpoint.enter(tokens).await.unwrap());
            served.lock().unwrap().push(tokens);
        };
        // When the small one comes there is room for it, and none yet for the large one.
        tokio::join!(come(1, 900), come(55, 10));
        assert_eq!(*served.lock().unwrap(), [900, 10]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_rest_nobody_waits_for_ends_every_call_at_once() {
        let endpoint = Endpoint::new("https://ward", limits(None), Arc::new(Quiet));
        let endpoint = Arc::new(endpoint.resting_at_most(Duration::from_secs(900)));
        let fake = Fake::slow_script(Duration::from_millis(50), vec![rate_limited(Some(86_400.0)); 1000]);
        let limited = Arc::new(Limited::new(fake.clone(), endpoint));
        let model = Retried::new(limited, RetrySettings::default(), Arc::new(Quiet));
        let begun = Instant::now();
        let requests: Vec<ChatRequest> = (0..500).map(|n| request(&n.to_string())).collect();
        let outcomes = futures::future::join_all(requests.iter().map(|request| model.chat(request))).await;
        assert!(outcomes.iter().all(|outcome| matches!(outcome, Err(ModelError::Closed(_)))), "{:?}", outcomes[0]);
        assert!(outcomes[0].as_ref().unwrap_err().to_string().contains("https://ward asks to come back in 1day, at "));
        assert!(begun.elapsed() < Duration::from_secs(1) && fake.calls() <= 16, "{} calls", fake.calls());
    }

    #[tokio::test(start_paused = true)]
    async fn a_rest_is_told_once() {
        let told = Arc::new(Mutex::new(0));
        let hears = told.clone();
        let events = move |event| {
            if matches!(event, GatewayEvent::Paused { .. }) {
                *hears.lock().unwrap() += 1;
            }
        };
        let endpoint = Arc::new(Endpoint::new("e", limits(Some(8)), Arc::new(events)));
        let simulated = Arc::new(Simulated { retry_after: Some(10.0), ..simulated(0) });
        let model =
            Retried::new(Arc::new(Limited::new(simulated, endpoint)), RetrySettings::default(), Arc::new(Quiet));
        let requests: Vec<ChatRequest> = (0..100).map(|n| request(&n.to_string())).collect();
        let all = futures::future::join_all(requests.iter().map(|request| model.chat(request)));
        assert!(tokio::time::timeout(Duration::from_secs(9), all).await.is_err());
        assert_eq!(*told.lock().unwrap(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn a_cancelled_call_gives_its_place_back() {
        let endpoint = Arc::new(Endpoint::new("e", limits(Some(2)), Arc::new(Quiet)));
        let model = Limited::new(Fake::slow(Duration::from_secs(10)), endpoint.clone());
        for _ in 0..10 {
            let cancelled = tokio::time::timeout(Duration::from_secs(1), model.chat(&request("x"))).await;
            assert!(cancelled.is_err());
        }
        assert!(model.chat(&request("x")).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn requests_and_tokens_a_minute_are_kept_in_every_minute() {
        let stated = LimitSettings {
            requests_per_minute: NonZeroU32::new(300),
            tokens_per_minute: NonZeroU64::new(100_000),
            ..limits(Some(50))
        };
        let endpoint = Arc::new(Endpoint::new("e", stated, Arc::new(Quiet)));
        let usage = waterjar_core::Usage { input: 300, output: 200, ..Default::default() };
        let model = Arc::new(Limited::new(Fake::using(Duration::from_secs(2), usage), endpoint));
        let begun = Instant::now();
        let ended = Arc::new(Mutex::new(Vec::new()));
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..900 {
            let (model, ended) = (model.clone(), ended.clone());
            tasks.spawn(async move {
                model.chat(&request("x")).await.unwrap();
                ended.lock().unwrap().push(begun.elapsed());
            });
        }
        tasks.join_all().await;
        let ended = ended.lock().unwrap();
        for (n, at) in ended.iter().enumerate() {
            let minute = ended[n..].iter().take_while(|later| **later < *at + Duration::from_secs(60)).count();
            // 100,000 tokens are 200 calls; the guess for the first ones is higher, never lower.
            assert!(minute <= 200, "{minute}");
        }
        let took = ended.last().unwrap().as_secs_f64();
        assert!((200.0..300.0).contains(&took), "{took}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_hint_lowers_the_rate_and_never_raises_it_above_what_is_stated() {
        let stated = LimitSettings { requests_per_minute: NonZeroU32::new(600), ..limits(Some(50)) };
        let endpoint = Arc::new(Endpoint::new("e", stated, Arc::new(Quiet)));
        let model = Limited::new(Fake::echo(), endpoint.clone());
        let a_hundred = async || {
            let begun = Instant::now();
            for _ in 0..100 {
                model.chat(&request("x")).await.unwrap();
            }
            begun.elapsed().as_secs_f64()
        };
        let fast = a_hundred().await;
        endpoint.hear(Hints { requests_per_minute: Some(60), ..Default::default() });
        let slow = a_hundred().await;
        endpoint.hear(Hints { requests_per_minute: Some(100_000), ..Default::default() });
        let fast_again = a_hundred().await;
        assert!(
            (6.0..11.0).contains(&fast) && slow > 90.0 && (6.0..11.0).contains(&fast_again),
            "{fast} {slow} {fast_again}"
        );
    }
}
