//! How long a question takes over 100,000 short texts, against a plain scan of the same texts in the same run.

#![allow(clippy::print_stdout, reason = "a bench prints")]

use rand::RngExt;
use std::hint::black_box;
use std::time::{Duration, Instant};
use waterjar_core::Seed;
use waterjar_evidence::{Article, EvidenceError, FullText, Query, starter_articles};

const TEXTS: usize = 100_000;
const QUESTIONS: usize = 300;
/// The scan is so much slower that fewer will do.
const SCANNED: usize = 10;
const WANTED: usize = 10;

fn main() -> Result<(), EvidenceError> {
    let sentences = sentences()?;
    let texts = texts(&sentences);
    let words: usize = texts.iter().map(|it| it.text.split_whitespace().count()).sum();
    let begun = Instant::now();
    let index = FullText::in_memory("bench", texts.clone())?;
    println!("{} texts of {} words, indexed in {:.1} s", index.len(), words / TEXTS, begun.elapsed().as_secs_f64());
    println!(
        "{:<30} {:>10} {:>10} {:>10} {:>12} {:>8}",
        "question", "median", "99 %", "longest", "plain scan", "ratio"
    );
    for (name, count) in [("a sentence", 1), ("a condition and a sentence", 1), ("a narrative of ten sentences", 10)] {
        let questions: Vec<Query> = (0..QUESTIONS).map(|number| question(&sentences, name, count, number)).collect();
        let times = timed(&questions, |query| black_box(index.find(query, WANTED)).map_or(0, |found| found.len()));
        let scans = timed(&questions[..SCANNED], |query| black_box(scan(&texts, query)).len());
        let (median, scan) = (times[times.len() / 2], scans[scans.len() / 2]);
        let ratio = scan.as_secs_f64() / median.as_secs_f64();
        let late = times[times.len() * 99 / 100];
        let shown =
            [median, late, times[times.len() - 1], scan].map(|time| format!("{:.2} ms", time.as_secs_f64() * 1e3));
        println!("{name:<30} {:>10} {:>10} {:>10} {:>12} {ratio:>7.0}x", shown[0], shown[1], shown[2], shown[3]);
    }
    Ok(())
}

/// From the starter articles: few different words, so each stands in many texts. A real library is easier.
fn sentences() -> Result<Vec<String>, EvidenceError> {
    let text: Vec<String> = starter_articles()?.into_iter().map(|it| it.text).collect();
    Ok(text.join(" ").replace('\n', " ").split(". ").map(|it| format!("{it}.")).collect())
}

fn texts(sentences: &[String]) -> Vec<Article> {
    let text = |number: usize| {
        let mut rng = Seed(1).rng("write a text", &number.to_string());
        let parts: Vec<&str> = (0..3).map(|_| sentences[rng.random_range(0..sentences.len())].as_str()).collect();
        let title = parts[0].split_whitespace().take(3).collect::<Vec<_>>().join(" ");
        Article { id: format!("{number:06}"), title, text: parts.join(" "), url: None, condition: None }
    };
    (0..TEXTS).map(text).collect()
}

fn question(sentences: &[String], name: &str, count: usize, number: usize) -> Query {
    let mut rng = Seed(2).rng(name, &number.to_string());
    let parts: Vec<&str> = (0..count).map(|_| sentences[rng.random_range(0..sentences.len())].as_str()).collect();
    let condition =
        name.contains("condition").then(|| ["Gout", "Pulmonary embolism", "Acute appendicitis"][number % 3].to_owned());
    Query { condition, text: parts.join(" ") }
}

/// The shortest of three for each question, because others use the machine too; sorted.
fn timed(questions: &[Query], mut ask: impl FnMut(&Query) -> usize) -> Vec<Duration> {
    let mut found = 0;
    let mut times: Vec<Duration> = questions
        .iter()
        .map(|query| {
            let mut once = || {
                let begun = Instant::now();
                found += ask(query);
                begun.elapsed()
            };
            once().min(once()).min(once())
        })
        .collect();
    assert!(found > 0, "something must be found");
    times.sort();
    times
}

/// Every text is searched for every word of the question; the most words win.
fn scan<'a>(texts: &'a [Article], query: &Query) -> Vec<(usize, &'a str)> {
    let asked = format!("{} {}", query.condition.as_deref().unwrap_or_default(), query.text).to_lowercase();
    let words: Vec<&str> = asked.split(|it: char| !it.is_alphanumeric()).filter(|word| word.len() > 3).collect();
    let mut ranked: Vec<(usize, &str)> =
        texts.iter().map(|it| (words.iter().filter(|word| it.text.contains(*word)).count(), it.id.as_str())).collect();
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    ranked.truncate(WANTED);
    ranked
}
