//! Where requests may go.

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Url, redirect};
use serde::{Deserialize, Serialize};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// `[privacy] endpoints = "local"` in a study.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum EndpointPolicy {
    #[default]
    #[serde(rename = "any")]
    Any,
    /// This machine and private networks only, whatever the study says.
    #[serde(rename = "local")]
    LocalOnly,
}

/// A host that is neither this machine nor in a private network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{host} is {address}, which is neither this machine nor a private network; only local endpoints are allowed")]
pub(crate) struct NotLocal {
    pub host: String,
    pub address: IpAddr,
}

impl EndpointPolicy {
    pub(crate) fn restrict(self, client: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
        let client = client.redirect(redirect::Policy::none());
        match self {
            Self::Any => client,
            // A proxy would be one more host, and would resolve the name by itself.
            Self::LocalOnly => client.no_proxy().dns_resolver(LocalResolver),
        }
    }

    /// Whether a request may go there.
    pub fn allows(self, address: IpAddr) -> bool {
        self == Self::Any || is_local(address)
    }

    /// An address written as a number never reaches a resolver, so it is looked at here.
    pub(crate) fn check_number(self, url: &Url) -> Result<(), NotLocal> {
        match url.host_str().and_then(|host| host.trim_matches(['[', ']']).parse().ok()) {
            Some(address) if self == Self::LocalOnly => check(url.host_str().unwrap_or_default(), address),
            _ => Ok(()),
        }
    }
}

fn check(host: &str, address: IpAddr) -> Result<(), NotLocal> {
    if is_local(address) { Ok(()) } else { Err(NotLocal { host: host.into(), address }) }
}

/// Loopback, RFC 1918 and IPv6 unique local. Link-local is left out: cloud machines answer there with their credentials.
fn is_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_private(),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(mapped) => is_local(mapped.into()),
            None => address == Ipv6Addr::LOCALHOST || address.is_unique_local(),
        },
    }
}

/// Every address of a name must be local.
pub(crate) fn check_all(host: &str, addresses: &[SocketAddr]) -> Result<(), NotLocal> {
    addresses.iter().try_for_each(|address| check(host, address.ip()))
}

/// Resolves, checks, and hands exactly the checked addresses to the connection: a second answer of the name server is never asked for.
struct LocalResolver;

impl Resolve for LocalResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let host = name.as_str().to_owned();
            let addresses: Vec<SocketAddr> = tokio::net::lookup_host((host.as_str(), 0)).await?.collect();
            check_all(&host, &addresses)?;
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, allowed: bool) {
        let url = Url::parse(url).expect("the test writes a URL");
        assert_eq!(EndpointPolicy::LocalOnly.check_number(&url).is_ok(), allowed, "{url}");
        assert!(EndpointPolicy::Any.check_number(&url).is_ok());
    }

    #[test]
    fn loopback_and_private_networks_are_local() {
        for url in
            ["http://127.0.0.1:8000", "http://10.1.2.3", "http://192.168.0.9", "http://172.16.4.4", "http://[::1]"]
        {
            check(url, true);
        }
        check("http://[fd12:3456::1]:8000", true);
        check("http://[::ffff:10.0.0.1]", true);
        check("http://2130706433", true);
    }

    #[test]
    fn everything_else_is_not() {
        for url in
            ["https://8.8.8.8", "http://172.32.0.1", "http://100.64.0.1", "http://0.0.0.0", "http://169.254.169.254"]
        {
            check(url, false);
        }
        check("http://[2001:db8::1]", false);
        check("http://[::ffff:8.8.8.8]", false);
        check("http://[fe80::1]", false);
    }

    #[test]
    fn one_public_address_of_many_is_enough_to_refuse() {
        let addresses = ["10.0.0.1:0", "8.8.8.8:0"].map(|text| text.parse().expect("an address"));
        assert!(check_all("mixed.example", &addresses).is_err());
    }
}
