//! What pages for raters say, in their language. A language is a file in `texts/`.

use crate::account::cookie;
use crate::account::owner::{local, to};
use axum::extract::{Path, Query};
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_LANGUAGE, SET_COOKIE};
use axum::response::Response;
use serde::Deserialize;
use std::sync::LazyLock;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    pub language: String,
    pub other: String,
    pub other_name: String,
    pub skip_to_content: String,
    pub illustrative: String,
    pub invited: String,
    pub link_once: String,
    pub begin: String,
    pub no_link: String,
    pub sign_in: String,
    pub your_name: String,
    pub password: String,
    pub wrong: String,
    pub too_many: String,
    pub sign_out: String,
    pub signed_in_as: String,
    pub what_to_do: String,
    pub rated_of: String,
    pub skipped: String,
    pub go_on: String,
    pub all_done: String,
    pub all_done_more: String,
    pub your_items: String,
    pub state_open: String,
    pub state_draft: String,
    pub state_rated: String,
    pub state_skipped: String,
    pub item: String,
    pub of: String,
    pub text: String,
    pub first_text: String,
    pub second_text: String,
    pub answer: String,
    pub first_answer: String,
    pub second_answer: String,
    pub left: String,
    pub right: String,
    pub left_better: String,
    pub right_better: String,
    pub tie: String,
    pub declared: String,
    pub yes: String,
    pub no: String,
    pub optional: String,
    pub several: String,
    pub comment: String,
    pub save: String,
    pub skip: String,
    pub undo: String,
    pub saved: String,
    pub saving: String,
    pub not_saved: String,
    pub still_open: String,
    pub keys: String,
}

static ALL: LazyLock<Vec<Texts>> = LazyLock::new(|| {
    let read = |text: &str| toml::from_str(text).expect("our own texts are checked by a test");
    [include_str!("../texts/en.toml"), include_str!("../texts/zh.toml")].map(read).into()
});

const COOKIE: &str = "waterjar_language";

/// What was chosen, else what the browser asks for, else English.
pub fn of(headers: &HeaderMap) -> &'static Texts {
    let asked = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let wishes = asked.split(',').filter_map(|wish| wish.trim().get(..2));
    let mut wishes = cookie::read(headers, COOKIE).into_iter().chain(wishes);
    wishes.find_map(|wish| ALL.iter().find(|it| it.language.eq_ignore_ascii_case(wish))).unwrap_or(&ALL[0])
}

#[derive(Deserialize)]
pub struct Back {
    #[serde(default)]
    to: String,
}

/// Chooses a language and goes back. An unknown one changes nothing.
pub async fn choose(Path(language): Path<String>, Query(back): Query<Back>) -> Response {
    let mut response = to(local(&back.to));
    if let Some(texts) = ALL.iter().find(|it| it.language == language) {
        let kept = cookie::write(COOKIE, &texts.language, "/", 365 * 24 * 60 * 60, false);
        response.headers_mut().insert(SET_COOKIE, kept);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_what_was_chosen_or_what_the_browser_asks_for() {
        let of = |name: &'static str, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            of(&headers).language.as_str()
        };
        assert_eq!(of("accept-language", "fr-CH, zh-CN;q=0.9, en;q=0.8"), "zh");
        assert_eq!(of("accept-language", "xx"), "en");
        assert_eq!(of("cookie", "waterjar_language=zh"), "zh");
    }
}
