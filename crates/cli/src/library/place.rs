//! Where indices and replies of services are kept between runs.

use std::path::PathBuf;

pub const VARIABLE: &str = "WATERJAR_CACHE";

/// What can be made again: deleting it costs time, never a result.
pub fn cache_dir() -> Result<PathBuf, String> {
    let set = |name: &str| std::env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
    let own = || Some(set("XDG_CACHE_HOME").or_else(|| set("LOCALAPPDATA"))?.join("waterjar"));
    let home = || Some(set("HOME")?.join(".cache/waterjar"));
    set(VARIABLE).or_else(own).or_else(home).ok_or_else(|| {
        format!("there is no place to keep indices and replies in; set {VARIABLE} to a folder that can be written")
    })
}
