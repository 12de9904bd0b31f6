//! Settings that lead to a server of a test.

use std::time::Duration;
use waterjar_evidence::RemoteSettings;
use waterjar_testkit::CannedServer;

/// They wait for nothing.
pub fn leading_to(server: &CannedServer) -> RemoteSettings {
    RemoteSettings { first_wait: Duration::from_millis(1), ..settings_at(&server.url("/entrez/eutils")) }
}

pub fn settings_at(url: &str) -> RemoteSettings {
    RemoteSettings { url: Some(url.into()), ..RemoteSettings::default() }
}
