//! Asks again when it may help, and waits as long as it is told to.

use super::events::{GatewayEvent, GatewayEvents, Patience};
use super::notes::{charge, note, with_notes};
use super::settings::RetrySettings;
use async_trait::async_trait;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::Instant;
use waterjar_core::{ChatModel, ChatReply, ChatRequest, ModelError, ModelId, Seed};

pub struct Retried {
    inner: Arc<dyn ChatModel>,
    /// Where the model is, for whoever waits for it.
    address: String,
    settings: RetrySettings,
    events: Arc<dyn GatewayEvents>,
    /// Waits so far, so that no two draw the same chance.
    waits: AtomicU64,
}

impl Retried {
    pub fn new(inner: Arc<dyn ChatModel>, settings: RetrySettings, events: Arc<dyn GatewayEvents>) -> Self {
        let address = inner.id().to_string();
        Self { inner, address, settings, events, waits: AtomicU64::new(0) }
    }

    #[must_use]
    pub fn at(self, address: &str) -> Self {
        Self { address: address.to_owned(), ..self }
    }

    async fn persist(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let mut course = Course { begun: Instant::now(), failures: 0, slow_downs: 0 };
        loop {
            let left = course.left(&self.settings);
            note(|notes| {
                notes.attempts.set(notes.attempts.get() + 1);
                notes.left.set(Some(left));
            });
            let error = match self.inner.chat(request).await {
                Ok(reply) => return Ok(reply),
                Err(error) => charge(error),
            };
            let wait = self.wait(&mut course, error.clone())?;
            let (model, attempt) = (self.id().clone(), course.failures + course.slow_downs);
            let patience = self.patience(&error);
            self.events.on(GatewayEvent::Retrying { model, attempt, wait, error: error.to_string(), patience });
            tokio::time::sleep(wait).await;
        }
    }

    fn patience(&self, error: &ModelError) -> Patience {
        let attempts = self.settings.attempts.get();
        let deadline = self.settings.deadline();
        // The longest wait is soon reached: what comes after it adds nothing that the deadline would not end.
        let waits = (0..attempts.saturating_sub(1).min(1000)).map(|before| self.longest_backoff(before));
        let waits = waits.fold(Duration::ZERO, Duration::saturating_add).min(deadline);
        let slows_down = matches!(error, ModelError::RateLimited { .. });
        Patience { address: self.address.clone(), slows_down, attempts, waits, deadline }
    }

    /// How long to wait before the next attempt; the error when there is none.
    fn wait(&self, course: &mut Course, error: ModelError) -> Result<Duration, ModelError> {
        if !error.may_pass() {
            return Err(error);
        }
        // Being asked to slow down is an answer of a working endpoint: only the deadline ends it.
        let before = if matches!(error, ModelError::RateLimited { .. }) {
            course.slow_downs += 1;
            course.slow_downs - 1
        } else {
            course.failures += 1;
            if course.failures >= self.settings.attempts.get() {
                return Err(error);
            }
            course.failures - 1
        };
        let wait = match error.retry_after() {
            // A little later than told, so that those who were told the same do not come together.
            Some(told) => told.mul_f64(1.0 + 0.1 * self.chance()),
            None => self.backoff(before),
        };
        // A wait that the deadline would cut short is not begun.
        if wait < course.left(&self.settings) { Ok(wait) } else { Err(course.out_of_time(&self.settings, &error)) }
    }

    /// Doubles each time; half of it is chance.
    fn backoff(&self, before: u32) -> Duration {
        self.longest_backoff(before).mul_f64(0.5 + 0.5 * self.chance())
    }

    fn longest_backoff(&self, before: u32) -> Duration {
        self.settings.first_wait().saturating_mul(1 << before.min(20)).min(self.settings.longest_wait())
    }

    /// Between 0 and 1.
    fn chance(&self) -> f64 {
        let n = self.waits.fetch_add(1, Ordering::Relaxed);
        let rank = Seed(n).rank("retry wait", self.id().as_str());
        rank as f64 / i64::MAX as f64
    }
}

#[async_trait]
impl ChatModel for Retried {
    fn id(&self) -> &ModelId {
        self.inner.id()
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        with_notes(self.persist(request)).await
    }

    fn most_output(&self, request: &ChatRequest) -> Option<u32> {
        self.inner.most_output(request)
    }
}

/// One call over all its attempts.
struct Course {
    begun: Instant,
    failures: u32,
    slow_downs: u32,
}

impl Course {
    /// Of the deadline. Waiting for our own limits does not count: a long queue is no fault of the endpoint.
    fn left(&self, settings: &RetrySettings) -> Duration {
        let queued = note(|notes| notes.queued.get()).unwrap_or_default();
        settings.deadline().saturating_sub(self.begun.elapsed().saturating_sub(queued))
    }

    fn out_of_time(&self, settings: &RetrySettings, last: &ModelError) -> ModelError {
        let attempts = self.failures + self.slow_downs;
        let asked = last.retry_after().map_or_else(String::new, |wait| format!(", wait {:.0} s", wait.as_secs_f64()));
        let deadline = settings.deadline().as_secs_f64();
        ModelError::Timeout(format!("no reply in {attempts} attempts within {deadline:.0} s; the last: {last}{asked}"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Quiet;
    use super::super::tests::{Fake, rate_limited, request};
    use super::super::timed::Timed;
    use super::*;
    use std::num::NonZeroU32;

    fn settings(attempts: u32, deadline: f64) -> RetrySettings {
        let attempts = NonZeroU32::new(attempts).unwrap();
        RetrySettings { attempts, first_wait: 1.0, longest_wait: 4.0, deadline }
    }

    fn server_error() -> ModelError {
        ModelError::Endpoint { status: 500, message: String::new(), retry_after: None }
    }

    /// The outcome, the calls it took and the seconds.
    async fn run(fake: Arc<Fake>, settings: RetrySettings) -> (Result<ChatReply, ModelError>, usize, f64) {
        let begun = Instant::now();
        let model = Retried::new(fake.clone(), settings, Arc::new(Quiet));
        let outcome = model.chat(&request("x")).await;
        (outcome, fake.calls(), begun.elapsed().as_secs_f64())
    }

    #[tokio::test(start_paused = true)]
    async fn errors_that_may_pass_are_tried_again_after_growing_waits() {
        let errors = vec![server_error(), ModelError::Transport(String::new()), ModelError::Timeout(String::new())];
        let (outcome, calls, seconds) = run(Fake::script(errors), settings(5, 900.0)).await;
        assert!(outcome.is_ok());
        assert_eq!(calls, 4);
        // 1 + 2 + 4 s, each between a half and the whole of it.
        assert!((3.5..=7.1).contains(&seconds), "{seconds}");
    }

    #[tokio::test(start_paused = true)]
    async fn attempts_are_few() {
        let (outcome, calls, _) = run(Fake::failing(server_error()), settings(3, 900.0)).await;
        assert_eq!((outcome, calls), (Err(server_error()), 3));
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_is_told_where_and_how_long() {
        let told = Arc::new(std::sync::Mutex::new(Vec::new()));
        let hears = Arc::clone(&told);
        let events = Arc::new(move |event| {
            if let GatewayEvent::Retrying { patience, .. } = event {
                hears.lock().unwrap().push(patience);
            }
        });
        let script = vec![ModelError::Transport("no connection".to_owned()), rate_limited(None)];
        let model = Retried::new(Fake::script(script), settings(5, 900.0), events).at("http://there/v1");
        model.chat(&request("x")).await.unwrap();
        // 1 + 2 + 4 + 4 s.
        let away = Patience {
            address: "http://there/v1".to_owned(),
            slows_down: false,
            attempts: 5,
            waits: Duration::from_secs(11),
            deadline: Duration::from_secs(900),
        };
        assert_eq!(*told.lock().unwrap(), [away.clone(), Patience { slows_down: true, ..away }]);
    }

    #[tokio::test(start_paused = true)]
    async fn what_cannot_pass_is_not_tried_again() {
        for error in [
            ModelError::Rejected { status: 400, message: String::new() },
            ModelError::Refused(String::new()),
            ModelError::InvalidOutput(String::new()),
            ModelError::Budget(String::new()),
            ModelError::Forbidden(String::new()),
            ModelError::SchemaUnsupported(String::new()),
            ModelError::Closed(String::new()),
        ] {
            let (outcome, calls, seconds) = run(Fake::failing(error.clone()), settings(5, 900.0)).await;
            assert_eq!((outcome, calls, seconds), (Err(error), 1, 0.0));
        }
    }

    #[tokio::test(start_paused = true)]
    async fn retry_after_is_honoured_and_never_undercut() {
        let (outcome, calls, seconds) =
            run(Fake::script(vec![rate_limited(Some(7.0)), rate_limited(Some(20.0))]), settings(1, 900.0)).await;
        assert!(outcome.is_ok());
        assert_eq!(calls, 3);
        assert!((27.0..29.8).contains(&seconds), "{seconds}");
    }

    #[tokio::test(start_paused = true)]
    async fn being_asked_to_slow_down_does_not_use_up_the_attempts() {
        let (outcome, calls, _) = run(Fake::script(vec![rate_limited(None); 30]), settings(2, 900.0)).await;
        assert!(outcome.is_ok());
        assert_eq!(calls, 31);
    }

    #[tokio::test(start_paused = true)]
    async fn being_asked_to_slow_down_ends_with_the_deadline() {
        let (outcome, _, seconds) = run(Fake::failing(rate_limited(None)), settings(2, 60.0)).await;
        assert!(matches!(outcome, Err(ModelError::Timeout(_))), "{outcome:?}");
        assert!((56.0..=60.0).contains(&seconds), "{seconds}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_beyond_the_deadline_is_not_begun() {
        let (outcome, calls, seconds) = run(Fake::failing(rate_limited(Some(3600.0))), settings(2, 60.0)).await;
        let Err(ModelError::Timeout(told)) = outcome else { panic!("{outcome:?}") };
        assert!(told.contains("wait 3600 s"), "{told}");
        assert_eq!((calls, seconds), (1, 0.0));
    }

    #[tokio::test(start_paused = true)]
    async fn stalling_attempts_end_with_the_total_deadline() {
        let slow = Timed::new(Fake::slow(Duration::from_secs(3600)), Duration::from_secs(40));
        let model = Retried::new(Arc::new(slow), settings(9, 100.0), Arc::new(Quiet));
        let begun = Instant::now();
        let error = model.chat(&request("x")).await.unwrap_err();
        assert!(matches!(error, ModelError::Timeout(_)), "{error}");
        assert!((99.0..=100.1).contains(&begun.elapsed().as_secs_f64()), "{:?}", begun.elapsed());
    }
}
