//! Whose word there is for the time of a lock: the commit that holds it, and the token of a time-stamping authority.

use crate::clock;
use cms::content_info::ContentInfo;
use cms::signed_data::EncapsulatedContentInfo;
use der::asn1::{AnyRef, OctetString};
use der::{Decode, Encode, Reader};
use sha2::{Digest, Sha256, Sha384, Sha512};
use std::path::{Path, PathBuf};
use std::process::Command;
use waterjar_core::Stamp;
use x509_tsp::{TimeStampResp, TstInfo};

/// `studies/quickstart.lock` → `studies/quickstart.tsr`
pub fn token_path(lock: &Path) -> PathBuf {
    lock.with_extension("tsr")
}

/// Moves a token away that is not of this lock, where there is one, and says where to: `run` would refuse it.
pub fn set_token_aside(lock: &Path) -> std::io::Result<Option<PathBuf>> {
    let token = token_path(lock);
    if !token.exists() || of_token(&std::fs::read(&token)?, &std::fs::read(lock)?).is_ok() {
        return Ok(None);
    }
    let aside = free_beside(&token);
    std::fs::rename(&token, &aside)?;
    Ok(Some(aside))
}

/// `quickstart.tsr.old`, or `quickstart.tsr.old2` where that is taken: it may be the only proof of an earlier declaration.
fn free_beside(token: &Path) -> PathBuf {
    let mut aside = token.with_extension("tsr.old");
    let mut count = 1;
    while aside.exists() {
        count += 1;
        aside = token.with_extension(format!("tsr.old{count}"));
    }
    aside
}

/// The commit that holds the lock as it is. Nothing where there is no repository, or the lock is not in it.
pub fn of_git(lock: &Path) -> Option<Stamp> {
    let here = git(lock, &["hash-object", "--"]).ok()?;
    if committed(lock)? != here.trim() {
        return None;
    }
    let said = git(lock, &["log", "-1", "--format=%H %ct", "--"]).ok()?;
    let (commit, seconds) = said.trim().split_once(' ')?;
    Some(Stamp { at: clock::time(seconds.parse().ok()?)?, by: format!("git commit {commit}") })
}

/// The hash of the lock in HEAD. A link is no lock: what it leads to may change without a commit.
fn committed(lock: &Path) -> Option<String> {
    // `100644 blob 3b18e5…\tquickstart.lock`
    let entry = git(lock, &["ls-tree", "HEAD", "--"]).ok()?;
    let (mode, rest) = entry.split_once(' ')?;
    let hash = rest.strip_prefix("blob ")?.split('\t').next()?;
    mode.starts_with("100").then(|| hash.to_owned())
}

/// Commits the lock and nothing else. What cannot be committed does not stay staged.
pub fn commit(lock: &Path, study: &str) -> Result<Stamp, String> {
    if let Some(stamp) = of_git(lock) {
        return Ok(stamp);
    }
    git(lock, &["add", "--"])?;
    let message = format!("Register the study {study}");
    if let Err(problem) = git(lock, &["commit", "--quiet", "--only", "-m", &message, "--"]) {
        return Err(match git(lock, &["reset", "--quiet", "--"]) {
            Ok(_) => problem,
            Err(other) => format!("{problem}; and it stays staged: {other}"),
        });
    }
    of_git(lock).ok_or_else(|| "the commit does not hold the lock as it is".to_owned())
}

/// What it prints, if it ends well; else what it says of the reason. The lock is the last word, and means itself rather than a pattern.
fn git(lock: &Path, words: &[&str]) -> Result<String, String> {
    let folder = lock.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = lock.file_name().ok_or("the lock has no name")?;
    let mut command = Command::new("git");
    command.arg("--literal-pathspecs").arg("-C").arg(folder).args(words).arg(name);
    let ended = command.output().map_err(|error| format!("git cannot be started: {error}"))?;
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if ended.status.success() {
        return Ok(said(&ended.stdout));
    }
    let reasons = [said(&ended.stderr), said(&ended.stdout)];
    let reason = reasons.iter().map(|it| it.trim()).find(|it| !it.is_empty()).unwrap_or("it gives no reason");
    Err(format!("`git {}`: {reason}", words.first().unwrap_or(&"")))
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
    // The time stands beside this in the report, and whoever holds the token could have written another into it.
    Ok(Stamp { at, by: format!("time-stamp token {serial} of policy {}, not verified here", info.policy) })
}

/// A reply of the authority, or the token alone.
fn info(bytes: &[u8]) -> Result<TstInfo, String> {
    let bad = |error: der::Error| format!("is no time-stamp token: {error}");
    let token = match TimeStampResp::from_der(bytes) {
        Ok(reply) => reply.time_stamp_token.ok_or("holds no token: the authority refused")?,
        Err(_) => ContentInfo::from_der(bytes).map_err(bad)?,
    };
    let content = signed_content(&token).map_err(bad)?.econtent.ok_or("holds no time")?;
    let octets = OctetString::from_der(&content.to_der().map_err(bad)?).map_err(bad)?;
    TstInfo::from_der(octets.as_bytes()).map_err(bad)
}

/// The signed part of a `SignedData` (RFC 5652, 5.1). Its certificates are passed over: authorities send some twice, which `openssl` accepts
/// and a strict set of them does not.
fn signed_content(token: &ContentInfo) -> der::Result<EncapsulatedContentInfo> {
    token.content.sequence(|reader| {
        let _version = AnyRef::decode(reader)?;
        let _digest_algorithms = AnyRef::decode(reader)?;
        let content = EncapsulatedContentInfo::decode(reader)?;
        while !reader.is_finished() {
            AnyRef::decode(reader)?;
        }
        Ok(content)
    })
}
