//! `waterjar sts`: how alike two texts are, pair by pair.

use crate::cli::StsArgs;
use crate::exit::Exit;
use crate::output::Output;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::path::Path;
use waterjar_core::{AS_UTF_8, SourceError, counted};
use waterjar_embedding::{EmbeddingError, Length, MiniLm, ModelFiles};
use waterjar_engine::EngineError;
use waterjar_exchange::table::{self, bad_row, cells, json_problem, row_line};
use waterjar_scoring::stats::quantile;

/// Pairs embedded together: enough to keep all cores busy, few enough to hold in memory however long the file is.
const AT_ONCE: usize = 512;

pub fn run(args: &StsArgs, out: &Output) -> Result<Exit> {
    let length = if args.windows { Length::Windows } else { Length::First };
    let model = open(args.model.as_deref(), length).map_err(EngineError::from)?;
    let mut pairs = pairs(&args.file, out)?;
    let mut found: Vec<Option<f64>> = Vec::new();
    let mut unknown = Unknown::default();
    loop {
        let chunk: Vec<Pair> = pairs.by_ref().take(AT_ONCE).collect::<Result<_, _>>().map_err(EngineError::from)?;
        if chunk.is_empty() {
            break;
        }
        if found.is_empty() && !args.json {
            out.print("pair,similarity");
        }
        let texts: Vec<(&str, &str)> = chunk.iter().map(|pair| (pair.a.as_str(), pair.b.as_str())).collect();
        for ((a, b), similarity) in texts.iter().zip(model.likeness(&texts)?) {
            found.push(similarity);
            unknown.look(found.len(), [a, b].into_iter().filter(|text| !model.knows(text)).count());
            if !args.json {
                let similarity = similarity.map_or_else(String::new, |it| format!("{it:.6}"));
                out.print(&format!("{},{similarity}", found.len()));
            }
        }
    }
    let Some(summary) = Summary::of(&found, &model) else {
        let problem = if found.is_empty() { "holds no pairs" } else { "holds no pair of texts with words" };
        let empty = SourceError::at(&args.file, problem);
        return Err(EngineError::from(empty.with_hint(WANTED)).into());
    };
    if let Some(warning) = unknown.line(summary.texts) {
        out.warn(&warning);
        out.hint("the model knows English words: put the texts into English, or leave these pairs out");
    }
    if args.json {
        out.json(&Told { similarities: &found, summary, unknown })?;
    } else {
        out.say(&summary.line());
    }
    Ok(Exit::Done)
}

/// Texts that are made of words the model does not know, wholly or mostly.
#[derive(Default, Serialize)]
struct Unknown {
    #[serde(rename = "unknown")]
    texts: u64,
    /// The pairs they are in, counted from 1.
    #[serde(rename = "unknown_pairs")]
    pairs: Vec<usize>,
}

/// Pairs that are named in the terminal; all of them are in what `--json` prints.
const NAMED: usize = 10;

impl Unknown {
    /// So many texts of a pair are unknown.
    fn look(&mut self, pair: usize, texts: usize) {
        self.texts += texts as u64;
        self.pairs.extend((texts > 0).then_some(pair));
    }

    fn line(&self, of: u64) -> Option<String> {
        let Self { texts, pairs } = self;
        let named: Vec<String> = pairs.iter().take(NAMED).map(usize::to_string).collect();
        let more = match pairs.len() - named.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let whose = if pairs.len() == 1 { "pair" } else { "pairs" };
        let told = counted(*texts, "text is", "texts are");
        (*texts > 0).then(|| {
            format!(
                "{told} made of words that the model does not know, wholly or mostly ({whose} {}{more}; {of} texts in all): their \
                 similarities say nothing, and two such texts look alike whatever they say",
                named.join(", ")
            )
        })
    }
}

#[derive(Serialize)]
struct Told<'a> {
    /// `None` where a text has no words.
    similarities: &'a [Option<f64>],
    #[serde(flatten)]
    summary: Summary,
    #[serde(flatten)]
    unknown: Unknown,
}

#[derive(Serialize)]
struct Summary {
    pairs: usize,
    /// A text of the pair has no words: it counts for none of the figures.
    without_words: usize,
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
    /// `None` where there is nothing to compare.
    fn of(found: &[Option<f64>], model: &MiniLm) -> Option<Self> {
        let mut sorted: Vec<f64> = found.iter().flatten().copied().collect();
        sorted.sort_by(f64::total_cmp);
        let at = |share| quantile(&sorted, share);
        let share = model.share();
        Some(Self {
            pairs: found.len(),
            without_words: found.len() - sorted.len(),
            mean: found.iter().flatten().sum::<f64>() / sorted.len() as f64,
            p5: at(0.05)?,
            median: at(0.5)?,
            p95: at(0.95)?,
            embedder: waterjar_core::Embedder::id(model),
            texts: share.texts,
            cut: share.cut,
        })
    }

    fn line(&self) -> String {
        let Self { pairs, without_words, mean, p5, median, p95, embedder, texts, cut } = self;
        let cut = match cut {
            0 => String::new(),
            cut => format!("; {cut} of {texts} texts were cut at 256 tokens (--windows reads them whole)"),
        };
        let without = match without_words {
            0 => String::new(),
            n => format!("; left out are {n} with a text that has no words"),
        };
        let many = if *pairs == 1 { "pair" } else { "pairs" };
        format!(
            "{pairs} {many}: mean {mean:.4}, median {median:.4}, 5 % below {p5:.4}, 5 % above {p95:.4}, by {embedder}{without}{cut}"
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

const WANTED: &str =
    r#"a CSV has a heading and two columns; in JSON Lines a line is {"a": "one text", "b": "another"}"#;

type Pairs = Box<dyn Iterator<Item = Result<Pair, SourceError>>>;

fn pairs(path: &Path, out: &Output) -> Result<Pairs> {
    let file = table::open(path).map_err(EngineError::from)?;
    let path = path.to_owned();
    Ok(match path.extension().and_then(|it| it.to_str()) {
        Some("csv") => {
            let mut reader = cells(&path, csv::ReaderBuilder::new().flexible(true)).map_err(EngineError::from)?;
            let heading = reader.headers().map_err(|error| EngineError::from(bad_row(&path, &error)))?;
            let heading: Vec<String> = heading.iter().map(str::to_owned).collect();
            if reads_like_a_pair(&heading) {
                out.warn("the first line is taken for the heading, and it reads like a pair: it is not compared");
                out.hint("write a heading above it, such as: one,other");
            }
            Box::new(reader.into_records().map(move |record| {
                let record = record.map_err(|error| bad_row(&path, &error))?;
                match (record.get(0), record.get(1), record.len()) {
                    (Some(a), Some(b), 2) => Ok(Pair { a: a.to_owned(), b: b.to_owned() }),
                    _ => {
                        let columns = if record.len() == 1 { "column" } else { "columns" };
                        let problem = format!("has {} {columns}; a pair has two", record.len());
                        let line = record.position().map_or(0, |place| row_line(&path, place));
                        Err(SourceError::at_line(&path, line, problem)
                            .with_hint("a comma inside a text needs quotes around the text"))
                    }
                }
            }))
        }
        Some("jsonl" | "ndjson") => {
            let lines = std::io::BufRead::lines(std::io::BufReader::new(file)).zip(1..);
            let filled = lines.filter(|(line, _)| line.as_ref().map_or(true, |line| !line.trim().is_empty()));
            Box::new(filled.map(move |(line, number)| {
                let line =
                    line.map_err(|error| SourceError::at_line(&path, number, error.to_string()).with_hint(AS_UTF_8))?;
                // A byte order mark is no part of the first pair.
                let line = line.strip_prefix('\u{feff}').unwrap_or(&line);
                serde_json::from_str(line)
                    .map_err(|error| SourceError::at_line(&path, number, json_problem(&error)).with_hint(WANTED))
            }))
        }
        _ => {
            let unknown = SourceError::at(&path, "is neither .csv nor .jsonl");
            return Err(EngineError::from(unknown.with_hint("name it .csv or .jsonl, as what it holds")).into());
        }
    })
}

/// Headings are a word or two.
fn reads_like_a_pair(heading: &[String]) -> bool {
    heading.len() == 2 && heading.iter().all(|cell| cell.split_whitespace().count() > 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_pair_in_the_place_of_the_heading_is_noticed() {
        let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        assert!(reads_like_a_pair(&cells("He has had a fever,She has had a fever")));
        assert!(!reads_like_a_pair(&cells("text of he,text of she")));
    }

    #[test]
    fn a_directory_is_refused_in_the_words_of_all_files_of_rows() {
        let folder = tempfile::tempdir().unwrap();
        let told = pairs(folder.path(), &Output::new(true, 0)).err().unwrap().to_string();
        assert!(told.ends_with(": cannot be read: Is a directory; name the file in it"), "{told}");
    }

    fn check(found: &[(usize, usize)], told: Option<&str>) {
        let mut unknown = Unknown::default();
        found.iter().for_each(|(pair, texts)| unknown.look(*pair, *texts));
        let line = unknown.line(40);
        assert_eq!(line.as_deref().map(|it| it.split(" in all)").next().unwrap()), told);
    }

    #[test]
    fn texts_of_unknown_words_are_counted_and_their_pairs_named() {
        check(&[(1, 0), (2, 0)], None);
        let words = "made of words that the model does not know, wholly or mostly";
        check(&[(1, 0), (2, 1)], Some(&format!("1 text is {words} (pair 2; 40 texts")));
        check(&[(2, 2), (3, 1)], Some(&format!("3 texts are {words} (pairs 2, 3; 40 texts")));
        let many: Vec<(usize, usize)> = (1..=12).map(|pair| (pair, 1)).collect();
        let named = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more";
        check(&many, Some(&format!("12 texts are {words} (pairs {named}; 40 texts")));
    }
}
