//! Charts from tables: a layout says what the columns mean, and every row becomes an entry.

mod layout;
mod lookup;
mod notes;
mod rows;
mod table;
mod template;

pub(super) use layout::Layout;

use super::drafts::{Drafts, Passes};
use super::files::{self, name};
use super::summary::Summary;
use super::when::DateOrder;
use super::{ChartReader, files::stem};
use crate::Chart;
use std::path::{Path, PathBuf};
use table::Table;
use template::Lookups;
use waterjar_core::SourceError;

pub(super) struct Tables {
    tables: Vec<Table>,
    lookups: Lookups,
    date_order: DateOrder,
    /// Files nobody reads, and why.
    left_out: Vec<(String, String)>,
    passes: Passes,
}

impl Tables {
    /// A folder whose files the layout names.
    pub fn open(folder: &Path, layout: Layout) -> Result<Self, SourceError> {
        let found = files::files(folder)?;
        let mut tables = Vec::new();
        for written in &layout.patient {
            if let Some(path) = file_called(&found, &written.file) {
                tables.push(Table::of_patients(path, written)?);
            }
        }
        for written in &layout.table {
            if let Some(path) = file_called(&found, &written.file) {
                tables.push(Table::of_events(path, written)?);
            }
        }
        if !tables.iter().any(Table::has_entries) {
            let names: Vec<_> = layout.files().collect();
            let problem = format!("holds none of the tables the layout names: {}", names.join(", "));
            return Err(SourceError::at(folder, problem).with_hint("say another kind"));
        }
        let lookups = lookup::read(&layout, &found, &tables)?;
        let left_out = left_out(&found, &layout);
        let passes = Passes::over(&tables.iter().map(|table| table.path.clone()).collect::<Vec<_>>());
        Ok(Self { tables, lookups, date_order: layout.date_order, left_out, passes })
    }

    /// Notes in one file or in a folder of files.
    pub fn open_notes(path: &Path, mapping: Option<&Path>) -> Result<Self, SourceError> {
        let mapping = notes::Mapping::read(mapping)?;
        let (readable, others): (Vec<_>, Vec<_>) =
            files::files(path)?.into_iter().partition(|path| notes::is_table(path));
        if readable.is_empty() {
            let problem = "holds no CSV, TSV, JSON or JSON Lines file";
            return Err(SourceError::at(path, problem));
        }
        // Where the rows do not say whose they are, the folder or the file does.
        let owner = |file: &Path| if path.is_dir() { name(path) } else { stem(file) };
        let tables = readable.iter().map(|file| mapping.table(file, &owner(file))).collect::<Result<Vec<_>, _>>()?;
        let left_out = others.iter().map(|path| (name(path), "no table".to_owned())).collect();
        let passes = Passes::over(&readable);
        Ok(Self { tables, lookups: Lookups::new(), date_order: mapping.date_order, left_out, passes })
    }

    #[cfg(test)]
    fn in_passes(mut self, count: u64) -> Self {
        self.passes = Passes::of(count);
        self
    }
}

impl ChartReader for Tables {
    fn next_charts(&mut self, summary: &mut Summary) -> Result<Option<Vec<Chart>>, SourceError> {
        let Some(pass) = self.passes.next() else { return Ok(None) };
        if pass.is_first() {
            for (file, why) in &self.left_out {
                summary.skip_one(file, why);
            }
        }
        let mut drafts = Drafts::default();
        for table in &self.tables {
            table.read_into(&mut drafts, &self.lookups, self.date_order, pass, summary)?;
        }
        Ok(Some(drafts.finish(summary)))
    }
}

/// Whether the columns of this file are those of notes. One that is no table holds none; whoever imports it is told why.
pub(super) fn holds_notes(path: &Path) -> bool {
    rows::column_names(path).is_ok_and(|columns| notes::are_notes(&columns))
}

/// By name without regard to case, and with any ending a table can have.
fn file_called<'a>(found: &'a [PathBuf], wanted: &str) -> Option<&'a PathBuf> {
    let wanted = stem(Path::new(wanted));
    found.iter().find(|path| notes::is_table(path) && stem(path).eq_ignore_ascii_case(&wanted))
}

fn left_out(found: &[PathBuf], layout: &Layout) -> Vec<(String, String)> {
    let lookups = layout.lookup.values().map(|table| table.file.as_str());
    let known: Vec<String> = layout.files().chain(lookups).map(|file| stem(Path::new(file))).collect();
    let unknown = found.iter().filter(|path| !known.iter().any(|known| known.eq_ignore_ascii_case(&stem(path))));
    let why = |path: &Path| {
        let written = layout.skip.iter().find(|(file, _)| stem(Path::new(file)).eq_ignore_ascii_case(&stem(path)));
        written.map_or_else(|| "not in the layout".to_owned(), |(_, why)| why.clone())
    };
    unknown.map(|path| (name(path), why(path))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::*;

    fn read(folder: &Path, passes: u64) -> (Vec<Chart>, Summary) {
        let layout = Layout::built_in(Kind::SyntheaCsv).unwrap();
        let mut tables = Tables::open(folder, layout).unwrap().in_passes(passes);
        let (mut charts, mut summary) = (Vec::new(), Summary::default());
        while let Some(more) = tables.next_charts(&mut summary).unwrap() {
            charts.extend(more);
        }
        charts.sort_by(|one, other| one.id.cmp(&other.id));
        (charts, summary)
    }

    #[test]
    fn reading_in_several_passes_gives_the_same_charts_and_counts() {
        let folder = tempfile::TempDir::new().unwrap();
        let ids = 0..20;
        let patients: String = ids.clone().map(|id| format!("p{id},A{id},B\n")).collect();
        let events: String = ids.rev().map(|id| format!("2024-01-02,p{id},gout\n2020-01-02,p{id},flu\n")).collect();
        std::fs::write(folder.path().join("patients.csv"), format!("Id,FIRST,LAST\n{patients}")).unwrap();
        std::fs::write(folder.path().join("conditions.csv"), format!("START,PATIENT,DESCRIPTION\n{events},,\n"))
            .unwrap();
        std::fs::write(folder.path().join("claims.csv"), "Id\n").unwrap();
        let once = read(folder.path(), 1);
        assert_eq!((once.0.len(), once.0[0].entries.len()), (20, 2));
        assert_eq!(read(folder.path(), 3), once);
        assert_eq!(read(folder.path(), 50), once);
    }

    #[test]
    fn every_built_in_layout_can_be_read() {
        for kind in [Kind::SyntheaCsv, Kind::McodeCsv, Kind::Omop, Kind::TumorBoardCsv] {
            let layout = Layout::built_in(kind).unwrap();
            for table in &layout.table {
                Table::of_events(Path::new(&table.file), table).unwrap();
            }
            for table in &layout.patient {
                Table::of_patients(Path::new(&table.file), table).unwrap();
            }
        }
    }
}
