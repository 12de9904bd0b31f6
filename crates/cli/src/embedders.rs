//! What a study may name as `embedder`, opened: MiniLM, the lexical stand-in, or a model at an endpoint. Vectors are kept by content, and
//! only where the texts are that they were made of: with the run.

use crate::catalog::policy_of;
use crate::library::cache_dir;
use std::path::PathBuf;
use std::sync::Arc;
use waterjar_agents::ecr::Lexical;
use waterjar_core::Embedder;
use waterjar_embedding::{EmbeddingError, Kept, Length, MiniLm, ModelFiles};
use waterjar_engine::gateway::GatewaySettings;
use waterjar_engine::study::Privacy;
use waterjar_engine::{Plan, PlannedSuite, RunDir};
use waterjar_models::{EmbeddingModel, ModelSpec, Patience};

pub const AUTO: &str = "auto";
pub const LEXICAL: &str = "lexical";
const MINILM: &str = "minilm";
const WINDOWS: &str = "minilm-windows";

/// Of a run, and of the cache in earlier versions.
const VECTORS: &str = "vectors";

/// It remembers nothing; see `keep_with` and `remembering`. The error says what to do.
pub fn open(
    id: &str,
    spec: Option<&ModelSpec>,
    privacy: Privacy,
    patience: Patience,
) -> Result<Arc<dyn Embedder>, String> {
    match id {
        AUTO => match minilm(Length::First) {
            Ok(found) => Ok(found),
            // Nobody has to have it: what measured instead is named beside every figure.
            Err(EmbeddingError::Missing { .. }) => Ok(Arc::new(Lexical)),
            Err(error) => Err(told(&error)),
        },
        LEXICAL => Ok(Arc::new(Lexical)),
        MINILM => minilm(Length::First).map_err(|error| told(&error)),
        WINDOWS => minilm(Length::Windows).map_err(|error| told(&error)),
        id if id.contains('/') || spec.is_some() => {
            let model = EmbeddingModel::open(id, spec, policy_of(privacy), patience);
            Ok(Arc::new(model.map_err(|error| error.to_string())?))
        }
        id => Err(format!(
            "embedder: no embedder is called `{id}`; write \"{AUTO}\", \"{MINILM}\", \"{WINDOWS}\", \"{LEXICAL}\" or \"vendor/model\""
        )),
    }
}

/// What a study's `[limits]` and `[retry]` mean for an embedder at an endpoint.
pub fn patience(gateway: &GatewaySettings) -> Patience {
    let GatewaySettings { limits, retry, .. } = gateway;
    Patience {
        at_once: limits.concurrency.unwrap_or(Patience::default().at_once),
        timeout: limits.timeout(),
        attempts: retry.attempts,
        first_wait: retry.first_wait(),
        longest_wait: retry.longest_wait(),
        deadline: retry.deadline(),
    }
}

/// Vectors tell much of patients' texts, so they are kept in the run, which holds the texts, and go with it.
pub fn keep_with(run: &RunDir, plan: &mut Plan) {
    for planned in &mut plan.suites {
        // What only counts words is quicker than a file.
        let slow = planned.embedder.take_if(|it| it.id() != Lexical.id());
        if let Some(embedder) = slow {
            planned.embedder = Some(Arc::new(Kept::at(run.file(VECTORS), embedder)));
        }
    }
}

/// For whoever works on no run: what was embedded is known until the program ends.
pub fn remembering(embedder: Arc<dyn Embedder>) -> Arc<dyn Embedder> {
    Arc::new(Kept::in_memory(embedder))
}

/// Where earlier versions kept the vectors of all runs, if they are still there.
pub fn left_behind() -> Option<PathBuf> {
    cache_dir().ok().map(|cache| cache.join(VECTORS)).filter(|folder| folder.is_dir())
}

/// What to tell where `auto` found no model.
pub fn stand_in(planned: &PlannedSuite) -> Option<String> {
    let by = planned.embedder.as_ref()?.id();
    let auto = planned.suite().roles().embedder.as_deref() == Some(AUTO);
    (auto && by.starts_with(LEXICAL)).then(|| {
        format!(
            "likeness is by {by}, which compares words and not meaning, for no all-MiniLM-L6-v2 was found; `waterjar fetch-embedder` brings it"
        )
    })
}

fn minilm(length: Length) -> Result<Arc<dyn Embedder>, EmbeddingError> {
    Ok(Arc::new(MiniLm::open(&ModelFiles::find()?, length)?))
}

fn told(error: &EmbeddingError) -> String {
    match error.hint() {
        Some(hint) => format!("embedder: {error}; {hint}, or write embedder = \"{LEXICAL}\""),
        None => format!("embedder: {error}"),
    }
}
