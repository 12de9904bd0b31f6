//! Which keys came along. None is kept: only a hash under a key of our own, so that a test can ask for one it knows.

use hyper::{HeaderMap, Uri};
use std::collections::HashSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Mutex, PoisonError};

pub(super) struct Keys {
    ours: [u8; 32],
    seen: Mutex<HashSet<[u8; 32]>>,
}

/// Where a key was, not what it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct KeyPlaces {
    pub header: bool,
    pub url: bool,
}

impl Keys {
    pub fn new() -> Self {
        let mut ours = [0; 32];
        for part in ours.chunks_mut(8) {
            // The standard library's only source of chance.
            part.copy_from_slice(&RandomState::new().build_hasher().finish().to_le_bytes());
        }
        Self { ours, seen: Mutex::default() }
    }

    pub fn note(&self, headers: &HeaderMap, uri: &Uri) -> KeyPlaces {
        let header = key_in(headers);
        let url = uri.query().and_then(|query| query.split('&').find_map(|pair| pair.strip_prefix("key=")));
        for key in header.into_iter().chain(url) {
            let hash = self.hash(key);
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.insert(hash);
        }
        KeyPlaces { header: header.is_some(), url: url.is_some() }
    }

    pub fn seen(&self, key: &str) -> bool {
        let hash = self.hash(key);
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).contains(&hash)
    }

    fn hash(&self, key: &str) -> [u8; 32] {
        *blake3::keyed_hash(&self.ours, key.as_bytes()).as_bytes()
    }
}

pub(super) fn key_in(headers: &HeaderMap) -> Option<&str> {
    let names = ["authorization", "x-api-key", "api-key", "x-goog-api-key"];
    let value = names.iter().find_map(|name| headers.get(*name)).and_then(|value| value.to_str().ok())?;
    Some(value.strip_prefix("Bearer ").unwrap_or(value)).filter(|key| !key.is_empty())
}
