//! How long training and reading take: `cargo run --release -p waterjar-models --example train_time`
#![allow(clippy::print_stdout, reason = "an example speaks for itself")]

use std::time::Instant;
use waterjar_models::embedded::{Example, Needs, all, train};

const CONDITIONS: u64 = 75;
const NARRATIVES: u64 = 60;
const FINDINGS: u64 = 300;

fn main() {
    let label = |condition: u64| format!("Condition {condition:02}");
    let patients = |from: u64, to: u64| {
        (0..CONDITIONS).flat_map(move |condition| {
            (from..to).map(move |patient| Example { text: narrative(condition, patient), label: label(condition) })
        })
    };
    let learnt: Vec<Example> = patients(0, NARRATIVES).collect();
    let unseen: Vec<Example> = patients(NARRATIVES, NARRATIVES + 10).collect();
    println!("{} narratives of {CONDITIONS} conditions, such as\n\n{}", learnt.len(), unseen[7].text);
    for kind in all().iter().filter(|kind| kind.needs == Needs::Examples) {
        let start = Instant::now();
        let reader = train(kind.id, &learnt).expect("there are examples");
        let trained = start.elapsed();
        let start = Instant::now();
        let (mut right, mut sure) = (0, 0.0);
        for example in &unseen {
            let first = &reader.rank(&example.text)[0];
            right += usize::from(first.label == example.label);
            sure += first.confidence;
        }
        let each = start.elapsed() / unseen.len() as u32;
        println!(
            "{:13} trained in {trained:>9.2?}, reads one in {each:>9.2?}, right {:.3}, confidence {:.3}",
            kind.id,
            right as f64 / unseen.len() as f64,
            sure / unseen.len() as f64,
        );
    }
}

/// A condition has twenty of the findings, each told by two thirds of its patients, beside a few that mean nothing.
fn narrative(condition: u64, patient: u64) -> String {
    let person = condition * 1000 + patient;
    let told = |finding: u64| !draw(person, finding).is_multiple_of(3);
    let mut findings: Vec<u64> = (0..20)
        .map(|place| draw(condition, place + 7_000) % FINDINGS)
        .filter(|&finding| told(finding))
        .chain((0..3).map(|place| draw(person, place + 9_000) % FINDINGS))
        .collect();
    findings.sort_unstable();
    findings.dedup();
    let (symptoms, history): (Vec<u64>, Vec<u64>) =
        findings.into_iter().partition(|finding| *finding < FINDINGS * 2 / 3);
    format!(
        "Sex: {}, Age: {}\nGeographical region: North America\nSymptoms:\n{}Antecedents:\n{}",
        if person.is_multiple_of(2) { "F" } else { "M" },
        draw(person, 1) % 90,
        symptoms.into_iter().map(sentence).collect::<String>(),
        history.into_iter().map(sentence).collect::<String>(),
    )
}

/// Nine words drawn from a vocabulary in which some are common and many rare; a sixth of the findings is denied.
fn sentence(finding: u64) -> String {
    let word = |place: u64| {
        let share = (draw(finding, place + 100) % 10_000) as f64 / 10_000.0;
        format!("word{}", (share * share * 900.0) as u64)
    };
    let words: Vec<String> = (0..9).map(word).collect();
    let start = if finding.is_multiple_of(6) { "I do not have" } else { "I have" };
    format!("- {start} {}.\n", words.join(" "))
}

/// SplitMix64: chance enough for a stopwatch.
fn draw(thing: u64, purpose: u64) -> u64 {
    let mut z = (thing << 20 ^ purpose).wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
