//! Who is asked, as a lock holds it: every subject, and every model that the study describes.

use super::{files, hash};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use waterjar_engine::StudyFile;

// The name of a suite has no blank, so no key of a suite begins like one of these.
const SUBJECT: &str = "subject ";
const MODEL: &str = "model ";

/// Where a model is and how fast it is asked decide no answer; what opens the door to it (headers may) is never hashed.
const REACHED: [&str; 14] = [
    "url",
    "key_env",
    "headers",
    "timeout_seconds",
    "requests_per_minute",
    "tokens_per_minute",
    "concurrency",
    "mode",
    "batch_size",
    "batch_wait_seconds",
    "poll_seconds",
    "processes",
    "max_line_bytes",
    "restarts",
];

/// Whether a key of a lock is of somebody who is asked.
pub fn is_asked(key: &str) -> bool {
    key.starts_with(SUBJECT) || key.starts_with(MODEL)
}

/// The files right in the folders that a table names, by key and name: a memory is one. What is asked is in no fingerprint of the cases.
fn folders(table: &toml::Table, folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut held = Vec::new();
    for (key, name) in table.iter().filter_map(|(key, value)| Some((key, value.as_str()?))) {
        // A setting without words names no folder, and joined to the study's it would be that one.
        if name.trim().is_empty() {
            continue;
        }
        let inside = std::fs::read_dir(folder.join(name)).into_iter().flatten().flatten();
        let mut inside: Vec<PathBuf> = inside.map(|it| it.path()).filter(|it| it.is_file()).collect();
        inside.sort();
        let named = |path: PathBuf| {
            Some((format!("{key}/{}", path.file_name()?.to_string_lossy()), std::fs::read(&path).ok()?))
        };
        held.extend(inside.into_iter().filter_map(named));
    }
    held
}

/// By `subject NAME` and `model NAME`.
pub fn asked(study: &StudyFile) -> BTreeMap<String, String> {
    let mut told: BTreeMap<String, String> = BTreeMap::new();
    for written in &study.subjects {
        let entry = written.get_ref();
        let mut suites = entry.suites.clone();
        suites.iter_mut().for_each(|named| named.sort());
        let how = format!("{:?}", (&entry.agent, &entry.model, suites, entry.settings.to_string()));
        // A subject may be there twice, for suites apart.
        let of_it = told.entry(format!("{SUBJECT}{}", entry.name().trim())).or_default();
        of_it.push_str(&how);
        let (settings, folder) = (&entry.settings, study.folder());
        for (key, bytes) in files(settings, folder).into_iter().chain(folders(settings, folder)) {
            of_it.push_str(&format!("{key} {}", hash(&bytes)));
        }
    }
    for (name, table) in &study.models {
        let mut decides = table.get_ref().clone();
        decides.retain(|key, _| !REACHED.contains(&key));
        told.insert(format!("{MODEL}{name}"), decides.to_string());
    }
    told.into_iter().map(|(key, how)| (key, hash(how.as_bytes()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_memory_in_the_same_folder_is_another_subject() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("memory")).unwrap();
        let text = "[study]\nname = \"a\"\nseed = 1\n\n[[suite]]\nkind = \"einstellung\"\nsource = \"starter\"\n\n[[subject]]\nagent = \"ecr\"\nmodel = \"rules\"\nmemory = \"memory\"\n";
        let of = |manifest: &str| {
            std::fs::write(folder.path().join("memory/manifest.json"), manifest).unwrap();
            asked(&StudyFile::parse(&folder.path().join("study.toml"), text.to_owned(), &[]).unwrap())
        };
        assert_eq!(of("{}"), of("{}"));
        assert_ne!(of("{}"), of("{ }"));
    }
}
