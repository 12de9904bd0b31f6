//! Where requests may go.

use reqwest::Url;
use serde::{Deserialize, Serialize};
use std::net::{IpAddr, Ipv6Addr};

/// `[privacy] endpoints` in a study.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Endpoints {
    #[default]
    Any,
    /// This machine and addresses in private networks. A name is refused unread: asking what it means would already be a
    /// request to somebody else.
    Local,
}

impl Endpoints {
    pub(crate) fn allow(self, url: &Url) -> bool {
        self == Self::Any || is_here(url) || number(url).is_some_and(is_private)
    }
}

/// This machine, which is never reached through a proxy.
pub(crate) fn is_here(url: &Url) -> bool {
    url.host_str() == Some("localhost") || number(url).is_some_and(|address| address.is_loopback())
}

fn number(url: &Url) -> Option<IpAddr> {
    url.host_str()?.trim_matches(['[', ']']).parse().ok()
}

/// Loopback, RFC 1918 and IPv6 unique local. Link-local is left out: cloud machines answer there with their credentials.
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_private(),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(mapped) => is_private(mapped.into()),
            None => address == Ipv6Addr::LOCALHOST || address.is_unique_local(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, allowed: bool) {
        let url = Url::parse(url).expect("the test writes a URL");
        assert_eq!(Endpoints::Local.allow(&url), allowed, "{url}");
        assert!(Endpoints::Any.allow(&url));
    }

    #[test]
    fn this_machine_and_private_numbers_are_local() {
        for url in ["http://127.0.0.1:80", "http://localhost:9", "http://10.1.2.3", "http://[::1]", "http://[fd12::1]"]
        {
            check(url, true);
        }
    }

    #[test]
    fn everything_else_is_not() {
        for url in ["https://8.8.8.8", "http://169.254.169.254", "http://[fe80::1]", "http://[::ffff:8.8.8.8]"] {
            check(url, false);
        }
    }

    #[test]
    fn a_name_is_refused_unread() {
        check("http://mirror.ward.example", false);
        check("http://localhost.example", false);
    }
}
