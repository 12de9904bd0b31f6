//! What a study says about a model.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
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
    /// For one call; ten minutes unless told.
    pub timeout_seconds: Option<f64>,
    pub requests_per_minute: Option<u32>,
    pub tokens_per_minute: Option<u32>,
    pub concurrency: Option<u32>,
    /// Sent with every request. `$NAME` as a value is read from the environment.
    pub headers: BTreeMap<String, String>,
}

impl ModelSpec {
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
}
