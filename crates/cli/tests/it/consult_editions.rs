//! Editions of a benchmark of letters: the data card, the next edition, and whether a subject knew the last.

use crate::consult_models::{AUTHOR, clinician, endpoint, study};
use crate::language_models::run;
use crate::sample::Desk;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const NOWHERE: &str = "http://127.0.0.1:9/v1";

fn texts(desk: &Desk, run: &str) -> BTreeSet<String> {
    desk.lines(&format!("{run}/variants.jsonl")).iter().map(|it| it["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_card_says_what_a_benchmark_is_made_of() {
    let desk = Desk::new();
    desk.write("study.toml", study("items = 12", "careful", NOWHERE, "openai"));
    let made = desk.done("vary study.toml --out run --json").json();
    let card = desk.json("run/card.json");
    let suite = &card["suites"][0];
    for (key, value) in [("source", "starter"), ("author", "rules"), ("kind", "consult")] {
        assert_eq!(suite[key], value, "{card}");
    }
    assert!(suite["terms"].as_str().unwrap().contains("not for patient care"));
    assert_eq!((&suite["families"], &suite["losses"]), (&made[0]["families"], &made[0]["losses"]));
    let hash = blake3::hash(desk.read("run/variants.jsonl").as_bytes()).to_hex().to_string();
    assert_eq!(card["variants_hash"], hash.as_str());
    let date = card["date"].as_str().unwrap();
    assert!(date.len() == 10 && date.starts_with("20"), "{date}");
    let told = desk.read("run/card.md");
    assert!(
        told.contains(&hash)
            && told.contains("written by: rules; judged by: rules")
            && told.contains("lost, not needed: "),
        "{told}"
    );
    // A resumed run keeps its date and its card.
    desk.done("run study.toml --out run");
    assert_eq!(desk.json("run/card.json"), card);
}

#[test]
fn editions_share_no_question() {
    let desk = Desk::new();
    for language in ["en", "zh"] {
        desk.write(
            "study.toml",
            study(&format!("items = 40\nlanguage = \"{language}\""), "careful", NOWHERE, "openai"),
        );
        desk.done(&format!("run study.toml --out {language}"));
        desk.done(&format!("vary {language} --fresh"));
        desk.done(&format!("vary {language}-edition-2 --fresh --out {language}-3"));
        let editions = [language.to_owned(), format!("{language}-edition-2"), format!("{language}-3")];
        let all: Vec<BTreeSet<String>> = editions.iter().map(|it| texts(&desk, it)).collect();
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            assert_eq!(all[a].intersection(&all[b]).next(), None, "{language}: {a} and {b}");
        }
        let cases = |run: &String| -> BTreeSet<String> {
            desk.lines(&format!("{run}/variants.jsonl")).iter().map(|it| it["case"].to_string()).collect()
        };
        assert_eq!(
            cases(&editions[0]),
            cases(&editions[1]),
            "the same patients, so that subjects can be held against themselves"
        );
        assert!(desk.lines(&format!("{}/variants.jsonl", editions[2])).iter().all(|it| it["record"]["edition"] == 3));
        desk.done(&format!("run {}", editions[2]));
    }
    let refused = desk.waterjar("vary study.toml --fresh --out other");
    assert!(refused.code == Some(2) && refused.stderr.contains("name its directory"), "{}", refused.stderr);
}

#[test]
fn a_model_words_the_next_edition_otherwise() {
    let endpoint = endpoint(clinician());
    let desk = Desk::new();
    desk.write(
        "study.toml",
        study(&format!("items = 5\n{AUTHOR}"), "careful", &format!("{}/v1", endpoint.url()), "openai"),
    );
    assert_eq!(run(&desk, "vary study.toml --out one").code, Some(0));
    let ended = run(&desk, "vary one --fresh --out two --json");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(ended.json()[0]["families"], 5);
    assert_eq!(texts(&desk, "one").intersection(&texts(&desk, "two")).next(), None);
}

#[test]
fn a_subject_that_knows_the_old_edition_is_told_from_one_that_does_not() {
    let desk = Desk::new();
    desk.write("study.toml", study("items = 25", "careful", NOWHERE, "openai"));
    desk.done("vary study.toml --out seen");
    let seen: BTreeMap<String, String> = desk
        .lines("seen/variants.jsonl")
        .iter()
        .map(|it| (it["text"].as_str().unwrap().to_owned(), it["record"]["names"][0].as_str().unwrap().to_owned()))
        .collect();
    let memory = clinician().when("", move |_, asked| match seen.get(asked.text()) {
        Some(disease) => format!("1. {disease}"),
        None => "1. A disease nobody has described yet".to_owned(),
    });
    let endpoint = endpoint(memory);
    let both = study("items = 25", "delta/subject", &format!("{}/v1", endpoint.url()), "openai")
        + "[[subject]]\nagent = \"plain\"\nmodel = \"careful\"\n";
    desk.write("study.toml", both);
    for words in ["run study.toml --out old", "vary old --fresh --out new", "run new"] {
        let ended = run(&desk, words);
        assert_eq!(ended.code, Some(0), "{words}: {}", ended.stderr);
    }
    let compared = desk.done("compare old new --editions --metric accuracy --json").json();
    let of = |subject: &str| -> Value {
        let all = compared.as_array().unwrap();
        all.iter().find(|it| it["subject"].as_str().unwrap().starts_with(subject)).unwrap().clone()
    };
    let knew = of("plain@delta/subject");
    assert!(knew["value"] == 1.0 && knew["holm_p"].as_f64().unwrap() < 0.001, "{knew}");
    let read = of("plain@careful");
    assert!(read["value"].as_f64().unwrap().abs() < 0.15 && read["holm_p"].as_f64().unwrap() > 0.05, "{read}");
}

#[test]
fn vignettes_are_seeds_of_letters_that_a_model_writes() {
    let endpoint = endpoint(clinician());
    let desk = Desk::new();
    let url = format!("{}/v1", endpoint.url());
    let source = "source = \"vignettes:starter\"\nitems = 8";
    desk.write("study.toml", study(source, "delta/subject", &url, "openai"));
    let refused = run(&desk, "vary study.toml --out run");
    assert!(
        refused.code == Some(2) && refused.stderr.contains("name a language model as `author`"),
        "{}",
        refused.stderr
    );
    desk.write("study.toml", study(&format!("{source}\n{AUTHOR}"), "delta/subject", &url, "openai"));
    let ended = run(&desk, "vary study.toml --out run --json");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(ended.json()[0]["families"], 8);
    for letter in desk.lines("run/variants.jsonl") {
        let text = letter["text"].as_str().unwrap();
        assert!(!text.contains("CSC") && !text.contains(letter["record"]["names"][0].as_str().unwrap()), "{text}");
    }
}
