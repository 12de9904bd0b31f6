//! The words of `words.toml`.

use serde::Deserialize;
use std::sync::LazyLock;

pub(super) static WORDS: LazyLock<Words> =
    LazyLock::new(|| toml::from_str(include_str!("words.toml")).expect("the tests read it"));

/// What each list is for stands beside it in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    pub cannot_at_all: Vec<String>,
    pub cannot: Vec<String>,
    pub acts: Vec<String>,
    pub declines: Vec<String>,
    pub speakers: Vec<String>,
    pub unknowing: Vec<String>,
    pub impersonal: Vec<String>,
    pub unable: Vec<String>,
    pub nothing: Vec<String>,
    pub openings: Vec<String>,
    pub offers: Vec<String>,
    pub advice_after: Vec<String>,
    pub words_of_sentences: Vec<String>,
    pub advice: Vec<String>,
    pub chinese: Vec<String>,
    pub abstains: Vec<String>,
    pub regrets: Vec<String>,
    pub courtesies: Vec<String>,
    pub chinese_offers: Vec<String>,
    pub perhaps: Vec<String>,
    pub heads: Vec<String>,
    pub instead: Vec<String>,
    pub sends: Vec<String>,
    pub professionals: Vec<String>,
}

impl Words {
    pub fn cannot(&self) -> impl Iterator<Item = &String> {
        self.cannot_at_all.iter().chain(&self.cannot)
    }
}
