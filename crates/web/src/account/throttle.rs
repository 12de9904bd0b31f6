//! Signing in is limited: whoever guesses is soon made to wait.

use super::secret;
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Attempts that did not come in, by whom they were meant for and from where.
#[derive(Default)]
pub struct Throttle(Mutex<HashMap<String, Failures>>);

struct Failures {
    since: Instant,
    number: u32,
}

const WITHIN: Duration = Duration::from_secs(10 * 60);
const MOST: u32 = 10;
/// Names that somebody tries are anybody's invention: not more of them are remembered.
const REMEMBERED: usize = 10_000;

/// Where a request comes from. Behind a proxy that is the proxy.
pub struct Peer(pub IpAddr);

impl<S: Sync> FromRequestParts<S> for Peer {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let from = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        Ok(Self(from.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |ConnectInfo(at)| at.ip())))
    }
}

impl Throttle {
    /// By name and address: whoever guesses elsewhere keeps nobody out here. Of a fixed length, whatever somebody types.
    pub fn account(name: &str, peer: Peer) -> String {
        secret::digest(&format!("{}\n{name}", peer.0))[..32].to_owned()
    }

    /// Counts an attempt before it is looked at, so that guessing at once helps nobody. How long to wait, where there were too many.
    pub fn attempt(&self, account: &str) -> Option<Duration> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.len() >= REMEMBERED {
            held.retain(|_, it| it.since.elapsed() < WITHIN);
        }
        if held.len() >= REMEMBERED {
            // Somebody makes up names: those who have only begun are forgotten first.
            held.retain(|_, it| it.number >= MOST);
        }
        let tries = held.entry(account.to_owned()).or_insert(Failures { since: Instant::now(), number: 0 });
        if tries.since.elapsed() >= WITHIN {
            *tries = Failures { since: Instant::now(), number: 0 };
        }
        if tries.number >= MOST {
            return Some(WITHIN.saturating_sub(tries.since.elapsed()).max(Duration::from_secs(1)));
        }
        tries.number += 1;
        None
    }

    pub fn came_in(&self, account: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(account);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eleventh_attempt_waits_and_nobody_elses_does() {
        let throttle = Throttle::default();
        let here = || Peer(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let owner = Throttle::account("owner", here());
        for _ in 0..10 {
            assert!(throttle.attempt(&owner).is_none());
        }
        assert!(throttle.attempt(&owner).is_some());
        let elsewhere = Throttle::account("owner", Peer(IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1))));
        assert!(
            throttle.attempt(&elsewhere).is_none() && throttle.attempt(&Throttle::account("anna", here())).is_none()
        );
        throttle.came_in(&owner);
        assert!(throttle.attempt(&owner).is_none());
        assert_eq!(Throttle::account(&"x".repeat(250_000), here()).len(), 32);
    }
}
