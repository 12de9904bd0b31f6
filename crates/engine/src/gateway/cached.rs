//! Asks nothing twice, and what is being asked only once.

use super::cache::{ReplyCache, ReplyKey, ReplyKeys};
use super::notes::note;
use async_trait::async_trait;
use std::sync::Arc;
use waterjar_core::{ChatModel, ChatReply, ChatRequest, ModelError, ModelId};

pub struct Cached {
    inner: Arc<dyn ChatModel>,
    cache: Arc<ReplyCache>,
    keys: ReplyKeys,
}

impl Cached {
    /// The fingerprint changes whenever the model would answer differently under the same name.
    pub fn new(inner: Arc<dyn ChatModel>, cache: Arc<ReplyCache>, fingerprint: &str) -> Self {
        Self { keys: ReplyKeys::new(inner.id(), fingerprint), inner, cache }
    }

    pub fn key(&self, request: &ChatRequest) -> Result<ReplyKey, ModelError> {
        self.keys.of(request)
    }

    /// One asks; those who come meanwhile get what it got. An error that may pass is not passed on: the next one tries.
    async fn once(&self, key: ReplyKey, request: &ChatRequest) -> Result<Arc<ChatReply>, ModelError> {
        let boarded = self.cache.board(key);
        let mut place = boarded.flight.lock().await;
        if let Some(outcome) = &*place {
            note(|notes| notes.cached.set(true));
            return outcome.clone();
        }
        let outcome = match self.cache.find(&key).await {
            Ok(Some(reply)) => {
                note(|notes| notes.cached.set(true));
                Ok(reply)
            }
            Ok(None) => self.ask(key, request).await,
            Err(error) => Err(error),
        };
        if outcome.as_ref().err().is_none_or(|error| !error.may_pass()) {
            *place = Some(outcome.clone());
        }
        outcome
    }

    /// Only good replies are kept.
    async fn ask(&self, key: ReplyKey, request: &ChatRequest) -> Result<Arc<ChatReply>, ModelError> {
        let reply = Arc::new(self.inner.chat(request).await?);
        self.cache.keep(key, self.id(), request, &reply).await;
        Ok(reply)
    }
}

#[async_trait]
impl ChatModel for Cached {
    fn id(&self) -> &ModelId {
        self.inner.id()
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let key = self.key(request)?;
        let reply = match self.cache.at_hand(&key) {
            Some(reply) => {
                note(|notes| notes.cached.set(true));
                reply
            }
            None => self.once(key, request).await?,
        };
        if self.cache.is_stored() {
            note(|notes| notes.reply_key.replace(Some(key.to_hex())));
        }
        Ok(Arc::unwrap_or_clone(reply))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Fake, rate_limited, request};
    use super::*;
    use std::time::Duration;
    use waterjar_store::{Mode, Store};

    fn cached(fake: &Arc<Fake>) -> Arc<Cached> {
        Arc::new(Cached::new(fake.clone(), Arc::new(ReplyCache::in_memory(1 << 20)), "v1"))
    }

    #[tokio::test(start_paused = true)]
    async fn a_hundred_who_ask_the_same_at_once_make_one_call() {
        let fake = Fake::slow(Duration::from_secs(1));
        let model = cached(&fake);
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..100 {
            let model = model.clone();
            tasks.spawn(async move { model.chat(&request("x")).await.unwrap() });
        }
        let replies = tasks.join_all().await;
        assert!(replies.iter().all(|reply| *reply == replies[0]));
        assert_eq!(fake.calls(), 1);
        model.chat(&request("x")).await.unwrap();
        assert_eq!(fake.calls(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn repeats_and_other_questions_are_asked_on_their_own() {
        let fake = Fake::slow(Duration::from_secs(1));
        let model = cached(&fake);
        let repeat = ChatRequest { repeat: 1, ..request("x") };
        let (x, y) = (request("x"), request("y"));
        let (a, b, c) = tokio::join!(model.chat(&x), model.chat(&y), model.chat(&repeat));
        assert!(a.is_ok() && b.is_ok() && c.is_ok());
        assert_eq!(fake.calls(), 3);
    }

    #[tokio::test(start_paused = true)]
    async fn when_the_one_who_asks_is_cancelled_another_takes_over() {
        let fake = Fake::slow(Duration::from_secs(10));
        let model = cached(&fake);
        let leader = tokio::spawn({
            let model = model.clone();
            async move { model.chat(&request("x")).await }
        });
        tokio::time::sleep(Duration::from_secs(1)).await;
        let waiters: Vec<_> = (0..3)
            .map(|_| {
                let model = model.clone();
                tokio::spawn(async move { model.chat(&request("x")).await })
            })
            .collect();
        tokio::time::sleep(Duration::from_secs(1)).await;
        leader.abort();
        for waiter in waiters {
            assert!(waiter.await.unwrap().is_ok());
        }
        assert_eq!(fake.calls(), 2);
        assert!(model.cache.is_idle());
    }

    #[tokio::test(start_paused = true)]
    async fn an_error_that_may_pass_is_tried_by_the_next_and_never_kept() {
        let fake = Fake::script(vec![rate_limited(None), rate_limited(None)]);
        let model = cached(&fake);
        let x = request("x");
        let (a, b, c, d) = tokio::join!(model.chat(&x), model.chat(&x), model.chat(&x), model.chat(&x));
        assert!(a.is_err() && b.is_err() && c.is_ok() && d.is_ok());
        assert_eq!(fake.calls(), 3);
    }

    #[tokio::test(start_paused = true)]
    async fn an_error_that_cannot_pass_is_told_to_all_who_wait_but_not_kept() {
        let error = ModelError::Rejected { status: 400, message: "too long".to_owned() };
        let fake = Fake::slow_script(Duration::from_secs(1), vec![error.clone()]);
        let model = cached(&fake);
        let x = request("x");
        let (a, b) = tokio::join!(model.chat(&x), model.chat(&x));
        assert_eq!((a, b), (Err(error.clone()), Err(error)));
        assert_eq!(fake.calls(), 1);
        assert!(model.chat(&x).await.is_ok());
    }

    #[tokio::test]
    async fn a_later_run_finds_the_replies_in_the_store() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("run.sqlite");
        let mut replies = Vec::new();
        for run in 0..3 {
            let store = Store::open(&path, Mode::Create).await.unwrap();
            let writer = store.writer();
            let cache = Arc::new(ReplyCache::stored(&store, writer.clone()).await.unwrap());
            let fake = Fake::echo();
            let model = Cached::new(fake.clone(), cache.clone(), "v1");
            let requests: Vec<ChatRequest> = (0..200).map(|n| request(&n.to_string())).collect();
            if run == 2 {
                let keys: Vec<ReplyKey> = requests.iter().map(|request| model.key(request).unwrap()).collect();
                assert_eq!(cache.prefetch(&keys).await.unwrap(), 200);
            }
            let asked = requests.iter().map(|request| model.chat(request));
            let answered: Vec<ChatReply> =
                futures::future::join_all(asked).await.into_iter().map(Result::unwrap).collect();
            assert_eq!(fake.calls(), if run == 0 { 200 } else { 0 });
            replies.push(answered);
            writer.flush().await.unwrap();
            assert_eq!(cache.failure(), None);
            drop((model, cache, writer));
            store.close().await;
        }
        assert!(replies.iter().all(|run| *run == replies[0]));
    }
}
