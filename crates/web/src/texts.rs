//! What pages say, in the language of whoever reads them. A language is a file in `texts/`.

use crate::account::cookie;
use crate::account::owner::{local, to};
use crate::pages::asked;
use axum::extract::{Path, Query, Request};
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_LANGUAGE, SET_COOKIE};
use axum::middleware::Next;
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
    pub own_cases: String,
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
    pub what_differs: String,
    pub next_change: String,
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
    pub press_save: String,
    pub unavailable: String,
    pub still_open: String,
    pub keys: String,
    pub worth: String,
    pub worth_lede: String,
    pub scoring_off: String,
    pub token: String,
    pub suite_maybe: String,
    pub variant_in_file: String,
    pub needs_script: String,
    pub from_program: String,
    pub takes_one: String,
    pub takes_rows: String,
    pub described_in: String,
    pub client_in: String,
    pub where_you_are: String,
    pub runs: String,
    pub lede: String,
    pub run: String,
    pub suites: String,
    pub state: String,
    pub families: String,
    pub answers: String,
    pub missing: String,
    pub cost: String,
    pub seed: String,
    pub registered: String,
    pub over_network: String,
    pub model: String,
    pub calls: String,
    pub tokens_in: String,
    pub tokens_out: String,
    pub study_file: String,
    pub hash: String,
    pub locked: String,
    pub not_declared: String,
    pub as_declared: String,
    pub as_far_as_declared: String,
    pub deviated: String,
    pub declared_late: String,
    pub late_and_deviated: String,
    pub bounds: String,
    pub goes_on: String,
    pub family_small: String,
    pub families_small: String,
    pub subject_small: String,
    pub subjects_small: String,
    pub answers_small: String,
    pub missing_small: String,
    pub missing_in_tables: String,
    pub stopped_early: String,
    pub tables: String,
    pub no_figures: String,
    pub cases: String,
    pub words: String,
    pub words_hint: String,
    pub subject: String,
    pub outcome: String,
    pub any: String,
    pub show: String,
    pub all_cases: String,
    pub how_they_did: String,
    pub of_judged: String,
    pub interval: String,
    pub family: String,
    pub shares_of: String,
    pub shares_note: String,
    pub held: String,
    pub missed: String,
    pub partly: String,
    pub one_missing: String,
    pub not_judged: String,
    pub pages: String,
    pub earlier: String,
    pub later: String,
    pub none_fits: String,
    pub show_all: String,
    pub previous: String,
    pub next: String,
    pub back: String,
    pub came_about: String,
    pub every_verdict: String,
    pub judge: String,
    pub variant: String,
    pub score: String,
    pub why: String,
    pub transcripts: String,
    pub compare: String,
    pub figure: String,
    pub against: String,
    pub or_with: String,
    pub nothing_to_compare: String,
    pub first: String,
    pub second: String,
    pub difference: String,
    pub exact_p: String,
    pub holm_p: String,
    pub pair_by_pair: String,
    pub compare_note: String,
    pub reference: String,
    pub reference_note: String,
    pub stories: String,
    pub stories_note: String,
    pub few_note: String,
    pub not_found: String,
    pub not_now: String,
    pub went_wrong: String,
    pub all_runs: String,
    pub subjects: String,
    pub one_by_one: String,
    pub compare_pairs: String,
    pub ratings: String,
    pub transcript: String,
    pub no_call: String,
    pub reasoning: String,
    pub reply: String,
    pub verdict: String,
    pub patient_says: String,
    pub choose_box: String,
    pub server_password: String,
    pub raters_come: String,
    pub raters_enter: String,
    pub nobody_asked: String,
    pub project: String,
    pub form: String,
    pub items: String,
    pub new_project: String,
    pub no_password: String,
    pub name: String,
    pub name_rule: String,
    pub strata_of: String,
    pub of_each: String,
    pub rated_subjects: String,
    pub raters_lines: String,
    pub draw: String,
    pub send_links: String,
    pub links_once: String,
    pub rater: String,
    pub personal_link: String,
    pub to_project: String,
    pub raters: String,
    pub rated: String,
    pub skipped_head: String,
    pub minutes: String,
    pub actions: String,
    pub new_link: String,
    pub let_in: String,
    pub block: String,
    pub add: String,
    pub agreement: String,
    pub people_say: String,
    pub by_variant: String,
    pub share: String,
    pub people_say_note: String,
    pub takes_two: String,
    pub nobody_rated: String,
    pub question: String,
    pub rated_twice: String,
    pub share_agreed: String,
    pub weighted: String,
    pub kappa: String,
    pub same: String,
    pub stratum: String,
    pub judge_majority: String,
    pub corrected: String,
    pub judge_all: String,
    pub judge_people: String,
    pub cases_rated: String,
    pub corrected_head: String,
    pub too_few: String,
    pub to_decide: String,
    pub nothing_open: String,
    pub export: String,
    pub everything: String,
    pub rater_by_rater: String,
    pub blocked: String,
    pub another: String,
    pub sign_in_at: String,
    pub agreement_note: String,
    pub judged_by: String,
    pub corrected_note: String,
    pub raters_said: String,
    pub decide: String,
    pub take_decision_back: String,
    pub delete_project: String,
    pub delete_note: String,
    pub delete_sure: String,
    pub delete: String,
    pub comment_too_long: String,
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

tokio::task_local! {
    /// Of the request that is answered, and where it was sent.
    static READER: (&'static Texts, String);
}

/// Every page is made within a request, and says what it says in its reader's language.
pub async fn speak(request: Request, next: Next) -> Response {
    let here = request.uri().path_and_query().map_or("/", |it| it.as_str()).to_owned();
    let texts = of(request.headers());
    READER.scope((texts, here), next.run(request)).await
}

/// The reader's language, and the address that was asked for.
pub fn reader() -> (&'static Texts, String) {
    READER.try_with(Clone::clone).unwrap_or_else(|_| (&ALL[0], "/".to_owned()))
}

/// What a page says to its reader.
pub fn spoken() -> &'static Texts {
    reader().0
}

/// Chooses a language and goes back. An unknown one changes nothing.
pub async fn choose(Path(language): Path<String>, Query(query): Query<Vec<(String, String)>>) -> Response {
    let mut response = to(local(asked(&query, "to")));
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
