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

/// The files of a language as they lie in its folder.
fn files(id: &str) -> Vec<(String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("languages").join(id);
    let read = |within: &str| {
        let entries = std::fs::read_dir(folder.join(within)).unwrap().map(|it| it.unwrap().path());
        let text = |path: std::path::PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (format!("{within}{name}"), std::fs::read_to_string(path).unwrap())
        };
        entries.filter(|it| it.is_file()).map(text).collect::<Vec<_>>()
    };
    [read(""), read("prompts/")].concat()
}

fn read(files: &[(String, String)]) -> Result<Language, String> {
    let borrowed: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    Language::read("xx", &borrowed).map_err(|error| error.to_string())
}

#[test]
fn a_folder_of_files_is_a_language_without_code() {
    let mut third = files("en");
    let asks = third.iter_mut().find(|(name, _)| name == "prompts/statement.md").unwrap();
    asks.1 = "Ist das wahr?\n<statement>\n{statement}\n</statement>\n".to_owned();
    let language = read(&third).unwrap();
    assert_eq!(lint(&language, &starter::base().unwrap()), Vec::<String>::new());
    let filled = language.prompts.fill("statement", &[("statement", "tea {cures} all")]);
    assert_eq!(filled, "Ist das wahr?\n<statement>\ntea {cures} all\n</statement>");
    assert_ne!(language.fingerprint, Language::named("en").unwrap().fingerprint);
}

#[test]
fn a_persona_without_a_style_is_refused_with_its_file() {
    let mut broken = files("en");
    let personas = broken.iter_mut().find(|(name, _)| name == "personas.toml").unwrap();
    personas.1 = personas.1.replacen("clarity = \"high\"\n", "", 1);
    let told = read(&broken).unwrap_err();
    assert!(told.starts_with("xx/personas.toml: ") && told.contains("clarity"), "{told}");
}

#[test]
fn a_prompt_that_is_missing_or_lacks_a_slot_is_told() {
    let without: Vec<_> = files("en").into_iter().filter(|(name, _)| name != "prompts/refine.md").collect();
    assert!(read(&without).unwrap_err().starts_with("xx/prompts/refine.md: is missing"));
    let mut other = files("en");
    other.iter_mut().find(|(name, _)| name == "prompts/rumor.md").unwrap().1 = "Add it: {rumour} {letter}".to_owned();
    let found = lint(&read(&other).unwrap(), &starter::base().unwrap());
    assert_eq!(found, ["prompt `rumor` does not say {rumor}", "prompt `rumor` has a slot {rumour} that nobody fills"]);
}

#[test]
fn a_rumor_is_about_what_is_complained_of() {
    let language = Language::named("zh").unwrap();
    let check = |said: &str, symptom: &str, expected: bool| {
        let found = language.symptoms_of(None, said);
        assert_eq!(
            found.iter().any(|it| it.id == symptom),
            expected,
            "{said}: {:?}",
            found.iter().map(|it| &it.id).collect::<Vec<_>>()
        );
    };
    // A part of the body that is named in passing, another complaint in the same words, and what is not there.
    check("腰背部皮肤变化。", "flank_pain", false);
    check("牙关紧闭", "mouth_opening", false);
    check("活动受限", "joint_stiffness", false);
    check("勃起无力", "fatigue", false);
    check("手心发热", "fever", false);
    check("脑出血", "vaginal_bleeding", false);
    check("无发热", "fever", false);
    check("睡眠正常", "sleep", false);
    for (said, symptom) in [
        ("发热", "fever"),
        ("持续咳嗽", "cough"),
        ("左侧腰部疼痛", "flank_pain"),
        ("四肢抽搐", "convulsion"),
        ("全身乏力", "fatigue"),
    ] {
        check(said, symptom, true);
    }
}
