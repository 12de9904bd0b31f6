//! List prices of well-known models.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;
use waterjar_core::Usage;

/// The table as it is written, in the shape in which a study overrides it.
pub const PRICES: &str = include_str!("prices.toml");

/// USD per million tokens.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub input: f64,
    pub output: f64,
    /// Of input that the vendor had in its cache; the price of input where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<f64>,
}

impl Price {
    pub fn usd(&self, usage: &Usage) -> f64 {
        let cached = usage.cached_input.min(usage.input);
        let fresh = usage.input - cached;
        let per_million = fresh as f64 * self.input
            + cached as f64 * self.cached_input.unwrap_or(self.input)
            + usage.output as f64 * self.output;
        per_million / 1e6
    }
}

static TABLE: LazyLock<BTreeMap<String, Price>> =
    LazyLock::new(|| toml::from_str(PRICES).expect("prices.toml is read by a test"));

/// The list price of `vendor/model`. What is not known is `None`, never zero.
pub fn price_of(id: &str) -> Option<Price> {
    let fits = |name: &str| name.strip_suffix('*').is_some_and(|start| id.starts_with(start));
    let begun = || TABLE.iter().filter(|(name, _)| fits(name)).max_by_key(|(name, _)| name.len());
    TABLE.get(id).or_else(|| begun().map(|(_, price)| price)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(id: &str, input: Option<f64>) {
        assert_eq!(price_of(id).map(|price| price.input), input, "{id}");
    }

    #[test]
    fn a_date_does_not_change_the_price() {
        check("openai/gpt-5", Some(1.25));
        check("openai/gpt-5-2025-08-07", Some(1.25));
        check("openai/gpt-5-mini-2025-08-07", Some(0.25));
        check("anthropic/claude-sonnet-4-5-20250929", Some(3.0));
    }

    #[test]
    fn another_model_has_another_price_or_none() {
        check("openai/gpt-5-nano", None);
        check("openai/gpt-5.9", None);
        check("anthropic/claude-sonnet-6", None);
        check("local/x", None);
        check("", None);
        check("vllm/Qwen3-32B", Some(0.0));
    }

    #[test]
    fn cached_input_is_part_of_the_input() {
        let price = Price { input: 2.0, cached_input: Some(0.5), output: 10.0 };
        let usage = Usage { input: 1_000_000, cached_input: 400_000, output: 100_000, reasoning: 90_000 };
        assert!((price.usd(&usage) - (1.2 + 0.2 + 1.0)).abs() < 1e-12);
    }
}
