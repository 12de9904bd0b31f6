//! The way out to models that are not built in. Once it is closed no call goes out any more, and none that waits for its turn does.

use crate::Stop;
use crate::gateway::{Gate, Till};
use async_trait::async_trait;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use waterjar_core::{ChatModel, ChatReply, ChatRequest, Embedder, ModelError, ModelId, Payer, Usage, VectorRequest};
use waterjar_store::{StoreError, Writer};

/// How soon whoever waits for vectors sees that it is closed.
const LOOK: Duration = Duration::from_millis(200);

/// Closed by a wish to stop, by an error that ends the pass, and by a store that can keep nothing more: what it cannot keep would
/// have to be paid for again.
pub(crate) struct Door {
    stop: Stop,
    closed: AtomicBool,
    writers: Vec<Writer>,
    /// The models that answered in this run before.
    known: HashSet<String>,
    traffic: Arc<Roads>,
}

/// What goes through a door, by model. Parts of a run that one process does at the same time share it: what one of them is answered tells the
/// others that the model is not out.
pub(crate) type Roads = Mutex<HashMap<String, Traffic>>;

/// Through the door, of one model.
#[derive(Clone, Copy, Default)]
pub(crate) struct Traffic {
    under_way: usize,
    /// What came back, well or badly.
    answers: u64,
}

impl Door {
    pub fn new(stop: Stop, writers: Vec<Writer>, known: HashSet<String>, traffic: Arc<Roads>) -> Arc<Self> {
        Arc::new(Self { stop, closed: AtomicBool::new(false), writers, known, traffic })
    }

    pub fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
    }

    /// Why the store keeps nothing more.
    pub fn failure(&self) -> Option<StoreError> {
        self.writers.iter().find_map(Writer::failure)
    }

    /// How often the model has answered since the pass began, well or badly.
    pub fn answers(&self, model: &str) -> u64 {
        self.of(model).answers
    }

    /// Calls that may still be answered.
    pub fn under_way(&self, model: &str) -> usize {
        self.of(model).under_way
    }

    /// In this pass or before.
    pub fn has_answered(&self, model: &str) -> bool {
        self.known.contains(model) || self.answers(model) > 0
    }

    pub fn count_answer(&self, model: &str) {
        self.note(model, |traffic| traffic.answers += 1);
    }

    fn of(&self, model: &str) -> Traffic {
        self.traffic().get(model).copied().unwrap_or_default()
    }

    fn note(&self, model: &str, change: impl FnOnce(&mut Traffic)) {
        let mut all = self.traffic();
        match all.get_mut(model) {
            Some(traffic) => change(traffic),
            None => change(all.entry(model.to_owned()).or_default()),
        }
    }

    fn traffic(&self) -> MutexGuard<'_, HashMap<String, Traffic>> {
        self.traffic.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The model behind the door. It stands before the vendor itself, so that retries and calls in a queue are held up too.
    pub fn before(self: &Arc<Self>, model: Arc<dyn ChatModel>) -> Arc<dyn ChatModel> {
        Arc::new(Behind { door: Arc::clone(self), model, counts: true })
    }

    /// The embedder behind the door, with the till where it is at an address. It waits and tries again by itself, and is broken off at that
    /// when the door closes. A request that was sent is paid for and waited for, as long as whoever asks waits: after an interrupt for the
    /// grace of `course.rs`, and what takes longer is not booked.
    pub fn before_embedder(
        self: &Arc<Self>,
        embedder: Arc<dyn Embedder>,
        till: Option<Arc<Till>>,
    ) -> Arc<dyn Embedder> {
        Arc::new(EmbedderBehind { door: Arc::clone(self), embedder, till })
    }

    fn is_open(&self) -> bool {
        !self.closed.load(Ordering::SeqCst) && !self.stop.is_requested() && self.failure().is_none()
    }
}

impl Gate for Arc<Door> {
    fn is_open(&self) -> bool {
        Door::is_open(self)
    }

    fn before(&self, model: Arc<dyn ChatModel>) -> Arc<dyn ChatModel> {
        Door::before(self, model)
    }

    fn inside(&self, model: Arc<dyn ChatModel>) -> Arc<dyn ChatModel> {
        Arc::new(Behind { door: Arc::clone(self), model, counts: false })
    }
}

struct Behind {
    door: Arc<Door>,
    model: Arc<dyn ChatModel>,
    counts: bool,
}

/// A call on its way; also one that is broken off has come to its end.
struct OnItsWay<'a>(&'a Behind);

impl<'a> OnItsWay<'a> {
    fn new(behind: &'a Behind) -> Self {
        behind.door.note(behind.id().as_str(), |traffic| traffic.under_way += 1);
        Self(behind)
    }
}

impl Drop for OnItsWay<'_> {
    fn drop(&mut self) {
        self.0.door.note(self.0.id().as_str(), |traffic| traffic.under_way -= 1);
    }
}

#[async_trait]
impl ChatModel for Behind {
    fn id(&self) -> &ModelId {
        self.model.id()
    }

    fn most_output(&self, request: &ChatRequest) -> Option<u32> {
        self.model.most_output(request)
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        if !self.door.is_open() {
            return Err(ModelError::Stopped);
        }
        if !self.counts {
            return self.model.chat(request).await;
        }
        let _on_its_way = OnItsWay::new(self);
        let outcome = self.model.chat(request).await;
        if outcome.as_ref().err().is_none_or(|error| !error.is_outage()) {
            self.door.count_answer(self.id().as_str());
        }
        outcome
    }
}

struct EmbedderBehind {
    door: Arc<Door>,
    embedder: Arc<dyn Embedder>,
    till: Option<Arc<Till>>,
}

#[async_trait]
impl Embedder for EmbedderBehind {
    fn id(&self) -> String {
        self.embedder.id()
    }

    fn cuts(&self, text: &str) -> bool {
        self.embedder.cuts(text)
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        let sending = Sending { behind: self, is_out: AtomicBool::new(false) };
        let mut work = self.embedder.embed_paid(texts, &sending);
        while self.door.is_open() || sending.is_out.load(Ordering::SeqCst) {
            if let Ok(done) = tokio::time::timeout(LOOK, &mut work).await {
                return done;
            }
        }
        Err(ModelError::Stopped)
    }
}

/// The requests that one call of an embedder makes, one after the other.
struct Sending<'a> {
    behind: &'a EmbedderBehind,
    /// One is at the endpoint, or was and is being booked.
    is_out: AtomicBool,
}

#[async_trait]
impl Payer for Sending<'_> {
    async fn pay(&self, request: &dyn VectorRequest) -> Result<Vec<Vec<f32>>, ModelError> {
        let request = Out { sending: self, request };
        let outcome = match &self.behind.till {
            Some(till) => till.pay(&request).await,
            None => request.send().await.map(|(vectors, _)| vectors).map_err(ModelError::uncharged),
        };
        self.is_out.store(false, Ordering::SeqCst);
        outcome
    }
}

/// A request on its way through the door. It may have waited for money until now.
struct Out<'a> {
    sending: &'a Sending<'a>,
    request: &'a dyn VectorRequest,
}

#[async_trait]
impl VectorRequest for Out<'_> {
    fn texts(&self) -> &[&str] {
        self.request.texts()
    }

    async fn send(&self) -> Result<(Vec<Vec<f32>>, Usage), ModelError> {
        if !self.sending.behind.door.is_open() {
            return Err(ModelError::Stopped);
        }
        self.sending.is_out.store(true, Ordering::SeqCst);
        self.request.send().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gateway::{BudgetSettings, BudgetState, Quiet};

    /// Waits for a place that never comes free.
    struct InLine;

    #[async_trait]
    impl Embedder for InLine {
        fn id(&self) -> String {
            "in line".to_owned()
        }

        async fn embed(&self, _: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
            std::future::pending().await
        }
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_for_vectors_hears_that_the_run_stops() {
        let stop = Stop::default();
        let door = Door::new(stop.clone(), Vec::new(), HashSet::new(), Arc::default());
        let embedder = door.before_embedder(Arc::new(InLine), None);
        let later = async {
            tokio::time::sleep(Duration::from_secs(1)).await;
            stop.request();
        };
        let waiting = tokio::time::timeout(Duration::from_secs(60), embedder.embed(&["fever"]));
        let (found, ()) = tokio::join!(waiting, later);
        assert_eq!(found, Ok(Err(ModelError::Stopped)));
        door.close();
        assert_eq!(embedder.embed(&["fever"]).await, Err(ModelError::Stopped));
    }

    /// Two requests for each call, of a second each.
    struct Slow;

    #[async_trait]
    impl VectorRequest for Slow {
        fn texts(&self) -> &[&str] {
            &["fever"]
        }

        async fn send(&self) -> Result<(Vec<Vec<f32>>, Usage), ModelError> {
            tokio::time::sleep(Duration::from_secs(1)).await;
            Ok((vec![vec![1.0]], Usage { input: 7, ..Usage::default() }))
        }
    }

    #[async_trait]
    impl Embedder for Slow {
        fn id(&self) -> String {
            "slow".to_owned()
        }

        async fn embed(&self, _: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
            unreachable!("somebody pays")
        }

        async fn embed_paid(&self, _: &[&str], payer: &dyn Payer) -> Result<Vec<Vec<f32>>, ModelError> {
            payer.pay(&Slow).await?;
            payer.pay(&Slow).await
        }
    }

    /// What comes of a call where the door closes after so long, and the tokens that are booked for it.
    async fn closed_after(seconds: f64) -> (Result<Vec<Vec<f32>>, ModelError>, u64) {
        let door = Door::new(Stop::default(), Vec::new(), HashSet::new(), Arc::default());
        let budget = Arc::new(BudgetState::new(BudgetSettings::default(), Arc::new(Quiet)));
        let till = Till::new("slow".into(), Arc::clone(&budget), None);
        let embedder = door.before_embedder(Arc::new(Slow), Some(Arc::new(till)));
        let later = async {
            tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
            door.close();
        };
        let (found, ()) = tokio::join!(embedder.embed(&["fever"]), later);
        (found, budget.report().tokens)
    }

    #[tokio::test(start_paused = true)]
    async fn what_was_sent_is_waited_for_and_booked_and_nothing_more_is_sent() {
        assert_eq!(closed_after(0.5).await, (Err(ModelError::Stopped), 7));
        assert_eq!(closed_after(1.5).await, (Ok(vec![vec![1.0]]), 14));
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_broken_off_on_its_way_is_not_booked_and_reserves_nothing_any_more() {
        let door = Door::new(Stop::default(), Vec::new(), HashSet::new(), Arc::default());
        let budget = Arc::new(BudgetState::new(BudgetSettings::default(), Arc::new(Quiet)));
        let till = Till::new("slow".into(), Arc::clone(&budget), None);
        let embedder = door.before_embedder(Arc::new(Slow), Some(Arc::new(till)));
        let broken_off = tokio::time::timeout(Duration::from_secs_f64(0.5), embedder.embed(&["fever"])).await;
        assert!(broken_off.is_err() && budget.report().reserved_tokens == 0);
        assert_eq!(budget.report().tokens, 0);
    }
}
