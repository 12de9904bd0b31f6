//! What tokens cost.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use waterjar_core::{ModelId, Usage, in_plain_words};

/// Dollars for a million tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, expecting = "a price such as { input = 1.0, output = 2.0 }")]
pub struct Price {
    pub input: f64,
    pub output: f64,
    /// For input the vendor had in its own cache; the price of input when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<f64>,
}

/// Prices by model. A name that ends in `*` stands for all that begin with the rest of it; the longest that fits counts.
///
/// ```toml
/// "openai/gpt-5" = { input = 1.25, output = 10.0, cached_input = 0.125 }
/// "vllm/*" = { input = 0.0, output = 0.0 }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Prices(BTreeMap<String, Price>);

impl Price {
    pub const FREE: Self = Self { input: 0.0, output: 0.0, cached_input: None };

    /// What OpenAI and Anthropic take for it in a batch: half.
    #[must_use]
    pub fn in_batch(&self) -> Self {
        let half = |price: f64| price / 2.0;
        Self { input: half(self.input), output: half(self.output), cached_input: self.cached_input.map(half) }
    }

    /// In picodollars: whole numbers, so that the sum does not depend on the order, and small enough that no price is rounded away.
    pub fn of(&self, usage: &Usage) -> u64 {
        let cached = usage.cached_input.min(usage.input);
        let of = |usd: f64, tokens: u64| per_token(usd).saturating_mul(tokens);
        of(self.input, usage.input - cached)
            .saturating_add(of(self.cached_input.unwrap_or(self.input), cached))
            .saturating_add(of(self.output, usage.output))
    }

    fn is_sound(&self) -> bool {
        let parts = [Some(self.input), Some(self.output), self.cached_input];
        // A million dollars for a million tokens is surely a slip.
        parts.into_iter().flatten().all(|part| (0.0..1e6).contains(&part))
    }
}

/// A dollar for a million tokens is a million picodollars for one.
fn per_token(usd_per_million: f64) -> u64 {
    (usd_per_million * 1e6).round() as u64
}

pub(super) fn usd(picodollars: u64) -> f64 {
    picodollars as f64 / 1e12
}

pub(super) fn picodollars(usd: f64) -> u64 {
    (usd * 1e12).round() as u64
}

impl Prices {
    pub fn parse(toml: &str) -> Result<Self, String> {
        let prices: Self = toml::from_str(toml).map_err(|error| in_plain_words(error.message()))?;
        prices.check()?;
        Ok(prices)
    }

    pub fn check(&self) -> Result<(), String> {
        match self.0.iter().find(|(_, price)| !price.is_sound()) {
            Some((model, _)) => Err(format!("{model}: a price is dollars for a million tokens, 0 or more")),
            None => Ok(()),
        }
    }

    /// The user's prices go before ours: where one of theirs fits, however widely, ours are gone.
    #[must_use]
    pub fn overridden_by(mut self, other: Self) -> Self {
        self.0.retain(|ours, _| !other.0.keys().any(|theirs| fits(theirs, ours)));
        self.0.extend(other.0);
        self
    }

    /// The same where this model is asked in batches.
    #[must_use]
    pub fn with_batches_of(mut self, model: &ModelId) -> Self {
        if let Some(price) = self.of(model) {
            self.0.insert(model.to_string(), price.in_batch());
        }
        self
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub fn of(&self, model: &ModelId) -> Option<Price> {
        let id = model.as_str();
        if let Some(price) = self.0.get(id) {
            return Some(*price);
        }
        self.0.iter().filter(|(name, _)| fits(name, id)).max_by_key(|(name, _)| name.len()).map(|(_, price)| *price)
    }
}

/// Whether a name of the table stands for a model.
pub(crate) fn fits(name: &str, id: &str) -> bool {
    match name.strip_suffix('*') {
        Some(start) => id.starts_with(start),
        None => name == id,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_costs_its_tokens() {
        let price = Price { input: 1.25, output: 10.0, cached_input: Some(0.125) };
        let usage = Usage { input: 1_000_000, output: 100_000, cached_input: 400_000, reasoning: 90_000 };
        assert!((usd(price.of(&usage)) - (0.75 + 0.05 + 1.0)).abs() < 1e-12);
        assert_eq!(Price { input: 0.05, ..price }.of(&Usage { input: 1, ..Usage::default() }), 50_000);
    }

    #[test]
    fn in_a_batch_everything_costs_half() {
        let price = Price { input: 1.25, output: 10.0, cached_input: Some(0.125) };
        let usage = Usage { input: 1000, output: 100, cached_input: 400, reasoning: 0 };
        assert_eq!(2 * price.in_batch().of(&usage), price.of(&usage));
    }

    #[test]
    fn the_closest_name_counts_and_the_user_comes_first() {
        let ours = Prices::parse("\"a/*\" = { input = 1, output = 1 }\n\"a/b*\" = { input = 2, output = 2 }").unwrap();
        let theirs = Prices::parse("\"a/bc\" = { input = 3, output = 3 }").unwrap();
        let prices = ours.overridden_by(theirs);
        let input = |model: &str| prices.of(&model.into()).map(|price| price.input);
        assert_eq!([input("a/x"), input("a/b2"), input("a/bc"), input("z")], [Some(1.0), Some(2.0), Some(3.0), None]);
    }

    #[test]
    fn a_wide_price_of_the_user_goes_before_a_close_one_of_ours() {
        let ours = "\"a/b\" = { input = 1, output = 1 }\n\"a/c-20*\" = { input = 1, output = 1 }\n\"b/x\" = { input = 1, output = 1 }";
        let theirs = "\"a/*\" = { input = 7, output = 7 }\n\"a/c-2025\" = { input = 8, output = 8 }";
        let prices = Prices::parse(ours).unwrap().overridden_by(Prices::parse(theirs).unwrap());
        let input = |model: &str| prices.of(&model.into()).map(|price| price.input);
        assert_eq!([input("a/b"), input("a/c-2024"), input("a/c-2025")], [Some(7.0), Some(7.0), Some(8.0)]);
        assert_eq!(input("b/x"), Some(1.0));
    }

    #[test]
    fn no_count_however_wrong_overflows() {
        let most = Usage { input: u64::MAX, output: u64::MAX, ..Usage::default() };
        assert_eq!(Price { input: 1.0, output: 1.0, cached_input: None }.of(&most), u64::MAX);
    }

    #[test]
    fn a_slip_is_named() {
        let problem = Prices::parse("\"m\" = { input = -1, output = 1 }").unwrap_err();
        assert!(problem.starts_with("m: "), "{problem}");
    }
}
