//! What a study may name as `embedder`, opened: MiniLM, the lexical stand-in, or a model at an endpoint. Vectors are kept by content.

use crate::catalog::policy_of;
use crate::library::cache_dir;
use std::sync::Arc;
use waterjar_agents::ecr::Lexical;
use waterjar_core::Embedder;
use waterjar_embedding::{EmbeddingError, Kept, Length, MiniLm, ModelFiles};
use waterjar_engine::PlannedSuite;
use waterjar_engine::study::Privacy;
use waterjar_models::{EmbeddingModel, ModelSpec};

pub const AUTO: &str = "auto";
pub const LEXICAL: &str = "lexical";
const MINILM: &str = "minilm";
const WINDOWS: &str = "minilm-windows";

/// The error says what to do.
pub fn open(id: &str, spec: Option<&ModelSpec>, privacy: Privacy) -> Result<Arc<dyn Embedder>, String> {
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
            let model = EmbeddingModel::open(id, spec, policy_of(privacy)).map_err(|error| error.to_string())?;
            Ok(kept(model))
        }
        id => Err(format!(
            "embedder: no embedder is called `{id}`; write \"{AUTO}\", \"{MINILM}\", \"{WINDOWS}\", \"{LEXICAL}\" or \"vendor/model\""
        )),
    }
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
    Ok(kept(MiniLm::open(&ModelFiles::find()?, length)?))
}

/// Without a place to keep vectors they are made again.
fn kept(embedder: impl Embedder + 'static) -> Arc<dyn Embedder> {
    match cache_dir() {
        Ok(folder) => Arc::new(Kept::at(folder.join("vectors"), embedder)),
        Err(_) => Arc::new(embedder),
    }
}

fn told(error: &EmbeddingError) -> String {
    match error.hint() {
        Some(hint) => format!("embedder: {error}; {hint}, or write embedder = \"{LEXICAL}\""),
        None => format!("embedder: {error}"),
    }
}
