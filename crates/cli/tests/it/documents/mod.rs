//! The documents: every command in them runs, every link in them leads somewhere, every study in them is one, and what is made from the
//! program is as the program is.

mod architecture;
mod commands;
mod keys;
mod links;
mod printed;
mod reasons;
mod reference;
mod studies;

use std::path::{Path, PathBuf};

/// The folder of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Every file below a folder of the repository that ends so, by its path in the repository.
fn files(folder: &str, ending: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path.strip_prefix(root()).unwrap().to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap()
}

/// Of study files.
fn schema() -> serde_json::Value {
    serde_json::from_str(&read("docs/reference/study.schema.json")).unwrap()
}

/// What stands between two fences.
struct Fence {
    /// Of its first line.
    line: usize,
    language: String,
    /// What stands in brackets behind the language: `sh (needs a key)`.
    note: Option<String>,
    text: String,
}

fn fences(page: &str) -> Vec<Fence> {
    let mut found: Vec<Fence> = Vec::new();
    let mut is_open = false;
    for (at, line) in page.lines().enumerate() {
        match (line.trim_start().strip_prefix("```"), is_open) {
            (Some(info), false) => {
                let (language, rest) = info.split_once(' ').unwrap_or((info, ""));
                let note = rest.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
                let (language, note) = (language.to_owned(), note.map(str::to_owned));
                found.push(Fence { line: at + 2, language, note, text: String::new() });
                is_open = true;
            }
            (Some(_), true) => is_open = false,
            (None, true) => {
                let fence = found.last_mut().unwrap();
                fence.text.push_str(line);
                fence.text.push('\n');
            }
            (None, false) => {}
        }
    }
    found
}
