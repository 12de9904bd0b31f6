//! `waterjar sts`: how alike two texts are, pair by pair.

use crate::cli::StsArgs;
use crate::exit::Exit;
use crate::output::Output;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::path::Path;
use waterjar_core::{SourceError, cosine};
use waterjar_embedding::{EmbeddingError, Length, MiniLm, ModelFiles};
use waterjar_engine::EngineError;
use waterjar_scoring::stats::quantile;

/// Pairs embedded together: enough to keep all cores busy, few enough to hold in memory however long the file is.
const AT_ONCE: usize = 512;

pub fn run(args: &StsArgs, out: &Output) -> Result<Exit> {
    let length = if args.windows { Length::Windows } else { Length::First };
    let model = open(args.model.as_deref(), length).map_err(EngineError::from)?;
    let mut pairs = pairs(&args.file)?;
    let mut found = Vec::new();
    if !args.json {
        out.print("pair,similarity");
    }
    loop {
        let chunk: Vec<Pair> = pairs.by_ref().take(AT_ONCE).collect::<Result<_, _>>().map_err(EngineError::from)?;
        if chunk.is_empty() {
            break;
        }
        let texts: Vec<&str> = chunk.iter().flat_map(|pair| [pair.a.as_str(), pair.b.as_str()]).collect();
        let vectors = model.vectors(&texts)?;
        for (a, b) in vectors.iter().zip(vectors.iter().skip(1)).step_by(2) {
            let similarity = f64::from(cosine(a, b));
            found.push(similarity);
            if !args.json {
                out.print(&format!("{},{similarity:.6}", found.len()));
            }
        }
    }
    if found.is_empty() {
        let empty = SourceError::new(args.file.display().to_string(), "holds no pairs");
        return Err(EngineError::from(empty).into());
    }
    let summary = Summary::of(&found, &model);
    if args.json {
        out.json(&Told { similarities: &found, summary })?;
    } else {
        out.say(&summary.line());
    }
    Ok(Exit::Done)
}

#[derive(Serialize)]
struct Told<'a> {
    similarities: &'a [f64],
    #[serde(flatten)]
    summary: Summary,
}

#[derive(Serialize)]
struct Summary {
    pairs: usize,
    mean: f64,
    p5: f64,
    median: f64,
    p95: f64,
    embedder: String,
    texts: u64,
    /// Longer than the model takes: what is beyond counts for nothing.
    cut: u64,
}

impl Summary {
    /// Of at least one.
    fn of(found: &[f64], model: &MiniLm) -> Self {
        let mut sorted = found.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |share| quantile(&sorted, share).expect("there is a pair");
        let share = model.share();
        Self {
            pairs: found.len(),
            mean: found.iter().sum::<f64>() / found.len() as f64,
            p5: at(0.05),
            median: at(0.5),
            p95: at(0.95),
            embedder: waterjar_core::Embedder::id(model),
            texts: share.texts,
            cut: share.cut,
        }
    }

    fn line(&self) -> String {
        let Self { pairs, mean, p5, median, p95, embedder, texts, cut } = self;
        let cut = match cut {
            0 => String::new(),
            cut => format!("; {cut} of {texts} texts were cut at 256 tokens (--windows reads them whole)"),
        };
        format!(
            "{pairs} pairs: mean {mean:.4}, median {median:.4}, 5 % below {p5:.4}, 5 % above {p95:.4}, by {embedder}{cut}"
        )
    }
}

fn open(folder: Option<&Path>, length: Length) -> Result<MiniLm, SourceError> {
    let told = |error: EmbeddingError| {
        let told = SourceError::new("embedder", error.to_string());
        match error.hint() {
            Some(hint) => told.with_hint(hint),
            None => told,
        }
    };
    let files = folder.map_or_else(ModelFiles::find, ModelFiles::in_folder).map_err(told)?;
    MiniLm::open(&files, length).map_err(told)
}

#[derive(Deserialize)]
struct Pair {
    a: String,
    b: String,
}

type Pairs = Box<dyn Iterator<Item = Result<Pair, SourceError>>>;

fn pairs(path: &Path) -> Result<Pairs> {
    let wrong = |problem: String| EngineError::from(SourceError::new(path.display().to_string(), problem));
    let file = std::fs::File::open(path).map_err(|error| wrong(error.to_string()))?;
    let path = path.to_owned();
    Ok(match path.extension().and_then(|it| it.to_str()) {
        Some("csv") => Box::new(csv::Reader::from_reader(file).into_records().map(move |record| {
            let record = record.map_err(|error| SourceError::new(path.display().to_string(), error.to_string()))?;
            let line = record.position().map_or(0, csv::Position::line);
            match (record.get(0), record.get(1), record.len()) {
                (Some(a), Some(b), 2) => Ok(Pair { a: a.to_owned(), b: b.to_owned() }),
                _ => Err(SourceError::at_line(&path, line, format!("has {} columns; a pair has two", record.len()))),
            }
        })),
        Some("jsonl" | "ndjson") => {
            let lines = std::io::BufRead::lines(std::io::BufReader::new(file)).zip(1..);
            let filled = lines.filter(|(line, _)| line.as_ref().map_or(true, |line| !line.trim().is_empty()));
            Box::new(filled.map(move |(line, number)| {
                let line = line.map_err(|error| SourceError::at_line(&path, number, error.to_string()))?;
                serde_json::from_str(&line).map_err(|error| {
                    SourceError::at_line(&path, number, error.to_string())
                        .with_hint(r#"a line is {"a": "one text", "b": "another"}"#)
                })
            }))
        }
        _ => return Err(wrong("is neither .csv nor .jsonl".to_owned()).into()),
    })
}
