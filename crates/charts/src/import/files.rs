//! Files and folders, in the order of their names.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use waterjar_core::SourceError;

pub(super) fn unreadable(path: &Path, error: &std::io::Error) -> SourceError {
    SourceError::new(path.display().to_string(), format!("cannot be read: {error}"))
}

/// The files of a folder, or the file itself; hidden files and read-me files are nobody's chart.
pub(super) fn files(path: &Path) -> Result<Vec<PathBuf>, SourceError> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    listed(path, |path| path.is_file() && !name(path).to_ascii_lowercase().starts_with("readme"))
}

pub(super) fn folders(path: &Path) -> Result<Vec<PathBuf>, SourceError> {
    listed(path, Path::is_dir)
}

fn listed(folder: &Path, keep: impl Fn(&Path) -> bool) -> Result<Vec<PathBuf>, SourceError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, &error))? {
        let path = entry.map_err(|error| unreadable(folder, &error))?.path();
        if !name(&path).starts_with('.') && keep(&path) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The last part of a path.
pub(super) fn name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Its name without the ending.
pub(super) fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| name(path), |stem| stem.to_string_lossy().into_owned())
}

pub(super) fn extension(path: &Path) -> String {
    path.extension().map_or_else(String::new, |extension| extension.to_string_lossy().to_ascii_lowercase())
}

/// The first part of a file, enough to tell what it is.
pub(super) fn beginning(path: &Path) -> Result<String, SourceError> {
    let file = fs::File::open(path).map_err(|error| unreadable(path, &error))?;
    let mut bytes = Vec::new();
    file.take(1 << 16).read_to_end(&mut bytes).map_err(|error| unreadable(path, &error))?;
    Ok(String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').to_owned())
}

/// A whole text file; Latin-1 where it is not UTF-8, which old exports are.
pub(super) fn text(path: &Path) -> Result<String, SourceError> {
    let bytes = fs::read(path).map_err(|error| unreadable(path, &error))?;
    Ok(decode(bytes))
}

pub(super) fn decode(bytes: Vec<u8>) -> String {
    let text =
        String::from_utf8(bytes).unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
    match text.strip_prefix('\u{feff}') {
        Some(text) => text.to_owned(),
        None => text,
    }
}
