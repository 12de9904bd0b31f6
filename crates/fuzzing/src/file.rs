//! Files for readers that take a path.

use std::path::Path;
use tempfile::TempDir;

thread_local! {
    static FOLDER: TempDir = tempfile::Builder::new().prefix("waterjar-fuzz").tempdir().expect("there is room for small files");
}

/// A folder with these files and no others, in the place that each call of a thread uses anew.
pub fn with_files<T>(files: &[(&str, &[u8])], then: impl FnOnce(&Path) -> T) -> T {
    FOLDER.with(|folder| {
        let path = folder.path();
        for (name, data) in files {
            std::fs::write(path.join(name), data).expect("there is room for small files");
        }
        let outcome = then(path);
        for (name, _) in files {
            std::fs::remove_file(path.join(name)).expect("it was just written");
        }
        outcome
    })
}

pub fn with_file<T>(name: &str, data: &[u8], then: impl FnOnce(&Path) -> T) -> T {
    with_files(&[(name, data)], |folder| then(&folder.join(name)))
}

/// Several files in one input, parted by lines of four dashes.
pub fn parts(data: &[u8]) -> Vec<&[u8]> {
    const LINE: &[u8] = b"\n----\n";
    let mut parts = Vec::new();
    let mut rest = data;
    while let Some(at) = rest.windows(LINE.len()).position(|it| it == LINE) {
        parts.push(&rest[..=at]);
        rest = &rest[at + LINE.len()..];
    }
    parts.push(rest);
    parts
}
