//! How well diagnoses are read from recorded answers of real models: precision and recall, and the misses on request.
//! `WATERJAR_TEST_DATA=FOLDER cargo run -p waterjar-scoring --example reading [-- misses]`

#![allow(clippy::print_stdout, reason = "a bench prints")]
#![allow(clippy::unwrap_used, reason = "a bench may panic")]

#[path = "../tests/it/reading/recorded.rs"]
mod recorded;
#[path = "../tests/it/reading/score.rs"]
mod score;

use recorded::CraftMd;
use score::Score;
use std::collections::BTreeMap;
use std::path::PathBuf;

fn main() {
    let Some(data) = std::env::var_os("WATERJAR_TEST_DATA").map(PathBuf::from) else {
        println!("set WATERJAR_TEST_DATA to the folder that holds craft-md");
        return;
    };
    let mut words = std::env::args().skip(1);
    let misses = words.next().is_some_and(|word| word == "misses");
    let only = words.next();
    let scores = score::scores(&CraftMd::open(&data.join("craft-md")), |task, recorded, answer| {
        let place = format!("{task:?} {:?} {} {}", recorded.half, recorded.model, recorded.case);
        if misses && only.as_ref().is_none_or(|only| place.contains(only.as_str())) {
            let gold = recorded.gold.as_ref().map_or("-", |gold| gold.as_str());
            let named = answer.named().map_or("-", |label| label.condition.as_str());
            println!(
                "{place}: gold `{gold}` read `{named}` ({:?}, truth {})\n    {:?}",
                answer.said, recorded.truth, recorded.text
            );
        }
    });
    let row = |task: &str, half: &str, model: &str, it: Score| {
        println!(
            "{task:<8} {half:<12} {model:<11} {:>7} {:>6} {:>5} {:>5}  {:>9.3}  {:>6.3}",
            it.answers,
            it.naming,
            it.read,
            it.right,
            it.precision(),
            it.recall()
        );
    };
    println!("task     half         model       answers naming  read right  precision  recall");
    let mut sums: BTreeMap<_, Score> = BTreeMap::new();
    for ((task, half, model), it) in scores {
        row(&format!("{task:?}"), &format!("{half:?}"), model, it);
        let sum = sums.entry((task, half)).or_default();
        *sum = *sum + it;
    }
    for ((task, half), it) in sums {
        row(&format!("{task:?}"), &format!("{half:?}"), "both", it);
    }
}
