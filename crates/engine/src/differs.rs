//! Why a run is not of this study: the first thing that differs, in words.

use crate::plan::OF_VERDICTS;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Of two study files.
pub(crate) fn study(held: &str, wanted: &str) -> String {
    let read = |text: &str| toml::from_str::<toml::Table>(text).unwrap_or_default();
    let (held, wanted) = (read(held), read(wanted));
    let head = |table: &toml::Table, key: &str| table.get("study").and_then(|head| head.get(key)).cloned();
    for key in ["name", "seed"] {
        if let Some(told) = told(&format!("study.{key}"), head(&held, key), head(&wanted, key)) {
            return told;
        }
    }
    let (held, wanted) = (suites(&held), suites(&wanted));
    if held.len() != wanted.len() {
        return format!("it has {} suites there and {} here", held.len(), wanted.len());
    }
    for (held, wanted) in held.iter().zip(&wanted) {
        let keys = held.keys().chain(wanted.keys()).filter(|key| !OF_VERDICTS.contains(&key.as_str()));
        let keys: BTreeSet<&String> = keys.collect();
        for key in keys {
            if let Some(told) = told(&format!("suite.{key}"), held.get(key).cloned(), wanted.get(key).cloned()) {
                return told;
            }
        }
    }
    "the file reads the same, so the source has changed, or this version of the program makes another benchmark of it"
        .to_owned()
}

/// Of those who write pairs. `None` where nobody who was there is asked otherwise now.
pub(crate) fn writers(held: &BTreeMap<String, Value>, wanted: &BTreeMap<String, Value>) -> Option<String> {
    let changed = held.iter().find_map(|(id, was)| Some((id, was, wanted.get(id).filter(|is| *is != was)?)));
    let (id, was, is) = changed?;
    let none = serde_json::Map::new();
    let (was, is) = (was.as_object().unwrap_or(&none), is.as_object().unwrap_or(&none));
    let keys: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    let first = keys.into_iter().find_map(|key| told(key, was.get(key), is.get(key)));
    Some(format!("pairs were written with `{id}` asked in another way, {}", first.unwrap_or_default()))
}

fn suites(study: &toml::Table) -> Vec<toml::Table> {
    let suites = study.get("suite").and_then(toml::Value::as_array).into_iter().flatten();
    suites.filter_map(|suite| suite.as_table().cloned()).collect()
}

/// "`study.seed` is 7 there and 8 here"
fn told<T: PartialEq + std::fmt::Display>(key: &str, held: Option<T>, wanted: Option<T>) -> Option<String> {
    let value = |value: &Option<T>| value.as_ref().map_or_else(|| "not set".to_owned(), ToString::to_string);
    (held != wanted).then(|| format!("`{key}` is {} there and {} here", value(&held), value(&wanted)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const STUDY: &str = "[study]\nname = \"a\"\nseed = 7\n[[suite]]\nkind = \"tiny\"\ngap = 0.2\n";

    #[test]
    fn the_key_that_differs_is_named_with_both_values() {
        let check = |from: &str, to: &str, told: &str| assert_eq!(study(STUDY, &STUDY.replace(from, to)), told);
        check("seed = 7", "seed = 8", "`study.seed` is 7 there and 8 here");
        check("gap = 0.2", "gap = 0.3", "`suite.gap` is 0.2 there and 0.3 here");
        check("gap = 0.2\n", "", "`suite.gap` is 0.2 there and not set here");
        check("gap", "pairs = 3\ngap", "`suite.pairs` is not set there and 3 here");
        for of_verdicts in ["auditor = \"m/a\"", "judge = [\"m/a\"]", "embedder = \"lexical\""] {
            assert!(
                study(STUDY, &format!("{STUDY}{of_verdicts}\n")).contains("the file reads the same"),
                "{of_verdicts}"
            );
        }
        assert_eq!(study(STUDY, &format!("{STUDY}[[suite]]\nkind = \"b\"\n")), "it has 1 suites there and 2 here");
    }

    #[test]
    fn a_writer_that_is_asked_otherwise_is_named() {
        let of = |id: &str, model: &str| BTreeMap::from([(id.to_owned(), json!({ "model": model, "api": "openai" }))]);
        assert_eq!(writers(&of("o/a", "x"), &of("o/a", "x")), None);
        assert_eq!(writers(&BTreeMap::new(), &of("o/a", "x")), None, "a run of an earlier version does not say");
        let told = writers(&of("o/a", "x"), &of("o/a", "y")).unwrap();
        assert!(told.contains("`o/a`") && told.ends_with("`model` is \"x\" there and \"y\" here"), "{told}");
    }
}
