//! How long an endpoint asks us to wait.

use super::WireReply;
use serde_json::Value;
use std::time::Duration;

/// From the headers, or from Google's `RetryInfo` in the body.
pub(super) fn retry_after(reply: &WireReply, body: Option<&Value>) -> Option<Duration> {
    let milliseconds = reply.header("retry-after-ms").and_then(|text| seconds(text, 1000.0));
    let told = milliseconds.or_else(|| in_header(reply)).or_else(|| retry_info(body?));
    told.map(|wait| wait.min(LONGEST))
}

/// Whoever says more means never; and no sum of such waits overflows.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);

fn in_header(reply: &WireReply) -> Option<Duration> {
    let text = reply.header("retry-after")?;
    seconds(text, 1.0).or_else(|| {
        let date = httpdate::parse_http_date(text.trim()).ok()?;
        Some(date.duration_since(reply.received).unwrap_or_default())
    })
}

/// `{"error": {"details": [{"@type": "…google.rpc.RetryInfo", "retryDelay": "37s"}]}}`
fn retry_info(body: &Value) -> Option<Duration> {
    let error = body.get("error").or_else(|| body.get(0)?.get("error"))?;
    let details = error.get("details")?.as_array()?;
    let delay = details.iter().find_map(|detail| detail.get("retryDelay")?.as_str())?;
    seconds(delay.strip_suffix('s')?, 1.0)
}

fn seconds(text: &str, per_second: f64) -> Option<Duration> {
    let number: f64 = text.trim().parse().ok()?;
    Duration::try_from_secs_f64(number / per_second).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    fn check(headers: &[(&str, &str)], body: &str, expected: Option<u64>) {
        let headers = headers.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let received = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        let reply = WireReply { status: 429, headers, body: body.into(), received };
        let body = serde_json::from_str(body).ok();
        assert_eq!(retry_after(&reply, body.as_ref()), expected.map(Duration::from_millis));
    }

    #[test]
    fn seconds_and_milliseconds_are_read() {
        check(&[("retry-after", "7")], "", Some(7000));
        check(&[("retry-after", "0.5")], "", Some(500));
        check(&[("retry-after", "7"), ("retry-after-ms", "120")], "", Some(120));
    }

    #[test]
    fn a_date_is_relative_to_the_reply_and_never_negative() {
        check(&[("retry-after", "Sun, 09 Sep 2001 01:46:50 GMT")], "", Some(10_000));
        check(&[("retry-after", "Sun, 09 Sep 2001 01:46:30 GMT")], "", Some(0));
    }

    #[test]
    fn google_writes_it_into_the_body() {
        let body = r#"{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.Help"},
            {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"37.5s"}]}}"#;
        check(&[], body, Some(37_500));
    }

    #[test]
    fn longer_than_a_year_is_a_year() {
        check(&[("retry-after", "17900000000000000000")], "", Some(366 * 24 * 3_600_000));
        check(&[("retry-after", "Fri, 31 Dec 9999 23:59:59 GMT")], "", Some(366 * 24 * 3_600_000));
    }

    #[test]
    fn nonsense_is_no_advice() {
        check(&[("retry-after", "-3")], "", None);
        check(&[("retry-after", "NaN")], "", None);
        check(&[("retry-after", "soon")], r#"{"error":{"details":[{"retryDelay":"later"}]}}"#, None);
        check(&[], "[]", None);
    }
}
