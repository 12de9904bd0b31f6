//! The table of vendors.

use crate::{Api, Dialect};
use reqwest::Url;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// One vendor, as `vendors.toml` has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VendorRow {
    #[serde(default = "openai")]
    pub api: Api,
    pub url: Option<String>,
    pub url_env: Option<String>,
    /// How the names of the vendor's own hosts end, where everyone has their own.
    pub hosts: Option<String>,
    pub key_env: String,
    #[serde(default)]
    pub key: KeyNeed,
    #[serde(default)]
    pub(crate) auth: Auth,
    /// Whether people run it themselves.
    #[serde(default)]
    pub local: bool,
    #[serde(default)]
    dialect: toml::Table,
    #[serde(default)]
    models: Vec<ModelRule>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyNeed {
    #[default]
    Required,
    Optional,
}

/// The header that carries the key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Auth {
    #[default]
    Bearer,
    ApiKey,
    XApiKey,
    XGoogApiKey,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelRule {
    start: Vec<String>,
    dialect: toml::Table,
}

fn openai() -> Api {
    Api::Openai
}

static TABLE: LazyLock<BTreeMap<String, VendorRow>> =
    LazyLock::new(|| toml::from_str(include_str!("vendors.toml")).expect("vendors.toml is read by a test"));

/// Every vendor by name.
pub fn all() -> &'static BTreeMap<String, VendorRow> {
    &TABLE
}

/// Whether this is the address of a vendor on the internet: known without asking a name server.
pub(crate) fn is_hosted(url: &Url) -> bool {
    let hosted = all().values().filter(|row| !row.local).filter_map(|row| row.url.as_deref());
    hosted.filter_map(|known| Url::parse(known).ok()).any(|known| known.host_str() == url.host_str())
}

impl VendorRow {
    /// The vendor's dialect, with the departures of the first rule that fits the model.
    pub fn dialect(&self, model: &str) -> Dialect {
        let mut table = self.dialect.clone();
        let fits = |rule: &&ModelRule| rule.start.iter().any(|start| model.starts_with(start.as_str()));
        if let Some(rule) = self.models.iter().find(fits) {
            table.extend(rule.dialect.clone());
        }
        Dialect::deserialize(table).expect("every dialect of vendors.toml is read by a test")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Form, ReasoningStyle, Temperature};

    #[test]
    fn every_row_can_be_read() {
        for (name, row) in all() {
            let address = row.url.as_deref().map(|url| Url::parse(url).expect(name));
            assert!(
                address.is_some() || row.url_env.is_some() || ["compatible", "waterjar"].contains(&name.as_str()),
                "{name} has no address"
            );
            assert_eq!(address.is_some_and(|url| is_hosted(&url)), !row.local && row.url.is_some(), "{name}");
            row.dialect("");
            for rule in &row.models {
                rule.start.iter().for_each(|start| _ = row.dialect(start));
            }
        }
    }

    fn check(vendor: &str, model: &str, expected: impl Fn(&Dialect) -> bool) {
        let dialect = all()[vendor].dialect(model);
        assert!(expected(&dialect), "{vendor}/{model}: {dialect:?}");
    }

    #[test]
    fn the_first_rule_that_fits_holds() {
        check("openai", "gpt-5", |d| d.temperature == Temperature::Never && !d.reasoning_off);
        check("openai", "gpt-5-mini", |d| d.temperature == Temperature::Never);
        check("openai", "gpt-5.4-mini", |d| d.temperature == Temperature::IfReasoningOff);
        check("openai", "gpt-4o", |d| d.temperature == Temperature::Always && d.reasoning == ReasoningStyle::No);
        check("anthropic", "claude-sonnet-4-20250514", |d| d.structured == Form::Tool);
        check("anthropic", "claude-sonnet-4-5-20250929", |d| d.structured == Form::Schema);
        check("anthropic", "claude-opus-5-5", |d| !d.reasoning_off);
        check("anthropic", "claude-sonnet-5", |d| d.reasoning_off && d.reasoning == ReasoningStyle::Adaptive);
        check("anthropic", "somebody-elses", |d| d.structured == Form::Tool);
        check("gemini", "gemini-2.5-flash", |d| d.reasoning == ReasoningStyle::Budget && d.reasoning_off);
        check("gemini", "gemini-3.8-flash", |d| d.reasoning == ReasoningStyle::Level);
    }
}
