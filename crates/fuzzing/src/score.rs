//! Rows for `waterjar score`.

use crate::file::with_file;
use crate::told;
use async_trait::async_trait;
use futures::FutureExt;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use waterjar_core::{Embedder, Metric, ModelError, Seed, SourceError};
use waterjar_suites::{Score, Scored, all};

pub fn check(data: &[u8]) {
    for name in ["rows.jsonl", "rows.csv"] {
        let turned = turned(name, data);
        for suite in all() {
            let figures = |data: &[u8]| with_file(name, data, |path| score(suite.score, path));
            let outcome = figures(data);
            let again = turned.as_deref().map(figures);
            match &outcome {
                Err(error) => told(error),
                Ok(scored) => {
                    scored.subjects.iter().for_each(|(_, measured)| measured.metrics.iter().for_each(in_bounds))
                }
            }
            // The order of rows changes nothing.
            let Some(again) = again else { continue };
            assert_eq!(outcome.is_ok(), again.is_ok(), "{}: {:?} and {:?}", suite.kind, outcome.err(), again.err());
            if let (Ok(one), Ok(other)) = (outcome, again) {
                assert_eq!(metrics(&one), metrics(&other), "{}", suite.kind);
            }
        }
    }
}

fn score(score: Score, path: &Path) -> Result<Scored, SourceError> {
    match score {
        Score::Plainly(score) => score(Seed(7), &[path]),
        Score::Embedding(score) => {
            let outcome = score(Seed(7), vec![path.to_owned()], Arc::new(Letters)).now_or_never();
            outcome.expect("it waits for nobody but the embedder, who answers at once")
        }
    }
}

fn metrics(scored: &Scored) -> BTreeMap<String, String> {
    scored.subjects.iter().map(|(subject, measured)| (subject.clone(), format!("{:?}", measured.metrics))).collect()
}

fn in_bounds((name, metric): (&String, &Metric)) {
    let Metric { value, low, high, .. } = metric;
    for figure in [value, low, high].into_iter().flatten() {
        assert!(figure.is_finite(), "{name}: {metric:?}");
    }
    if let (Some(low), Some(high)) = (low, high) {
        assert!(low <= high, "{name}: {metric:?}");
    }
    let is_share = ["accuracy", "bias_trap_rate", "robust", "css", "cms", "_share", "flip_rate", "veracity"];
    if is_share.iter().any(|it| name.contains(it)) && ["change", "rank"].iter().all(|it| !name.contains(it)) {
        assert!(value.is_none_or(|it| (-1e-9..=1.0 + 1e-9).contains(&it)), "{name}: {metric:?}");
    }
}

/// The rows from the last to the first; none where lines are not rows.
fn turned(name: &str, data: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(data).ok().filter(|text| !text.contains(['\r', '\u{feff}']))?;
    let mut lines: Vec<&str> = text.lines().collect();
    let heading = if name.ends_with(".csv") {
        // A quoted cell may go on over lines.
        if text.contains('"') || lines.is_empty() {
            return None;
        }
        Some(lines.remove(0))
    } else {
        None
    };
    lines.reverse();
    Some(heading.into_iter().chain(lines).collect::<Vec<_>>().join("\n").into_bytes())
}

/// How often each letter is there: enough to tell texts apart.
struct Letters;

#[async_trait]
impl Embedder for Letters {
    fn id(&self) -> String {
        "letters".to_owned()
    }

    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        let vector = |text: &&str| {
            let mut vector = vec![0.0; 32];
            text.bytes().filter(u8::is_ascii_alphanumeric).for_each(|byte| vector[usize::from(byte % 32)] += 1.0);
            vector
        };
        Ok(texts.iter().map(vector).collect())
    }
}
