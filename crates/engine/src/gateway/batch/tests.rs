//! A vendor whose batches take hours, in time that passes at once.

use super::*;
use crate::gateway::lock;
use crate::gateway::tests::{Fake, request};
use crate::gateway::{BudgetSettings, BudgetState, Budgeted, Price, Quiet, RetrySettings};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use waterjar_core::{BatchBounds, BatchLook, BatchReply, BatchState, SentBatch, Usage};
use waterjar_store::{Mode, Store};

const HOURS: Duration = Duration::from_secs(5 * 3600);

/// Answers every question with its own name, after five hours.
struct Vendor {
    /// How long a batch takes.
    hours: Duration,
    batches: Mutex<Vec<(SentBatch, tokio::time::Instant, Vec<String>)>>,
    /// Questions that run out of time, as often as this.
    expires: usize,
    /// How it ends instead of well.
    end: Option<BatchState>,
    /// Looks that fail.
    fails: AtomicUsize,
    /// The answer to sending is lost, so often.
    loses: AtomicUsize,
    bytes: Option<usize>,
    looks: AtomicUsize,
}

impl Default for Vendor {
    fn default() -> Self {
        Self {
            hours: HOURS,
            batches: Mutex::default(),
            expires: 0,
            end: None,
            fails: 0.into(),
            loses: 0.into(),
            bytes: None,
            looks: 0.into(),
        }
    }
}

impl Vendor {
    fn sizes(&self) -> Vec<usize> {
        lock(&self.batches).iter().map(|(_, _, names)| names.len()).collect()
    }
}

fn once_less(count: &AtomicUsize) -> bool {
    count.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1)).is_ok()
}

#[async_trait]
impl BatchModel for Vendor {
    fn bounds(&self) -> BatchBounds {
        BatchBounds { requests: 1000, bytes: self.bytes.unwrap_or(1 << 20) }
    }

    fn written(&self, name: &str, _: &ChatRequest) -> Vec<u8> {
        name.as_bytes().to_vec()
    }

    async fn submit(&self, sent: &SentBatch, written: &[Vec<u8>]) -> Result<String, ModelError> {
        let names = written.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        let mut batches = lock(&self.batches);
        batches.push((sent.clone(), tokio::time::Instant::now(), names));
        if once_less(&self.loses) {
            return Err(ModelError::Transport("reset".to_owned()).charged(None));
        }
        Ok(format!("b{}", batches.len() - 1))
    }

    async fn find(&self, sent: &SentBatch) -> Result<Vec<String>, ModelError> {
        let found = lock(&self.batches).iter().position(|(known, _, _)| known == sent);
        Ok(found.map(|at| format!("b{at}")).into_iter().collect())
    }

    async fn look(&self, id: &str) -> Result<BatchLook, ModelError> {
        self.looks.fetch_add(1, Ordering::SeqCst);
        if once_less(&self.fails) {
            return Err(ModelError::Endpoint { status: 500, message: String::new(), retry_after: None });
        }
        let at: usize = id[1..].parse().unwrap();
        let is_over = lock(&self.batches)[at].1.elapsed() >= self.hours;
        let end = self.end.clone().unwrap_or(BatchState::Ended);
        Ok(BatchLook { state: if is_over { end } else { BatchState::UnderWay }, done: 0 })
    }

    async fn results(&self, id: &str, hear: &mut (dyn FnMut(String, BatchAnswer) + Send)) -> Result<(), ModelError> {
        let at: usize = id[1..].parse().unwrap();
        if self.end.is_some() {
            return Ok(());
        }
        let names = lock(&self.batches)[at].2.clone();
        for name in names.into_iter().rev() {
            let expired = at < self.expires;
            let reply = BatchReply { status: 200, body: name.as_bytes().to_vec() };
            hear(name, if expired { BatchAnswer::Expired } else { BatchAnswer::Reply(reply) });
        }
        Ok(())
    }

    fn read(&self, _: &ChatRequest, answer: &BatchReply) -> Result<ChatReply, ModelError> {
        let usage = Usage { input: 1000, output: 1000, ..Usage::default() };
        Ok(ChatReply { usage, ..ChatReply::text(String::from_utf8_lossy(&answer.body)) })
    }
}

#[derive(Default)]
struct Door(AtomicBool);

impl Gate for Door {
    fn is_open(&self) -> bool {
        !self.0.load(Ordering::SeqCst)
    }

    fn before(&self, model: Arc<dyn ChatModel>) -> Arc<dyn ChatModel> {
        model
    }

    fn inside(&self, model: Arc<dyn ChatModel>) -> Arc<dyn ChatModel> {
        model
    }
}

struct Bench {
    vendor: Arc<Vendor>,
    alone: Arc<Fake>,
    desk: Arc<Desk>,
    door: Arc<Door>,
    model: Arc<Batched>,
}

fn bench(vendor: Arc<Vendor>, requests: usize, store: Option<&Store>) -> Bench {
    // A store works in real time, which nobody waits for.
    let quiet = if store.is_some() { Duration::from_millis(20) } else { Duration::from_secs(5) };
    let settings = BatchSettings { requests, quiet, poll: Duration::from_secs(30).min(quiet * 10) };
    let (alone, door) = (Fake::echo(), Arc::new(Door::default()));
    let desk = Desk::new(Opening {
        id: "fake".into(),
        plan: BatchPlan { model: vendor.clone(), settings },
        notebook: store.map(|store| Notebook::new(store.clone(), &"fake".into(), "v1")),
        retry: RetrySettings::default(),
        gate: door.clone(),
        events: Arc::new(Quiet),
    });
    let model = Arc::new(Batched::new(alone.clone(), desk.clone(), "v1"));
    Bench { vendor, alone, desk, door, model }
}

async fn ask(bench: &Bench, questions: usize) -> Vec<Result<ChatReply, ModelError>> {
    let requests: Vec<ChatRequest> = (0..questions).map(|n| request(&n.to_string())).collect();
    futures::future::join_all(requests.iter().map(|request| bench.model.chat(request))).await
}

#[tokio::test(start_paused = true)]
async fn calls_gather_into_one_batch_and_wait_for_hours() {
    let bench = bench(Arc::default(), 100, None);
    let begun = tokio::time::Instant::now();
    let replies = ask(&bench, 40).await;
    let texts: std::collections::HashSet<String> = replies.into_iter().map(|reply| reply.unwrap().text).collect();
    assert_eq!((texts.len(), bench.vendor.sizes(), bench.alone.calls()), (40, vec![40], 0));
    assert!((HOURS..HOURS + Duration::from_secs(60)).contains(&begun.elapsed()), "{:?}", begun.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_batch_holds_no_more_than_it_may() {
    let by_number = bench(Arc::default(), 15, None);
    ask(&by_number, 40).await;
    assert_eq!(by_number.vendor.sizes(), [15, 15, 10]);
    // Each question takes its 64 letters and 2 bytes between.
    let by_bytes = bench(Arc::new(Vendor { bytes: Some(700), ..Vendor::default() }), 100, None);
    ask(&by_bytes, 25).await;
    assert_eq!(by_bytes.vendor.sizes(), [10, 10, 5]);
}

#[tokio::test(start_paused = true)]
async fn what_runs_out_of_its_day_is_sent_once_more_and_then_asked_by_itself() {
    for (expires, sizes, alone) in [(1, vec![8, 8], 0), (2, vec![8, 8], 8)] {
        let bench = bench(Arc::new(Vendor { expires, ..Vendor::default() }), 100, None);
        assert!(ask(&bench, 8).await.iter().all(Result::is_ok));
        assert_eq!((bench.vendor.sizes(), bench.alone.calls()), (sizes, alone));
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_was_cancelled_or_not_taken_ends_the_run() {
    let check = async |end: BatchState, told: &str| {
        let bench = bench(Arc::new(Vendor { end: Some(end), ..Vendor::default() }), 100, None);
        let error = ask(&bench, 2).await.remove(1).unwrap_err();
        assert!(error.ends_the_run() && error.to_string().contains(told), "{error}");
        assert_eq!((bench.vendor.sizes(), bench.alone.calls()), (vec![2], 0));
    };
    check(BatchState::Cancelled, "somebody cancelled the batch").await;
    check(BatchState::Failed("too much".into()), "was not taken: too much").await;
}

#[tokio::test(start_paused = true)]
async fn looks_that_fail_and_an_answer_that_is_lost_cost_nothing() {
    let vendor = Vendor { fails: 7.into(), loses: 1.into(), ..Vendor::default() };
    let bench = bench(Arc::new(vendor), 100, None);
    assert!(ask(&bench, 5).await.iter().all(Result::is_ok));
    assert_eq!((bench.vendor.sizes(), bench.alone.calls()), (vec![5], 0));
}

#[tokio::test(start_paused = true)]
async fn once_the_door_is_closed_nothing_is_sent() {
    let bench = bench(Arc::default(), 100, None);
    bench.door.0.store(true, Ordering::SeqCst);
    assert_eq!(ask(&bench, 2).await[0], Err(ModelError::Stopped));
    assert_eq!(bench.vendor.sizes(), [0; 0]);
}

#[tokio::test(start_paused = true)]
async fn in_a_batch_a_call_costs_half() {
    let bench = bench(Arc::default(), 100, None);
    let budget = Arc::new(BudgetState::new(BudgetSettings::default(), Arc::new(Quiet)));
    let price = Price { input: 1.0, output: 1.0, cached_input: None };
    let model = Budgeted::new(bench.model.clone(), budget.clone(), Some(price));
    model.chat(&request("x")).await.unwrap();
    assert!((budget.report().usd - 0.001).abs() < 1e-12, "{:?}", budget.report());
}

#[tokio::test]
async fn whoever_comes_back_finds_the_batch_and_sends_nothing_again() {
    let dir = tempfile::tempdir().unwrap();
    let vendor = Arc::new(Vendor { loses: 1.into(), hours: Duration::from_secs(3), ..Vendor::default() });
    for attempt in 0..3 {
        let store = Store::open(dir.path().join("run.sqlite"), Mode::Create).await.unwrap();
        let bench = bench(vendor.clone(), 100, Some(&store));
        let asked = ask(&bench, 6);
        if attempt < 2 {
            // It ends while the batch is under way: first before its name is known, then after.
            let ended = async {
                while vendor.sizes().is_empty() || (attempt == 1 && vendor.looks.load(Ordering::SeqCst) == 0) {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            };
            tokio::select! {
                replies = asked => panic!("{replies:?}"),
                () = ended => {}
            }
        } else {
            assert!(asked.await.iter().all(Result::is_ok));
            let hash = blake3::hash(b"v1").to_hex();
            bench.desk.tidy().await.unwrap();
            // Whoever follows the batch may still be about to note its name.
            tokio::time::sleep(Duration::from_millis(200)).await;
            let kept = store.meta(&format!("batches/fake/{}", &hash[..16])).await.unwrap();
            assert_eq!(kept.as_deref(), Some("[]"), "what is kept need not be remembered");
        }
        drop(bench);
        store.close().await;
    }
    assert_eq!(vendor.sizes(), [6]);
}

#[tokio::test]
async fn batches_that_are_sent_side_by_side_are_all_found_again() {
    let dir = tempfile::tempdir().unwrap();
    let vendor = Arc::new(Vendor { hours: Duration::from_secs(2), ..Vendor::default() });
    for again in [false, true] {
        let store = Store::open(dir.path().join("run.sqlite"), Mode::Create).await.unwrap();
        let bench = bench(vendor.clone(), 2, Some(&store));
        let asked = ask(&bench, 40);
        if again {
            assert!(asked.await.iter().all(Result::is_ok));
        } else {
            let sent = async {
                while vendor.sizes().len() < 20 || vendor.looks.load(Ordering::SeqCst) == 0 {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            };
            tokio::select! {
                replies = asked => panic!("{replies:?}"),
                () = sent => {}
            }
        }
        drop(bench);
        store.close().await;
    }
    assert_eq!(vendor.sizes(), [2; 20]);
}
