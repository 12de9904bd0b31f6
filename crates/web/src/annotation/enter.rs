//! How raters come in and go: by their personal link, or by name and password.

use super::desk::{COOKIE, Desk};
use super::error::RaterError;
use crate::Site;
use crate::account::owner::to;
use crate::account::throttle::{Peer, Throttle};
use crate::account::{cookie, now, secret};
use crate::error::PageError;
use crate::pages::html;
use crate::texts::{self, Texts};
use askama::Template;
use axum::extract::{Form, Path, State};
use axum::http::header::{RETRY_AFTER, SET_COOKIE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use waterjar_annotation::Project;
use waterjar_store::Session;

/// A month: a project takes its time.
const LASTS: i64 = 30 * 24 * 60 * 60;

#[derive(Template)]
#[template(path = "invited.html")]
struct Invited {
    t: &'static Texts,
    here: String,
    frame: crate::pages::Frame,
    rater: String,
}

#[derive(Template)]
#[template(path = "rater_sign_in.html")]
pub struct SignIn {
    pub t: &'static Texts,
    pub here: String,
    pub frame: crate::pages::Frame,
    pub address: String,
    pub problem: Option<String>,
}

struct Found {
    session: Session,
    key: String,
    ratings: waterjar_store::Ratings,
}

async fn found(site: &Site, link: &str) -> Result<Option<Found>, RaterError> {
    let hash = secret::digest(link);
    for slot in site.shelf.slots() {
        // What is wrong with another run is no business of whoever rates this one.
        let Ok(Some(ratings)) = slot.ratings().await else { continue };
        let Ok(Some(session)) = ratings.by_link(&hash).await else { continue };
        if let Some(project) = ratings.project::<Project>(&session.project).await? {
            return Ok(Some(Found { session, key: project.key, ratings }));
        }
    }
    Ok(None)
}

fn no_link(t: &'static Texts) -> RaterError {
    PageError::NotFound(t.no_link.clone()).into()
}

/// Looking at the link signs nobody in: programs that preview links look too.
pub async fn invited(
    State(site): State<Site>,
    Path(link): Path<String>,
    headers: HeaderMap,
) -> Result<Response, RaterError> {
    let t = texts::of(&headers);
    let found = found(&site, &link).await?.ok_or_else(|| no_link(t))?;
    let page = Invited {
        t,
        here: format!("/r/{link}"),
        frame: crate::pages::Frame::new(t.begin.as_str()),
        rater: found.session.rater,
    };
    Ok(html(&page)?.into_response())
}

pub async fn begin(
    State(site): State<Site>,
    Path(link): Path<String>,
    headers: HeaderMap,
) -> Result<Response, RaterError> {
    let found = found(&site, &link).await?.ok_or_else(|| no_link(texts::of(&headers)))?;
    come_in(&site, &found.ratings, &found.session, &found.key).await
}

async fn come_in(
    site: &Site,
    ratings: &waterjar_store::Ratings,
    who: &Session,
    key: &str,
) -> Result<Response, RaterError> {
    let token = secret::token();
    ratings.sign_in(&secret::digest(&token), who, now(), now() + LASTS).await?;
    let address = format!("/rate/{key}");
    let mut response = to(&address);
    let kept = cookie::write(COOKIE, &token, &address, LASTS, site.is_secure());
    response.headers_mut().insert(SET_COOKIE, kept);
    Ok(response)
}

#[derive(Deserialize)]
pub struct Attempt {
    name: String,
    password: String,
}

pub fn sign_in_page(desk: &Desk, t: &'static Texts, problem: Option<String>) -> SignIn {
    let address = desk.address();
    SignIn { t, here: address.clone(), frame: crate::pages::Frame::new(t.sign_in.as_str()), address, problem }
}

pub async fn sign_in(
    State(site): State<Site>,
    Path(key): Path<String>,
    Peer(peer): Peer,
    headers: HeaderMap,
    Form(attempt): Form<Attempt>,
) -> Result<Response, RaterError> {
    let desk = site.desks.find(&site.shelf, &key).await?;
    let t = texts::of(&headers);
    let account = Throttle::account(&format!("{key}/{}", attempt.name), Peer(peer));
    if let Some(wait) = site.throttle.attempt(&account) {
        let page = html(&sign_in_page(&desk, t, Some(t.too_many.clone())))?;
        let after = [(RETRY_AFTER, wait.as_secs().max(1).to_string())];
        return Ok((StatusCode::TOO_MANY_REQUESTS, after, page).into_response());
    }
    let raters = desk.ratings.raters(&desk.id).await?;
    let rater = raters.into_iter().find(|rater| rater.name == attempt.name && !rater.blocked);
    let hash = rater.and_then(|rater| rater.password);
    if !secret::is_password(attempt.password, hash).await {
        let page = html(&sign_in_page(&desk, t, Some(t.wrong.clone())))?;
        return Ok((StatusCode::UNAUTHORIZED, page).into_response());
    }
    site.throttle.came_in(&account);
    let who = Session { project: desk.id.clone(), rater: attempt.name };
    come_in(&site, &desk.ratings, &who, &key).await
}

pub async fn sign_out(
    State(site): State<Site>,
    Path(key): Path<String>,
    headers: HeaderMap,
) -> Result<Response, RaterError> {
    let desk = site.desks.find(&site.shelf, &key).await?;
    if let Some(token) = cookie::read(&headers, COOKIE) {
        desk.ratings.sign_out(&secret::digest(token)).await?;
    }
    let address = desk.address();
    let mut response = to(&address);
    response.headers_mut().insert(SET_COOKIE, cookie::write(COOKIE, "", &address, 0, site.is_secure()));
    Ok(response)
}
