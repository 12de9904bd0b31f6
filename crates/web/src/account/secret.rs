//! Secrets: made by chance, kept as hashes.

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use std::sync::LazyLock;
use tokio::sync::Semaphore;

/// 32 bytes of chance in hex: for a link or a session, nobody guesses it and nobody need remember it.
pub fn token() -> String {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).expect("the operating system gives chance");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Of a token. It has too much chance in it to be guessed, so that a fast hash is enough; and looking a hash up tells nothing by its time.
pub fn digest(token: &str) -> String {
    blake3::hash(token.as_bytes()).to_hex().to_string()
}

/// A password takes 19 MB and some 20 ms to check: so many at once, or a flood of attempts would be one of memory.
static AT_ONCE: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(2));

/// Argon2id with the library's parameters, which are those of OWASP.
pub async fn hashed(password: String) -> String {
    let hash = move || Argon2::default().hash_password(password.as_bytes()).map(|hash| hash.to_string());
    aside(hash).await.expect("a password of any length has a hash")
}

/// Takes its time even where there is nothing to check against, so that time does not tell who exists.
pub async fn is_password(password: String, hash: Option<String>) -> bool {
    static NOBODY: LazyLock<String> =
        LazyLock::new(|| Argon2::default().hash_password(b"nobody").map(|hash| hash.to_string()).unwrap_or_default());
    aside(move || {
        let known = hash.is_some();
        let hash = hash.unwrap_or_else(|| NOBODY.clone());
        let fits = PasswordHash::new(&hash)
            .is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok());
        fits && known
    })
    .await
}

async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let _permit = AT_ONCE.acquire().await.expect("nobody closes it");
    tokio::task::spawn_blocking(work).await.expect("hashing does not panic")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_fits_its_own_hash_only() {
        let hash = hashed("corridor seven".to_owned()).await;
        assert!(hash.starts_with("$argon2id$"), "{hash}");
        assert!(is_password("corridor seven".to_owned(), Some(hash.clone())).await);
        assert!(!is_password("corridor Seven".to_owned(), Some(hash)).await);
        assert!(!is_password("nobody".to_owned(), None).await, "not even the stand-in's");
        assert_ne!(token(), token());
    }
}
