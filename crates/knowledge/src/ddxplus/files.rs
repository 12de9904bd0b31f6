//! Which file of a folder is which.

use std::path::{Path, PathBuf};
use waterjar_core::SourceError;

const STATS: &str = "symptom_condition_probs.json";
const CODE_MAP: &str = "code_map_fr_to_en.json";

/// Where one code system is written.
#[derive(Clone, Debug)]
pub(super) struct ReleaseFiles {
    pub conditions: PathBuf,
    pub evidences: PathBuf,
}

/// The knowledge files of a folder.
#[derive(Clone, Debug)]
pub(super) struct KnowledgeFiles {
    pub main: ReleaseFiles,
    pub main_is_french: bool,
    /// The French-coded release beside an English one.
    pub french: Option<ReleaseFiles>,
    pub code_map: Option<PathBuf>,
    pub stats: Option<PathBuf>,
}

impl KnowledgeFiles {
    /// `release_conditions.json` and `release_evidences.json`, or the same with `_fr`; where both are, the first is the
    /// code system of everything we give out.
    pub fn find(dir: &Path) -> Result<Self, SourceError> {
        list(dir)?;
        let english = release(dir, "")?;
        let french = release(dir, "_fr")?;
        let (main, french, main_is_french) = match (english, french) {
            (Some(english), french) => (english, french, false),
            (None, Some(french)) => (french, None, true),
            (None, None) => {
                return Err(SourceError::at(
                    dir,
                    "holds neither release_conditions.json nor release_conditions_fr.json",
                )
                .with_hint("put release_conditions.json and release_evidences.json of DDXPlus into the folder"));
            }
        };
        Ok(Self { main, main_is_french, french, code_map: existing(dir, CODE_MAP), stats: existing(dir, STATS) })
    }
}

/// The one patients file of a folder: `*.csv`, DyReMe's `*.json`, or the official `release_…_patients` without an ending.
pub(super) fn patients(dir: &Path) -> Result<PathBuf, SourceError> {
    let files = list(dir)?;
    let mut found: Vec<&PathBuf> = files.iter().filter(|path| is_patients(path)).collect();
    match (found.pop(), found.is_empty()) {
        (Some(only), true) => Ok(only.clone()),
        (Some(last), false) => {
            let names: Vec<_> = found.iter().map(|path| name_of(path)).chain([name_of(last)]).collect();
            Err(SourceError::at(dir, format!("holds several patients files: {}", names.join(", ")))
                .with_hint("name the one to read, and this folder as its knowledge"))
        }
        (None, _) => {
            let zipped = files.iter().map(|path| name_of(path)).find(|name| name.ends_with(".zip"));
            Err(SourceError::at(dir, "holds no patients file").with_hint(match zipped {
                Some(zip) => format!("unzip {zip} first"),
                None => "put a DDXPlus patients file (.csv, or .json as DyReMe packs it) there, or name one elsewhere \
                         and this folder as its knowledge"
                    .to_owned(),
            }))
        }
    }
}

fn is_patients(path: &Path) -> bool {
    let name = name_of(path);
    if name.ends_with(".csv") {
        return true;
    }
    if name.ends_with(".json") {
        return !name.starts_with("release_conditions")
            && !name.starts_with("release_evidences")
            && name != CODE_MAP
            && name != STATS;
    }
    name.starts_with("release_") && name.ends_with("_patients")
}

fn release(dir: &Path, suffix: &str) -> Result<Option<ReleaseFiles>, SourceError> {
    let (conditions, evidences) =
        (format!("release_conditions{suffix}.json"), format!("release_evidences{suffix}.json"));
    match (existing(dir, &conditions), existing(dir, &evidences)) {
        (Some(conditions), Some(evidences)) => Ok(Some(ReleaseFiles { conditions, evidences })),
        (None, None) => Ok(None),
        (found, _) => {
            let (there, missing) = match found {
                Some(_) => (conditions, evidences),
                None => (evidences, conditions),
            };
            Err(SourceError::at(dir, format!("holds {there} but no {missing}"))
                .with_hint("the two files of a release belong together"))
        }
    }
}

fn existing(dir: &Path, name: &str) -> Option<PathBuf> {
    let path = dir.join(name);
    path.is_file().then_some(path)
}

/// Sorted, so that a message does not depend on the file system.
fn list(dir: &Path) -> Result<Vec<PathBuf>, SourceError> {
    let entries = std::fs::read_dir(dir).map_err(|error| {
        let error = SourceError::unreadable(dir, &error);
        if dir.is_file() {
            error.with_hint("name the folder with the DDXPlus files, or both the patients file and that folder")
        } else {
            error.with_hint("name a folder with the DDXPlus files")
        }
    })?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| SourceError::unreadable(dir, &error))?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
