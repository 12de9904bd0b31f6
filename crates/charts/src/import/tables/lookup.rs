//! What codes mean: the layout's own list, and tables such as OMOP's concepts.

use super::file_called;
use super::layout::{Layout, LookupTable};
use super::rows::each_row;
use super::table::Table;
use super::template::{Columns, Lookups, WAYS};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use waterjar_core::SourceError;

/// The layout's own codes are looked up under this name.
const CODES: &str = "codes";

pub(super) fn read(layout: &Layout, found: &[PathBuf], tables: &[Table]) -> Result<Lookups, SourceError> {
    let mut lookups = Lookups::new();
    lookups.insert(CODES.to_owned(), layout.codes.clone().into_iter().collect());
    let wanted = wanted(layout, tables)?;
    for (name, written) in &layout.lookup {
        let table = match file_called(found, &written.file) {
            Some(path) => meanings(path, written, wanted.get(name.as_str()).cloned().unwrap_or_default())?,
            // Without names the codes themselves are told, where the template has them as an alternative.
            None => HashMap::new(),
        };
        lookups.insert(name.clone(), table);
    }
    Ok(lookups)
}

/// The values each lookup will be asked for. A vocabulary has millions of rows, a data set uses thousands.
fn wanted<'a>(layout: &'a Layout, tables: &'a [Table]) -> Result<BTreeMap<&'a str, HashSet<String>>, SourceError> {
    let mut wanted: BTreeMap<&str, HashSet<String>> = BTreeMap::new();
    for table in tables {
        let lookups = table.lookups();
        for (name, _) in &lookups {
            if *name != CODES && !WAYS.contains(name) && !layout.lookup.contains_key(*name) {
                let problem = format!("the layout looks values up in `{name}`, which it does not define");
                return Err(SourceError::at(&table.path, problem)
                    .with_hint("add `[lookup.NAME]` with file, key and value, or `[codes]`"));
            }
        }
        if !lookups.iter().any(|(name, _)| layout.lookup.contains_key(*name)) {
            continue;
        }
        each_row(&table.path, &table.columns, &[], &mut |_, row| {
            for &(name, column) in &lookups {
                if layout.lookup.contains_key(name) && !row[column].is_empty() {
                    let values = wanted.entry(name).or_default();
                    if !values.contains(&row[column]) {
                        values.insert(row[column].clone());
                    }
                }
            }
            Ok(())
        })?;
    }
    Ok(wanted)
}

fn meanings(
    path: &Path,
    written: &LookupTable,
    wanted: HashSet<String>,
) -> Result<HashMap<String, String>, SourceError> {
    let mut columns = Columns::default();
    let (key, value) = (columns.place(&written.key), columns.place(&written.value));
    let mut table = HashMap::new();
    each_row(path, &columns, &[vec![key], vec![value]], &mut |_, row| {
        if wanted.contains(&row[key]) {
            table.insert(row[key].clone(), row[value].clone());
        }
        Ok(())
    })?;
    Ok(table)
}
