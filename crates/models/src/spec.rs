//! What a study says about a model.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroU64};
use waterjar_core::{Reasoning, Sampling};

/// `[models."local/qwen3-32b"]`. Everything may be left out for a model of a known vendor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelSpec {
    /// Where it is: `http://127.0.0.1:8000/v1`.
    pub url: Option<String>,
    /// `openai`, `anthropic` or `gemini`, or a vendor whose dialect it speaks: `vllm`.
    pub api: Option<String>,
    /// The name sent, if it is not what follows the first slash of the id.
    pub model: Option<String>,
    /// The environment variable that holds the key.
    pub key_env: Option<String>,
    pub temperature: Option<f64>,
    pub seed: Option<u64>,
    pub max_tokens: Option<u32>,
    pub reasoning: Option<Reasoning>,
    pub top_logprobs: Option<u8>,
    /// For one attempt; what the study's `[limits]` say unless told, and there 300 s.
    pub timeout_seconds: Option<f64>,
    pub requests_per_minute: Option<NonZeroU32>,
    pub tokens_per_minute: Option<NonZeroU64>,
    pub concurrency: Option<NonZeroU32>,
    /// Sent with every request. `$NAME` as a value is read from the environment.
    pub headers: BTreeMap<String, String>,
}

impl ModelSpec {
    /// What cannot be meant, as `key: problem`.
    pub fn check(&self) -> Result<(), String> {
        if let Some(temperature) = self.temperature
            && !(temperature.is_finite() && temperature >= 0.0)
        {
            return Err(format!("temperature: {temperature} is not a number from 0 upwards"));
        }
        if self.max_tokens == Some(0) {
            return Err("max_tokens: with 0 nothing could be answered".to_owned());
        }
        if let Some(seconds) = self.timeout_seconds
            && !(seconds.is_finite() && seconds > 0.0)
        {
            return Err(format!("timeout_seconds: {seconds} is not a number of seconds"));
        }
        if self.key_env.as_ref().is_some_and(|name| name.trim().is_empty()) {
            return Err("key_env: it names no variable; leave it out where no key is sent".to_owned());
        }
        Ok(())
    }

    /// What is sampled where the request leaves it open.
    pub fn sampling(&self) -> Sampling {
        Sampling {
            temperature: self.temperature,
            seed: self.seed,
            max_tokens: self.max_tokens,
            stop: Vec::new(),
            reasoning: self.reasoning,
            top_logprobs: self.top_logprobs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_study_says_what_it_needs_and_no_more() {
        let text = "url = \"http://127.0.0.1:8000/v1\"\napi = \"openai\"\nreasoning = { tokens = 2000 }\n[headers]\nx-team = \"a\"";
        let spec: ModelSpec = toml::from_str(text).expect("the example of the documentation");
        assert_eq!(spec.reasoning, Some(Reasoning::Tokens(2000)));
        assert!(toml::from_str::<ModelSpec>("tempreature = 0").is_err());
    }

    #[test]
    fn no_limit_is_none() {
        for key in ["concurrency", "requests_per_minute", "tokens_per_minute"] {
            assert!(toml::from_str::<ModelSpec>(&format!("{key} = 0")).is_err(), "{key}");
            assert!(toml::from_str::<ModelSpec>(&format!("{key} = 5")).is_ok(), "{key}");
        }
    }

    #[test]
    fn what_cannot_be_meant_is_named_with_its_key() {
        for (key, bad, good) in [
            ("temperature", "nan", "0"),
            ("temperature", "-0.5", "2"),
            ("max_tokens", "0", "1"),
            ("timeout_seconds", "0", "0.5"),
            ("key_env", "''", "'K'"),
        ] {
            let checked = |value| toml::from_str::<ModelSpec>(&format!("{key} = {value}")).expect("a spec").check();
            assert!(checked(bad).is_err_and(|told| told.starts_with(key)), "{key} = {bad}");
            assert_eq!(checked(good), Ok(()), "{key} = {good}");
        }
    }
}
