//! What a log says of itself, beside its samples.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use waterjar_core::{JudgeId, Metric, SubjectId, SuiteId};

/// One subject's answers to one suite.
#[derive(Clone, Debug)]
pub struct LogHead {
    pub study: String,
    pub seed: u64,
    pub suite: SuiteId,
    /// Of the suite: its version and what it does.
    pub version: u32,
    pub about: String,
    pub subject: SubjectId,
    pub agent: String,
    pub model: String,
    pub judge: JudgeId,
    /// The day on which the run was started.
    pub date: String,
    /// A hash of all variants.
    pub benchmark: String,
    pub repeats: u32,
    pub variants: u64,
    /// Answers there are, failures included; and how many of them failed.
    pub answered: u64,
    pub failed: u64,
    /// The suite's figures for the subject, where they were measured; and which of them stand in its main table.
    pub metrics: BTreeMap<String, Metric>,
    pub main: Vec<String>,
    /// The one the suite is about.
    pub headline: Option<String>,
}

/// Bytes of a subject's name in the name of a file.
const NAME: usize = 120;

/// Who judged, as Inspect's lists of scores call it.
pub(super) const SCORER: &str = "waterjar";

impl LogHead {
    /// Inspect wants an id for everything; the same log has the same.
    pub fn id(&self, what: &str) -> String {
        let of = format!("{what}\n{}\n{}\n{}\n{}", self.study, self.suite, self.subject, self.benchmark);
        blake3::hash(of.as_bytes()).to_hex()[..22].to_owned()
    }

    /// The name of the log in a folder of logs, as Inspect forms it: time, task, model, id.
    pub fn file_name(&self) -> String {
        let plain = |text: &str| {
            let plain: String =
                text.chars().map(|c| if c.is_alphanumeric() || "-.@".contains(c) { c } else { '-' }).collect();
            plain
        };
        let (suite, mut subject) = (plain(self.suite.as_str()), plain(self.subject.as_str()));
        // A file's name has 255 bytes at most; the id keeps subjects apart.
        subject.truncate(subject.floor_char_boundary(NAME));
        format!("{}T00-00-00+00-00_{suite}_{subject}_{}.eval", self.date, self.id("task"))
    }

    pub(super) fn created(&self) -> String {
        format!("{}T00:00:00+00:00", self.date)
    }

    /// `start.json`
    pub(super) fn start(&self) -> Value {
        json!({ "version": 2, "eval": self.spec(), "plan": self.plan() })
    }

    /// `header.json`
    pub(super) fn header(&self) -> Value {
        json!({
            "version": 2,
            "status": "success",
            "eval": self.spec(),
            "plan": self.plan(),
            "results": self.results(),
            "stats": {
                "started_at": self.created(), "completed_at": self.created(), "model_usage": {}, "role_usage": {}
            },
        })
    }

    /// No model of a vendor is named as `model`: whoever scores the log again would need its key, and might pay for it.
    pub(super) fn model_name(&self) -> String {
        format!("none/{}", self.subject)
    }

    fn spec(&self) -> Value {
        json!({
            "eval_id": self.id("eval"),
            "run_id": self.id("run"),
            "created": self.created(),
            "task": self.suite,
            "task_id": self.id("task"),
            "task_version": self.version,
            "task_description": self.about,
            "task_attribs": {},
            "task_args": { "study": self.study, "seed": self.seed },
            "task_args_passed": {},
            "solver": self.agent,
            "dataset": { "name": self.study, "samples": self.variants, "shuffled": false },
            "model": self.model_name(),
            "model_generate_config": {},
            "model_args": {},
            "config": { "epochs": self.repeats },
            "packages": { "waterjar": env!("CARGO_PKG_VERSION") },
            "metadata": {
                "subject": self.subject, "agent": self.agent, "model": self.model, "judge": self.judge,
                "benchmark": self.benchmark, "note": "illustrative, not for patient care",
            },
            "scorers": [{ "name": SCORER, "options": {}, "metrics": [], "metadata": {} }],
        })
    }

    fn plan(&self) -> Value {
        json!({ "name": "plan", "steps": [{ "solver": self.agent, "params": {}, "params_passed": {} }], "config": {} })
    }

    fn results(&self) -> Value {
        // A viewer shows all of a scorer's metrics above everything else.
        let is_main = |(name, _): &(&String, &Metric)| self.main.contains(name);
        let metrics: Map<String, Value> = self.metrics.iter().filter(is_main).filter_map(metric).collect();
        let total = self.variants * u64::from(self.repeats);
        let answered = self.answered.saturating_sub(self.failed);
        let headline = self.headline.as_ref().filter(|name| metrics.contains_key(*name));
        let mut results = json!({
            "total_samples": total,
            "completed_samples": answered,
            "scores": [{
                "name": SCORER,
                "scorer": SCORER,
                "scored_samples": answered,
                "unscored_samples": total.saturating_sub(answered),
                "params": {},
                "metrics": metrics,
            }],
            "metadata": { "figures": self.metrics },
        });
        if let Some(name) = headline {
            results["headline"] = json!({ "scorer": SCORER, "metric": name });
        }
        results
    }
}

/// What has no value is not a figure of zero.
fn metric((name, metric): (&String, &Metric)) -> Option<(String, Value)> {
    let value = metric.value.filter(|value| value.is_finite())?;
    let beside = json!({ "low": metric.low, "high": metric.high, "n": metric.n });
    Some((name.clone(), json!({ "name": name, "value": value, "params": {}, "metadata": beside })))
}
