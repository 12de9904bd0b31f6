//! Whose word there is for the time of a lock: the commit that holds it, and the token of a time-stamping authority.

use crate::clock;
use cms::content_info::ContentInfo;
use cms::signed_data::SignedData;
use der::asn1::OctetString;
use der::{Decode, Encode};
use sha2::{Digest, Sha256, Sha384, Sha512};
use std::path::{Path, PathBuf};
use std::process::Command;
use waterjar_core::Stamp;
use x509_tsp::{TimeStampResp, TstInfo};

/// `studies/quickstart.lock` → `studies/quickstart.tsr`
pub fn token_path(lock: &Path) -> PathBuf {
    lock.with_extension("tsr")
}

/// The commit that holds the lock as it is. Nothing where there is no repository, or the lock is not in it.
pub fn of_git(lock: &Path) -> Option<Stamp> {
    git(lock, &["diff", "--quiet", "HEAD", "--"])?;
    let said = git(lock, &["log", "-1", "--format=%H %ct", "--"])?;
    let (commit, seconds) = said.trim().split_once(' ')?;
    Some(Stamp { at: clock::time(seconds.parse().ok()?)?, by: format!("git commit {commit}") })
}

/// Commits the lock and nothing else.
pub fn commit(lock: &Path, study: &str) -> Result<Stamp, String> {
    let run = |words: &[&str]| git(lock, words).ok_or_else(|| format!("`git {}` failed", words.join(" ")));
    run(&["add", "--"])?;
    let message = format!("Register the study {study}");
    run(&["commit", "--quiet", "--only", "-m", &message, "--"])?;
    of_git(lock).ok_or_else(|| "the commit cannot be read".to_owned())
}

/// What it prints, if it ends well. The lock is the last word.
fn git(lock: &Path, words: &[&str]) -> Option<String> {
    let folder = lock.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let ended = Command::new("git").arg("-C").arg(folder).args(words).arg(lock.file_name()?).output().ok()?;
    ended.status.success().then(|| String::from_utf8_lossy(&ended.stdout).into_owned())
}

/// What a token (RFC 3161) says of these bytes; an error where it is of others. Whether its signature is good says `openssl ts -verify`.
pub fn of_token(token: &[u8], lock: &[u8]) -> Result<Stamp, String> {
    let info = info(token)?;
    let imprint = &info.message_imprint;
    let ours = match imprint.hash_algorithm.oid.to_string().as_str() {
        "2.16.840.1.101.3.4.2.1" => Sha256::digest(lock).to_vec(),
        "2.16.840.1.101.3.4.2.2" => Sha384::digest(lock).to_vec(),
        "2.16.840.1.101.3.4.2.3" => Sha512::digest(lock).to_vec(),
        other => return Err(format!("is made with a hash ({other}) that is not of the SHA-2 family")),
    };
    if imprint.hashed_message.as_bytes() != ours {
        return Err("is of another file than this lock".to_owned());
    }
    let at = clock::time(info.gen_time.to_unix_duration().as_secs()).ok_or("is of a time no calendar has")?;
    let serial: String = info.serial_number.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Stamp { at, by: format!("time-stamp token {serial} of policy {} (signature not checked here)", info.policy) })
}

/// A reply of the authority, or the token alone.
fn info(bytes: &[u8]) -> Result<TstInfo, String> {
    let bad = |error: der::Error| format!("is no time-stamp token: {error}");
    let token = match TimeStampResp::from_der(bytes) {
        Ok(reply) => reply.time_stamp_token.ok_or("holds no token: the authority refused")?,
        Err(_) => ContentInfo::from_der(bytes).map_err(bad)?,
    };
    let signed = SignedData::from_der(&token.content.to_der().map_err(bad)?).map_err(bad)?;
    let content = signed.encap_content_info.econtent.ok_or("holds no time")?;
    let octets = OctetString::from_der(&content.to_der().map_err(bad)?).map_err(bad)?;
    TstInfo::from_der(octets.as_bytes()).map_err(bad)
}
