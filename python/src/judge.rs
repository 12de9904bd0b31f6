//! What an answer is worth, by the rules of a suite of a run.

use crate::{json, likeness, told, wait};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use waterjar_core::{Conclusion, Family, Kept, Seed, SubjectId, Suite, SuiteContext, Variant, VariantId};
use waterjar_suites::{OpenError, Opening};

const RULES: &str = "rules";
/// Whose answer it is: nobody the study knows.
const ELSEWHERE: &str = "answer@elsewhere";

/// One suite of a study, opened for judging. No model is asked and nothing is stored.
#[pyclass(frozen)]
pub struct Judge {
    suite: Arc<dyn Suite>,
    ctx: SuiteContext,
}

#[pymethods]
impl Judge {
    /// `study` is the run's study file, `folder` where that lay, `inputs` what the run keeps of the suite's files, and `source` the
    /// fingerprint of its source.
    #[new]
    fn new(
        py: Python<'_>,
        study: &str,
        suite: Option<&str>,
        folder: PathBuf,
        inputs: PathBuf,
        source: Option<String>,
        model: Option<PathBuf>,
    ) -> PyResult<Self> {
        let bad = |problem: String| PyValueError::new_err(problem);
        let study: toml::Table = toml::from_str(study).map_err(|error| bad(format!("study.toml: {error}")))?;
        let seed = study.get("study").and_then(|it| it.get("seed")?.as_integer()).unwrap_or_default();
        let seed = Seed(u64::try_from(seed).map_err(|error| bad(format!("study.toml: seed: {error}")))?);
        let table = chosen(&study, suite)?;
        let kind = table.get("kind").and_then(toml::Value::as_str).unwrap_or_default().to_owned();
        let kind = crate::suite_kind(&kind)?;
        py.detach(|| {
            let kept = Kept { folder: inputs.join(name_of(table)), source };
            let opened = (kind.open)(&Opening { table, seed, folder: &folder, kept: Some(&kept) });
            let suite = opened.map_err(|error| match error {
                OpenError::Source(error) => told(&error),
                error => bad(error.to_string()),
            })?;
            let suite = suite.suite;
            let judge = suite.judge_id();
            if judge.as_str() != RULES {
                return Err(bad(format!("{} judges this suite, and no model is asked here", judge.as_str())));
            }
            let embedder = suite.roles().embedder.map(|name| likeness::open(&name, model.as_deref())).transpose()?;
            Ok(Self { suite, ctx: SuiteContext { embedder, ..SuiteContext::new(seed) } })
        })
    }

    #[getter]
    fn suite(&self) -> &str {
        self.suite.id().as_str()
    }

    /// `family` is a JSON array with the variants of one family, as `variants.jsonl` has them; `others` are answers to other variants of it, by role,
    /// each with what was thought before it, where that is known.
    fn score(
        &self,
        py: Python<'_>,
        family: &str,
        variant: &str,
        answer: String,
        reasoning: Option<String>,
        others: BTreeMap<String, (String, Option<String>)>,
    ) -> PyResult<String> {
        let variants: Vec<Variant> =
            serde_json::from_str(family).map_err(|error| PyValueError::new_err(format!("variants.jsonl: {error}")))?;
        let asked = VariantId::from(variant);
        if !variants.iter().any(|it| it.id == asked) {
            return Err(PyKeyError::new_err(format!("the family has no variant {variant}")));
        }
        let roles: Vec<&str> = variants.iter().map(Variant::role).collect();
        if let Some(role) = others.keys().find(|role| !roles.contains(&role.as_str())) {
            return Err(PyValueError::new_err(format!(
                "others: the family has no {role}; its roles are {}",
                roles.join(", ")
            )));
        }
        let said = |text: &str, reasoning| Conclusion { text: text.to_owned(), reasoning, record: None };
        let mut answers: BTreeMap<VariantId, Conclusion> = BTreeMap::new();
        for variant in &variants {
            let other = others.get(variant.role());
            answers.extend(other.map(|(text, thought)| (variant.id.clone(), said(text, thought.clone()))));
        }
        answers.insert(asked.clone(), said(&answer, reasoning));
        py.detach(|| self.judged(variants, answers, &asked))
    }
}

impl Judge {
    fn judged(
        &self,
        variants: Vec<Variant>,
        answers: BTreeMap<VariantId, Conclusion>,
        asked: &VariantId,
    ) -> PyResult<String> {
        let family = Family::answered(self.suite.id(), &SubjectId::from(ELSEWHERE), variants, answers);
        let family = family.ok_or_else(|| PyValueError::new_err("the family has no variants"))?;
        let verdict = wait()?.block_on(self.suite.judge(&self.ctx, &family));
        let verdict = verdict.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let judge = verdict.judge.to_string();
        let ruling = verdict.rulings.into_iter().find(|it| it.variant == *asked);
        let ruling = ruling.ok_or_else(|| PyValueError::new_err("the suite does not rule on this variant"))?;
        json(&serde_json::json!({
            "suite": self.suite.id(),
            "family": family.id,
            "variant": ruling.variant,
            "role": ruling.role,
            "judge": judge,
            "outcome": ruling.outcome.as_str(),
            "score": ruling.worth(),
            "reason": ruling.reason,
            "named": ruling.named.map(|it| self.suite.name_of(&it)),
            "parts": ruling.parts,
        }))
    }
}

fn name_of(table: &toml::Table) -> &str {
    let named = |key: &str| table.get(key).and_then(toml::Value::as_str);
    named("name").or_else(|| named("kind")).unwrap_or_default()
}

/// The suite of that name; the only one where none is named.
fn chosen<'a>(study: &'a toml::Table, wanted: Option<&str>) -> PyResult<&'a toml::Table> {
    let suites = study.get("suite").and_then(toml::Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let tables: Vec<&toml::Table> = suites.iter().filter_map(toml::Value::as_table).collect();
    let names = tables.iter().map(|it| name_of(it)).collect::<Vec<_>>().join(", ");
    match (wanted, tables.as_slice()) {
        (Some(name), tables) => tables
            .iter()
            .find(|it| name_of(it) == name)
            .copied()
            .ok_or_else(|| PyKeyError::new_err(format!("the run has no suite {name}; it has {names}"))),
        (None, [only]) => Ok(only),
        (None, _) => Err(PyValueError::new_err(format!("the run has several suites, name one: {names}"))),
    }
}
