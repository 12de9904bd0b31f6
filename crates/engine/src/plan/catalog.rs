//! What a study may name. The program puts it together; the engine knows no concrete part.

use crate::EngineError;
use crate::gateway::{BatchPlan, GatewaySettings, LimitSettings, Prices};
use crate::study::Privacy;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use waterjar_core::{Agent, CaseSource, ChatModel, Embedder, Kept, Seed, Suite};

pub trait Catalog {
    fn suite_kinds(&self) -> Vec<&'static str>;
    /// Opens a suite. The error is a problem with the table, as `key: problem` where it is about one key.
    fn open_suite(&self, suite: &WantedSuite<'_>) -> Result<OpenedSuite, SuiteProblem>;
    fn agent_ids(&self) -> Vec<&'static str>;
    fn model_ids(&self) -> Vec<&'static str>;
    /// Whether a model is the judge itself, printed for orientation only.
    fn is_reference(&self, model: &str) -> bool;
    /// Opens a model that is not built in: `vendor/model`, or one the study describes. The error says what to do.
    fn vendor_model(&self, wanted: &WantedModel<'_>) -> Result<VendorModel, String> {
        Err(format!("no model is called `{}`", wanted.id))
    }
    /// Opens what says how alike two texts are: one of ours, or a model as `vendor_model` opens it. The error says what to do.
    fn embedder(&self, wanted: &WantedEmbedder<'_>) -> Result<Arc<dyn Embedder>, String> {
        Err(format!("no embedder is called `{}`", wanted.id))
    }
    /// Whether a table that describes a model can be read, also where no subject uses it. The error is as `vendor_model`'s.
    fn check_model(&self, table: &toml::Table) -> Result<(), String> {
        let _ = table;
        Ok(())
    }
    /// Whether its models cost money: those of a rehearsal do not.
    fn spends(&self) -> bool {
        true
    }
    /// What tokens cost.
    fn prices(&self) -> Prices {
        Prices::default()
    }
}

/// A model that is not built in, and what the gateway must know of it.
pub struct VendorModel {
    pub model: Arc<dyn ChatModel>,
    /// Models at one endpoint share its limits.
    pub endpoint: String,
    /// Changes whenever it would be asked differently under the same name.
    pub identity: String,
    /// Its own limits, where the study gives it some.
    pub limits: Option<LimitSettings>,
    /// For one attempt, where the study gives it one of its own.
    pub timeout: Option<Duration>,
    /// How it is asked in batches, where the study wants that.
    pub batches: Option<BatchPlan>,
    /// What of the study's wishes it cannot do.
    pub notes: Vec<String>,
}

impl VendorModel {
    /// Its identity without its address. Where a model is reached does not change what it says: a server may move.
    pub fn wherever(&self) -> serde_json::Value {
        let mut identity = serde_json::from_str(&self.identity).unwrap_or_else(|_| self.identity.clone().into());
        if let Some(parts) = serde_json::Value::as_object_mut(&mut identity) {
            parts.remove("url");
        }
        identity
    }

    /// How it is asked beyond what its name tells: the sampling, and the name sent where it is another. `None` where its name tells all.
    pub fn asked_otherwise(&self, id: &str) -> Option<String> {
        let identity = self.wherever();
        let sampling = identity.get("sampling").filter(|it| it.as_object().is_some_and(|it| !it.is_empty()));
        let sent = identity.get("model").filter(|it| it.as_str().is_some_and(|sent| !id.ends_with(sent)));
        (sampling.is_some() || sent.is_some())
            .then(|| serde_json::json!({ "sampling": sampling, "model": sent }).to_string())
    }
}

/// A model as the study has it.
#[derive(Clone, Copy)]
pub struct WantedModel<'a> {
    pub id: &'a str,
    pub table: Option<&'a toml::Table>,
    pub privacy: Privacy,
    /// Relative paths in the table start here.
    pub folder: &'a Path,
}

/// What says how alike two texts are, as the study has it. Of the gateway it only meets the budget, and keeps the study's limits by itself.
#[derive(Clone, Copy)]
pub struct WantedEmbedder<'a> {
    pub id: &'a str,
    pub table: Option<&'a toml::Table>,
    pub privacy: Privacy,
    pub gateway: &'a GatewaySettings,
}

/// A suite as the study has it.
#[derive(Clone, Copy)]
pub struct WantedSuite<'a> {
    pub table: &'a toml::Table,
    pub seed: Seed,
    /// Relative paths in the table start here.
    pub folder: &'a Path,
    /// What a run keeps of it, where one was made before.
    pub kept: Option<&'a Kept>,
}

/// What a suite's table opened to.
pub struct OpenedSuite {
    pub suite: Arc<dyn Suite>,
    pub source: Arc<dyn CaseSource>,
    pub makes: Arc<dyn SubjectMaker>,
    /// Files beside the source that judging needs, by the key of the table that names them: a run keeps them.
    pub leans_on: BTreeMap<&'static str, PathBuf>,
}

/// Makes agents and built-in models for the conditions of one suite.
pub trait SubjectMaker: Send + Sync {
    /// The error is a problem with the subject's table, as `key: problem` where it is about one key.
    fn agent(&self, wanted: &WantedAgent) -> Result<Arc<dyn Agent>, String>;
    /// Called once per model, and only if something is to be asked.
    fn model(&self, id: &str) -> Result<Arc<dyn ChatModel>, String>;
    /// Changes whenever the model would answer differently; part of every key.
    fn fingerprint(&self, model: &str) -> String;
}

/// What a subject's table says about its agent.
pub struct WantedAgent<'a> {
    pub id: &'a str,
    pub model: &'a str,
    pub settings: &'a toml::Table,
    /// Relative paths in the settings start here.
    pub folder: &'a Path,
    /// Whether the command may ask it.
    pub asked: bool,
    /// Where an agent that looks things up may send requests.
    pub privacy: Privacy,
}

pub enum SuiteProblem {
    /// Something in the table of the suite; names the key first where it is about one.
    Table { suite: String, problem: String },
    /// Something outside it: a source that cannot be read.
    Outside(EngineError),
}
