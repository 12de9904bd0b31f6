//! Charts from every kind of source, on small sources of our own.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod fhir;
mod tables;
mod texts;

use std::fs;
use std::path::Path;
use tempfile::TempDir;
use waterjar_charts::import::Summary;
use waterjar_charts::{Chart, Import, ImportOptions, read, render};
use waterjar_core::SourceError;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn import(path: &Path) -> (Vec<Chart>, Summary) {
    let mut import = Import::open(path, &ImportOptions::default()).unwrap();
    let charts: Vec<_> = import.by_ref().collect::<Result<_, _>>().unwrap();
    for chart in &charts {
        assert_eq!(&read(&render(chart).text).unwrap().0, chart, "{}", chart.id);
    }
    (charts, import.summary().clone())
}

fn failure(path: &Path, options: &ImportOptions) -> SourceError {
    match Import::open(path, options) {
        Err(error) => error,
        Ok(mut import) => import.find_map(Result::err).unwrap(),
    }
}

fn told(chart: &Chart) -> Vec<String> {
    chart.entries.iter().map(|entry| format!("{} {}", entry.tag, entry.text)).collect()
}
