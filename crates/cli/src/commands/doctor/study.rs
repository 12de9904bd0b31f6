//! The study file: can it be read, and does everything it names exist?

use super::Check;
use crate::catalog::{PartsWith, spec_of};
use async_trait::async_trait;
use std::path::Path;
use std::sync::Arc;
use waterjar_core::{ChatModel, ChatReply, ChatRequest, ModelError, ModelId};
use waterjar_engine::plan::WantedModel;
use waterjar_engine::{EngineError, Plan, StudyFile, VendorModel};

/// As far as it could be read and resolved.
pub struct Examined {
    pub study: Option<StudyFile>,
    pub plan: Option<Plan>,
}

pub fn examine(path: &Path, sets: &[String], list: &mut Vec<Check>) -> Examined {
    let named = path.display().to_string();
    let failed = |error: EngineError| {
        let (what, usual) = match error {
            EngineError::Source(_) => ("source", "correct the file, or name another"),
            _ => ("study", "correct it; docs/study-file.md has every key"),
        };
        Check::fail(what, named.clone(), error.to_string(), error.hint().unwrap_or_else(|| usual.to_owned()))
    };
    let study = match StudyFile::read(path, sets) {
        Ok(study) => study,
        Err(error) => {
            list.push(failed(error));
            return Examined { study: None, plan: None };
        }
    };
    let plan = match study.resolve(&PartsWith(unasked)) {
        Ok(plan) => {
            let (suites, subjects) = (plan.suites.len(), study.subjects.len());
            let found = format!("it can be read: {} and {}", number(suites, "suite"), number(subjects, "subject"));
            list.push(Check::ok("study", named, found));
            Some(plan)
        }
        Err(error) => {
            list.push(failed(error));
            None
        }
    };
    Examined { study: Some(study), plan }
}

fn number(n: usize, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// Models are taken as they are named, and examined one by one afterwards.
fn unasked(wanted: &WantedModel<'_>) -> Result<VendorModel, String> {
    spec_of(wanted.table)?;
    let model = Arc::new(NotAsked(ModelId::new(wanted.id)));
    Ok(VendorModel {
        endpoint: String::new(),
        identity: String::new(),
        limits: None,
        timeout: None,
        batches: None,
        notes: Vec::new(),
        model,
    })
}

struct NotAsked(ModelId);

#[async_trait]
impl ChatModel for NotAsked {
    fn id(&self) -> &ModelId {
        &self.0
    }

    async fn chat(&self, _: &ChatRequest) -> Result<ChatReply, ModelError> {
        Err(ModelError::Forbidden("a doctor's visit asks nothing by way of the study".to_owned()))
    }
}
