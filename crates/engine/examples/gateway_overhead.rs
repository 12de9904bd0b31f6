//! What the gateway costs: calls through all its layers to a model that answers at once, beside calls to the model itself.
//!
//! `cargo run --release -p waterjar-engine --example gateway_overhead -- [calls] [directory]`

#![allow(clippy::print_stdout, reason = "an example is a program, and this is its output")]

use async_trait::async_trait;
use futures::StreamExt;
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use waterjar_core::{ChatModel, ChatReply, ChatRequest, ModelError, ModelId, Usage};
use waterjar_engine::gateway::{Gateway, GatewaySettings, Prices, Purpose, Quiet, Sink};
use waterjar_store::{Mode, NewCall, Store, StoreError};

const AT_ONCE: usize = 500;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let n: usize = args.next().map_or(Ok(200_000), |n| n.parse())?;
    let dir = match args.next() {
        Some(dir) => tempfile::tempdir_in(PathBuf::from(dir))?,
        None => tempfile::tempdir()?,
    };
    let path = dir.path().join("run.sqlite");
    let immediate: Arc<dyn ChatModel> = Arc::new(Immediate(ModelId::from("immediate")));

    let clock = Clock::start();
    calls(&immediate, n).await?;
    let direct = clock.told("the model itself", n, None);

    let gateway = Gateway::in_memory(settings()?, prices()?, 1 << 20, Arc::new(Nowhere), Arc::new(Quiet));
    let model = gateway.stack(Arc::clone(&immediate)).fingerprint("v1").build();
    let clock = Clock::start();
    calls(&model, n).await?;
    clock.told("all layers, none stored", n, Some(direct));

    // A run of 200 words a prompt and 100 a reply; the second finds everything in the store.
    for name in ["first run, stored", "second run, all cached"] {
        let store = Store::open(&path, Mode::Create).await?;
        let gateway = open(&store).await?;
        let model = gateway.stack(Arc::clone(&immediate)).fingerprint("v1").build();
        let clock = Clock::start();
        calls(&model, n).await?;
        gateway.flush().await?;
        clock.told(name, n, Some(direct));
        drop((model, gateway));
        store.close().await;
    }
    let asked = calls_of_store(&path).await?;
    println!("asked in both runs       {asked:>9}");
    println!("peak memory              {:>9} kB", peak_memory());
    println!("file                     {:>9} kB", std::fs::metadata(&path)?.len() / 1024);
    Ok(())
}

async fn open(store: &Store) -> Result<Gateway, Box<dyn Error>> {
    Ok(Gateway::open(settings()?, prices()?, store, Arc::new(Quiet)).await?)
}

fn settings() -> Result<GatewaySettings, Box<dyn Error>> {
    Ok(toml::from_str("[budget]\nusd = 1e6\n[limits]\nconcurrency = 500")?)
}

fn prices() -> Result<Prices, Box<dyn Error>> {
    Ok(Prices::parse("immediate = { input = 1.0, output = 4.0 }")?)
}

/// Forgets every transcript.
struct Nowhere;

#[async_trait]
impl Sink for Nowhere {
    async fn keep(&self, _: &NewCall<'_>) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Each in a task of its own, as the passes do it.
async fn calls(model: &Arc<dyn ChatModel>, n: usize) -> Result<(), Box<dyn Error>> {
    let mut work = futures::stream::iter(0..n)
        .map(|n| {
            let model = Arc::clone(model);
            tokio::spawn(async move {
                let purpose = Purpose::subject(format!("einstellung/{n:08}/0/plain@immediate/0"));
                purpose.scope(async { model.chat(&request(n)).await }).await
            })
        })
        .buffer_unordered(AT_ONCE);
    while let Some(done) = work.next().await {
        done??;
    }
    Ok(())
}

fn request(n: usize) -> ChatRequest {
    let told = "I am 54 years old and my chest hurts when I breathe in. ".repeat(18);
    ChatRequest::new("You are a doctor. Name the most likely diagnosis.", format!("{n}. {told}"), 0)
}

/// Seconds on the wall and of the processor: on a busy machine only the second says much.
struct Clock {
    wall: Instant,
    processor: f64,
}

impl Clock {
    fn start() -> Self {
        Self { wall: Instant::now(), processor: processor_seconds() }
    }

    fn told(&self, name: &str, n: usize, direct: Option<f64>) -> f64 {
        let (wall, processor) = (self.wall.elapsed().as_secs_f64(), processor_seconds() - self.processor);
        let a_call = |seconds: f64| 1e6 * seconds / n as f64;
        println!(
            "{name:<24} {:>9.0} calls/s   {:>6.1} µs a call   {:>5.1} times   {:>6.1} µs of the processor",
            n as f64 / wall,
            a_call(wall),
            wall / direct.unwrap_or(wall),
            a_call(processor)
        );
        wall
    }
}

/// Of all threads of this process; 0 where the system does not tell.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name, which may hold spaces: utime and stime are the 12th and 13th, in hundredths of a second.
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ').skip(11).take(2);
    fields.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

struct Immediate(ModelId);

#[async_trait]
impl ChatModel for Immediate {
    fn id(&self) -> &ModelId {
        &self.0
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let usage = Usage { input: 280, output: 130, ..Usage::default() };
        let text = format!("{} {}", request.last_user_text().len(), "Pulmonary embolism, then pleurisy. ".repeat(15));
        Ok(ChatReply { usage, ..ChatReply::text(text) })
    }
}

async fn calls_of_store(path: &std::path::Path) -> Result<u64, Box<dyn Error>> {
    let store = Store::open(path, Mode::Read).await?;
    Ok(store.spend().await?.iter().map(|spend| spend.calls).sum())
}

/// Of this process; 0 where the system does not tell.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix("kB")?.trim().parse().ok())
        .unwrap_or(0)
}
