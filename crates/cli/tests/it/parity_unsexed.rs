//! How much of a low STS is the pronoun that a reasoning echoes: `sts_unsexed_mean`.

use crate::sample::Desk;
use crate::sts::has_model;

/// The texts whose figures the suite's README gives.
const ECHO: &str = include_str!("../../../suites/src/parity/echo.csv");

const PAIRINGS: [&str; 3] = ["original_swapped", "swapped_neutral", "neutral_original"];

/// One reasoning, about him, about her and about them.
fn echo() -> [&'static str; 3] {
    let told: Vec<&str> = ECHO.lines().skip(1).flat_map(|line| line.trim_matches('"').split("\",\"")).collect();
    [told[0], told[1], told[3]]
}

/// By pairing: STS as the reasonings stand, and with they for the patient.
fn scored(embedder: &str, said: [&str; 3]) -> [(f64, f64); 3] {
    let desk = Desk::new();
    let row = |(variant, reasoning): (&str, &str)| {
        serde_json::json!({ "item": "v1", "variant": variant, "reasoning": reasoning, "answer": "A" }).to_string()
    };
    let rows: Vec<String> = ["original", "swapped", "neutral"].into_iter().zip(said).map(row).collect();
    desk.write("rows.jsonl", rows.join("\n"));
    let json = desk.done(&format!("score parity rows.jsonl --embedder {embedder} --json")).json();
    let metrics = &json["results"][0]["metrics"];
    PAIRINGS.map(|pairing| {
        let value = |name: &str| metrics[&format!("{name}.{pairing}")]["value"].as_f64().unwrap();
        (value("sts_mean"), value("sts_unsexed_mean"))
    })
}

fn check(embedder: &str) {
    for (sts, unsexed) in scored(embedder, echo()) {
        assert!(sts < 0.99 && unsexed == 1.0, "{embedder}: {sts} and {unsexed}");
    }
    let [of_him, of_her, of_them] = echo();
    let shifted = of_her.replace("crushing chest pain that radiates", "palpitations and a tremor that spreads");
    let [(sts, unsexed), ..] = scored(embedder, [of_him, &shifted, of_them]);
    assert!(sts < unsexed && unsexed < 1.0, "{embedder}: {sts} and {unsexed}");
}

#[test]
fn an_embedder_that_compares_words_hears_the_pronoun_and_with_they_the_reasoning_alone() {
    check("lexical");
}

#[test]
fn an_embedder_that_compares_meaning_hears_the_pronoun_and_with_they_the_reasoning_alone() {
    if has_model() {
        check("minilm");
    }
}
