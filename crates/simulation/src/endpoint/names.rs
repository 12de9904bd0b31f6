//! Faults and rules as words, for flags and counts.

use super::{Fault, RetryAfter, Rule};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// What cannot be read, and what could.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadName(String);

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadName {}

/// Where a fault lasts for a time and none is said.
const USUALLY: Duration = Duration::from_secs(30);

impl Fault {
    /// The word for it, without its time.
    pub fn name(self) -> String {
        let name = match self {
            Self::Status { status, .. } => return status.to_string(),
            Self::Quota => "quota",
            Self::Unauthorized => "unauthorized",
            Self::EchoedKey => "echoed-key",
            Self::ContextLength => "context-length",
            Self::UnknownModel => "unknown-model",
            Self::SchemaUnsupported => "schema-unsupported",
            Self::ErrorIn200 => "error-in-200",
            Self::Reset => "reset",
            Self::ResetMidBody => "reset-mid-body",
            Self::LostReply => "lost-reply",
            Self::Closed => "closed",
            Self::Stall(_) => "stall",
            Self::StallMidBody(_) => "stall-mid-body",
            Self::Slow(_) => "slow",
            Self::Drip(_) => "drip",
            Self::Truncated => "truncated",
            Self::InvalidJson => "invalid-json",
            Self::Duplicate => "duplicate",
            Self::BrokenAnswer => "broken-answer",
            Self::WrongSchema => "wrong-schema",
            Self::Fenced => "fenced",
            Self::ProseAround => "prose-around",
            Self::TrailingCommas => "trailing-commas",
            Self::FullWidth => "full-width",
            Self::Empty => "empty",
            Self::Refusal => "refusal",
            Self::ContentFilter => "content-filter",
            Self::Length => "length",
        };
        name.to_owned()
    }
}

/// `reset`, `stall=5s`, `503`, `429=2s` (Retry-After), `429=50ms` (retry-after-ms).
impl FromStr for Fault {
    type Err = BadName;

    fn from_str(written: &str) -> Result<Self, BadName> {
        let (name, time) = match written.trim().split_once('=') {
            Some((name, time)) => (name, Some(parse_duration(time)?)),
            None => (written.trim(), None),
        };
        if let Ok(status) = name.parse() {
            return Ok(Self::Status { status, retry_after: retry_after(time) });
        }
        let lasting = time.unwrap_or(USUALLY);
        let mut known = Self::all(lasting);
        known.extend([Self::Slow(lasting), Self::Drip(lasting)]);
        // From behind, so that the time that was asked for is taken.
        let found = known.iter().rev().find(|fault| fault.name() == name);
        found.copied().ok_or_else(|| {
            let mut names: Vec<String> = known.iter().map(|fault| fault.name()).collect();
            names.sort();
            names.dedup();
            BadName(format!("no fault is called `{name}`; the faults are: any status, {}", names.join(", ")))
        })
    }
}

fn retry_after(time: Option<Duration>) -> RetryAfter {
    match time {
        None => RetryAfter::Unsaid,
        Some(time) if time.subsec_nanos() == 0 => {
            RetryAfter::Seconds(u32::try_from(time.as_secs()).unwrap_or(u32::MAX))
        }
        Some(time) => RetryAfter::Millis(u32::try_from(time.as_millis()).unwrap_or(u32::MAX)),
    }
}

/// `500 nth=3`, `reset contains=cough first=2`; of the words after `contains=` none may hold a space.
impl FromStr for Rule {
    type Err = BadName;

    fn from_str(written: &str) -> Result<Self, BadName> {
        let mut words = written.split_whitespace();
        let mut rule = Self::always(words.next().unwrap_or_default().parse()?);
        for word in words {
            let bad = || BadName(format!("`{word}` is not nth=N, contains=WORD or first=N"));
            match word.split_once('=').ok_or_else(bad)? {
                ("nth", n) => rule.nth = Some(n.parse().map_err(|_| bad())?),
                ("contains", text) => rule.containing = Some(text.to_owned()),
                ("first", n) => rule.first_attempts = Some(n.parse().map_err(|_| bad())?),
                _ => return Err(bad()),
            }
        }
        Ok(rule)
    }
}

/// `50ms`, `2s`, `1.5s`
pub fn parse_duration(written: &str) -> Result<Duration, BadName> {
    let written = written.trim();
    let (number, unit) = match written.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => (written.strip_suffix('s').unwrap_or(written), 1.0),
    };
    let seconds = number.parse::<f64>().ok().map(|n| n * unit);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| BadName(format!("`{written}` is not a time; write 50ms or 2s")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_reads_back_by_its_name() {
        for fault in Fault::all(Duration::from_secs(3)) {
            let read: Fault = fault.name().parse().unwrap();
            assert_eq!(read.name(), fault.name());
        }
    }

    fn check(written: &str, expected: Fault) {
        assert_eq!(written.parse(), Ok(expected));
    }

    #[test]
    fn a_time_goes_with_what_lasts() {
        check("stall=5s", Fault::Stall(Duration::from_secs(5)));
        check("drip=250ms", Fault::Drip(Duration::from_millis(250)));
        check("slow=1.5s", Fault::Slow(Duration::from_millis(1500)));
        check("429", Fault::status(429));
        check("429=2s", Fault::rate_limited(RetryAfter::Seconds(2)));
        check("503=50ms", Fault::Status { status: 503, retry_after: RetryAfter::Millis(50) });
    }

    #[test]
    fn what_is_unknown_is_told_what_is_known() {
        let error = "rest".parse::<Fault>().unwrap_err().to_string();
        assert!(error.contains("no fault is called `rest`") && error.contains("reset-mid-body"), "{error}");
        assert!("stall=soon".parse::<Fault>().is_err());
    }

    #[test]
    fn a_rule_is_a_fault_and_when() {
        let rule: Rule = "reset contains=cough first=2".parse().unwrap();
        assert_eq!(rule, Rule::always(Fault::Reset).containing("cough").first_attempts(2));
        assert!("reset when=now".parse::<Rule>().is_err());
    }
}
