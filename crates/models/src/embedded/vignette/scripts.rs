//! What conditions look like.

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    pub name: String,
    /// Other names.
    pub also: Vec<String>,
    pub signs: Vec<String>,
    /// What is done about it.
    pub next: String,
    /// Of ten patients, as one pictures them; `None` where one has no picture.
    #[serde(skip)]
    pub men: Option<u8>,
}

#[derive(Debug)]
pub struct Scripts {
    pub all: Vec<Script>,
    /// How telling a sign is: the fewer conditions have it, the more.
    weights: BTreeMap<String, f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    pictured: BTreeMap<String, u8>,
    script: Vec<Script>,
}

impl Scripts {
    pub fn get() -> &'static Self {
        static SCRIPTS: LazyLock<Scripts> = LazyLock::new(|| {
            let file: File = toml::from_str(include_str!("scripts.toml")).expect("a test reads the scripts");
            Scripts::new(file)
        });
        &SCRIPTS
    }

    fn new(File { pictured, script: mut all }: File) -> Self {
        for (name, men) in pictured {
            all.iter_mut().find(|it| it.name == name).expect("a test reads the scripts").men = Some(men);
        }
        let mut conditions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for script in &all {
            for sign in &script.signs {
                conditions.entry(sign).or_default().insert(&script.name);
            }
        }
        let weight = |having: usize| (all.len() as f64 / having as f64).ln();
        let weights = conditions.into_iter().map(|(sign, having)| (sign.to_owned(), weight(having.len()))).collect();
        Self { all, weights }
    }

    pub fn weight(&self, sign: &str) -> f64 {
        self.weights.get(sign).copied().unwrap_or(0.0)
    }

    /// Every sign once.
    pub fn signs(&self) -> impl Iterator<Item = &str> {
        self.weights.keys().map(String::as_str)
    }

    /// The condition an option names: the longest name in it.
    pub fn named(&self, option: &str) -> Option<&Script> {
        let option = option.to_lowercase();
        let names = |script: &Script| {
            let names = std::iter::once(script.name.as_str()).chain(script.also.iter().map(String::as_str));
            names.map(str::to_lowercase).filter(|name| option.contains(name)).map(|name| name.len()).max()
        };
        let found = self.all.iter().filter_map(|script| Some((names(script)?, script)));
        found.max_by_key(|(length, _)| *length).map(|(_, script)| script)
    }
}
