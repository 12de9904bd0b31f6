//! Replies that were given before, for all models of a run.

use super::lock;
use super::seen::Seen;
use crate::canonical::canonical;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};
use tokio::sync::{mpsc, oneshot};
use waterjar_core::{ChatReply, ChatRequest, ModelError, ModelId};
use waterjar_store::{NewReply, Store, StoreError, Writer};

/// Of all that decides a reply: the model, what it was at that time, the request and the repeat number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ReplyKey([u8; 32]);

/// Makes the keys of one model's replies.
pub(super) struct ReplyKeys {
    /// Has hashed all but the request.
    begun: blake3::Hasher,
}

impl ReplyKeys {
    pub fn new(model: &ModelId, fingerprint: &str) -> Self {
        let written = |text: &str| canonical(text).expect("a text is JSON");
        let mut begun = blake3::Hasher::new();
        begun.update(b"{\"fingerprint\":").update(&written(fingerprint));
        begun.update(b",\"model\":").update(&written(model.as_str()));
        begun.update(b",\"request\":");
        Self { begun }
    }

    pub fn of(&self, request: &ChatRequest) -> Result<ReplyKey, ModelError> {
        let unwritable = |why: &str| ModelError::Forbidden(format!("the request cannot be written as JSON: {why}"));
        if request.sampling.temperature.is_some_and(|temperature| !temperature.is_finite()) {
            return Err(unwritable("its temperature is no number"));
        }
        let json = canonical(request).map_err(|error| unwritable(&error.to_string()))?;
        Ok(ReplyKey(*self.begun.clone().update(&json).update(b"}").finalize().as_bytes()))
    }
}

impl ReplyKey {
    /// BLAKE3 of the canonical JSON (RFC 8785) of `{"fingerprint", "model", "request"}`.
    pub fn of(model: &ModelId, fingerprint: &str, request: &ChatRequest) -> Result<Self, ModelError> {
        ReplyKeys::new(model, fingerprint).of(request)
    }

    pub fn to_hex(self) -> String {
        blake3::Hash::from_bytes(self.0).to_hex().to_string()
    }

    pub(super) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    fn from_hex(hex: &str) -> Option<Self> {
        blake3::Hash::from_hex(hex).ok().map(|hash| Self(*hash.as_bytes()))
    }
}

/// Shared by all models of a run, so that what two of them ask alike is asked once.
pub struct ReplyCache {
    memory: Mutex<Generations>,
    flights: Mutex<HashMap<ReplyKey, Arc<Flight>>>,
    shelf: Option<Shelf>,
}

/// What was found out about one request: one asks while the others wait for the lock, in the order of coming. Whoever finds nothing when
/// it gets the lock, because the one before it failed or was cancelled, asks itself.
pub(super) type Flight = tokio::sync::Mutex<Option<Result<Arc<ChatReply>, ModelError>>>;

/// A place at a flight. The last to leave takes it off the board.
pub(super) struct Boarded<'a> {
    cache: &'a ReplyCache,
    key: ReplyKey,
    pub flight: Arc<Flight>,
}

/// The store's side.
struct Shelf {
    /// `None` where others write too: then only the store knows.
    seen: Option<Seen>,
    store: Store,
    writer: Writer,
    lookups: mpsc::Sender<Lookup>,
    failure: OnceLock<StoreError>,
}

struct Lookup {
    key: String,
    found: oneshot::Sender<Result<Option<ChatReply>, StoreError>>,
}

/// Bytes of replies held in memory, unless told otherwise.
const MEMORY: usize = 8 << 20;
const KEYS_AT_ONCE: u32 = 1024;

impl ReplyCache {
    /// Forgets when memory is full.
    pub fn in_memory(bytes: usize) -> Self {
        Self { memory: Mutex::new(Generations::new(bytes)), flights: Mutex::default(), shelf: None }
    }

    /// Keeps every reply in the store. Needs a Tokio runtime.
    pub async fn stored(store: &Store, writer: Writer) -> Result<Self, StoreError> {
        let seen = if store.is_shared() { None } else { Some(seen(store).await?) };
        let (lookups, waiting) = mpsc::channel(1024);
        tokio::spawn(look_up(store.reader(), waiting));
        let shelf = Shelf { seen, store: store.reader(), writer, lookups, failure: OnceLock::new() };
        Ok(Self { shelf: Some(shelf), ..Self::in_memory(MEMORY) })
    }

    /// Brings what is stored into memory, in few reads. Needless where many ask at once: their reads are gathered anyway.
    pub async fn prefetch(&self, keys: &[ReplyKey]) -> Result<usize, StoreError> {
        let Some(shelf) = &self.shelf else { return Ok(0) };
        let names: HashMap<String, ReplyKey> = keys.iter().map(|key| (key.to_hex(), *key)).collect();
        let wanted: Vec<String> = names.keys().cloned().collect();
        let found = shelf.store.replies(&wanted).await?;
        let n = found.len();
        let mut memory = lock(&self.memory);
        for (name, reply) in found {
            memory.put(names[&name], Arc::new(reply));
        }
        Ok(n)
    }

    /// The first error of the store, which the calls themselves do not show.
    pub fn failure(&self) -> Option<StoreError> {
        self.shelf.as_ref()?.failure.get().cloned()
    }

    pub(super) fn is_stored(&self) -> bool {
        self.shelf.is_some()
    }

    pub(super) fn at_hand(&self, key: &ReplyKey) -> Option<Arc<ChatReply>> {
        lock(&self.memory).get(key)
    }

    pub(super) async fn find(&self, key: &ReplyKey) -> Result<Option<Arc<ChatReply>>, ModelError> {
        if let Some(reply) = self.at_hand(key) {
            return Ok(Some(reply));
        }
        let Some(shelf) = self.shelf.as_ref().filter(|shelf| shelf.seen.as_ref().is_none_or(|seen| seen.may_have(key)))
        else {
            return Ok(None);
        };
        match shelf.find(key.to_hex()).await {
            Ok(Some(reply)) => {
                let reply = Arc::new(reply);
                lock(&self.memory).put(*key, Arc::clone(&reply));
                Ok(Some(reply))
            }
            Ok(None) => Ok(None),
            // Asking again what may have been paid for is worse than failing.
            Err(error) => {
                let told = ModelError::Transport(format!("stored replies cannot be read: {error}"));
                let _ = shelf.failure.set(error);
                Err(told)
            }
        }
    }

    pub(super) async fn keep(&self, key: ReplyKey, model: &ModelId, request: &ChatRequest, reply: &Arc<ChatReply>) {
        lock(&self.memory).put(key, Arc::clone(reply));
        if let Some(shelf) = &self.shelf {
            if let Some(seen) = &shelf.seen {
                seen.add(&key);
            }
            let new = NewReply { key: &key.to_hex(), model, request, reply };
            if let Err(error) = shelf.writer.reply(&new).await {
                let _ = shelf.failure.set(error);
            }
        }
    }

    #[cfg(test)]
    pub(super) fn is_idle(&self) -> bool {
        lock(&self.flights).is_empty()
    }

    pub(super) fn board(&self, key: ReplyKey) -> Boarded<'_> {
        let flight = Arc::clone(lock(&self.flights).entry(key).or_default());
        Boarded { cache: self, key, flight }
    }
}

impl Drop for Boarded<'_> {
    fn drop(&mut self) {
        let mut flights = lock(&self.cache.flights);
        // The board's and ours: nobody else is on it, and nobody can come while the board is locked.
        if Arc::strong_count(&self.flight) <= 2 {
            flights.remove(&self.key);
        }
    }
}

impl Shelf {
    async fn find(&self, key: String) -> Result<Option<ChatReply>, StoreError> {
        let (found, answer) = oneshot::channel();
        if self.lookups.send(Lookup { key, found }).await.is_err() {
            return Err(StoreError::WriterStopped);
        }
        answer.await.map_err(|_| StoreError::WriterStopped)?
    }
}

/// The run's replies so far; nobody else writes them while the run is locked.
async fn seen(store: &Store) -> Result<Seen, StoreError> {
    let seen = Seen::none();
    let mut last = String::new();
    loop {
        let keys = store.reply_keys(&last, KEYS_AT_ONCE).await?;
        keys.iter().filter_map(|key| ReplyKey::from_hex(key)).for_each(|key| seen.add(&key));
        match keys.into_iter().last() {
            Some(key) => last = key,
            None => return Ok(seen),
        }
    }
}

/// The task that reads. What waits together is read together: one statement costs little more than one row.
async fn look_up(store: Store, mut waiting: mpsc::Receiver<Lookup>) {
    let mut lookups = Vec::new();
    while waiting.recv_many(&mut lookups, 64).await > 0 {
        let keys: Vec<String> = lookups.iter().map(|lookup| lookup.key.clone()).collect();
        match store.replies(&keys).await {
            Ok(mut replies) => {
                for lookup in lookups.drain(..) {
                    // Whoever asked may have gone.
                    let _ = lookup.found.send(Ok(replies.remove(&lookup.key)));
                }
            }
            Err(error) => {
                for lookup in lookups.drain(..) {
                    let _ = lookup.found.send(Err(error.clone()));
                }
            }
        }
    }
}

/// Least recently used, roughly: a young and an old half. What is used moves into the young one; when that is full, it becomes the old one
/// and what was still there is forgotten.
struct Generations {
    half: usize,
    young: HashMap<ReplyKey, Arc<ChatReply>>,
    old: HashMap<ReplyKey, Arc<ChatReply>>,
    bytes: usize,
}

impl Generations {
    fn new(bytes: usize) -> Self {
        Self { half: bytes / 2, young: HashMap::new(), old: HashMap::new(), bytes: 0 }
    }

    fn get(&mut self, key: &ReplyKey) -> Option<Arc<ChatReply>> {
        if let Some(reply) = self.young.get(key) {
            return Some(Arc::clone(reply));
        }
        let reply = self.old.remove(key)?;
        self.put(*key, Arc::clone(&reply));
        Some(reply)
    }

    fn put(&mut self, key: ReplyKey, reply: Arc<ChatReply>) {
        let size = size_of_reply(&reply);
        if self.bytes + size > self.half {
            self.old = std::mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += size;
        self.young.insert(key, reply);
    }
}

/// About what it takes in memory.
fn size_of_reply(reply: &ChatReply) -> usize {
    let logprobs =
        reply.logprobs.as_ref().map_or(0, |tokens| tokens.iter().map(|token| 80 * (1 + token.top.len())).sum());
    let calls: usize = reply.tool_calls.iter().map(|call| 200 + call.name.len()).sum();
    let state = reply.vendor_state.as_ref().map_or(0, |state| 2 * state.to_string().len());
    400 + reply.text.len() + reply.reasoning.as_ref().map_or(0, String::len) + logprobs + calls + state
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use waterjar_core::{AnswerSchema, Message, Reasoning, Role, Tool};

    fn key(model: &str, fingerprint: &str, request: &ChatRequest) -> ReplyKey {
        ReplyKey::of(&model.into(), fingerprint, request).unwrap()
    }

    #[test]
    fn the_key_depends_on_everything_that_decides_the_reply() {
        let asked = ChatRequest::new("system", "user", 0);
        let base = key("m", "f", &asked);
        assert_eq!(base, key("m", "f", &asked.clone()));
        let mut keys = vec![base, key("n", "f", &asked), key("m", "g", &asked)];
        let changes: [fn(&mut ChatRequest); 13] = [
            |request| request.repeat = 1,
            |request| request.messages[0].content.push('x'),
            |request| request.messages[1].role = Role::Assistant,
            |request| request.messages.push(Message::new(Role::User, "more")),
            |request| request.messages[1].vendor_state = Some(json!(1)),
            |request| request.sampling.temperature = Some(0.5),
            |request| request.sampling.seed = Some(1),
            |request| request.sampling.max_tokens = Some(1),
            |request| request.sampling.stop = vec!["x".to_owned()],
            |request| request.sampling.reasoning = Some(Reasoning::Low),
            |request| request.sampling.top_logprobs = Some(1),
            |request| request.tools.push(Tool { name: "t".into(), description: "d".into(), parameters: json!({}) }),
            |request| request.schema = Some(AnswerSchema { name: "s".into(), schema: json!({}) }),
        ];
        for change in changes {
            let mut changed = asked.clone();
            change(&mut changed);
            keys.push(key("m", "f", &changed));
        }
        let n = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), n);
    }

    #[test]
    fn the_key_does_not_depend_on_the_order_of_fields() {
        let with = |schema: &str| {
            let schema = serde_json::from_str(schema).unwrap();
            let schema = Some(AnswerSchema { name: "s".into(), schema });
            key("m", "f", &ChatRequest { schema, ..ChatRequest::new("s", "u", 0) })
        };
        assert_eq!(with(r#"{"a": 1, "b": 1.0}"#), with(r#"{"b": 1, "a": 1}"#));
    }

    #[test]
    fn a_key_of_an_earlier_version_is_still_the_same() {
        // Changing it would make every stored reply unfindable.
        let request = ChatRequest::new("You are a doctor.", "My chest hurts.", 2);
        let hex = key("openai/gpt-5", "v1", &request).to_hex();
        assert_eq!(hex, "c456661812377b510a9ceabb0dd1f182cdf046ed881401ccf85bc42094c9ad5f");
    }

    #[test]
    fn memory_is_bounded_and_keeps_what_is_used() {
        let request = |n: u32| ChatRequest { repeat: n, ..ChatRequest::default() };
        let mut memory = Generations::new(100_000);
        let first = key("m", "", &request(0));
        for n in 0..10_000 {
            memory.put(key("m", "", &request(n)), Arc::new(ChatReply::text("x".repeat(100))));
            assert!(memory.get(&first).is_some());
        }
        assert!(memory.young.len() + memory.old.len() <= 200);
    }
}
