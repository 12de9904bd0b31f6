//! Who may ask for scores.

use super::error::ScoreError;
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, StatusCode};

/// Shorter ones can be guessed.
const SHORTEST: usize = 16;

/// Only its hash is kept: comparing hashes takes the same time wherever they differ, and tells nothing of the length.
#[derive(Clone)]
pub struct Token(blake3::Hash);

impl Token {
    /// The error says what is wrong with it.
    pub fn new(secret: &str) -> Result<Self, String> {
        let secret = secret.trim();
        if secret.chars().count() < SHORTEST {
            return Err(format!("the token is shorter than {SHORTEST} characters"));
        }
        match secret.bytes().all(|it| it.is_ascii_graphic()) {
            true => Ok(Self(blake3::hash(secret.as_bytes()))),
            false => Err("the token has other characters than letters, digits and signs".to_owned()),
        }
    }

    fn is(&self, told: &str) -> bool {
        // The hash's own comparison, which takes constant time.
        self.0 == blake3::hash(told.as_bytes())
    }
}

pub fn allowed(token: Option<&Token>, headers: &HeaderMap) -> Result<(), ScoreError> {
    let Some(token) = token else {
        let what = "scoring is off, because this server was started without a token";
        let hint = "start it with --token-file FILE, or with WATERJAR_TOKEN in its environment";
        return Err(ScoreError::new(StatusCode::FORBIDDEN, what, "server", hint));
    };
    let told = headers.get(AUTHORIZATION).and_then(|it| it.to_str().ok()).unwrap_or_default();
    let told =
        told.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, it)| it.trim());
    match told {
        Some(told) if token.is(told) => Ok(()),
        Some(_) => Err(ScoreError::unknown("this is not the server's token")),
        None => Err(ScoreError::unknown("there is no token")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "correct-horse-battery";

    fn ask(header: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.extend(header.map(|it| (AUTHORIZATION, it.parse().unwrap())));
        allowed(Some(&Token::new(SECRET).unwrap()), &headers).is_ok()
    }

    #[test]
    fn only_the_token_opens() {
        assert!(ask(Some(&format!("Bearer {SECRET}"))) && ask(Some(&format!("bearer {SECRET}"))));
        for wrong in
            [None, Some("Bearer"), Some("Bearer "), Some(SECRET), Some("Bearer correct-horse"), Some("Basic x")]
        {
            assert!(!ask(wrong), "{wrong:?}");
        }
        assert!(allowed(None, &HeaderMap::new()).is_err(), "without a token nobody is let in");
    }

    #[test]
    fn a_token_that_can_be_guessed_is_refused() {
        assert!(Token::new("").is_err() && Token::new("secret").is_err() && Token::new("two words and more").is_err());
        assert!(Token::new(&format!("{SECRET}\n")).is_ok(), "a file ends with a line break");
    }
}
