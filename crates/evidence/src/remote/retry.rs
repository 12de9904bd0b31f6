//! Whether and when a request is sent again.

use super::settings::RemoteSettings;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use std::time::{Duration, SystemTime};

/// How long the service wants us to wait: seconds or a date.
pub(super) fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let seconds = text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.or_else(|| Some(httpdate::parse_http_date(text).ok()?.duration_since(now).unwrap_or_default()))
}

/// The wait after the failed attempt, or none where it would be too long or was the last.
pub(super) fn wait(settings: &RemoteSettings, attempt: u32, asked: Option<Duration>) -> Option<Duration> {
    if attempt >= settings.attempts || asked.is_some_and(|asked| asked > settings.longest_wait) {
        return None;
    }
    let doubled = settings.first_wait.saturating_mul(2_u32.saturating_pow(attempt.saturating_sub(1)));
    Some(asked.unwrap_or(doubled.min(settings.longest_wait)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest_and_end_with_the_attempts() {
        let settings = RemoteSettings { attempts: 9, ..RemoteSettings::default() };
        let waits: Vec<_> = [1, 2, 3, 8, 9].map(|attempt| wait(&settings, attempt, None)).into();
        let expected = [Some(500), Some(1000), Some(2000), Some(30_000), None].map(|it| it.map(Duration::from_millis));
        assert_eq!(waits, expected);
    }

    #[test]
    fn a_service_is_obeyed_unless_it_asks_too_much() {
        let settings = RemoteSettings::default();
        assert_eq!(wait(&settings, 1, Some(Duration::from_secs(7))), Some(Duration::from_secs(7)));
        assert_eq!(wait(&settings, 1, Some(Duration::from_secs(3600))), None);
    }

    #[test]
    fn seconds_and_dates_are_understood() {
        let check = |text: &str, expected: Option<u64>| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, text.parse().expect("a header"));
            let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
            assert_eq!(retry_after(&headers, now), expected.map(Duration::from_secs), "{text}");
        };
        check("7", Some(7));
        check("Sun, 09 Sep 2001 01:46:50 GMT", Some(10));
        check("Sun, 09 Sep 2001 01:46:30 GMT", Some(0));
        check("-3", None);
        check("soon", None);
    }
}
