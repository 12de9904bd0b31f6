//! The simulated endpoint as a process of its own. Prints its address, then serves until it is killed.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is a program")]

use clap::Parser;
use std::process::ExitCode;
use std::time::Duration;
use waterjar_core::Seed;
use waterjar_knowledge::Scope;
use waterjar_simulation::endpoint::parse_duration;
use waterjar_simulation::{
    Admission, BatchManner, Clinician, Endpoint, EndpointSettings, Fault, Faults, Latency, Persona, Rule, Script,
    Takes, ToolPolicy,
};

#[path = "endpoint_bench/mod.rs"]
mod bench;

/// As in `waterjar`: what is measured against it shares its processor.
#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// A simulated vendor: OpenAI, Anthropic and Gemini formats on one port of the loopback. GET /stats tells what happened.
#[derive(Parser)]
struct Cli {
    /// 0 for a free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Of the clinician, latencies and faults
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Worker threads; one per core where none is said
    #[arg(long)]
    threads: Option<usize>,
    /// How long an answer takes: 50ms, 2s
    #[arg(long, value_parser = parse_duration, default_value = "0s")]
    latency: Duration,
    /// Lognormal around --latency with this sigma; fixed where none is said
    #[arg(long)]
    latency_sigma: Option<f64>,
    /// The share of attempts that is faulted
    #[arg(long, default_value_t = 0.0)]
    fault_rate: f64,
    /// Which faults: reset, stall=5s, 503, 429=2s; all that may pass where none is said
    #[arg(long, value_delimiter = ',')]
    faults: Vec<Fault>,
    /// A request is left alone after so many faults; 0 for never
    #[arg(long, default_value_t = 3)]
    most_faults: u32,
    /// A fault to order: "500 nth=3", "reset contains=cough first=2". May be given several times
    #[arg(long = "rule")]
    rules: Vec<Rule>,
    /// Reject with 429 what comes beyond so many at once
    #[arg(long)]
    max_concurrent: Option<usize>,
    #[arg(long)]
    requests_per_minute: Option<usize>,
    /// Say in a rejection when to come back
    #[arg(long)]
    says_retry_after: bool,
    /// The models there are; any where none is said
    #[arg(long, value_delimiter = ',')]
    models: Vec<String>,
    /// The most structured output it understands
    #[arg(long, default_value = "json-schema", value_parser = ["text", "json-object", "json-schema"])]
    takes: String,
    #[arg(long)]
    openai_needs_key: bool,
    /// Reject requests of more tokens than this
    #[arg(long)]
    context: Option<u64>,
    /// Say this to everything, instead of reading the patient
    #[arg(long)]
    says: Option<String>,
    /// The chance of answering by the symptoms alone
    #[arg(long, default_value_t = Persona::default().stubbornness)]
    stubbornness: f64,
    /// Noise on the log probabilities
    #[arg(long, default_value_t = 0.0)]
    noise: f64,
    /// How many findings the reasoning quotes
    #[arg(long, default_value_t = Persona::default().verbosity)]
    verbosity: usize,
    /// Look at the symptoms only, always
    #[arg(long)]
    symptoms_only: bool,
    /// Call tools unasked
    #[arg(long)]
    calls_tools: bool,
    /// Measure how many requests it can take, and end
    #[arg(long)]
    bench: bool,
    /// How long each measurement of --bench lasts
    #[arg(long, value_parser = parse_duration, default_value = "4s")]
    bench_time: Duration,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    if let Some(threads) = cli.threads {
        runtime.worker_threads(threads.max(1));
    }
    let outcome = runtime.enable_all().build().and_then(|runtime| {
        if cli.bench { runtime.block_on(bench::run(cli.bench_time)) } else { runtime.block_on(serve(cli)) }
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(cli: Cli) -> std::io::Result<()> {
    let endpoint = Endpoint::start(cli.settings()).await?;
    println!("{}", endpoint.url());
    std::future::pending().await
}

impl Cli {
    fn settings(self) -> EndpointSettings {
        let seed = Seed(self.seed);
        EndpointSettings {
            port: self.port,
            seed,
            latency: match self.latency_sigma {
                Some(sigma) => Latency::LogNormal { median: self.latency, sigma },
                None => Latency::Fixed(self.latency),
            },
            faults: Faults {
                most_per_request: (self.most_faults > 0).then_some(self.most_faults),
                ..Faults::new(self.fault_rate, self.kinds(), seed)
            },
            admission: Admission {
                max_concurrent: self.max_concurrent,
                requests_per_minute: self.requests_per_minute,
                says_retry_after: self.says_retry_after,
            },
            takes: match self.takes.as_str() {
                "text" => Takes::Text,
                "json-object" => Takes::JsonObject,
                _ => Takes::JsonSchema,
            },
            openai_needs_key: self.openai_needs_key,
            context: self.context,
            clinician: self.clinician(seed),
            script: Script { rules: self.rules },
            models: self.models,
            batches: BatchManner::default(),
        }
    }

    fn kinds(&self) -> Vec<Fault> {
        if self.faults.is_empty() { Fault::transient(Duration::from_secs(30)) } else { self.faults.clone() }
    }

    fn clinician(&self, seed: Seed) -> Clinician {
        let knows = if self.symptoms_only { Scope::Symptoms } else { Scope::All };
        let persona = Persona {
            knows,
            stubbornness: self.stubbornness,
            noise: self.noise,
            verbosity: self.verbosity,
            ..Persona::default()
        };
        let clinician = match &self.says {
            Some(text) => Clinician::always(text).also_typed(),
            None => Clinician::new(persona, seed),
        };
        clinician.writing_traps().tools(if self.calls_tools { ToolPolicy::Always } else { ToolPolicy::default() })
    }
}
