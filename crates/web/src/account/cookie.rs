//! What a browser keeps for us.

use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};

/// The value of a cookie, where the browser sent one.
pub fn read<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|line| line.split(';')).find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

/// No script can read it, and no other site can send it along. `path` is where it is sent to; `seconds` of zero takes it away.
pub fn write(name: &str, value: &str, path: &str, seconds: i64, secure: bool) -> HeaderValue {
    let secure = if secure { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    HeaderValue::from_str(&text).expect("names, hex and addresses are plain")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_found_among_others_by_its_whole_name() {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, HeaderValue::from_static("waterjar_rater_x=1; waterjar_rater=2;a=b"));
        assert_eq!(read(&headers, "waterjar_rater"), Some("2"));
        assert_eq!(read(&headers, "a"), Some("b"));
        assert_eq!(read(&headers, "rater"), None);
    }
}
