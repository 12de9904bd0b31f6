//! What every answer says to the browser, and which requests are answered at all.

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderValue, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;

/// No inline script, no inline style, nothing from elsewhere: what a model wrote can neither run nor call home.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

pub async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let say = |headers: &mut HeaderMap, name, value| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    say(headers, CONTENT_SECURITY_POLICY, POLICY);
    say(headers, X_CONTENT_TYPE_OPTIONS, "nosniff");
    say(headers, X_FRAME_OPTIONS, "DENY");
    // Not `no-referrer`: a browser would then not say of a form of ours that it is ours.
    say(headers, REFERRER_POLICY, "same-origin");
    // Charts may be on the page: nothing of it stays on a disk on the way.
    say(headers, CACHE_CONTROL, "no-store");
    response
}

/// The names this server answers to.
#[derive(Clone)]
pub struct Names {
    at: SocketAddr,
    /// Of the address others reach it by.
    public: Option<String>,
    usual_port: &'static str,
}

impl Names {
    pub fn new(at: SocketAddr, url: &str) -> Self {
        let public = url.split_once("://").map(|(_, rest)| rest.split('/').next().unwrap_or_default().to_owned());
        Self { at, public: public.filter(|it| !it.is_empty()), usual_port: usual_port(url) }
    }

    fn include(&self, host: &str) -> bool {
        let bare = host.strip_suffix(self.usual_port).unwrap_or(host);
        self.public.as_deref().is_some_and(|public| public.eq_ignore_ascii_case(bare)) || is_here(host, self.at)
    }
}

/// What goes without saying: some proxies say it in `Host`, browsers never do.
fn usual_port(url: &str) -> &'static str {
    if url.starts_with("https://") { ":443" } else { ":80" }
}

/// An address as browsers call it: `https://rate.example.org` for `https://rate.example.org:443/`.
pub fn origin(url: &str) -> &str {
    let url = url.trim_end_matches('/');
    url.strip_suffix(usual_port(url)).unwrap_or(url)
}

/// A name that resolves to this machine is not this machine's name: without this a page elsewhere could read runs through the browser of
/// whoever serves them (DNS rebinding).
pub async fn host(State(names): State<Names>, request: Request, next: Next) -> Response {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if !names.include(host) {
        let told = "this server answers to its own name only; start it with --url to give it another\n";
        return (StatusCode::MISDIRECTED_REQUEST, told).into_response();
    }
    next.run(request).await
}

fn is_here(host: &str, at: SocketAddr) -> bool {
    let name = host.strip_suffix(&format!(":{}", at.port())).unwrap_or(host);
    let address = name.trim_matches(['[', ']']);
    // Bound to every address, it may be asked by any of them; a name is no address.
    let any = at.ip().is_unspecified() && address.parse::<std::net::IpAddr>().is_ok();
    name == "localhost" || address == at.ip().to_string() || any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_are_its_names() {
        let at: SocketAddr = "127.0.0.1:8787".parse().unwrap();
        for host in ["localhost:8787", "127.0.0.1:8787", "localhost", "127.0.0.1"] {
            assert!(is_here(host, at), "{host}");
        }
        for host in ["evil.example:8787", "localhost.evil.example:8787", "127.0.0.1.nip.io:8787", "", "localhost:80"] {
            assert!(!is_here(host, at), "{host}");
        }
        assert!(is_here("[::1]:9", "[::1]:9".parse().unwrap()));
    }

    #[test]
    fn the_public_name_holds_with_and_without_the_usual_port() {
        let at: SocketAddr = "127.0.0.1:8787".parse().unwrap();
        let check = |url: &str, host: &str| Names::new(at, origin(url)).include(host);
        for url in ["https://rate.example.org", "https://rate.example.org:443/"] {
            assert!(check(url, "rate.example.org") && check(url, "rate.example.org:443"), "{url}");
            assert!(!check(url, "rate.example.org:80") && !check(url, "rate.example.org:8443"), "{url}");
        }
        assert!(check("http://rate.example.org", "rate.example.org:80"));
        assert!(check("https://rate.example.org:8443", "rate.example.org:8443"));
        assert!(!check("https://rate.example.org:8443", "rate.example.org"));
        assert!(!check("https://rate.example.org", "evil.example:443"));
    }
}
