//! Built-in doctors who answer letters.

use crate::makers;
use async_trait::async_trait;
use std::sync::Arc;
use waterjar_consultations::Language;
use waterjar_consultations::doctor::{self, Doctor, Habit};
use waterjar_core::{Agent, ChatModel, ChatReply, ChatRequest, ModelError, ModelId, Seed};
use waterjar_engine::plan::{SubjectMaker, WantedAgent};
use waterjar_knowledge::KnowledgeBase;

/// Agents that can be asked for a letter.
const AGENTS: [&str; 3] = ["plain", "direct", "warned"];

pub struct LetterReaders {
    seed: Seed,
    language: Arc<Language>,
    base: Arc<KnowledgeBase>,
}

impl LetterReaders {
    pub fn new(seed: Seed, language: Arc<Language>, base: Arc<KnowledgeBase>) -> Self {
        Self { seed, language, base }
    }
}

impl SubjectMaker for LetterReaders {
    fn agent(&self, wanted: &WantedAgent) -> Result<Arc<dyn Agent>, String> {
        if self.base.conditions().is_empty() && Habit::named(wanted.model).is_some() {
            return Err(format!(
                "model: `{}` goes by a knowledge base, and these cases come without one; name a language model",
                wanted.model
            ));
        }
        if makers::is_anothers(wanted.model, &ids()) {
            let known = ids().join(", ");
            return Err(format!(
                "model: `{}` answers no letters; for them there are {known}, or a language model. A subject may name the `suites` it answers",
                wanted.model
            ));
        }
        makers::open_agent(wanted, self.seed, &AGENTS, "cannot be asked to answer a letter")
    }

    fn model(&self, model: &str) -> Result<Arc<dyn ChatModel>, String> {
        let habit = Habit::named(model).ok_or_else(|| format!("no doctor is called `{model}`"))?;
        let doctor = Doctor::new(Arc::clone(&self.language), Arc::clone(&self.base), habit);
        Ok(Arc::new(LetterReader { id: model.into(), doctor }))
    }

    fn fingerprint(&self, model: &str) -> String {
        format!("{model} v{} {} {}", doctor::VERSION, self.language.fingerprint, self.base.fingerprint())
    }
}

pub fn ids() -> Vec<&'static str> {
    Habit::ALL.map(Habit::id).into()
}

/// For `waterjar show models`.
pub fn table() -> Vec<(&'static str, String)> {
    Habit::ALL.map(|habit| (habit.id(), format!("{} (letters)", habit.about()))).into()
}

/// Takes the last thing the user said for the letter.
struct LetterReader {
    id: ModelId,
    doctor: Doctor,
}

#[async_trait]
impl ChatModel for LetterReader {
    fn id(&self) -> &ModelId {
        &self.id
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let letter = request.last_user_text();
        if letter.trim().is_empty() {
            return Err(ModelError::InvalidOutput(format!("{}: there is no letter to read", self.id)));
        }
        Ok(ChatReply::text(self.doctor.answer(letter)))
    }
}
