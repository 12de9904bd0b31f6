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
use std::time::Duration;
use waterjar_annotation::Project;
use waterjar_store::{RatingState, Session};

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
        return waits(&sign_in_page(&desk, t, Some(t.too_many.clone())), wait);
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

fn waits(page: &SignIn, wait: Duration) -> Result<Response, RaterError> {
    let after = [(RETRY_AFTER, wait.as_secs().max(1).to_string())];
    Ok((StatusCode::TOO_MANY_REQUESTS, after, html(page)?).into_response())
}

fn entrance_page(t: &'static Texts, problem: Option<String>) -> SignIn {
    let (here, address) = ("/rate/sign-in".to_owned(), "/rate".to_owned());
    SignIn { t, here, frame: crate::pages::Frame::new(t.sign_in.as_str()), address, problem }
}

/// For raters with a password who do not have the address of their project at hand.
pub async fn entrance(headers: HeaderMap) -> Result<Response, RaterError> {
    Ok(html(&entrance_page(texts::of(&headers), None))?.into_response())
}

pub async fn sign_in_anywhere(
    State(site): State<Site>,
    Peer(peer): Peer,
    headers: HeaderMap,
    Form(attempt): Form<Attempt>,
) -> Result<Response, RaterError> {
    let t = texts::of(&headers);
    let account = Throttle::account(&format!("rate/{}", attempt.name), Peer(peer));
    if let Some(wait) = site.throttle.attempt(&account) {
        return waits(&entrance_page(t, Some(t.too_many.clone())), wait);
    }
    let Some(found) = theirs(&site, &attempt).await? else {
        let page = html(&entrance_page(t, Some(t.wrong.clone())))?;
        return Ok((StatusCode::UNAUTHORIZED, page).into_response());
    };
    site.throttle.came_in(&account);
    come_in(&site, &found.ratings, &found.session, &found.key).await
}

/// The project that somebody of this name and password rates. Of several one with something left to rate, and of these the latest.
async fn theirs(site: &Site, attempt: &Attempt) -> Result<Option<Found>, RaterError> {
    let mut found: Vec<((bool, i64), Found)> = Vec::new();
    let mut is_known = false;
    for slot in site.shelf.slots() {
        // What is wrong with another run is no business of whoever rates this one.
        let Ok(Some(ratings)) = slot.ratings().await else { continue };
        let Ok(projects) = ratings.projects::<Project>().await else { continue };
        for (id, project) in projects {
            let Ok(raters) = ratings.raters(&id).await else { continue };
            let rater = raters.into_iter().find(|rater| rater.name == attempt.name && !rater.blocked);
            let Some(hash) = rater.and_then(|rater| rater.password) else { continue };
            is_known = true;
            if !secret::is_password(attempt.password.clone(), Some(hash)).await {
                continue;
            }
            let said = ratings.of_rater(&id, &attempt.name).await?;
            let done = said.iter().filter(|it| matches!(it.state, RatingState::Rated | RatingState::Skipped)).count();
            let is_open = done < ratings.items(&id).await? as usize;
            let session = Session { project: id, rater: attempt.name.clone() };
            found.push(((is_open, project.made), Found { session, key: project.key, ratings: ratings.clone() }));
        }
    }
    if !is_known {
        // It takes its time, so that time does not tell who rates here.
        secret::is_password(attempt.password.clone(), None).await;
    }
    Ok(found.into_iter().max_by_key(|(order, _)| *order).map(|(_, found)| found))
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
