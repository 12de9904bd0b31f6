//! How a metric is called, printed and read.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetricColumn {
    /// The published name in snake case: `bias_trap_rate`.
    pub name: String,
    /// `Bias trap rate`
    pub title: String,
    pub better: Better,
    pub kind: MetricKind,
    pub explanation: String,
    /// What a subject with this value did, with `{}` for the value: `was right on {} of the controls`.
    /// Columns with a phrase make up the summary in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrase: Option<String>,
    /// The metric the suite is about; the summary in words goes by it. The first such column counts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub primary: bool,
    /// Its strata are the parts of a whole: a figure shows them, and no table does.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub drawn: bool,
}

impl MetricColumn {
    /// A share, without anything special about it.
    pub fn share(name: &str, title: &str, better: Better, explanation: &str) -> Self {
        Self {
            name: name.to_owned(),
            title: title.to_owned(),
            better,
            kind: MetricKind::Share,
            explanation: explanation.to_owned(),
            phrase: None,
            primary: false,
            drawn: false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    Higher,
    Lower,
    /// Describes a subject without ranking it.
    Neither,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MetricKind {
    /// 0..1, printed in percent.
    Share,
    Number,
}
