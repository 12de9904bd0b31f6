//! The owner: whoever knows the password of the server. Without a password it is whoever can reach it, which is why only this machine can.

use super::throttle::{Peer, Throttle};
use super::{cookie, now, secret};
use crate::Site;
use crate::error::PageError;
use crate::filter::encoded;
use crate::pages::{Frame, asked, html};
use crate::texts;
use askama::Template;
use axum::extract::{Form, Query, Request, State};
use axum::http::header::{LOCATION, RETRY_AFTER, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

pub const COOKIE: &str = "waterjar_owner";
const LASTS: i64 = 12 * 60 * 60;
/// Paths that have a guard of their own, or need none.
const OPEN: [&str; 6] = ["/static/", "/sign-in", "/r/", "/rate/", "/language/", "/v1/"];

#[derive(Default)]
pub struct Owner {
    /// The hash of the password, where there is one.
    password: Option<String>,
    /// Until when, by the hash of what the browser keeps. A server that is started again is signed in to again.
    sessions: Mutex<HashMap<String, i64>>,
}

impl Owner {
    pub async fn with_password(password: String) -> Self {
        Self { password: Some(secret::hashed(password).await), sessions: Mutex::default() }
    }

    pub fn has_password(&self) -> bool {
        self.password.is_some()
    }

    fn is_signed_in(&self, headers: &HeaderMap) -> bool {
        let Some(token) = cookie::read(headers, COOKIE) else { return false };
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.get(&secret::digest(token)).is_some_and(|until| *until >= now())
    }

    fn begin(&self) -> String {
        let token = secret::token();
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.retain(|_, until| *until >= now());
        sessions.insert(secret::digest(&token), now() + LASTS);
        token
    }

    fn end(&self, headers: &HeaderMap) {
        if let Some(token) = cookie::read(headers, COOKIE) {
            self.sessions.lock().unwrap_or_else(PoisonError::into_inner).remove(&secret::digest(token));
        }
    }
}

/// Everything that is not open is the owner's.
pub async fn guard(State(site): State<Site>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let open = OPEN.iter().any(|open| path.starts_with(open));
    if open || !site.owner.has_password() || site.owner.is_signed_in(request.headers()) {
        return next.run(request).await;
    }
    match *request.method() {
        Method::GET | Method::HEAD => {
            let here = request.uri().path_and_query().map_or("/", |it| it.as_str());
            to(&format!("/sign-in?to={}", encoded(here)))
        }
        _ => (StatusCode::UNAUTHORIZED, "sign in first\n").into_response(),
    }
}

/// See other.
pub fn to(address: &str) -> Response {
    let address = HeaderValue::from_str(address).unwrap_or(HeaderValue::from_static("/"));
    (StatusCode::SEE_OTHER, [(LOCATION, address)]).into_response()
}

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignIn {
    frame: Frame,
    to: String,
    problem: Option<&'static str>,
}

#[derive(Deserialize)]
pub struct Attempt {
    password: String,
    #[serde(default)]
    to: String,
}

fn page(to: &str, problem: Option<&'static str>) -> Result<Html<String>, PageError> {
    html(&SignIn { frame: Frame::new(texts::spoken().sign_in.as_str()), to: to.to_owned(), problem })
}

pub async fn sign_in_page(Query(query): Query<Vec<(String, String)>>) -> Result<Html<String>, PageError> {
    page(asked(&query, "to"), None)
}

pub async fn sign_in(
    State(site): State<Site>,
    Peer(peer): Peer,
    Form(attempt): Form<Attempt>,
) -> Result<Response, PageError> {
    let account = Throttle::account("owner", Peer(peer));
    if let Some(wait) = site.throttle.attempt(&account) {
        let page = page(&attempt.to, Some("Too many attempts. Wait ten minutes."))?;
        let after = [(RETRY_AFTER, wait.as_secs().max(1).to_string())];
        return Ok((StatusCode::TOO_MANY_REQUESTS, after, page).into_response());
    }
    if !secret::is_password(attempt.password, site.owner.password.clone()).await {
        return Ok((StatusCode::UNAUTHORIZED, page(&attempt.to, Some("That is not the password."))?).into_response());
    }
    site.throttle.came_in(&account);
    let kept = cookie::write(COOKIE, &site.owner.begin(), "/", LASTS, site.is_secure());
    let mut response = to(local(&attempt.to));
    response.headers_mut().insert(SET_COOKIE, kept);
    Ok(response)
}

pub async fn sign_out(State(site): State<Site>, headers: HeaderMap) -> Response {
    site.owner.end(&headers);
    let mut response = to("/sign-in");
    response.headers_mut().insert(SET_COOKIE, cookie::write(COOKIE, "", "/", 0, site.is_secure()));
    response
}

/// A place on this server, and nowhere else.
pub fn local(to: &str) -> &str {
    // Browsers leave out some signs, and take others for a slash.
    let odd = |c: char| c == '\\' || c.is_control() || !c.is_ascii();
    let elsewhere = !to.starts_with('/') || to.starts_with("//") || to.contains(odd);
    if elsewhere { "/" } else { to }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_signing_in_one_stays_on_this_server() {
        assert_eq!(local("/runs/a?x=1"), "/runs/a?x=1");
        for elsewhere in
            ["", "//evil.example", "https://evil.example", "/\\evil.example", "/a\r\nSet-Cookie: x", "/\t/evil.example"]
        {
            assert_eq!(local(elsewhere), "/");
        }
    }
}
