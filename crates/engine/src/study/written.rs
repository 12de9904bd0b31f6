//! What a study file may say.

use super::places::Places;
use crate::gateway::{BudgetSettings, LimitSettings, Prices, RetrySettings};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;

/// Where requests may go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Privacy {
    pub endpoints: Endpoints,
    /// Whether models may be programs; where it is left out, unless endpoints must be local.
    pub programs: Option<Programs>,
}

/// What a program does with what it is told nobody knows but who wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Programs {
    Allowed,
    Refused,
}

impl Privacy {
    pub fn allows_programs(self) -> bool {
        match self.programs {
            Some(said) => said == Programs::Allowed,
            None => self.endpoints == Endpoints::Any,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Endpoints {
    #[default]
    Any,
    /// Loopback and private addresses, whatever else the study says.
    Local,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StudyHead {
    pub name: String,
    pub seed: u64,
    /// How often each question is asked; 1 unless the study says otherwise.
    #[serde(default = "once")]
    pub repeats: u32,
}

#[derive(Clone, Debug, Deserialize)]
pub struct SubjectEntry {
    pub agent: String,
    pub model: String,
    /// `agent@model` unless the study says otherwise: the same agent may be there with several settings.
    pub name: Option<String>,
    /// The suites it answers, by their names; all when left out.
    #[serde(default)]
    pub suites: Option<Vec<String>>,
    /// The rest is for the agent, which refuses what it does not know.
    #[serde(flatten)]
    pub settings: toml::Table,
}

impl SubjectEntry {
    pub fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("{}@{}", self.agent, self.model))
    }

    pub fn answers(&self, suite: &str) -> bool {
        self.suites.as_ref().is_none_or(|named| named.iter().any(|name| name == suite))
    }
}

/// What a figure must keep; a broken bound ends the run with exit code 1.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bound {
    pub max: Option<f64>,
    pub min: Option<f64>,
    /// Only this subject; all but references when left out.
    pub subject: Option<String>,
}

/// When a figure is known well enough: a subject is then asked no more. Declared here, never decided silently.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StopRule {
    /// Of the 95 % interval.
    pub half_width: f64,
    /// Families between two looks.
    #[serde(default = "looks")]
    pub every: u64,
    /// Only this subject; all when left out.
    pub subject: Option<String>,
}

fn looks() -> u64 {
    100
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    pub study: StudyHead,
    /// What is varied, asked, judged and measured.
    #[serde(default)]
    #[schemars(with = "Vec<serde_json::Value>")]
    pub suite: Vec<Spanned<toml::Table>>,
    /// Who is asked.
    #[serde(default)]
    #[schemars(with = "Vec<serde_json::Value>")]
    pub subject: Vec<Spanned<SubjectEntry>>,
    /// What figures must keep, by `suite.metric`.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Bound>")]
    pub bounds: BTreeMap<String, Spanned<Bound>>,
    /// When figures are known well enough, by `suite.metric`.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, StopRule>")]
    pub stopping: BTreeMap<String, Spanned<StopRule>>,
    /// Models that need more than their name.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    pub models: BTreeMap<String, Spanned<toml::Table>>,
    #[serde(default)]
    pub budget: BudgetSettings,
    #[serde(default)]
    pub limits: LimitSettings,
    #[serde(default)]
    pub retry: RetrySettings,
    #[serde(default)]
    pub prices: Prices,
    #[serde(default)]
    pub privacy: Privacy,
}

impl Written {
    /// As `--set` changed it, each thing at its place in the file: `--set` neither adds nor removes suites and subjects. What the file does not
    /// have has an empty place.
    pub fn placed_in(mut self, file: &Places) -> Self {
        fn place<T: Clone>(it: &mut Spanned<T>, span: Option<Range<usize>>) {
            *it = Spanned::new(span.unwrap_or_default(), it.get_ref().clone());
        }
        for (number, suite) in self.suite.iter_mut().enumerate() {
            place(suite, file.span(&["suite", &number.to_string()]));
        }
        for (number, subject) in self.subject.iter_mut().enumerate() {
            place(subject, file.span(&["subject", &number.to_string()]));
        }
        self.bounds.iter_mut().for_each(|(key, bound)| place(bound, file.span(&["bounds", key])));
        self.stopping.iter_mut().for_each(|(key, rule)| place(rule, file.span(&["stopping", key])));
        self.models.iter_mut().for_each(|(id, model)| place(model, file.span(&["models", id])));
        self
    }
}

fn once() -> u32 {
    1
}

/// The shape of a study file. What a suite, a subject and a model may say is not known here: whoever knows puts it in.
pub fn schema(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<Written>()
}
