//! How a service is asked.

use super::cache::{EvidenceCache, MemoryCache};
use super::endpoints::Endpoints;
use std::sync::Arc;
use std::time::Duration;

#[derive(Clone)]
pub struct RemoteSettings {
    /// Another address than the service's own: a mirror, or a test.
    pub url: Option<String>,
    pub endpoints: Endpoints,
    /// For one request, from the first byte to the last.
    pub timeout: Duration,
    /// How often the same request is sent before it is given up.
    pub attempts: u32,
    /// Before the second attempt; it doubles. A service that says how long to wait is obeyed.
    pub first_wait: Duration,
    /// A service that wants a longer wait is given up at once.
    pub longest_wait: Duration,
    pub cache: Arc<dyn EvidenceCache>,
}

impl Default for RemoteSettings {
    fn default() -> Self {
        Self {
            url: None,
            endpoints: Endpoints::Any,
            timeout: Duration::from_secs(20),
            attempts: 4,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(30),
            cache: Arc::new(MemoryCache::default()),
        }
    }
}
