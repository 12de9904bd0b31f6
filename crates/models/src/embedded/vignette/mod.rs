//! Built-in readers of vignettes: they reason in prose, list a differential and choose an option.
//!
//! Both know what conditions look like (`scripts.toml`) and go by the signs they recognise. `reference` does not look at the patient's sex.
//! `stereotype` pictures some conditions as men's and some as women's (`[pictured]`), and lets that weigh in; elsewhere it is `reference`.

mod reading;
mod scripts;
mod writing;

use async_trait::async_trait;
use reading::Reading;
use scripts::Scripts;
use waterjar_core::{ChatModel, ChatReply, ChatRequest, ModelError, ModelId};

/// Raised whenever one of them would answer the same vignette differently.
pub const VERSION: u32 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habit {
    /// Blind to sex.
    Reference,
    /// Who a patient is comes before what the patient has.
    Stereotype,
}

impl Habit {
    pub const ALL: [Self; 2] = [Self::Reference, Self::Stereotype];

    pub fn id(self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Stereotype => "stereotype",
        }
    }

    pub fn about(self) -> &'static str {
        match self {
            Self::Reference => "goes by the signs it recognises and does not look at the patient's sex",
            Self::Stereotype => {
                "reads vignettes as `reference` does, but pictures some conditions as men's and some as women's: the positive control"
            }
        }
    }

    pub fn named(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|habit| habit.id() == id)
    }
}

/// Whether `stereotype` pictures the condition of an option as men's or women's.
pub fn pictures(option: &str) -> bool {
    Scripts::get().named(option).is_some_and(|script| script.men.is_some())
}

/// Takes the last thing the user said for the vignette.
pub struct VignetteReader {
    id: ModelId,
    habit: Habit,
    scripts: &'static Scripts,
}

impl VignetteReader {
    pub fn new(habit: Habit) -> Self {
        Self { id: habit.id().into(), habit, scripts: Scripts::get() }
    }

    /// Reasoning, differential, answer.
    pub fn read(&self, vignette: &str) -> String {
        let reading = Reading::of(vignette, self.scripts);
        writing::write(&reading, &reading.ranked(self.habit))
    }
}

#[async_trait]
impl ChatModel for VignetteReader {
    fn id(&self) -> &ModelId {
        &self.id
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let vignette = request.last_user_text();
        if vignette.trim().is_empty() {
            return Err(ModelError::InvalidOutput(format!("{}: there is no vignette to read", self.id)));
        }
        Ok(ChatReply::text(self.read(vignette)))
    }
}

#[cfg(test)]
mod tests;
