//! A rater's pages: what to do, and one item after the other.

use super::desk::Desk;
use super::enter::sign_in_page;
use super::error::RaterError;
use super::sheet::{Field, LONGEST_COMMENT, fields};
use crate::Site;
use crate::account::millis;
use crate::account::owner::to;
use crate::error::PageError;
use crate::pages::{Frame, html};
use crate::texts::{self, Texts};
use askama::Template;
use axum::extract::{Form, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use std::collections::BTreeMap;
use std::sync::Arc;
use waterjar_annotation::{Shown, Unit};
use waterjar_report::{Change, MarkedTexts};
use waterjar_store::{Rating, RatingBody, RatingState};

#[derive(Template)]
#[template(path = "rate_desk.html")]
struct DeskPage {
    t: &'static Texts,
    here: String,
    frame: Frame,
    rater: String,
    about: String,
    address: String,
    rated: usize,
    skipped: usize,
    all: u32,
    /// The place to go on at, from 1.
    next: Option<usize>,
    places: Vec<(usize, &'static str)>,
}

#[derive(Template)]
#[template(path = "rate_item.html")]
struct ItemPage {
    t: &'static Texts,
    here: String,
    frame: Frame,
    address: String,
    place: usize,
    all: u32,
    texts: String,
    changes: Vec<Change>,
    answers: Vec<(String, String)>,
    expectation: Option<String>,
    diagnoses: Vec<(String, String)>,
    language: Option<String>,
    fields: Vec<Field>,
    comment: String,
    opened: i64,
    problem: Option<String>,
    /// Whether there is anything to take back.
    undo: bool,
}

/// Who sits at which desk, with what they said so far.
struct Seat {
    desk: Arc<Desk>,
    rater: String,
    order: Vec<u32>,
    said: BTreeMap<u32, Rating>,
}

impl Seat {
    /// A seat, or the page to sign in by.
    async fn take(site: &Site, key: &str, headers: &HeaderMap) -> Result<Result<Self, Response>, RaterError> {
        let desk = site.desks.find(&site.shelf, key).await?;
        let Some(rater) = desk.rater(headers).await? else {
            let page = html(&sign_in_page(&desk, texts::of(headers), None))?;
            return Ok(Err((StatusCode::UNAUTHORIZED, page).into_response()));
        };
        let said = desk.ratings.of_rater(&desk.id, &rater).await?;
        let said = said.into_iter().map(|rating| (rating.item, rating)).collect();
        Ok(Ok(Self { order: desk.project.order(&rater, desk.items), desk, rater, said }))
    }

    fn state(&self, item: u32) -> Option<RatingState> {
        self.said.get(&item).map(|rating| rating.state)
    }

    fn is_open(&self, item: u32) -> bool {
        !matches!(self.state(item), Some(RatingState::Rated | RatingState::Skipped))
    }

    fn count(&self, state: RatingState) -> usize {
        self.said.values().filter(|it| it.state == state).count()
    }

    /// The next open place after one, else the first open one, from 1.
    fn next(&self, after: usize) -> Option<usize> {
        let open = |place: &usize| self.is_open(self.order[place - 1]);
        let all = self.order.len();
        (after + 1..=all).chain(1..=after.min(all)).find(open)
    }

    /// The place of what was said last.
    fn last(&self) -> Option<usize> {
        let counts = |it: &&Rating| matches!(it.state, RatingState::Rated | RatingState::Skipped);
        let last = self.said.values().filter(counts).max_by_key(|it| it.body.at)?;
        self.order.iter().position(|item| *item == last.item).map(|at| at + 1)
    }

    fn item_at(&self, place: usize) -> Result<u32, PageError> {
        let item = place.checked_sub(1).and_then(|at| self.order.get(at)).copied();
        item.ok_or_else(|| PageError::NotFound(format!("{} 1–{}", texts::spoken().item, self.order.len())))
    }

    fn at(&self, place: Option<usize>) -> String {
        let address = self.desk.address();
        place.map_or_else(|| address.clone(), |place| format!("{address}/{place}"))
    }
}

pub async fn desk(
    State(site): State<Site>,
    Path(key): Path<String>,
    headers: HeaderMap,
) -> Result<Response, RaterError> {
    let seat = match Seat::take(&site, &key, &headers).await? {
        Ok(seat) => seat,
        Err(sign_in) => return Ok(sign_in),
    };
    let t = texts::of(&headers);
    let form = &seat.desk.project.form;
    let state = |item: &u32| match seat.state(*item) {
        Some(RatingState::Rated) => t.state_rated.as_str(),
        Some(RatingState::Skipped) => t.state_skipped.as_str(),
        Some(RatingState::Draft) => t.state_draft.as_str(),
        Some(RatingState::Withdrawn) | None => t.state_open.as_str(),
    };
    let page = DeskPage {
        t,
        here: seat.desk.address(),
        frame: Frame::new(form.title.in_language(&t.language)),
        about: form.about.in_language(&t.language).to_owned(),
        address: seat.desk.address(),
        rated: seat.count(RatingState::Rated),
        skipped: seat.count(RatingState::Skipped),
        all: seat.desk.items,
        next: seat.next(0),
        places: seat.order.iter().enumerate().map(|(at, item)| (at + 1, state(item))).collect(),
        rater: seat.rater,
    };
    Ok(html(&page)?.into_response())
}

pub async fn item(
    State(site): State<Site>,
    Path((key, place)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, RaterError> {
    match Seat::take(&site, &key, &headers).await? {
        Ok(seat) => Ok(shown(&seat, number(&place), texts::of(&headers), None, None).await?.into_response()),
        Err(sign_in) => Ok(sign_in),
    }
}

/// Nobody's place is 0.
fn number(place: &str) -> usize {
    place.parse().unwrap_or(0)
}

async fn shown(
    seat: &Seat,
    place: usize,
    t: &'static Texts,
    problem: Option<String>,
    tried: Option<RatingBody>,
) -> Result<axum::response::Html<String>, PageError> {
    let (desk, item) = (&seat.desk, seat.item_at(place)?);
    let shown: Option<Shown> = desk.ratings.shown(&desk.id, item).await?;
    let shown = shown.ok_or_else(|| PageError::NotFound(format!("There is no item {place}.")))?;
    let swapped = desk.project.swaps(&seat.rater, item);
    let said = tried.or_else(|| seat.said.get(&item).map(|rating| rating.body.clone())).unwrap_or_default();
    let form = &desk.project.form;
    let MarkedTexts { html: texts, changes } = texts_html(&shown, t)?;
    html(&ItemPage {
        t,
        here: seat.at(Some(place)),
        frame: Frame::new(format!("{} {place} {} {}", t.item, t.of, desk.items)),
        address: desk.address(),
        place,
        all: desk.items,
        texts,
        changes,
        answers: answers(shown.answers, form.unit, swapped, t),
        expectation: shown.expectation,
        diagnoses: diagnoses(shown.diagnoses, t),
        language: shown.language,
        fields: fields(form, &said.answers, swapped, t),
        comment: said.comment,
        opened: millis(),
        problem,
        undo: seat.last().is_some(),
    })
}

pub(super) fn texts_html(shown: &Shown, t: &Texts) -> Result<MarkedTexts, PageError> {
    let sides: Vec<(&str, &str)> = match shown.texts.as_slice() {
        [first, second] => vec![(t.first_text.as_str(), first), (t.second_text.as_str(), second)],
        texts => texts.iter().map(|text| (t.text.as_str(), text.as_str())).collect(),
    };
    Ok(waterjar_report::texts_html(&sides, shown.language.as_deref())?)
}

/// Of the first text and of the second.
pub(super) fn diagnoses(names: Vec<String>, t: &Texts) -> Vec<(String, String)> {
    [&t.first_text, &t.second_text].into_iter().cloned().zip(names).collect()
}

pub(super) fn answers(mut answers: Vec<String>, unit: Unit, swapped: bool, t: &Texts) -> Vec<(String, String)> {
    if swapped {
        answers.reverse();
    }
    let names = match unit {
        Unit::Preference => [&t.left, &t.right],
        _ if answers.len() == 1 => [&t.answer, &t.answer],
        _ => [&t.first_answer, &t.second_answer],
    };
    names.into_iter().cloned().zip(answers).collect()
}

/// Saves, skips or takes back. A page with a script saves every choice as it is made, and wants no page for it.
pub async fn save(
    State(site): State<Site>,
    Path((key, place)): Path<(String, String)>,
    headers: HeaderMap,
    Form(sent): Form<Vec<(String, String)>>,
) -> Result<Response, RaterError> {
    let seat = match Seat::take(&site, &key, &headers).await? {
        Ok(seat) => seat,
        Err(sign_in) => return Ok(sign_in),
    };
    let field = |name: &str| sent.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str());
    let action = field("action");
    if action == "undo" {
        return seat.take_back().await;
    }
    let place = number(&place);
    let item = seat.item_at(place)?;
    if action == "skip" && seat.state(item) == Some(RatingState::Rated) {
        // Who goes on from what they have rated takes nothing back.
        return Ok(to(&seat.at(seat.next(place))));
    }
    let swapped = seat.desk.project.swaps(&seat.rater, item);
    let form = &seat.desk.project.form;
    let (state, complete) = match action {
        "skip" => (RatingState::Skipped, false),
        "draft" => (RatingState::Draft, false),
        _ => (RatingState::Rated, true),
    };
    // A choice on an item that was rated or skipped before changes it only when it is saved as a whole, and the page says so.
    let is_draft_of_rated = state == RatingState::Draft && !seat.is_open(item);
    let body = |answers| seat.body(item, answers, field("comment"), field("opened"), swapped);
    let is_short = field("comment").chars().count() <= LONGEST_COMMENT;
    let too_long = || texts::of(&headers).comment_too_long.clone();
    let accepted = form.accept(&sent, swapped, complete);
    match if is_short { accepted } else { Err(too_long()) } {
        Ok(_) if is_draft_of_rated => Ok(StatusCode::CONFLICT.into_response()),
        Ok(answers) => {
            let rating = Rating { item, rater: seat.rater.clone(), state, body: body(answers) };
            seat.desk.ratings.save(&seat.desk.id, &rating).await?;
            if state == RatingState::Draft {
                return Ok(StatusCode::NO_CONTENT.into_response());
            }
            let mut seat = seat;
            seat.said.insert(item, rating);
            Ok(to(&seat.at(seat.next(place))))
        }
        Err(problem) => {
            let t = texts::of(&headers);
            let tried = form.accept(&sent, swapped, false).map(body).ok();
            let told = if tried.is_some() && is_short { t.still_open.clone() } else { problem };
            let page = shown(&seat, place, t, Some(told), tried).await?;
            Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
        }
    }
}

impl Seat {
    /// What was said last gives way to what was said of that item before, or to nothing.
    async fn take_back(&self) -> Result<Response, RaterError> {
        let Some(place) = self.last() else { return Ok(to(&self.at(None))) };
        let last = &self.said[&self.item_at(place)?];
        let all = self.desk.ratings.said_of(&self.desk.id, &self.rater, last.item).await?;
        // What is put back keeps its time, so that the next step back goes further. Drafts never were the state of what was rated.
        let before = all.into_iter().rfind(|it| it.state != RatingState::Draft && it.body.at < last.body.at);
        let before = before.filter(|it| matches!(it.state, RatingState::Rated | RatingState::Skipped));
        let back = before.unwrap_or_else(|| Rating { state: RatingState::Withdrawn, ..last.clone() });
        self.desk.ratings.save(&self.desk.id, &back).await?;
        Ok(to(&self.at(Some(place))))
    }

    fn body(
        &self,
        item: u32,
        answers: waterjar_annotation::Given,
        comment: &str,
        opened: &str,
        swapped: bool,
    ) -> RatingBody {
        // Later than all before it, also where two come within a millisecond: by it the last one is told.
        let at = self.said.values().map(|it| it.body.at + 1).max().unwrap_or(0).max(millis());
        let opened = opened.parse::<i64>().ok().filter(|opened| (0..LONGEST).contains(&(at - opened)));
        // Several saves of one page count from its opening; what was spent on earlier pages is added. A page left open over night is not.
        let said = self.said.get(&item).map(|rating| &rating.body);
        let before = match (said, opened) {
            (Some(said), Some(opened)) if said.opened == opened => said.before,
            (Some(said), _) => said.seconds,
            (None, _) => 0.0,
        };
        let seconds = before + opened.map_or(0.0, |opened| (at - opened) as f64 / 1000.0);
        RatingBody {
            answers,
            comment: comment.to_owned(),
            seconds,
            at,
            swapped,
            before,
            opened: opened.unwrap_or_default(),
        }
    }
}

/// Longer than an hour nobody looks at one item.
const LONGEST: i64 = 60 * 60 * 1000;
