//! Files and folders, in the order of their names.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use waterjar_core::SourceError;

/// The files of a folder, or the file itself; hidden files and read-me files are nobody's chart.
pub(super) fn files(path: &Path) -> Result<Vec<PathBuf>, SourceError> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    listed(path, |path| path.is_file() && !name(path).to_ascii_lowercase().starts_with("readme"))
}

pub(super) fn folders(path: &Path) -> Result<Vec<PathBuf>, SourceError> {
    // A link to the folder itself, or to one above it, would be read again and again.
    let here = path.canonicalize().ok();
    let leads_back = |path: &Path| {
        path.is_symlink() && path.canonicalize().is_ok_and(|to| here.as_ref().is_some_and(|it| it.starts_with(to)))
    };
    listed(path, |path| path.is_dir() && !leads_back(path))
}

fn listed(folder: &Path, keep: impl Fn(&Path) -> bool) -> Result<Vec<PathBuf>, SourceError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| SourceError::unreadable(folder, &error))? {
        let path = entry.map_err(|error| SourceError::unreadable(folder, &error))?.path();
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
    let file = fs::File::open(path).map_err(|error| SourceError::unreadable(path, &error))?;
    let mut bytes = Vec::new();
    file.take(1 << 16).read_to_end(&mut bytes).map_err(|error| SourceError::unreadable(path, &error))?;
    Ok(String::from_utf8_lossy(&bytes).trim_start_matches('\u{feff}').to_owned())
}

/// A whole text file: UTF-16 where its mark says so, Latin-1 where it is not UTF-8, which old exports are.
pub(super) fn text(path: &Path) -> Result<String, SourceError> {
    let bytes = fs::read(path).map_err(|error| SourceError::unreadable(path, &error))?;
    let text = decode(bytes);
    // Texts have no control characters but tabs and ends of lines and pages; pictures and archives are full of them.
    let is_control = |letter: &char| letter.is_control() && !matches!(letter, '\t' | '\n' | '\r' | '\u{c}' | '\u{85}');
    let controls = text.chars().filter(is_control).count();
    if text.contains('\0') || controls * 50 > text.chars().count() {
        return Err(SourceError::at(path, "is no text").with_hint("take it out of the folder, or save it as UTF-8"));
    }
    Ok(text)
}

pub(super) fn decode(bytes: Vec<u8>) -> String {
    let units = |of: fn([u8; 2]) -> u16| -> Vec<u16> {
        bytes[2..].chunks_exact(2).map(|pair| of([pair[0], pair[1]])).collect()
    };
    match bytes.as_slice() {
        [0xff, 0xfe, ..] => return String::from_utf16_lossy(&units(u16::from_le_bytes)),
        [0xfe, 0xff, ..] => return String::from_utf16_lossy(&units(u16::from_be_bytes)),
        _ => {}
    }
    let text =
        String::from_utf8(bytes).unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
    match text.strip_prefix('\u{feff}') {
        Some(text) => text.to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_by_its_mark_and_what_is_no_text_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let check = |bytes: &[u8]| {
            let path = dir.path().join("a.txt");
            fs::write(&path, bytes).unwrap();
            text(&path).map_err(|error| error.problem)
        };
        let utf16: Vec<u8> =
            [0xfeff_u16].into_iter().chain("Größe".encode_utf16()).flat_map(u16::to_le_bytes).collect();
        assert_eq!(check(&utf16), Ok("Größe".to_owned()));
        assert_eq!(check("Größe\u{c}".as_bytes()), Ok("Größe\u{c}".to_owned()));
        assert_eq!(check(b"Gr\xf6\xdfe"), Ok("Größe".to_owned()));
        assert_eq!(check(&[0x89, b'P', b'N', b'G', 0, 1, 2, 3]), Err("is no text".to_owned()));
    }
}
