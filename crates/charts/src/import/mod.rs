//! Charts from what hospitals and registries have: FHIR, flat tables, notes, folders of text.
//!
//! An import is an iterator over charts. Memory holds the patients of one file or of one pass, never the whole source.

mod classify;
mod detect;
pub(crate) mod draft;
mod drafts;
mod fhir;
mod files;
mod kind;
mod summary;
mod tables;
mod text;
mod when;

pub use detect::detect;
pub use kind::Kind;
pub use summary::Summary;
pub use when::DateOrder;

use crate::Chart;
use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};
use waterjar_core::{CaseId, SourceError};

#[derive(Clone, Debug, Default)]
pub struct ImportOptions {
    /// What the path holds; looked at where it is not said.
    pub kind: Option<Kind>,
    /// A TOML file that says which columns mean what: a mapping for `notes`, a layout for `tables`.
    pub mapping: Option<PathBuf>,
}

/// Gives one chart after the other; after an error it ends.
pub struct Import {
    kind: Kind,
    readers: VecDeque<Box<dyn ChartReader>>,
    ready: VecDeque<Chart>,
    ids: HashSet<CaseId>,
    summary: Summary,
}

/// Reads a source by the batch: a file, or the patients of one pass. `None` is the end.
trait ChartReader: Send {
    fn next_charts(&mut self, summary: &mut Summary) -> Result<Option<Vec<Chart>>, SourceError>;
}

impl Import {
    pub fn open(path: &Path, options: &ImportOptions) -> Result<Self, SourceError> {
        let kind = match options.kind {
            Some(kind) => kind,
            None => detect(path)?,
        };
        let mut readers = VecDeque::new();
        kind::open(kind, path, options.mapping.as_deref(), &mut readers)?;
        Ok(Self { kind, readers, ready: VecDeque::new(), ids: HashSet::new(), summary: Summary::default() })
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What was read so far.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    fn next_chart(&mut self) -> Result<Option<Chart>, SourceError> {
        loop {
            if let Some(chart) = self.ready.pop_front() {
                return Ok(Some(self.counted(chart)));
            }
            let Some(reader) = self.readers.front_mut() else { return Ok(None) };
            match reader.next_charts(&mut self.summary)? {
                Some(charts) => self.ready.extend(charts),
                None => drop(self.readers.pop_front()),
            }
        }
    }

    fn counted(&mut self, mut chart: Chart) -> Chart {
        let id = chart.id.clone();
        let mut number = 1;
        while !self.ids.insert(chart.id.clone()) {
            number += 1;
            chart.id = CaseId::new(format!("{id}~{number}"));
        }
        self.summary.renamed += u64::from(number > 1);
        self.summary.charts += 1;
        self.summary.entries += chart.entries.len() as u64;
        chart
    }
}

impl Iterator for Import {
    type Item = Result<Chart, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_chart().transpose();
        if matches!(next, Some(Err(_))) {
            self.readers.clear();
        }
        next
    }
}

impl std::fmt::Debug for Import {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Import").field("kind", &self.kind).field("summary", &self.summary).finish_non_exhaustive()
    }
}
