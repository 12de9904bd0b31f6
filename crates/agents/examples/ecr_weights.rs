//! Fixes the weights of `ecr@rules` on one half of a run's pairs and confirms them once on the other; prints both.
//!
//! ```sh
//! waterjar evolve studies/ecr.toml && waterjar run studies/ecr.toml
//! cargo run --release -p waterjar-agents --example ecr_weights -- runs/ecr memories/starter crates/evidence/articles
//! ```
//!
//! The first impressions are the answers of `plain@gestalt` in the run. Every setting is tried with the memory and with the articles
//! alone, and the best of both together is chosen. Weights of 0 are not tried: without shadows or pivots it would be another score.

#![allow(clippy::print_stdout, reason = "an example speaks for itself")]

use serde_json::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use waterjar_agents::AgentOpening;
use waterjar_agents::ecr::evidence::{Evidence, LookedUp, Nothing, Passage};
use waterjar_agents::ecr::{self, graph::Weights, memory::Memory, pipeline::Pipeline, reasoner::Sight};
use waterjar_core::{ChatModel, ChatReply, ChatRequest, ModelError, ModelId, Prompt, Seed};
use waterjar_knowledge::{KnowledgeBase, starter};

type Fault = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Fault> {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [run, memory, articles] = args.as_slice() else {
        return Err("usage: ecr_weights RUN MEMORY ARTICLES".into());
    };
    let base = Arc::new(starter::base()?);
    let pairs = pairs(run, &base)?;
    let halves: [Vec<&Pair>; 2] = [0, 1].map(|half| pairs.iter().filter(|pair| pair.half == half).collect());
    let evolved = pipeline(&base, None)?;
    let memory = Memory::load(memory, &evolved.likeness).await?.0;
    let mut judges = [
        Judge { name: "evolved ", pipeline: evolved, memory },
        Judge { name: "articles", pipeline: pipeline(&base, Some(articles))?, memory: Memory::default() },
    ];
    println!("first impression, first half   {}", first(&halves[0]));
    println!("first impression, second half  {}", first(&halves[1]));
    let mut best: Option<(f64, (Weights, f64))> = None;
    for (weights, doubt) in grid() {
        let mut worth = 0.0;
        for judge in &mut judges {
            let figures = judge.figures(weights, doubt, &halves[0]).await?;
            println!("{}  {}  {figures}", told(&weights, doubt), judge.name);
            worth += figures.worth();
        }
        if best.is_none_or(|(known, _)| worth > known) {
            best = Some((worth, (weights, doubt)));
        }
    }
    let (_, (weights, doubt)) = best.ok_or("the grid is empty")?;
    println!("\nchosen on the first half: {}", told(&weights, doubt));
    for judge in &mut judges {
        for (half, name) in halves.iter().zip(["first half ", "second half"]) {
            let figures = judge.figures(weights, doubt, half).await?;
            println!("  {} {name}  {figures}", judge.name);
        }
    }
    Ok(())
}

fn grid() -> Vec<(Weights, f64)> {
    let mut grid = Vec::new();
    for conflict in [0.5, 1.0, 1.5] {
        for shadow in [0.1, 0.25, 0.5] {
            for pivot in [0.5, 1.0] {
                for doubt in [0.0, 2.0, 4.0] {
                    grid.push((Weights { matching: 1.0, conflict, shadow, pivot, experience: 0.25 }, doubt));
                }
            }
        }
    }
    grid
}

fn told(weights: &Weights, doubt: f64) -> String {
    let Weights { matching, conflict, shadow, pivot, experience } = weights;
    format!("match {matching} conflict {conflict} shadow {shadow} pivot {pivot} experience {experience} doubt {doubt}")
}

struct Pair {
    half: u64,
    truth: String,
    /// Control, trap, sham: text, and the first impression of it.
    told: HashMap<String, (String, String)>,
}

/// Variants of the run with what `plain@gestalt` said to them.
fn pairs(run: &Path, base: &KnowledgeBase) -> Result<Vec<Pair>, Fault> {
    let rows = |name: &str| -> Result<Vec<Value>, Fault> {
        let text = std::fs::read_to_string(run.join(name))?;
        Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
    };
    let mut said: HashMap<String, String> = HashMap::new();
    for row in rows("responses.jsonl")? {
        if row["subject"] == "plain@gestalt" {
            let text = row.pointer("/ending/ok/text").and_then(Value::as_str).unwrap_or_default();
            said.insert(row["variant"].as_str().unwrap_or_default().to_owned(), text.to_owned());
        }
    }
    let mut pairs: Vec<(String, Pair)> = Vec::new();
    for row in rows("variants.jsonl")? {
        let word = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let (id, family) = (word("id"), word("family"));
        let role = id.rsplit('/').next().unwrap_or_default().to_owned();
        if role == "control" {
            let condition = row.pointer("/expectation/condition").and_then(Value::as_str).unwrap_or_default();
            let name = base.condition(&condition.into()).map_or_else(|| condition.to_owned(), |it| it.name.clone());
            let half = Seed(1).rank("half", &family) as u64 % 2;
            pairs.push((family.clone(), Pair { half, truth: name, told: HashMap::new() }));
        }
        let first = said.get(&id).ok_or("plain@gestalt has not answered every variant of the run")?.clone();
        let pair = pairs.iter_mut().rev().find(|(known, _)| *known == family).ok_or("a variant before its control")?;
        pair.1.told.insert(role, (word("text"), first));
    }
    Ok(pairs.into_iter().map(|(_, pair)| pair).collect())
}

fn pipeline(base: &Arc<KnowledgeBase>, articles: Option<&PathBuf>) -> Result<Pipeline, Fault> {
    let (settings, folder) = (toml::Table::new(), Path::new("."));
    let opening =
        AgentOpening { settings: &settings, rules: true, seed: Seed(7), folder, asked: true, base, library: &Nothing };
    let mut pipeline = ecr::pipeline(&opening)?;
    if let Some(folder) = articles {
        pipeline.evidence = Arc::new(Articles { folder: folder.clone(), base: Arc::clone(base) });
    }
    Ok(pipeline)
}

/// The articles of a folder, named by the condition's id.
struct Articles {
    folder: PathBuf,
    base: Arc<KnowledgeBase>,
}

#[async_trait::async_trait]
impl Evidence for Articles {
    fn fingerprint(&self) -> String {
        String::new()
    }

    async fn about(&self, condition: &str) -> LookedUp {
        let found = self.base.conditions().iter().find(|it| it.name == condition);
        let text = found.and_then(|it| std::fs::read_to_string(self.folder.join(format!("{}.md", it.id))).ok());
        let passages = text.map(|text| Passage { text, source: condition.to_owned() }).into_iter().collect();
        LookedUp { passages, down: Vec::new() }
    }
}

/// Repeats a first impression.
struct Said(ModelId, String);

#[async_trait::async_trait]
impl ChatModel for Said {
    fn id(&self) -> &ModelId {
        &self.0
    }

    async fn chat(&self, _: &ChatRequest) -> Result<ChatReply, ModelError> {
        Ok(ChatReply::text(self.1.as_str()))
    }
}

struct Judge {
    name: &'static str,
    pipeline: Pipeline,
    memory: Memory,
}

#[derive(Clone, Copy, Default)]
struct Figures {
    pairs: f64,
    right: f64,
    trapped: f64,
    kept: f64,
    shams: f64,
}

impl Judge {
    async fn figures(&mut self, weights: Weights, doubt: f64, pairs: &[&Pair]) -> Result<Figures, Fault> {
        self.pipeline.settings.weights = weights;
        self.pipeline.settings.doubt = doubt;
        let mut figures = Figures::default();
        for pair in pairs {
            figures.pairs += 1.0;
            if self.names(pair, "control").await? != Some(true) {
                continue;
            }
            figures.right += 1.0;
            figures.trapped += f64::from(self.names(pair, "trap").await? == Some(true));
            if let Some(kept) = self.names(pair, "sham").await? {
                figures.shams += 1.0;
                figures.kept += f64::from(kept);
            }
        }
        Ok(figures)
    }

    /// Whether the pair's own condition is named; `None` without such a variant.
    async fn names(&self, pair: &Pair, role: &str) -> Result<Option<bool>, Fault> {
        let Some((text, first)) = pair.told.get(role) else { return Ok(None) };
        let model = Said("said".into(), first.clone());
        let prompt = Prompt::new("", text.as_str());
        let sight = Sight { model: &model, prompt: &prompt, repeat: 0, feedback: &[] };
        let thought = self.pipeline.think(&self.memory, &sight).await?;
        Ok(Some(thought.candidates[thought.opinion.diagnosis as usize] == pair.truth))
    }
}

fn first(pairs: &[&Pair]) -> Figures {
    let names = |pair: &Pair, role: &str| {
        pair.told.get(role).map(|(_, first)| first.starts_with(&format!("1. {} (", pair.truth)))
    };
    let mut figures = Figures::default();
    for pair in pairs {
        figures.pairs += 1.0;
        if names(pair, "control") == Some(true) {
            figures.right += 1.0;
            figures.trapped += f64::from(names(pair, "trap") == Some(true));
            if let Some(kept) = names(pair, "sham") {
                figures.shams += 1.0;
                figures.kept += f64::from(kept);
            }
        }
    }
    figures
}

impl Figures {
    /// What a study wants at once: right controls, few traps, shams kept.
    fn worth(&self) -> f64 {
        let Self { pairs, right, trapped, kept, shams } = self;
        2.0 * right / pairs - trapped / right.max(1.0) + kept / shams.max(1.0)
    }
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { pairs, right, trapped, kept, shams } = self;
        let percent = |part: &f64, whole: &f64| 100.0 * part / whole.max(1.0);
        write!(
            f,
            "baseline {:5.1} %  trap {:5.1} %  sham kept {:5.1} %  ({pairs} pairs)",
            percent(right, pairs),
            percent(trapped, right),
            percent(kept, shams)
        )
    }
}
