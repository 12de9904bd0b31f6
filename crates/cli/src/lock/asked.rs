//! Who is asked, as a lock holds it: every subject, and every model that the study describes.

use super::{files, hash};
use std::collections::BTreeMap;
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
        for (key, bytes) in files(&entry.settings, study.folder()) {
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
