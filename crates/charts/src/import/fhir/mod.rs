//! FHIR R4: bundles, and bulk exports with a resource a line.

mod attachment;
mod bundle;
mod clinical;
mod collect;
mod json;
mod medication;
mod observation;
mod patient;

use super::drafts::Passes;
use super::files::{self, extension};
use super::summary::Summary;
use super::{ChartReader, files::name};
use crate::Chart;
use collect::Collector;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use waterjar_core::SourceError;

/// Bundles, a file at a time; a bundle's resources are read one after the other and never held together.
pub(super) struct Bundles {
    files: VecDeque<PathBuf>,
    left_out: Vec<String>,
}

impl Bundles {
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        let (bundles, others): (Vec<_>, Vec<_>) =
            files::files(path)?.into_iter().partition(|path| extension(path) == "json");
        if bundles.is_empty() {
            return Err(SourceError::at(path, "holds no .json file with a bundle"));
        }
        Ok(Self { files: bundles.into(), left_out: others.iter().map(|path| name(path)).collect() })
    }
}

impl ChartReader for Bundles {
    fn next_charts(&mut self, summary: &mut Summary) -> Result<Option<Vec<Chart>>, SourceError> {
        for file in self.left_out.drain(..) {
            summary.skip_one(&file, "no bundle");
        }
        let Some(path) = self.files.pop_front() else { return Ok(None) };
        let mut collector = Collector::default();
        bundle::each_resource(&path, &mut |place, url, resource| collector.take(place, url, resource, summary))?;
        Ok(Some(collector.finish(summary)))
    }
}

/// A bulk export: files of any names, resources of any order.
pub(super) struct Ndjson {
    files: Vec<PathBuf>,
    passes: Passes,
}

impl Ndjson {
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        let is_lines = |path: &PathBuf| matches!(extension(path).as_str(), "ndjson" | "jsonl");
        let files: Vec<_> = files::files(path)?.into_iter().filter(is_lines).collect();
        if files.is_empty() {
            return Err(SourceError::at(path, "holds no .ndjson file"));
        }
        let passes = Passes::over(&files);
        Ok(Self { files, passes })
    }
}

impl ChartReader for Ndjson {
    fn next_charts(&mut self, summary: &mut Summary) -> Result<Option<Vec<Chart>>, SourceError> {
        let Some(pass) = self.passes.next() else { return Ok(None) };
        let mut collector = Collector::of_pass(pass);
        for path in &self.files {
            let file = File::open(path).map_err(|error| SourceError::unreadable(path, &error))?;
            for (line, number) in BufReader::new(file).lines().zip(1u64..) {
                let line = line.map_err(|error| {
                    SourceError::at_line(path, number, format!("cannot be read: {error}")).with_hint("save it as UTF-8")
                })?;
                if line.trim().is_empty() {
                    continue;
                }
                let resource = serde_json::from_str(line.trim_start_matches('\u{feff}')).map_err(|error| {
                    SourceError::at_line(path, number, format!("is no JSON resource: {error}"))
                        .with_hint("a bulk export has one whole resource a line")
                })?;
                collector.take(&|| format!("{}, line {number}", path.display()), None, &resource, summary)?;
            }
        }
        Ok(Some(collector.finish(summary)))
    }
}
