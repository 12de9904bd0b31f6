//! Deciding where raters differ. Whoever decides sees the item as raters did, and what they said without who they are.

use super::project::{Open, is_adjudicator};
use super::rate::{answers, diagnoses, texts_html};
use super::sheet::{Field, LONGEST_COMMENT, fields, said};
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
use waterjar_annotation::{ADJUDICATOR, Disagreement, Form as RatingForm, Given, Shown};
use waterjar_report::{Change, MarkedTexts};
use waterjar_store::{Rating, RatingBody, RatingState};

#[derive(Template)]
#[template(path = "adjudicate.html")]
struct Adjudicate {
    t: &'static Texts,
    frame: Frame,
    here: String,
    texts: String,
    changes: Vec<Change>,
    answers: Vec<(String, String)>,
    expectation: Option<String>,
    diagnoses: Vec<(String, String)>,
    language: Option<String>,
    said: Vec<(String, String)>,
    fields: Vec<Field>,
    comment: String,
    /// Whether there is a decision that can be taken back.
    is_decided: bool,
    problem: Option<String>,
}

/// Items as people count them; addresses too, so that both say the same.
pub fn place(item: u32) -> u32 {
    item.saturating_add(1)
}

fn item_at(open: &Open, place: u32) -> Result<u32, PageError> {
    let item = place.checked_sub(1).filter(|item| (*item as usize) < open.sources.len());
    item.ok_or_else(|| PageError::NotFound(format!("The project has no item {place}.")))
}

/// `How far did it move? 0.5: in part · 1: as declared`
pub fn told(form: &RatingForm, disagreement: &Disagreement, t: &Texts) -> String {
    let of = |id: &String| {
        let given = disagreement.said.iter().filter_map(|(_, given)| given.get(id));
        let values: Vec<String> = given.map(|values| in_words(form, id, values, t)).collect();
        format!("{} {}", ask(form, id, t), values.join(" · "))
    };
    disagreement.questions.iter().map(of).collect::<Vec<_>>().join("; ")
}

fn ask<'a>(form: &'a RatingForm, id: &'a str, t: &Texts) -> &'a str {
    form.question(id).map_or(id, |question| question.ask.in_language(&t.language))
}

fn in_words(form: &RatingForm, id: &str, values: &[String], t: &Texts) -> String {
    form.question(id).map_or_else(|| values.join(" + "), |question| said(question, values, t))
}

fn all_in_words(form: &RatingForm, given: &Given, t: &Texts) -> String {
    let one = |(id, values): (&String, &Vec<String>)| format!("{} {}", ask(form, id, t), in_words(form, id, values, t));
    given.iter().map(one).collect::<Vec<_>>().join("; ")
}

async fn shown(
    open: &Open,
    item: u32,
    headers: &HeaderMap,
    problem: Option<String>,
) -> Result<axum::response::Html<String>, PageError> {
    let t = texts::of(headers);
    let shown: Option<Shown> = open.ratings.shown(&open.id, item).await?;
    let place = place(item);
    let shown = shown.ok_or_else(|| PageError::NotFound(format!("The project has no item {place}.")))?;
    let of_item = || open.said.iter().filter(|it| it.item == item && it.state == RatingState::Rated);
    let decided = of_item().find(|it| is_adjudicator(it));
    let raters = of_item().filter(|it| !is_adjudicator(it)).enumerate();
    let said = |(at, it): (usize, &Rating)| {
        let comment = if it.body.comment.is_empty() { String::new() } else { format!(" — {}", it.body.comment) };
        (
            format!("{} {}", t.rater, at + 1),
            format!("{}{comment}", all_in_words(&open.project.form, &it.body.answers, t)),
        )
    };
    let MarkedTexts { html: texts, changes } = texts_html(&shown, t)?;
    let given = decided.map(|it| it.body.answers.clone()).unwrap_or_default();
    html(&Adjudicate {
        t,
        frame: open.frame(&format!("{}: {} {place}", t.decide, t.item)).under(open.id.as_str(), open.address()),
        here: format!("{}/items/{place}", open.address()),
        texts,
        changes,
        answers: answers(shown.answers, open.project.form.unit, false, t),
        expectation: shown.expectation,
        diagnoses: diagnoses(shown.diagnoses, t),
        language: shown.language,
        said: raters.map(said).collect(),
        fields: fields(&open.project.form, &given, false, t),
        comment: decided.map(|it| it.body.comment.clone()).unwrap_or_default(),
        is_decided: decided.is_some(),
        problem,
    })
}

pub async fn page(
    State(site): State<Site>,
    Path((run, suite, id, place)): Path<(String, String, String, u32)>,
    headers: HeaderMap,
) -> Result<Response, PageError> {
    let open = Open::find(&site, &run, &suite, &id).await?;
    let item = item_at(&open, place)?;
    Ok(shown(&open, item, &headers, None).await?.into_response())
}

pub async fn decide(
    State(site): State<Site>,
    Path((run, suite, id, place)): Path<(String, String, String, u32)>,
    headers: HeaderMap,
    Form(sent): Form<Vec<(String, String)>>,
) -> Result<Response, PageError> {
    let open = Open::find(&site, &run, &suite, &id).await?;
    let item = item_at(&open, place)?;
    if sent.iter().any(|(key, value)| key == "action" && value == "withdraw") {
        let body = RatingBody { at: millis(), ..RatingBody::default() };
        let rating = Rating { item, rater: ADJUDICATOR.to_owned(), state: RatingState::Withdrawn, body };
        open.ratings.save(&open.id, &rating).await?;
        return Ok(to(&open.address()));
    }
    let comment = sent.iter().find(|(key, _)| key == "comment").map(|(_, value)| value.clone()).unwrap_or_default();
    let short = || {
        if comment.chars().count() > LONGEST_COMMENT {
            Err(texts::of(&headers).comment_too_long.clone())
        } else {
            Ok(())
        }
    };
    let accepted = open.project.form.accept(&sent, false, true).and_then(|answers| short().map(|()| answers));
    let answers = match accepted {
        Ok(answers) => answers,
        Err(problem) => {
            let page = shown(&open, item, &headers, Some(problem)).await?;
            return Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response());
        }
    };
    let body = RatingBody { answers, comment, at: millis(), ..RatingBody::default() };
    let rating = Rating { item, rater: ADJUDICATOR.to_owned(), state: RatingState::Rated, body };
    open.ratings.save(&open.id, &rating).await?;
    Ok(to(&open.address()))
}
