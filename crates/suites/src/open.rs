//! A suite's table in the study file → the suite, its source of cases and the knowledge both rest on.

use crate::einstellung::{Einstellung, Settings};
use serde::Deserialize;
use std::path::Path;
use std::sync::Arc;
use waterjar_core::{CaseSource, Seed, SourceError, Suite};
use waterjar_knowledge::{BaseError, KnowledgeBase, simulate::Simulated, starter};

/// What a suite is opened from.
pub struct Opening<'a> {
    /// The suite's table as written.
    pub table: &'a toml::Table,
    pub seed: Seed,
    /// Relative paths start here: the folder of the study file.
    pub folder: &'a Path,
}

pub struct Opened {
    pub suite: Arc<dyn Suite>,
    pub source: Arc<dyn CaseSource>,
    pub base: Arc<KnowledgeBase>,
}

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("{0}")]
    Settings(String),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Base(#[from] BaseError),
}

pub fn einstellung(opening: &Opening<'_>) -> Result<Opened, OpenError> {
    let settings = Settings::deserialize(opening.table.clone()).map_err(|error| OpenError::Settings(error.message().to_owned()))?;
    if let Some(problem) = settings.problem() {
        return Err(OpenError::Settings(problem));
    }
    let (base, source) = source(opening, &settings)?;
    let suite = Arc::new(Einstellung::new(settings, base.clone()));
    Ok(Opened { suite, source, base })
}

type Sourced = (Arc<KnowledgeBase>, Arc<dyn CaseSource>);

fn source(opening: &Opening<'_>, settings: &Settings) -> Result<Sourced, OpenError> {
    if settings.source == starter::NAME {
        let base = Arc::new(starter::base()?);
        let source = Simulated::for_test(base.clone(), opening.seed, settings.patients);
        return Ok((base, Arc::new(source)));
    }
    Err(OpenError::Settings(format!(
        "source: `{}` is not a source; write \"starter\" or \"ddxplus:FILE_OR_FOLDER\"",
        settings.source
    )))
}
