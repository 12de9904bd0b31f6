//! The one place that sends.

use crate::key::Key;
use crate::policy::NotLocal;
use crate::secrets::Secrets;
use crate::{EndpointPolicy, WireReply, WireRequest};
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, RequestBuilder, Response, Url};
use std::error::Error;
use std::net::IpAddr;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};
use waterjar_core::{ChatRequest, ModelError};

/// Far more than any answer; a server that sends more is broken or hostile.
const LARGEST_BODY: usize = 32 * 1024 * 1024;
const CONNECT_WITHIN: Duration = Duration::from_secs(20);

/// An address, what every request to it carries, and where requests may go.
#[derive(Clone)]
pub(crate) struct Endpoint {
    pub url: Url,
    /// With the key, marked sensitive: they print as `Sensitive`.
    pub headers: HeaderMap,
    pub key: Option<Key>,
    /// The key and what else must not be kept.
    pub secrets: Secrets,
    pub policy: EndpointPolicy,
    pub timeout: Duration,
}

impl Endpoint {
    pub async fn send(&self, request: &WireRequest) -> Result<WireReply, ModelError> {
        self.policy.check_number(&self.url).map_err(|refusal| ModelError::Forbidden(refusal.to_string()))?;
        let call = self
            .client()?
            .post(self.address(&request.path))
            .header(CONTENT_TYPE, "application/json")
            .body(serde_json::to_vec(&request.body).expect("a JSON value is JSON"));
        self.exchange(call, &request.headers).await
    }

    /// Sends what is no JSON value, or is written already.
    pub async fn post_bytes(
        &self,
        path: &str,
        kind: &str,
        body: Vec<u8>,
        headers: &[(&str, &str)],
    ) -> Result<WireReply, ModelError> {
        self.policy.check_number(&self.url).map_err(|refusal| ModelError::Forbidden(refusal.to_string()))?;
        let call = self.client()?.post(self.address(path)).header(CONTENT_TYPE, kind).body(body);
        self.exchange(call, headers).await
    }

    /// Fetches what is there to be read.
    pub async fn get(
        &self,
        path: &str,
        query: &[(&str, &str)],
        headers: &[(&str, &str)],
    ) -> Result<WireReply, ModelError> {
        self.exchange(self.getting(path, query)?, headers).await
    }

    /// The same for what is too large to be held: each line is heard as it comes. The error of whoever hears ends it.
    pub async fn get_lines(
        &self,
        path: &str,
        headers: &[(&str, &str)],
        hear: &mut (dyn FnMut(&[u8]) -> Result<(), ModelError> + Send),
    ) -> Result<(), ModelError> {
        let mut response = self.respond(self.getting(path, &[])?, headers).await?;
        if !response.status().is_success() {
            let failed = self.read(response).await?;
            return failed.good_body(&ChatRequest::default()).map(drop);
        }
        let mut held: Vec<u8> = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.explain(error))? {
            let mut rest = &chunk[..];
            while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                held.extend_from_slice(&rest[..end]);
                rest = &rest[end + 1..];
                self.hear(&mut held, hear)?;
            }
            held.extend_from_slice(rest);
            if held.len() > LARGEST_BODY {
                return Err(ModelError::InvalidOutput("a line is larger than 32 MB".into()));
            }
        }
        self.hear(&mut held, hear)
    }

    fn hear(
        &self,
        held: &mut Vec<u8>,
        hear: &mut (dyn FnMut(&[u8]) -> Result<(), ModelError> + Send),
    ) -> Result<(), ModelError> {
        let line = self.secrets.scrub_bytes(std::mem::take(held));
        if line.trim_ascii().is_empty() { Ok(()) } else { hear(&line) }
    }

    fn getting(&self, path: &str, query: &[(&str, &str)]) -> Result<RequestBuilder, ModelError> {
        self.policy.check_number(&self.url).map_err(|refusal| ModelError::Forbidden(refusal.to_string()))?;
        let mut address = self.address(path);
        if !query.is_empty() {
            address.query_pairs_mut().extend_pairs(query);
        }
        Ok(self.client()?.get(address))
    }

    async fn exchange(&self, call: RequestBuilder, headers: &[(&str, &str)]) -> Result<WireReply, ModelError> {
        let response = self.respond(call, headers).await?;
        self.read(response).await
    }

    async fn respond(&self, call: RequestBuilder, headers: &[(&str, &str)]) -> Result<Response, ModelError> {
        let mut call = call.timeout(self.timeout).headers(self.headers.clone());
        for (name, value) in headers {
            call = call.header(*name, *value);
        }
        call.send().await.map_err(|error| self.explain(error))
    }

    async fn read(&self, mut response: Response) -> Result<WireReply, ModelError> {
        let status = response.status().as_u16();
        let headers = response
            .headers()
            .iter()
            .filter_map(|(name, value)| Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned())))
            .collect();
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| self.explain(error))? {
            if body.len() + chunk.len() > LARGEST_BODY {
                return Err(ModelError::InvalidOutput("the reply is larger than 32 MB".into()).charged(None));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(WireReply { status, headers, body: self.secrets.scrub_bytes(body), received: SystemTime::now() })
    }

    fn client(&self) -> Result<&'static Client, ModelError> {
        let policy = self.route();
        // Neither a proxy nor a redirect leads from here to a place with TLS.
        let plain = policy == EndpointPolicy::LocalOnly && self.url.scheme() == "http";
        let shared = match policy {
            EndpointPolicy::Any => &ANY,
            EndpointPolicy::LocalOnly if plain => &LOCAL_PLAIN,
            EndpointPolicy::LocalOnly => &LOCAL,
        };
        let built = shared.get_or_init(|| build(policy, plain).map_err(|error| format!("no HTTP client: {error}")));
        built.as_ref().map_err(|message| ModelError::Transport(message.clone()))
    }

    /// What is on this machine is never asked for through a proxy.
    fn route(&self) -> EndpointPolicy {
        let host = self.url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        let here = host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback());
        if here { EndpointPolicy::LocalOnly } else { self.policy }
    }

    /// The address with the request's path below it; a query stays where it was.
    fn address(&self, path: &str) -> Url {
        let mut url = self.url.clone();
        if path.is_empty() {
            return url;
        }
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path.split('/'));
        }
        url
    }

    fn explain(&self, error: reqwest::Error) -> ModelError {
        let error = error.without_url();
        if let Some(refusal) = causes(&error).find_map(|cause| cause.downcast_ref::<NotLocal>()) {
            return ModelError::Forbidden(refusal.to_string());
        }
        let host = self.url.host_str().unwrap_or_default();
        let (waited, sent) = (self.timeout.as_secs_f64(), !error.is_connect());
        let problem = if error.is_timeout() {
            let what = if sent { "complete reply" } else { "connection" };
            ModelError::Timeout(format!("no {what} from {host} within {waited} s"))
        } else {
            let cause = causes(&error).last().map_or_else(|| error.to_string(), ToString::to_string);
            let what = if sent { "the exchange broke off with" } else { "no connection to" };
            ModelError::Transport(format!("{what} {host}: {cause}"))
        };
        if sent { problem.charged(None) } else { problem }
    }
}

fn causes<'a>(error: &'a reqwest::Error) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(error.source(), |cause: &&'a (dyn Error + 'static)| (*cause).source())
}

/// One client for each way to go, shared by all models of the process, so that connections are reused.
type Shared = OnceLock<Result<Client, String>>;

static ANY: Shared = OnceLock::new();
static LOCAL: Shared = OnceLock::new();
/// Without certificates: to read all that a system trusts takes longer than the first answers.
static LOCAL_PLAIN: Shared = OnceLock::new();

pub(crate) fn build(policy: EndpointPolicy, plain: bool) -> reqwest::Result<Client> {
    // Somebody else in the process may have installed a provider: any will do.
    _ = rustls::crypto::ring::default_provider().install_default();
    let builder = || {
        let builder = Client::builder()
            .user_agent(concat!("waterjar/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_WITHIN)
            // Repeating is the gateway's work: a hidden retry would be neither counted nor paid for.
            .retry(reqwest::retry::never());
        policy.restrict(builder)
    };
    if plain {
        return builder().tls_certs_only([]).build();
    }
    // A slim container has no certificates at all. Endpoints without TLS are still reachable from it.
    builder().build().or_else(|_| builder().tls_certs_only([]).build())
}

/// For what is no model: a collector of traces. It asks nobody's leave where it goes.
pub fn plain_client(timeout: Duration) -> Result<Client, reqwest::Error> {
    _ = rustls::crypto::ring::default_provider().install_default();
    let builder = || Client::builder().timeout(timeout).redirect(reqwest::redirect::Policy::none());
    builder().build().or_else(|_| builder().tls_certs_only([]).build())
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::dns::{Name, Resolve, Resolving};

    fn endpoint(url: &str) -> Endpoint {
        Endpoint {
            url: Url::parse(url).expect("the test writes a URL"),
            headers: HeaderMap::new(),
            key: None,
            secrets: Secrets::default(),
            policy: EndpointPolicy::Any,
            timeout: Duration::from_secs(1),
        }
    }

    fn check(base: &str, path: &str, expected: &str) {
        assert_eq!(endpoint(base).address(path).as_str(), expected);
    }

    #[test]
    fn paths_go_below_the_address() {
        check("http://h/v1", "chat/completions", "http://h/v1/chat/completions");
        check("http://h/v1/", "chat/completions", "http://h/v1/chat/completions");
        check("http://h/ask", "", "http://h/ask");
        check("http://h/v1?api-version=2", "chat/completions", "http://h/v1/chat/completions?api-version=2");
    }

    #[test]
    fn a_model_name_cannot_leave_its_place() {
        check("http://h/v1beta", "models/a?b#c:generateContent", "http://h/v1beta/models/a%3Fb%23c:generateContent");
        check("http://h/v1beta", "models/../../x:generateContent", "http://h/v1beta/models/x:generateContent");
    }

    #[test]
    fn this_machine_is_reached_without_a_proxy() {
        for url in ["http://127.0.0.1:8000/v1", "http://localhost/v1", "http://[::1]:9/v1"] {
            assert_eq!(endpoint(url).route(), EndpointPolicy::LocalOnly, "{url}");
        }
        assert_eq!(endpoint("https://api.openai.com/v1").route(), EndpointPolicy::Any);
    }

    /// A name server that answers differently the second time.
    struct Rebound;

    impl Resolve for Rebound {
        fn resolve(&self, name: Name) -> Resolving {
            let refusal = NotLocal { host: name.as_str().into(), address: IpAddr::from([8, 8, 8, 8]) };
            Box::pin(async move { Err(refusal.into()) })
        }
    }

    #[tokio::test]
    async fn a_name_that_turns_public_is_forbidden() {
        _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().no_proxy().dns_resolver(Rebound).build().expect("a client");
        let error = client.get("http://gpu.ward.example/").send().await.expect_err("it must not connect");
        let outcome = endpoint("http://gpu.ward.example/v1").explain(error);
        assert!(matches!(&outcome, ModelError::Forbidden(why) if why.contains("8.8.8.8")), "{outcome:?}");
    }
}
