//! A folder of texts the user brings, indexed on disk and again when a file has changed.

use crate::words::ANALYZER;
use crate::{Article, EvidenceError, FullText, Problem, articles};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const MANIFEST: &str = "manifest.json";
/// What the directories are called in which somebody is building.
const ASIDE: &str = "new-";

/// What an index was made of. It is written last: an index without it is not finished.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Manifest {
    /// How texts are cut and kept.
    analyzer: String,
    /// Every file with the hash of its content.
    files: BTreeMap<String, String>,
}

/// Opens a folder of `.md` and `.txt` files, and the folders in it, under the name `id`.
///
/// The index is kept in `index_dir`, which is made if it does not exist and should hold nothing else. Files are known by
/// their content, so a file that changed, came or went is seen, and one that was only touched costs nothing.
pub fn open_folder(id: &str, folder: &Path, index_dir: &Path) -> Result<FullText, EvidenceError> {
    opened(id, folder, index_dir).map_err(|problem| problem.at(id))
}

fn opened(id: &str, folder: &Path, index_dir: &Path) -> Result<FullText, Problem> {
    let texts = texts(folder)?;
    let hash = |text: &String| blake3::hash(text.as_bytes()).to_hex().to_string();
    let files = texts.iter().map(|(name, text)| (name.clone(), hash(text))).collect();
    let manifest = Manifest { analyzer: ANALYZER.to_owned(), files };
    let listed = serde_json::to_string_pretty(&manifest).expect("strings and maps of strings are JSON");
    let fingerprint = blake3::hash(listed.as_bytes()).to_hex().to_string();
    // Each state of the folder has its own directory, so nobody finds an index half replaced.
    let dir = index_dir.join(&fingerprint[..16]);
    if is_finished(&dir, &listed) {
        if let Ok(index) = FullText::open(id, &dir, fingerprint.clone()) {
            return Ok(index);
        }
        // Damaged, and in the way of a whole one.
        _ = clear(&dir);
    }
    build(index_dir, &dir, all_articles(&texts)?, &listed)?;
    FullText::open(id, &dir, fingerprint)
}

/// Builds aside and moves into place, then clears what older states of the folder left.
fn build(index_dir: &Path, dir: &Path, articles: Vec<Article>, manifest: &str) -> Result<(), Problem> {
    let cannot = |what: &str, path: &Path, error: &io::Error| {
        Problem::Local(format!("cannot {what} {}: {error}; name another directory for the index", path.display()))
    };
    let aside = index_dir.join(format!("{ASIDE}{}", std::process::id()));
    clear(&aside).map_err(|error| cannot("clear", &aside, &error))?;
    fs::create_dir_all(&aside).map_err(|error| cannot("make", &aside, &error))?;
    // What is left of an attempt that failed is cleared by the next.
    FullText::write(&aside, articles)?;
    fs::write(aside.join(MANIFEST), manifest).map_err(|error| cannot("write to", &aside, &error))?;
    if fs::rename(&aside, dir).is_err() {
        // Somebody was quicker, or something unfinished is in the way.
        if is_finished(dir, manifest) {
            return clear(&aside).map_err(|error| cannot("clear", &aside, &error));
        }
        clear(dir).map_err(|error| cannot("clear", dir, &error))?;
        fs::rename(&aside, dir).map_err(|error| cannot("move the index to", dir, &error))?;
    }
    let others = fs::read_dir(index_dir).into_iter().flatten().flatten();
    let others = others.filter(|entry| !entry.file_name().to_string_lossy().starts_with(ASIDE)).map(|it| it.path());
    for path in others.filter(|path| path != dir && path.join(MANIFEST).is_file()) {
        // It only takes space; whoever still reads it keeps its files open.
        _ = clear(&path);
    }
    Ok(())
}

fn is_finished(dir: &Path, manifest: &str) -> bool {
    fs::read_to_string(dir.join(MANIFEST)).is_ok_and(|text| text == manifest)
}

fn clear(dir: &Path) -> io::Result<()> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn all_articles(texts: &BTreeMap<String, String>) -> Result<Vec<Article>, Problem> {
    let mut all = Vec::new();
    for (name, text) in texts {
        all.extend(articles(name, text)?);
    }
    Ok(all)
}

/// Every text below the folder by its path in it, with `/` on every system.
fn texts(folder: &Path) -> Result<BTreeMap<String, String>, Problem> {
    let mut texts = BTreeMap::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(below) = folders.pop() {
        let dir = folder.join(&below);
        let unreadable = |error| Problem::Local(format!("cannot read the folder {}: {error}", dir.display()));
        for entry in fs::read_dir(&dir).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let path = below.join(entry.file_name());
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            // A link to a folder is not followed: it may lead back here.
            if entry.file_type().map_err(unreadable)?.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "md" || end == "txt") {
                let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
                texts.insert(parts.join("/"), read(&folder.join(&path))?);
            }
        }
    }
    if texts.is_empty() {
        return Err(Problem::Local(format!("{} holds no .md or .txt file", folder.display())));
    }
    Ok(texts)
}

fn read(path: &Path) -> Result<String, Problem> {
    fs::read_to_string(path).map_err(|error| {
        let advice = if error.kind() == io::ErrorKind::InvalidData { "; save it as UTF-8" } else { "" };
        Problem::Local(format!("cannot read {}: {error}{advice}", path.display()))
    })
}
