//! What happened at the endpoint.

use super::keys::KeyPlaces;
use super::{Content, Fault};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Stats {
    /// Requests to one of the three formats, and for vectors.
    pub requests: u64,
    /// Let in.
    pub admitted: u64,
    /// Turned away by the limits, with 429.
    pub rejected: u64,
    /// Faulted, by name.
    pub faults: BTreeMap<String, u64>,
    /// As sent; a reset connection has none.
    pub statuses: BTreeMap<u16, u64>,
    /// Without the query.
    pub paths: BTreeMap<String, u64>,
    pub with_key: u64,
    /// A key in the address ends in logs: a client should never put it there.
    pub with_key_in_url: u64,
    /// The client left before its reply.
    pub abandoned: u64,
    pub running: usize,
    pub peak_running: usize,
    /// Of all replies that were made, lost ones included: what a vendor would bill.
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// Batches that were made.
    pub batches: u64,
    /// Looks at one of them.
    pub batch_looks: u64,
    /// How often each question was sent in a batch, by its name.
    #[serde(skip)]
    pub batched: HashMap<String, u32>,
    #[serde(skip)]
    pub contents: HashMap<Content, Asks>,
}

/// What became of one request, told by path and body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asks {
    pub asked: u32,
    /// Sent a usable answer.
    pub answered: u32,
    /// Asked although it had been answered.
    pub asked_again: u32,
    admitted: u32,
    faulted: u32,
}

impl Stats {
    pub fn distinct_requests(&self) -> usize {
        self.contents.len()
    }

    /// Requests that were asked again after a usable answer had been sent. Zero where nothing is asked twice.
    pub fn asked_again(&self) -> u64 {
        self.contents.values().map(|asks| u64::from(asks.asked_again)).sum()
    }

    /// Questions that were sent in more than one batch.
    pub fn batched_again(&self) -> usize {
        self.batched.values().filter(|times| **times > 1).count()
    }

    pub fn answered(&self) -> usize {
        self.contents.values().filter(|asks| asks.answered > 0).count()
    }

    pub fn faulted(&self) -> u64 {
        self.faults.values().sum()
    }
}

#[derive(Default)]
pub(super) struct Counts(Mutex<Stats>);

/// One request on its way. Dropped before its end, the client has left.
pub(super) struct Turn<'a> {
    counts: &'a Counts,
    content: Content,
    pub running: usize,
    ended: bool,
}

/// Which attempt it is, of those that were let in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    /// Over all requests, from 1.
    pub number: u64,
    /// At this request, from 0.
    pub attempt: u32,
    /// How often this request was faulted before.
    pub faulted: u32,
}

pub(super) struct Ending {
    /// None where no head is sent.
    pub status: Option<u16>,
    pub fault: Option<Fault>,
    pub usable: bool,
    pub rejected: bool,
    pub tokens: (u64, u64),
}

impl Counts {
    pub fn snapshot(&self) -> Stats {
        self.lock().clone()
    }

    /// Without the requests one by one.
    pub fn summary(&self) -> serde_json::Value {
        let stats = self.lock();
        let mut summary = serde_json::to_value(&*stats).unwrap_or_default();
        summary["distinct_requests"] = stats.distinct_requests().into();
        summary["answered"] = stats.answered().into();
        summary["asked_again"] = stats.asked_again().into();
        summary
    }

    pub fn arrive(&self, path: &str, content: Content, key: KeyPlaces) -> Turn<'_> {
        let mut stats = self.lock();
        stats.requests += 1;
        stats.with_key += u64::from(key.header || key.url);
        stats.with_key_in_url += u64::from(key.url);
        match stats.paths.get_mut(path) {
            Some(count) => *count += 1,
            None => drop(stats.paths.insert(path.to_owned(), 1)),
        }
        let asks = stats.contents.entry(content).or_default();
        asks.asked += 1;
        asks.asked_again += u32::from(asks.answered > 0);
        stats.running += 1;
        stats.peak_running = stats.peak_running.max(stats.running);
        Turn { counts: self, content, running: stats.running, ended: false }
    }

    pub fn batch(&self) {
        self.lock().batches += 1;
    }

    pub fn batch_look(&self) {
        self.lock().batch_looks += 1;
    }

    /// How often the question was sent in a batch before.
    pub fn batched(&self, name: &str) -> u32 {
        let mut stats = self.lock();
        let times = stats.batched.entry(name.to_owned()).or_default();
        *times += 1;
        *times - 1
    }

    pub fn batch_answered(&self, content: Content, usable: bool, tokens: (u64, u64)) {
        let mut stats = self.lock();
        stats.input_tokens += tokens.0;
        stats.output_tokens += tokens.1;
        let asks = stats.contents.entry(content).or_default();
        asks.asked += 1;
        asks.asked_again += u32::from(asks.answered > 0);
        asks.answered += u32::from(usable);
    }

    fn lock(&self) -> MutexGuard<'_, Stats> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn<'_> {
    pub fn admitted(&self) -> Attempt {
        let mut stats = self.counts.lock();
        stats.admitted += 1;
        let number = stats.admitted;
        let asks = stats.contents.entry(self.content).or_default();
        let attempt = asks.admitted;
        asks.admitted += 1;
        Attempt { number, attempt, faulted: asks.faulted }
    }

    pub fn end(mut self, ending: &Ending) {
        self.ended = true;
        let mut stats = self.counts.lock();
        stats.running -= 1;
        stats.rejected += u64::from(ending.rejected);
        stats.input_tokens += ending.tokens.0;
        stats.output_tokens += ending.tokens.1;
        if let Some(status) = ending.status {
            *stats.statuses.entry(status).or_default() += 1;
        }
        if let Some(fault) = ending.fault {
            *stats.faults.entry(fault.name()).or_default() += 1;
        }
        let asks = stats.contents.entry(self.content).or_default();
        asks.faulted += u32::from(ending.fault.is_some());
        asks.answered += u32::from(ending.usable);
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if !self.ended {
            let mut stats = self.counts.lock();
            stats.running -= 1;
            stats.abandoned += 1;
        }
    }
}
