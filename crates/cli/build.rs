//! `waterjar --version` of a release build names the commit it was built from and the day of that commit. Nothing in it is of the build itself, so two
//! builds of a commit say the same.
#![allow(clippy::print_stdout, reason = "cargo listens there")]

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=WATERJAR_COMMIT");
    println!("cargo::rerun-if-changed=build.rs");
    let version = env!("CARGO_PKG_VERSION");
    let is_release = std::env::var("PROFILE").is_ok_and(|it| it == "release");
    let told = std::env::var("WATERJAR_COMMIT").ok().filter(|it| !it.trim().is_empty());
    let built = match (told, is_release) {
        (Some(told), _) => Some(told.trim().to_owned()),
        (None, true) => commit(),
        // Who is at work on it would wait for the program to be built anew after every commit.
        (None, false) => Some("debug".to_owned()),
    };
    let version = built.map_or_else(|| version.to_owned(), |built| format!("{version} ({built})"));
    println!("cargo::rustc-env=WATERJAR_VERSION={version}");
}

/// None where there is no git, or where this is no checkout of ours: a copy inside another repository is not that repository's commit.
fn commit() -> Option<String> {
    // A change of any source makes the tree another one than the commit's.
    for path in ["../../crates", "../../Cargo.lock", "../../Cargo.toml"] {
        println!("cargo::rerun-if-changed={path}");
    }
    for file in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--path-format=absolute", "--git-path", file])?;
        println!("cargo::rerun-if-changed={path}");
    }
    let inside = git(&["rev-parse", "--show-prefix"])?;
    let commit = git(&["log", "-1", "--format=%h %cs", "--abbrev=12"]);
    let commit = commit.filter(|it| !it.is_empty() && inside == "crates/cli/")?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changed.is_empty() { commit } else { format!("{commit}, changed since") })
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|it| it.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
