//! One word, asked of an embedder at an address: does a vector come back?

use super::Check;
use crate::cli::DoctorArgs;
use async_trait::async_trait;
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use waterjar_core::{Embedder, ModelError, Payer, Usage, VectorRequest, counted};
use waterjar_models::{EmbeddingModel, Patience};

/// Nobody's text. What a study would compare is patients', and is not a doctor's to send.
const WORD: &str = "hello";

/// What is amiss now is told, and not tried again.
pub const IMPATIENT: Patience = Patience {
    at_once: NonZeroU32::MIN,
    timeout: Duration::from_secs(300),
    attempts: NonZeroU32::MIN,
    first_wait: Duration::ZERO,
    longest_wait: Duration::ZERO,
    deadline: Duration::ZERO,
};

pub async fn asked(id: &str, model: &EmbeddingModel, args: &DoctorArgs, cost: impl Fn(&Usage) -> String) -> Check {
    let fail = |found: String, todo: &str| Check::fail("asked", id, found, todo);
    let other = "name a model for embeddings, which gives vectors at the path `embeddings` in OpenAI's format";
    let noted = Noted::default();
    let patience = Duration::from_secs_f64(args.timeout);
    let vector = match tokio::time::timeout(patience, model.embed_paid(&[WORD], &noted)).await {
        Ok(Ok(vectors)) => vectors.concat(),
        Ok(Err(error @ ModelError::InvalidOutput(_))) => return fail(error.to_string(), other),
        Ok(Err(error @ ModelError::Rejected { status: 404 | 405, .. })) => {
            return fail(
                error.to_string(),
                "is the path of `url` right (often /v1), and is it a model for embeddings?",
            );
        }
        Ok(Err(error)) => return fail(error.to_string(), "put right what it says, and ask again"),
        Err(_) => {
            return fail(format!("no vector within {} s", args.timeout), "ask again, or give it longer with --timeout");
        }
    };
    if vector.iter().all(|value| *value == 0.0) {
        return fail(format!("it answers with {} zeros, which are like nothing", vector.len()), other);
    }
    let used = noted.0.into_inner().unwrap_or_else(PoisonError::into_inner);
    let told = match used.is_none() {
        true => "it does not say what it read".to_owned(),
        false => format!("{} read, {}", counted(used.input, "token", "tokens"), cost(&used)),
    };
    Check::ok("asked", id, format!("it answers with a vector of {} numbers: {told}", vector.len()))
}

/// What the word used.
#[derive(Default)]
struct Noted(Mutex<Usage>);

#[async_trait]
impl Payer for Noted {
    async fn pay(&self, request: &dyn VectorRequest) -> Result<Vec<Vec<f32>>, ModelError> {
        let (vectors, used) = request.send().await.map_err(ModelError::uncharged)?;
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = used;
        Ok(vectors)
    }
}
