//! The place where concrete parts are put together: what a study may name.

use crate::advisors::Advisors;
use crate::embedders;
use crate::letters::LetterReaders;
use crate::makers;
use crate::programs;
use crate::readers::{self, Readers};
use crate::vignettes::VignetteReaders;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use waterjar_core::{ChatRequest, Embedder, in_plain_words};
use waterjar_engine::gateway::{BatchPlan, BatchSettings, LimitSettings, Prices};
use waterjar_engine::plan::{OpenedSuite, SubjectMaker, SuiteProblem, WantedEmbedder, WantedModel, WantedSuite};
use waterjar_engine::study::{Endpoints, Privacy};
use waterjar_engine::{Catalog, EngineError, VendorModel};
use waterjar_models::{Batches, EndpointPolicy, Mode, ModelSpec, Vendor};
use waterjar_suites::{Knows, OpenError, Opening, SuiteKind};

/// Questions in a batch, unless told: each is held in memory with its text while it waits.
const BATCH_SIZE: usize = 5_000;

pub struct Parts;

impl Catalog for Parts {
    fn suite_kinds(&self) -> Vec<&'static str> {
        waterjar_suites::all().iter().map(|known| known.kind).collect()
    }

    fn open_suite(&self, wanted: &WantedSuite<'_>) -> Result<OpenedSuite, SuiteProblem> {
        opened(wanted, |readers| readers)
    }

    fn agent_ids(&self) -> Vec<&'static str> {
        waterjar_agents::all().iter().map(|kind| kind.id).collect()
    }

    fn model_ids(&self) -> Vec<&'static str> {
        makers::ids()
    }

    fn is_reference(&self, model: &str) -> bool {
        model == readers::REFERENCE
    }

    fn vendor_model(&self, wanted: &WantedModel<'_>) -> Result<VendorModel, String> {
        let spec = spec_of(wanted.table)?;
        if let Some(spec) = spec.as_ref().filter(|spec| spec.command.is_some()) {
            return programs::open(wanted, spec);
        }
        let vendor = waterjar_models::open(wanted.id, spec.as_ref(), policy_of(wanted.privacy));
        let vendor = Arc::new(vendor.map_err(|error| error.to_string())?);
        Ok(VendorModel {
            endpoint: vendor.endpoint(),
            identity: vendor.identity().to_string(),
            limits: spec.as_ref().and_then(limits),
            timeout: spec.as_ref().and_then(|spec| spec.timeout_seconds).map(Duration::from_secs_f64),
            batches: batches(&vendor)?,
            notes: unsupported(&vendor),
            model: vendor,
        })
    }

    fn embedder(&self, wanted: &WantedEmbedder<'_>) -> Result<Arc<dyn Embedder>, String> {
        let patience = embedders::patience(wanted.gateway);
        embedders::open(wanted.id, spec_of(wanted.table)?.as_ref(), wanted.privacy, patience)
    }

    fn check_model(&self, table: &toml::Table) -> Result<(), String> {
        spec_of(Some(table)).map(drop)
    }

    fn prices(&self) -> Prices {
        Prices::parse(waterjar_models::PRICES).expect("a test reads the table of prices")
    }
}

/// The same parts with other models in place of the vendors', and without asking services that know about diseases.
pub struct PartsWith<F>(pub F);

impl<F> Catalog for PartsWith<F>
where
    F: Fn(&WantedModel<'_>) -> Result<VendorModel, String>,
{
    fn suite_kinds(&self) -> Vec<&'static str> {
        Parts.suite_kinds()
    }

    fn open_suite(&self, wanted: &WantedSuite<'_>) -> Result<OpenedSuite, SuiteProblem> {
        opened(wanted, Readers::for_rehearsal)
    }

    fn agent_ids(&self) -> Vec<&'static str> {
        Parts.agent_ids()
    }

    fn model_ids(&self) -> Vec<&'static str> {
        Parts.model_ids()
    }

    fn is_reference(&self, model: &str) -> bool {
        Parts.is_reference(model)
    }

    fn vendor_model(&self, wanted: &WantedModel<'_>) -> Result<VendorModel, String> {
        (self.0)(wanted)
    }

    /// Likeness is not what a rehearsal is about: the quickest will do.
    fn embedder(&self, wanted: &WantedEmbedder<'_>) -> Result<Arc<dyn Embedder>, String> {
        Parts.embedder(&WantedEmbedder { id: embedders::LEXICAL, table: None, ..*wanted })
    }

    fn check_model(&self, table: &toml::Table) -> Result<(), String> {
        Parts.check_model(table)
    }

    fn spends(&self) -> bool {
        false
    }

    fn prices(&self) -> Prices {
        Parts.prices()
    }
}

fn opened(wanted: &WantedSuite<'_>, prepare: fn(Readers) -> Readers) -> Result<OpenedSuite, SuiteProblem> {
    let WantedSuite { table, seed, folder, kept } = *wanted;
    let kind = table.get("kind").and_then(toml::Value::as_str).unwrap_or_default();
    let suite = table.get("name").and_then(toml::Value::as_str).unwrap_or(kind);
    let in_table = |problem: String| SuiteProblem::Table { suite: suite.to_owned(), problem };
    let known = suite_kind(kind).ok_or_else(|| in_table(format!("kind: no suite is called `{kind}`")))?;
    let opened = (known.open)(&Opening { table, seed, folder, kept }).map_err(|error| match error {
        OpenError::Settings(problem) => in_table(problem),
        OpenError::Source(error) => SuiteProblem::Outside(error.into()),
        OpenError::Base(error) => SuiteProblem::Outside(EngineError::study("the knowledge base", error.to_string())),
    })?;
    let makes: Arc<dyn SubjectMaker> = match opened.knows {
        Knows::Conditions { base, judge } => Arc::new(prepare(Readers::new(base, seed, judge))),
        Knows::Treatments => Arc::new(Advisors::new(seed)),
        Knows::Vignettes => Arc::new(VignetteReaders::new(seed)),
        Knows::Letters { language, base } => Arc::new(LetterReaders::new(seed, language, base)),
    };
    Ok(OpenedSuite { suite: opened.suite, source: opened.source, makes, leans_on: opened.leans_on })
}

pub fn spec_of(table: Option<&toml::Table>) -> Result<Option<ModelSpec>, String> {
    let Some(table) = table else { return Ok(None) };
    let spec = ModelSpec::deserialize(table.clone()).map_err(|error| match error.message() {
        // It names the key already.
        told if told.starts_with("unknown field") => told.to_owned(),
        _ => in_plain_words(&error.to_string()).split_whitespace().collect::<Vec<_>>().join(" "),
    })?;
    spec.check()?;
    Ok(Some(spec))
}

pub fn policy_of(privacy: Privacy) -> EndpointPolicy {
    match privacy.endpoints {
        Endpoints::Any => EndpointPolicy::Any,
        Endpoints::Local => EndpointPolicy::LocalOnly,
    }
}

/// How it is asked in batches, where the study says so.
fn batches(vendor: &Arc<Vendor>) -> Result<Option<BatchPlan>, String> {
    let spec = vendor.spec();
    if spec.mode != Mode::Batch {
        return Ok(None);
    }
    let seconds = |told: Option<f64>, usual: f64| Duration::from_secs_f64(told.unwrap_or(usual));
    let settings = BatchSettings {
        requests: spec.batch_size.map_or(BATCH_SIZE, |most| most.get() as usize),
        quiet: seconds(spec.batch_wait_seconds, 5.0),
        poll: seconds(spec.poll_seconds, 30.0),
    };
    let model = Batches::of(vendor).map_err(|error| error.to_string())?;
    Ok(Some(BatchPlan { model: Arc::new(model), settings }))
}

/// Settings of the study that the model does not take: they are left out, and said.
fn unsupported(vendor: &Vendor) -> Vec<String> {
    let told = vendor.unsupported(&ChatRequest::default());
    told.into_iter().map(|what| format!("it does not take {what}; it is asked without")).collect()
}

/// The limits a model's table gives it; `None` where it shares those of its endpoint.
pub fn limits(spec: &ModelSpec) -> Option<LimitSettings> {
    let limited = spec.concurrency.is_some() || spec.requests_per_minute.is_some() || spec.tokens_per_minute.is_some();
    limited.then(|| LimitSettings {
        concurrency: spec.concurrency,
        requests_per_minute: spec.requests_per_minute,
        tokens_per_minute: spec.tokens_per_minute,
        ..LimitSettings::default()
    })
}

pub fn suite_kind(kind: &str) -> Option<SuiteKind> {
    waterjar_suites::all().into_iter().find(|known| known.kind == kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::ModelId;

    fn check(id: &str, input: Option<f64>) {
        assert_eq!(Parts.prices().of(&ModelId::from(id)).map(|price| price.input), input, "{id}");
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
        check("vllm/Qwen3-32B", Some(0.0));
    }
}
