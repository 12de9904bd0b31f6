//! What Python sees of Waterjar. Rows and figures go over as JSON: the Python side turns them into its own types.

mod judge;
mod likeness;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use waterjar_core::{MetricsFile, Seed, SourceError};
use waterjar_scoring::stats::ScaleKind;
use waterjar_scoring::stats::agreement::agreement_of;
use waterjar_suites::{Score, Scored, SuiteKind};

#[pymodule]
fn _waterjar(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("SUITES", waterjar_suites::all().iter().map(|it| it.kind).collect::<Vec<_>>())?;
    module.add_function(wrap_pyfunction!(score, module)?)?;
    module.add_function(wrap_pyfunction!(agree, module)?)?;
    module.add_class::<likeness::Embedder>()?;
    module.add_class::<judge::Judge>()
}

/// Figures from rows in files, as `waterjar score --json` prints them.
#[pyfunction]
fn score(
    py: Python<'_>,
    suite: &str,
    files: Vec<PathBuf>,
    seed: u64,
    embedder: &str,
    model: Option<PathBuf>,
) -> PyResult<String> {
    let kind = suite_kind(suite)?;
    py.detach(|| {
        let scored = match kind.score {
            Score::Plainly(score) => score(Seed(seed), &files.iter().map(PathBuf::as_path).collect::<Vec<&Path>>()),
            Score::Embedding(score) => {
                let embedder = likeness::open(embedder, model.as_deref())?;
                wait()?.block_on(score(Seed(seed), files, embedder))
            }
        };
        let Scored { subjects, notes } = scored.map_err(|error| told(&error))?;
        let results = waterjar_suites::results(kind.kind, subjects);
        json(&MetricsFile { notes, ..MetricsFile::new("score", seed, results) })
    })
}

/// Agreement of raters, as `waterjar agree --json` prints it.
#[pyfunction]
fn agree(
    py: Python<'_>,
    rows: Vec<Vec<Option<String>>>,
    scale: &str,
    categories: Vec<String>,
    seed: u64,
) -> PyResult<String> {
    let kind = match scale {
        "nominal" => ScaleKind::Nominal,
        "ordinal" => ScaleKind::Ordinal,
        "interval" => ScaleKind::Interval,
        other => {
            return Err(PyValueError::new_err(format!("no scale is called {other:?}: nominal, ordinal or interval")));
        }
    };
    py.detach(|| {
        let report = agreement_of(rows, kind, &categories, Seed(seed))
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        json(&report.file(Seed(seed)))
    })
}

fn suite_kind(name: &str) -> PyResult<SuiteKind> {
    waterjar_suites::all().into_iter().find(|it| it.kind == name).ok_or_else(|| {
        let known: Vec<&str> = waterjar_suites::all().iter().map(|it| it.kind).collect();
        PyValueError::new_err(format!("no suite is called {name:?}: {}", known.join(", ")))
    })
}

fn json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// What is wrong, where, and what to do.
fn told(error: &SourceError) -> PyErr {
    let hint = error.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
    PyValueError::new_err(format!("{error}{hint}"))
}

/// Suites judge in futures that wait for nobody but an embedder.
fn wait() -> PyResult<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread().build()?)
}
