//! The place where concrete parts are put together: what a study may name.

use crate::readers::{self, Readers};
use std::path::Path;
use std::sync::Arc;
use waterjar_core::{Agent, Seed};
use waterjar_engine::plan::{OpenedSuite, SuiteProblem};
use waterjar_engine::{Catalog, EngineError};
use waterjar_suites::{OpenError, Opening, SuiteKind};

pub struct Parts;

impl Catalog for Parts {
    fn suite_kinds(&self) -> Vec<&'static str> {
        waterjar_suites::all().iter().map(|known| known.kind).collect()
    }

    fn open_suite(&self, table: &toml::Table, seed: Seed, folder: &Path) -> Result<OpenedSuite, SuiteProblem> {
        let kind = table.get("kind").and_then(toml::Value::as_str).unwrap_or_default();
        let known =
            suite_kind(kind).ok_or_else(|| SuiteProblem::Table(format!("kind: no suite is called `{kind}`")))?;
        let opened = (known.open)(&Opening { table, seed, folder }).map_err(|error| match error {
            OpenError::Settings(problem) => SuiteProblem::Table(problem),
            OpenError::Source(error) => SuiteProblem::Outside(error.into()),
            OpenError::Base(error) => {
                SuiteProblem::Outside(EngineError::study("the knowledge base", error.to_string()))
            }
        })?;
        let models = Arc::new(Readers::new(opened.base, seed, opened.judge));
        Ok(OpenedSuite { suite: opened.suite, source: opened.source, models })
    }

    fn agent_ids(&self) -> Vec<&'static str> {
        waterjar_agents::all().iter().map(|kind| kind.id).collect()
    }

    fn agent(&self, id: &str) -> Option<Arc<dyn Agent>> {
        let kind = waterjar_agents::all().iter().find(|kind| kind.id == id)?;
        Some((kind.make)().into())
    }

    fn model_ids(&self) -> Vec<&'static str> {
        readers::ids()
    }

    fn is_reference(&self, model: &str) -> bool {
        model == readers::REFERENCE
    }
}

pub fn suite_kind(kind: &str) -> Option<SuiteKind> {
    waterjar_suites::all().into_iter().find(|known| known.kind == kind)
}
