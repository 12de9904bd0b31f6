//! A file from the network, kept only if it is the one that was meant.

use crate::EndpointPolicy;
use crate::http::build;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

/// Between two parts of the file.
const PATIENCE: Duration = Duration::from_secs(60);

/// Fetches `url` to `path` and returns its length. `sha256` is what it must hash to, in hex; a file that does not is not kept.
pub async fn download(url: &str, path: &Path, sha256: &str) -> Result<u64, String> {
    // Beside its place, so that half a file never has the name of a whole one.
    let part = path.with_extension("part");
    let fetched = fetch(url, &part, sha256).await;
    if fetched.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    let length = fetched?;
    std::fs::rename(&part, path).map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    Ok(length)
}

async fn fetch(url: &str, part: &Path, sha256: &str) -> Result<u64, String> {
    let unreachable = |error: reqwest::Error| {
        let cause = std::iter::successors(Some(&error as &dyn std::error::Error), |it| it.source()).last();
        format!("{url} cannot be reached: {}", cause.map_or_else(String::new, ToString::to_string))
    };
    let unwritable = |error: std::io::Error| format!("{} cannot be written: {error}", part.display());
    let client = build(EndpointPolicy::Any, false).map_err(unreachable)?;
    let mut response = client.get(url).send().await.map_err(unreachable)?;
    if !response.status().is_success() {
        return Err(format!("{url} answers {}", response.status()));
    }
    let mut file = File::create(part).map_err(unwritable)?;
    let mut hasher = Sha256::new();
    let mut length = 0;
    loop {
        let next = tokio::time::timeout(PATIENCE, response.chunk()).await;
        let next = next.map_err(|_| format!("{url} stopped sending after {length} bytes"))?;
        let Some(bytes) = next.map_err(unreachable)? else { break };
        file.write_all(&bytes).map_err(unwritable)?;
        hasher.update(&bytes);
        length += bytes.len() as u64;
    }
    file.sync_all().map_err(unwritable)?;
    let mut found = String::new();
    for byte in hasher.finalize() {
        write!(found, "{byte:02x}").expect("writing to a String cannot fail");
    }
    if found == sha256 {
        Ok(length)
    } else {
        Err(format!("{url} is another file: its SHA-256 is {found}, not {sha256}"))
    }
}
