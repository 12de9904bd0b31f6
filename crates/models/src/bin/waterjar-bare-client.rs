//! The least a client can do: the same questions to the same endpoint, so many at once, and every reply thrown away. What it reaches is
//! what the machine and the endpoint give; `benches/overhead` compares waterjar with it.
//!
//! `waterjar-bare-client URL VARIANTS_JSONL CONCURRENCY REPEATS`
//!
//! Prints the seconds it took. A program and no example: examples are built with what tests need, and so apart from the program.

#![allow(clippy::print_stdout, reason = "this is its output")]

use serde_json::{Value, json};
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// About as long as what waterjar's agents say before the patient.
const TASK: &str = "You are an experienced physician. Read what the patient reports and name the condition that explains it best. \
    Think step by step: say which findings speak for the conditions you consider and which speak against them, and weigh what the \
    patient denies as well. Then end with a ranked list of at most five conditions, the most likely first, one on a line, each with \
    your confidence between 0 and 1 in brackets. Write nothing after the list.";

type Fault = Box<dyn Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Fault> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [url, variants, concurrency, repeats] = args.as_slice() else {
        return Err("wanted: URL VARIANTS_JSONL CONCURRENCY REPEATS".into());
    };
    let bodies: Arc<[String]> =
        std::fs::read_to_string(variants)?.lines().map(question).collect::<Result<Vec<_>, _>>()?.into();
    let calls = bodies.len() * repeats.parse::<usize>()?;
    // The certificates are for nothing here; without a provider no client can be built.
    _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).build()?;
    let next = Arc::new(AtomicUsize::new(0));
    let begun = Instant::now();
    let mut clients = tokio::task::JoinSet::new();
    for _ in 0..concurrency.parse()? {
        let (client, url, bodies, next) = (client.clone(), url.clone(), Arc::clone(&bodies), Arc::clone(&next));
        clients.spawn(async move {
            loop {
                let n = next.fetch_add(1, Ordering::Relaxed);
                if n >= calls {
                    return Ok::<(), reqwest::Error>(());
                }
                let body = bodies[n % bodies.len()].clone();
                let call = client.post(&url).header("content-type", "application/json").body(body);
                call.send().await?.error_for_status()?.bytes().await?;
            }
        });
    }
    while let Some(ended) = clients.join_next().await {
        ended??;
    }
    println!("{:.4}", begun.elapsed().as_secs_f64());
    Ok(())
}

/// As waterjar asks it: the task, then the patient.
fn question(variant: &str) -> Result<String, serde_json::Error> {
    let variant: Value = serde_json::from_str(variant)?;
    let messages = json!([
        { "role": "system", "content": TASK },
        { "role": "user", "content": variant["text"] },
    ]);
    Ok(json!({ "model": "simulated", "messages": messages }).to_string())
}
