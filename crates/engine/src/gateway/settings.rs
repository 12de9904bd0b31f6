//! What a study may say about how models are asked. Times are in seconds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;

/// The study's `[budget]`, `[limits]` and `[retry]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GatewaySettings {
    pub budget: BudgetSettings,
    /// For every model that has none of its own.
    pub limits: LimitSettings,
    pub retry: RetrySettings,
}

/// A hard stop. What is left out is not limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BudgetSettings {
    pub usd: Option<f64>,
    /// Input and output together.
    pub tokens: Option<u64>,
}

/// What is left out adapts to the endpoint, or is not limited.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LimitSettings {
    /// At most so many calls at once. They start with it, and go below when the endpoint refuses.
    pub concurrency: Option<NonZeroU32>,
    pub requests_per_minute: Option<NonZeroU32>,
    /// Input and output together.
    pub tokens_per_minute: Option<NonZeroU64>,
    /// How long one attempt may take.
    pub timeout: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RetrySettings {
    /// Tries in all, for errors that may pass. Being asked to slow down does not count.
    pub attempts: NonZeroU32,
    /// Before the second attempt; doubles with each.
    pub first_wait: f64,
    pub longest_wait: f64,
    /// All attempts and the waits between them. Waiting for our own limits does not count.
    pub deadline: f64,
}

impl Default for LimitSettings {
    fn default() -> Self {
        // Reasoning models think for minutes.
        Self { concurrency: None, requests_per_minute: None, tokens_per_minute: None, timeout: 300.0 }
    }
}

impl Default for RetrySettings {
    fn default() -> Self {
        Self {
            attempts: NonZeroU32::MIN.saturating_add(4),
            first_wait: 0.5,
            longest_wait: 30.0,
            // Three attempts of full length, or fifteen minutes of being asked to slow down.
            deadline: 900.0,
        }
    }
}

impl GatewaySettings {
    /// What cannot be meant, as `key: problem`.
    pub fn check(&self) -> Result<(), String> {
        if let Some(usd) = self.budget.usd
            && !(usd.is_finite() && usd >= 0.0)
        {
            return Err(format!("budget.usd: {usd} is not an amount of money"));
        }
        self.limits.check().map_err(|problem| format!("limits.{problem}"))?;
        self.retry.check().map_err(|problem| format!("retry.{problem}"))
    }
}

impl LimitSettings {
    pub fn check(&self) -> Result<(), String> {
        positive("timeout", self.timeout)
    }

    pub fn timeout(&self) -> Duration {
        seconds(self.timeout)
    }
}

impl RetrySettings {
    pub fn check(&self) -> Result<(), String> {
        positive("first_wait", self.first_wait)?;
        positive("longest_wait", self.longest_wait)?;
        positive("deadline", self.deadline)
    }

    pub fn first_wait(&self) -> Duration {
        seconds(self.first_wait)
    }

    pub fn longest_wait(&self) -> Duration {
        seconds(self.longest_wait)
    }

    pub fn deadline(&self) -> Duration {
        seconds(self.deadline)
    }
}

fn positive(key: &str, value: f64) -> Result<(), String> {
    if value.is_finite() && value > 0.0 { Ok(()) } else { Err(format!("{key}: {value} is not a number of seconds")) }
}

/// A year is long enough for anything, and no sum of such times overflows.
fn seconds(value: f64) -> Duration {
    Duration::from_secs_f64(value.clamp(0.0, 31_536_000.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, problem: Option<&str>) {
        let settings: GatewaySettings = toml::from_str(text).unwrap();
        assert_eq!(settings.check().err().as_deref(), problem);
    }

    #[test]
    fn a_study_says_what_it_wants_and_leaves_out_the_rest() {
        check("", None);
        check("[budget]\nusd = 20.0\ntokens = 1000000", None);
        check("[limits]\nconcurrency = 500\nrequests_per_minute = 60\n[retry]\nattempts = 1", None);
    }

    #[test]
    fn what_cannot_be_meant_is_named() {
        check("[budget]\nusd = -1.0", Some("budget.usd: -1 is not an amount of money"));
        check("[limits]\ntimeout = 0", Some("limits.timeout: 0 is not a number of seconds"));
        check("[retry]\ndeadline = inf", Some("retry.deadline: inf is not a number of seconds"));
        assert!(toml::from_str::<GatewaySettings>("[limits]\nconcurrency = 0").is_err());
        assert!(toml::from_str::<GatewaySettings>("[budget]\neuro = 1").is_err());
    }
}
