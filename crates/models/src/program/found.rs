//! Where a program is, and what is in the files its command names.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// A larger file is not read whole, only looked at: weights of many gigabytes may be named, too.
const READ_WHOLE: u64 = 64 << 20;

/// The file that would be started; the error says what is missing.
pub(super) fn find(
    command: &[String],
    folder: &Path,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<PathBuf, String> {
    if cfg!(not(unix)) {
        return Err("programs are started on Unix only".to_owned());
    }
    let program = command.first().ok_or("`command` is empty")?;
    if program.contains('/') {
        let path = folder.join(program);
        return match path.metadata() {
            Ok(file) if file.is_file() => Ok(path),
            _ => Err(format!("there is no file {}", path.display())),
        };
    }
    let paths = variable("PATH").unwrap_or_default();
    let found = std::env::split_paths(&paths).map(|folder| folder.join(program)).find(|path| path.is_file());
    found.ok_or_else(|| format!("there is no program `{program}` in PATH"))
}

/// By the word of the command that names it: what is in each file, so that a changed program is another model.
pub(super) fn contents(command: &[String], folder: &Path) -> Value {
    let files = command.iter().enumerate().filter_map(|(place, word)| {
        // What PATH finds is the machine's own, and changes with every update of it.
        let named = place > 0 || word.contains('/');
        let path = folder.join(word);
        let content = content(&path).ok().filter(|_| named)?;
        Some((word.clone(), content))
    });
    Value::Object(files.collect::<Map<_, _>>())
}

fn content(path: &Path) -> io::Result<Value> {
    let mut file = File::open(path)?;
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    if about.len() > READ_WHOLE {
        let changed = about.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        return Ok(json!({ "bytes": about.len(), "changed": changed.as_secs() }));
    }
    let mut hash = Sha256::new();
    let mut piece = vec![0; 64 << 10];
    loop {
        match file.read(&mut piece)? {
            0 => break,
            some => hash.update(&piece[..some]),
        }
    }
    Ok(Value::String(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_program_is_found_in_path_or_beside_the_study() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = |_: &str| Some("/nowhere:/bin:/usr/bin".to_owned());
        assert!(find(&words(&["sh"]), folder, &path).is_ok_and(|found| found.ends_with("sh")));
        assert!(find(&words(&["./Cargo.toml"]), folder, &path).is_ok());
        let missing = find(&words(&["pyton3"]), folder, &path);
        assert_eq!(missing, Err("there is no program `pyton3` in PATH".to_owned()));
        assert!(find(&words(&["./no.sh"]), folder, &path).is_err_and(|why| why.ends_with("no.sh")));
    }

    #[test]
    fn only_files_that_the_command_names_are_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let read = contents(&words(&["sh", "Cargo.toml", "src", "--fast", "no.py"]), folder);
        let read = read.as_object().expect("an object");
        assert_eq!(read.keys().collect::<Vec<_>>(), ["Cargo.toml"]);
        assert_eq!(read["Cargo.toml"].as_str().map(str::len), Some(64));
    }
}
