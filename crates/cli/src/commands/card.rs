//! The data card of a benchmark: what it is made of, by whom and when, and what was lost. Written beside the variants, as JSON and to read.

use crate::target::{STARTED, Target};
use anyhow::{Context, Result};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use waterjar_core::{BenchmarkSummary, counted};
use waterjar_engine::{EngineError, export};
use waterjar_report::meaning;
use waterjar_store::{Stage, Store};

#[derive(Serialize)]
pub struct Card {
    schema: &'static str,
    study: String,
    seed: u64,
    program: &'static str,
    /// The day on which the run was started.
    date: String,
    /// blake3 of variants.jsonl.
    variants_hash: String,
    suites: Vec<SuiteCard>,
}

#[derive(Serialize)]
struct SuiteCard {
    suite: String,
    kind: &'static str,
    version: u32,
    source: String,
    source_hash: String,
    /// On which terms the source may be used, as far as we know.
    terms: &'static str,
    /// Who wrote, and how they were asked.
    author: String,
    judges: Vec<String>,
    writers: BTreeMap<String, serde_json::Value>,
    #[serde(flatten)]
    made: BenchmarkSummary,
}

/// What we know of a source by its name.
fn terms(source: &str) -> &'static str {
    match source.split_once(':').map_or(source, |(kind, _)| kind) {
        "starter" | "boards" => "written for Waterjar, under its licence; illustrative, not for patient care",
        "ddxplus" => "DDXPlus is published under CC BY 4.0: name its authors where you share what is made of it",
        "dx" => "Apache-2.0 as the paper that carries it says; the repository it comes from states no licence",
        _ => "of your own or of others: see to it before you share what is made of it",
    }
}

/// After `run`, which has made the variants before.
pub async fn write_last(target: &Target, store: &Store) -> Result<()> {
    write(target, store, &last_made(target, store).await?).await
}

/// Of a benchmark that was made before.
pub async fn last(target: &Target, store: &Store) -> Result<Card> {
    of(target, store, &last_made(target, store).await?).await
}

async fn last_made(target: &Target, store: &Store) -> Result<Vec<BenchmarkSummary>> {
    let mut made = Vec::new();
    for planned in &target.plan.suites {
        made.extend(store.stage(planned.id(), Stage::Vary).await.map_err(EngineError::from)?);
    }
    Ok(made)
}

pub async fn write(target: &Target, store: &Store, made: &[BenchmarkSummary]) -> Result<()> {
    let card = of(target, store, made).await?;
    export::write_json(&target.dir.file("card.json"), &card)?;
    Ok(export::write_text(&target.dir.file("card.md"), &card.told())?)
}

async fn of(target: &Target, store: &Store, made: &[BenchmarkSummary]) -> Result<Card> {
    let plan = &target.plan;
    let variants = target.dir.file("variants.jsonl");
    let mut hasher = blake3::Hasher::new();
    let file = std::fs::File::open(&variants).with_context(|| format!("{} cannot be read", variants.display()))?;
    hasher.update_reader(file).with_context(|| format!("{} cannot be read", variants.display()))?;
    let of_suite = |made: &BenchmarkSummary| {
        let planned = plan.suites.iter().find(|it| *it.id() == made.suite)?;
        let (suite, source) = (planned.suite(), &planned.opened.source);
        let (card, roles) = (suite.card(), suite.roles());
        let writers = planned.writers().into_iter().filter_map(|id| Some((id.clone(), plan.writers.get(&id)?.clone())));
        Some(SuiteCard {
            suite: made.suite.to_string(),
            kind: card.kind,
            version: card.version,
            source: source.name().to_owned(),
            source_hash: blake3::hash(source.fingerprint().as_bytes()).to_hex().to_string(),
            terms: terms(source.name()),
            author: roles.author.unwrap_or_else(|| "rules".to_owned()),
            judges: suite.judge_id().as_str().split('+').map(str::to_owned).collect(),
            writers: writers.collect(),
            made: made.clone(),
        })
    };
    Ok(Card {
        schema: "waterjar.card.v1",
        study: plan.name.clone(),
        seed: plan.seed.0,
        program: concat!("waterjar ", env!("CARGO_PKG_VERSION")),
        date: store.meta(STARTED).await.map_err(EngineError::from)?.unwrap_or_default(),
        variants_hash: hasher.finalize().to_hex().to_string(),
        suites: made.iter().filter_map(of_suite).collect(),
    })
}

impl Card {
    /// The sources, each as the study names it.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        self.suites.iter().map(|it| it.source.as_str())
    }

    pub fn date(&self) -> &str {
        &self.date
    }

    /// blake3 of variants.jsonl.
    pub fn variants_hash(&self) -> &str {
        &self.variants_hash
    }

    /// To read.
    pub fn told(&self) -> String {
        let mut text = format!("# {}\n\nMade on {} by {}, seed {}.\n", self.study, self.date, self.program, self.seed);
        let _ = writeln!(text, "variants.jsonl: blake3 {}", self.variants_hash);
        for it in &self.suites {
            let _ = writeln!(text, "\n## {} ({}, version {})\n", it.suite, it.kind, it.version);
            let _ = writeln!(text, "- source: `{}`; {}", it.source, it.terms);
            let _ = writeln!(text, "- source hash: {}", it.source_hash);
            let _ = writeln!(text, "- written by: {}; judged by: {}", it.author, it.judges.join(", "));
            let made = &it.made;
            let (cases, families) =
                (counted(made.cases, "case", "cases"), counted(made.families, "family", "families"));
            let _ = writeln!(text, "- {cases}, {families}, {}", counted(made.variants, "variant", "variants"));
            if it.kind == "consult" {
                let _ = writeln!(
                    text,
                    "- another edition is new in its frame, voice, trap and rumor: patients, answers and the sentence for each finding are the same in all"
                );
            }
            for (reason, n) in &made.losses {
                let meaning = meaning(reason).map_or_else(String::new, |it| format!(" ({it})"));
                let _ = writeln!(text, "- lost, {}: {n}{meaning}", reason.replace('_', " "));
            }
        }
        text
    }
}
