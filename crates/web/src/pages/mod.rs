//! The pages, a file each. A template prints; everything it prints is worked out beside it.

pub mod compare;
pub mod families;
pub mod family;
pub mod reasoning;
pub mod run;
pub mod runs;
pub mod suite;
pub mod transcript;

use crate::assets::ASSETS;
use crate::error::PageError;
use crate::filter::encoded;
use crate::texts::{self, Texts};
use askama::Template;
use axum::response::Html;

pub type Page = Result<Html<String>, PageError>;

/// What stands around every page.
pub struct Frame {
    pub title: String,
    /// The way here: what each place is called, and its address.
    pub crumbs: Vec<(String, String)>,
    pub t: &'static Texts,
    /// To come back to after choosing a language.
    pub here: String,
}

impl Frame {
    pub fn new(title: impl Into<String>) -> Self {
        let (t, here) = texts::reader();
        Self { title: title.into(), crumbs: Vec::new(), t, here: encoded(&here) }
    }

    pub fn under(mut self, name: impl Into<String>, address: impl Into<String>) -> Self {
        self.crumbs.push((name.into(), address.into()));
        self
    }

    /// The first step of every way.
    pub fn under_runs(self) -> Self {
        let runs = self.t.runs.as_str();
        self.under(runs, "/")
    }

    pub fn style(&self) -> &str {
        &ASSETS.style.name
    }

    pub fn script(&self) -> &str {
        &ASSETS.script.name
    }

    /// A browser that is told of none asks for `/favicon.ico` with every page.
    pub fn icon(&self) -> &str {
        &ASSETS.icon.name
    }
}

/// One of several, in a form.
pub struct Choice {
    pub value: String,
    pub name: String,
    pub chosen: bool,
}

pub fn choice(value: &str, name: &str, chosen: &str) -> Choice {
    Choice { value: value.to_owned(), name: name.to_owned(), chosen: value == chosen }
}

/// Where things are. Names come from files and models, so they are written as addresses demand.
pub struct Address;

impl Address {
    pub fn run(run: &str) -> String {
        format!("/runs/{}", encoded(run))
    }

    pub fn suite(run: &str, suite: &str) -> String {
        format!("{}/{}", Self::run(run), encoded(suite))
    }

    pub fn compare(run: &str, suite: &str) -> String {
        format!("{}/compare", Self::suite(run, suite))
    }

    pub fn families(run: &str, suite: &str) -> String {
        format!("{}/families", Self::suite(run, suite))
    }

    pub fn family(run: &str, suite: &str, family: &str) -> String {
        format!("{}/{}", Self::families(run, suite), encoded(family))
    }
}

pub async fn nothing_here() -> PageError {
    PageError::NotFound("There is no such page.".to_owned())
}

pub fn html(page: &impl Template) -> Page {
    Ok(Html(page.render()?))
}

/// What an address says of something, the first time it says it; empty where it does not.
pub fn asked<'a>(query: &'a [(String, String)], key: &str) -> &'a str {
    query.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value.as_str())
}

/// The same of something a page of a case cannot do without.
pub fn named<'a>(query: &'a [(String, String)], key: &str) -> Result<&'a str, PageError> {
    match asked(query, key) {
        "" => {
            let problem = format!("The address does not say which {key}. The page of the case has the links.");
            Err(PageError::NotFound(problem))
        }
        said => Ok(said),
    }
}

/// `12,345`
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Whole percent of what there is. What is not all is never 100.
pub fn percent(part: u64, whole: u64) -> u64 {
    (100 * part / whole.max(1)).min(100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_is_100_only_where_it_is_all() {
        assert_eq!((percent(256, 384), percent(383, 384), percent(384, 384)), (66, 99, 100));
        assert_eq!((percent(0, 0), percent(5, 4)), (0, 100));
    }
}
