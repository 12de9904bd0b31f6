//! The files that people name to be written.

use std::path::Path;
use waterjar_engine::EngineError;

/// What lies in the folder of every run, with its answers here or at a server. (`run.lock` may be that of a study called `run.toml`.)
const OF_A_RUN: [&str; 2] = ["run.sqlite", "run.postgres"];

/// Before anything is made for it: nothing that is there is written over but an empty file, and nothing is put among the files of a run.
pub fn check(path: &Path) -> Result<(), EngineError> {
    let bad = |problem: &str, hint: &str| Err(EngineError::file(path, problem).with_hint(hint));
    match std::fs::metadata(path) {
        Ok(there) if there.is_dir() => return bad("is a directory", "name a file"),
        Ok(there) if !there.is_file() => return bad("is no file", "name a file: devices and pipes are not written to"),
        Ok(there) if there.len() > 0 => {
            return bad("is there already", "name another file, or remove that one first: it is not written over");
        }
        _ => {}
    }
    among_no_run(path)
}

/// What may be written over by the user's word lies among the files of no run either.
pub fn among_no_run(path: &Path) -> Result<(), EngineError> {
    let bad = |problem: &str, hint: &str| Err(EngineError::file(path, problem).with_hint(hint));
    if path.is_symlink() && !path.exists() {
        return bad("is a link to nothing", "name the file itself");
    }
    // Behind a link is where it lies.
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = real.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if OF_A_RUN.iter().any(|name| folder.join(name).exists()) {
        return bad("lies among the files of a run", "name a file elsewhere");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_new_or_empty_and_of_no_run_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("empty.jsonl"), "").unwrap();
        std::fs::write(at("study.toml"), "[study]").unwrap();
        for (name, is_fine) in [("new.jsonl", true), ("empty.jsonl", true), ("study.toml", false), (".", false)] {
            assert_eq!(check(&at(name)).is_ok(), is_fine, "{name}");
        }
        assert!(check(Path::new("/dev/null")).is_err());
        std::fs::write(at("run.lock"), "").unwrap();
        assert!(check(&at("new.jsonl")).is_ok(), "beside the lock of a study called run");
        std::fs::create_dir(at("run")).unwrap();
        std::fs::write(at("run/run.sqlite"), "").unwrap();
        for name in ["run/run.sqlite", "run/run.sqlite-wal", "run/new.jsonl"] {
            assert!(check(&at(name)).is_err(), "{name}");
        }
        assert!(among_no_run(&at("run/run.sqlite")).is_err() && among_no_run(&at("study.toml")).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_judged_by_where_it_leads() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("run")).unwrap();
        std::fs::write(at("run/run.sqlite"), "").unwrap();
        std::fs::write(at("run/empty.jsonl"), "").unwrap();
        for name in ["empty.jsonl", "new.jsonl"] {
            std::os::unix::fs::symlink(at("run").join(name), at(name)).unwrap();
            assert!(check(&at(name)).is_err(), "{name}");
        }
    }
}
