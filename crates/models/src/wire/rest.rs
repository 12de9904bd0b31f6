//! How long a good reply asks us to rest: it says when what it used up comes back.

use super::WireReply;
use std::time::{Duration, SystemTime};

/// Some vendors count by the day. Whoever has to rest longer than this is better told so by a refusal.
const LONGEST: Duration = Duration::from_secs(60);

/// What is left of each share, and when all of it is back.
const SHARES: [(&str, &str); 6] = [
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
    ("anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"),
    ("anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"),
    ("anthropic-ratelimit-input-tokens-remaining", "anthropic-ratelimit-input-tokens-reset"),
    ("anthropic-ratelimit-output-tokens-remaining", "anthropic-ratelimit-output-tokens-reset"),
];

/// Only a share that is used up matters: while some is left, the adaptive limit finds its way.
pub(super) fn rest(reply: &WireReply) -> Option<Duration> {
    let used_up = SHARES.iter().filter(|(left, _)| reply.header(left).is_some_and(|left| left.trim() == "0"));
    let back = used_up.filter_map(|(_, reset)| wait(reply.header(reset)?.trim(), reply.received));
    back.filter(|wait| !wait.is_zero()).max().map(|wait| wait.min(LONGEST))
}

/// `1s`, `6m0s`, `120ms`, seconds as a number, or a date such as `2025-01-01T00:00:05Z`.
fn wait(text: &str, now: SystemTime) -> Option<Duration> {
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    humantime::parse_duration(text).ok().or_else(|| {
        let date = humantime::parse_rfc3339(text).ok()?;
        Some(date.duration_since(now).unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(headers: &[(&str, &str)], expected: Option<u64>) {
        let headers = headers.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let received = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        let reply = WireReply { status: 200, headers, body: Vec::new(), received };
        assert_eq!(rest(&reply), expected.map(Duration::from_millis));
    }

    #[test]
    fn a_share_that_is_used_up_asks_for_rest_until_it_is_back() {
        check(&[("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "120ms")], Some(120));
        check(&[("x-ratelimit-remaining-tokens", "0"), ("x-ratelimit-reset-tokens", "7.5")], Some(7500));
        let date = ("anthropic-ratelimit-tokens-reset", "2001-09-09T01:46:45Z");
        check(&[("anthropic-ratelimit-tokens-remaining", "0"), date], Some(5000));
    }

    #[test]
    fn nobody_rests_for_a_day() {
        check(&[("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "6h12m0s")], Some(60_000));
    }

    #[test]
    fn what_is_left_or_unreadable_asks_for_nothing() {
        check(&[("x-ratelimit-remaining-requests", "3"), ("x-ratelimit-reset-requests", "20s")], None);
        check(&[("x-ratelimit-remaining-requests", "0")], None);
        check(&[("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "soon")], None);
        check(&[("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "-3")], None);
    }
}
