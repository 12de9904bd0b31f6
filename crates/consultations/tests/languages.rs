//! What every language must hold to.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet};
use waterjar_consultations::{Language, Persona, lint};
use waterjar_knowledge::starter;

fn each(check: impl Fn(&Language)) {
    for id in Language::ids() {
        check(&Language::named(id).unwrap());
    }
}

#[test]
fn english_and_chinese_are_there() {
    assert_eq!(Language::ids(), ["en", "zh"]);
    let told = Language::named("xx").unwrap_err().to_string();
    assert_eq!(told, "no language is called `xx`; there are: en, zh");
}

#[test]
fn every_language_speaks_for_the_whole_base() {
    let base = starter::base().unwrap();
    each(|language| assert_eq!(lint(language, &base), Vec::<String>::new(), "{}", language.id));
}

#[test]
fn every_way_of_writing_has_personas() {
    each(|language| {
        assert!(language.personas.len() >= 60, "{}: {}", language.id, language.personas.len());
        let mut styles: BTreeMap<String, usize> = BTreeMap::new();
        let style = |persona: &Persona| format!("{:?}", persona.style());
        language.personas.iter().for_each(|it| *styles.entry(style(it)).or_default() += 1);
        assert_eq!(styles.len(), 27, "{}: {styles:?}", language.id);
    });
}

#[test]
fn there_are_rumors_enough() {
    each(|language| {
        let rumors = language.rumors().count();
        assert!(
            language.symptoms.len() >= 60 && rumors >= 200,
            "{}: {} {rumors}",
            language.id,
            language.symptoms.len()
        );
        let facts: BTreeSet<String> = language.rumors().map(|it| it.fact).collect();
        assert_eq!(facts.len(), rumors, "{}: a fact opposes one rumor", language.id);
    });
}
