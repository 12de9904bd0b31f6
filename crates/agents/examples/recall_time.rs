//! How long it takes to recall cases like one of 100,000, against comparing all of them one by one.
//!
//! ```sh
//! cargo run --release -p waterjar-agents --example recall_time
//! ```

#![allow(clippy::print_stdout, reason = "a bench prints")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};
use waterjar_agents::ecr::Lexical;
use waterjar_agents::ecr::lexicon::Lexicon;
use waterjar_agents::ecr::likeness::Likeness;
use waterjar_agents::ecr::memory::{Exemplar, Memory};
use waterjar_core::{CaseSource, Seed};
use waterjar_knowledge::{simulate::Simulated, starter};

const TEXTS: usize = 100_000;
const QUESTIONS: usize = 300;
const RECALLED: usize = 5;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let base = Arc::new(starter::base()?);
    let likeness = Likeness::new(Arc::new(Lexical), Arc::new(Lexicon::of(&base)), 0.9);
    let patients = Simulated::for_test(Arc::clone(&base), Seed(1), (TEXTS + QUESTIONS) as u64);
    let mut texts: Vec<String> =
        patients.cases().map(|case| Ok(case?.text)).collect::<Result<_, waterjar_core::SourceError>>()?;
    let asked = texts.split_off(texts.len() - QUESTIONS);
    let (mut memory, mut all) = (Memory::default(), Vec::new());
    for text in texts {
        let vector = likeness.fresh(&text).await?;
        all.push(vector.clone());
        let exemplar = Exemplar {
            case: String::new(),
            narrative: text,
            label: String::new(),
            path: Vec::new(),
            pivots: Vec::new(),
        };
        memory.remember(exemplar, vector);
    }
    let (mut embedding, mut recalling, mut plainly) = (Vec::new(), Vec::new(), Vec::new());
    for text in &asked {
        let begun = Instant::now();
        let vector = likeness.fresh(text).await?;
        embedding.push(begun.elapsed());
        recalling.push(shortest(|| memory.nearest(&vector, RECALLED).len()));
        plainly.push(shortest(|| scan(&all, &vector)));
    }
    println!("{} narratives, {RECALLED} recalled, {QUESTIONS} questions", all.len());
    for (name, times) in [("making the vector", embedding), ("recalling", recalling), ("comparing one by one", plainly)]
    {
        let times = sorted(times);
        let [median, late] = [times[times.len() / 2], times[times.len() * 99 / 100]].map(|it| it.as_secs_f64() * 1e3);
        println!("{name:<22} median {median:.2} ms, 99 % {late:.2} ms");
    }
    Ok(())
}

/// Of three, because others use the machine too.
fn shortest(mut work: impl FnMut() -> usize) -> Duration {
    let mut once = || {
        let begun = Instant::now();
        black_box(work());
        begun.elapsed()
    };
    once().min(once()).min(once())
}

fn sorted(mut times: Vec<Duration>) -> Vec<Duration> {
    times.sort();
    times
}

fn scan(all: &[Vec<f32>], vector: &[f32]) -> usize {
    let near = all.iter().map(|other| other.iter().zip(vector).map(|(a, b)| a * b).sum::<f32>());
    let mut near: Vec<(usize, f32)> = near.enumerate().collect();
    near.sort_by(|a, b| b.1.total_cmp(&a.1));
    near.truncate(RECALLED);
    near.len()
}
