//! Puts every folder of `languages/` into the program, so that another language is a folder and no code.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let here = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let mut out = String::from("pub(crate) const LANGUAGES: &[(&str, &[(&str, &str)])] = &[\n");
    for folder in entries(&here.join("languages")) {
        writeln!(out, "({:?}, &[", name(&folder)).expect("writing to a String cannot fail");
        for entry in entries(&folder) {
            // Prompts have a folder of their own.
            let (within, files) = match entry.is_dir() {
                true => (format!("{}/", name(&entry)), entries(&entry)),
                false => (String::new(), vec![entry]),
            };
            for file in files {
                writeln!(out, "({:?}, include_str!({:?})),", format!("{within}{}", name(&file)), file)
                    .expect("writing to a String cannot fail");
            }
        }
        out.push_str("]),\n");
    }
    out.push_str("];\n");
    let target = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it")).join("languages.rs");
    std::fs::write(target, out).expect("the build directory can be written");
    println!("cargo:rerun-if-changed=languages");
}

/// What is in a folder, by name, so that every build has the same order.
fn entries(folder: &Path) -> Vec<PathBuf> {
    println!("cargo:rerun-if-changed={}", folder.display());
    let found = std::fs::read_dir(folder).expect("the folder of languages is part of the source");
    let mut found: Vec<PathBuf> = found.map(|entry| entry.expect("it can be listed").path()).collect();
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.file_name().expect("it was listed").to_string_lossy().into_owned()
}
