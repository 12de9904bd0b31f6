//! The one place that sends.

use super::endpoints::is_here;
use super::retry::retry_after;
use crate::Problem;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Response, Url, redirect};
use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

/// Far more than any list of abstracts.
const LARGEST_REPLY: usize = 16 * 1024 * 1024;
const CONNECT_WITHIN: Duration = Duration::from_secs(10);

pub(super) struct Reply {
    pub status: u16,
    pub retry_after: Option<Duration>,
    pub body: String,
}

pub(super) async fn post(url: Url, kind: &str, body: String, within: Duration) -> Result<Reply, Problem> {
    let host = url.host_str().unwrap_or_default().to_owned();
    let explain = |error| explain(error, &host, within);
    let call = client(&url)?.post(url).timeout(within).header(CONTENT_TYPE, kind).body(body);
    let mut response = call.send().await.map_err(explain)?;
    let status = response.status().as_u16();
    let retry_after = retry_after(response.headers(), SystemTime::now());
    let bytes = bytes(&mut response, explain).await?;
    let body = String::from_utf8(bytes).map_err(|_| Problem::Malformed("it is not UTF-8".into()))?;
    Ok(Reply { status, retry_after, body })
}

async fn bytes(response: &mut Response, explain: impl Fn(reqwest::Error) -> Problem) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(&explain)? {
        if bytes.len() + chunk.len() > LARGEST_REPLY {
            return Err(Problem::Malformed("it is larger than 16 MB".into()));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn explain(error: reqwest::Error, host: &str, within: Duration) -> Problem {
    let error = error.without_url();
    if error.is_timeout() {
        let what = if error.is_connect() { "connection" } else { "complete reply" };
        return Problem::Timeout(format!("no {what} from {host} within {} s", within.as_secs_f64()));
    }
    let causes = std::iter::successors(error.source(), |cause: &&(dyn Error + 'static)| (*cause).source());
    let cause = causes.last().map_or_else(|| error.to_string(), ToString::to_string);
    let what = if error.is_connect() { "no connection to" } else { "the exchange broke off with" };
    Problem::Unreachable(format!("{what} {host}: {cause}"))
}

/// One client for this machine and one for the rest, so that connections are reused.
fn client(url: &Url) -> Result<&'static Client, Problem> {
    static HERE: OnceLock<Result<Client, String>> = OnceLock::new();
    static THERE: OnceLock<Result<Client, String>> = OnceLock::new();
    let here = is_here(url);
    let shared = if here { &HERE } else { &THERE };
    let built = shared.get_or_init(|| build(here).map_err(|error| format!("no HTTP client: {error}")));
    built.as_ref().map_err(|message| Problem::Unreachable(message.clone()))
}

fn build(here: bool) -> reqwest::Result<Client> {
    // Somebody else in the process may have installed a provider: any will do.
    _ = rustls::crypto::ring::default_provider().install_default();
    let builder = || {
        let builder = Client::builder()
            .user_agent(concat!("waterjar/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_WITHIN)
            // A redirect could lead where requests may not go.
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never());
        match here {
            true => builder.no_proxy().resolve("localhost", SocketAddr::from((Ipv4Addr::LOCALHOST, 0))),
            false => builder,
        }
    };
    // A slim container has no certificates at all. A mirror without TLS is still reachable from it.
    builder().build().or_else(|_| builder().tls_certs_only([]).build())
}
