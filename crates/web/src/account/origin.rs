//! Requests that change something come from our own pages. A browser says where a request comes from, and a page cannot change what it says;
//! together with cookies that no other site can send (`SameSite=Strict`) that keeps forged requests out.

use crate::Site;
use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

pub async fn check(State(site): State<Site>, request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if !reads && !is_ours(request.headers(), &site.url) {
        return (StatusCode::FORBIDDEN, "this request does not come from a page of this server\n").into_response();
    }
    next.run(request).await
}

/// What is no browser says neither, and has no cookie that somebody else could use. Behind a proxy `Host` may be the name between the two;
/// the browser then says `url`, the address it was sent to.
fn is_ours(headers: &HeaderMap, url: &str) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text(HOST.as_str()).unwrap_or_default();
    let from_here = text("sec-fetch-site").is_none_or(|site| matches!(site, "same-origin" | "none"));
    let same = |origin: &str| origin.split_once("://").is_some_and(|(_, name)| name == host);
    let public = |origin: &str| !url.is_empty() && origin.eq_ignore_ascii_case(url);
    from_here && text(ORIGIN.as_str()).is_none_or(|origin| same(origin) || public(origin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_of_another_site_is_told_from_ours() {
        let of = |pairs: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.insert(*name, value.parse().unwrap());
            }
            is_ours(&headers, "https://rate.example.org")
        };
        assert!(of(&[("host", "localhost:1"), ("origin", "http://localhost:1"), ("sec-fetch-site", "same-origin")]));
        assert!(of(&[("host", "localhost:1")]), "no browser");
        assert!(!of(&[("host", "localhost:1"), ("origin", "http://localhost:2")]));
        assert!(!of(&[("host", "localhost:1"), ("origin", "null")]));
        assert!(!of(&[("host", "localhost:1"), ("sec-fetch-site", "cross-site")]));
        assert!(!of(&[("host", "localhost:1"), ("origin", "http://localhost:1.evil.example")]));
        // A proxy that asks by its own name for this server.
        assert!(of(&[("host", "127.0.0.1:8787"), ("origin", "https://rate.example.org")]));
        assert!(!of(&[("host", "127.0.0.1:8787"), ("origin", "http://rate.example.org")]), "not over TLS");
        assert!(!of(&[("host", "127.0.0.1:8787"), ("origin", "https://rate.example.org.evil.example")]));
        let from_elsewhere = [("origin", "https://rate.example.org"), ("sec-fetch-site", "cross-site")];
        assert!(!of(&from_elsewhere), "a browser that says otherwise is believed");
    }
}
