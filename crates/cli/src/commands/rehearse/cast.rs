//! The study's models, played by the simulated clinician: every one keeps its name, its wire format and its dialect, and
//! is reached on the loopback.

use crate::catalog::{limits, policy_of, spec_of};
use crate::programs;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use waterjar_core::ModelId;
use waterjar_engine::VendorModel;
use waterjar_engine::gateway::LimitSettings;
use waterjar_engine::plan::WantedModel;
use waterjar_models::{
    Api, EndpointPolicy, Mode, ModelSpec, OpenModelError, Thinking, describe, find_program, open_with, program_needs,
};

/// Who plays whom.
pub struct Cast {
    /// `http://127.0.0.1:PORT`
    origin: String,
    parts: Mutex<BTreeMap<ModelId, Part>>,
}

/// What is known of the model that is played.
#[derive(Clone, Debug)]
pub struct Part {
    /// Models of one endpoint share its limits.
    pub endpoint: String,
    /// Its own, where the study gives it some.
    pub limits: Option<LimitSettings>,
    pub max_tokens: Option<u32>,
    pub thinking: Thinking,
    /// A run would ask it in batches.
    pub in_batches: bool,
    /// Variables a run would need and that are not set.
    pub missing: Vec<String>,
}

/// A variable that a run would need.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Missing {
    pub variable: String,
    pub models: Vec<ModelId>,
}

/// No key leaves the environment: this is sent instead.
const KEY: &str = "rehearsal";

impl Cast {
    pub fn new(origin: String) -> Self {
        Self { origin, parts: Mutex::default() }
    }

    pub fn parts(self) -> BTreeMap<ModelId, Part> {
        self.parts.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// What `run` would refuse is refused; what it would find in the environment is only noted.
    fn part(&self, wanted: &WantedModel<'_>, spec: &ModelSpec) -> Result<(Part, String), String> {
        let (id, privacy) = (wanted.id, wanted.privacy);
        if spec.command.is_some() {
            return Ok((program(wanted, spec)?, self.origin.clone()));
        }
        let described = describe(id, Some(spec), &variable);
        let part = |endpoint, thinking, missing| Part {
            endpoint,
            limits: limits(spec),
            max_tokens: spec.max_tokens,
            thinking,
            in_batches: spec.mode == Mode::Batch,
            missing,
        };
        match described {
            Ok(real) if real.is_refused_by(policy_of(privacy)) => {
                let host = real.host().to_owned();
                Err(OpenModelError::NotLocal { model: id.to_owned(), host }.to_string())
            }
            Ok(real) if spec.mode == Mode::Batch && !matches!(real.api, Api::Openai | Api::Anthropic) => {
                Err(OpenModelError::NoBatches { model: id.to_owned() }.to_string())
            }
            Ok(real) => {
                let needs = real.needs.iter().filter(|need| need.required && !need.is_set);
                let missing = needs.map(|need| need.variable.clone()).collect();
                Ok((part(real.origin(), real.thinking, missing), real.url_at(&self.origin)))
            }
            Err(OpenModelError::MissingUrl { variable, .. }) => {
                Ok((part(id.to_owned(), Thinking::No, vec![variable]), self.origin.clone()))
            }
            Err(error) => Err(error.to_string()),
        }
    }

    /// The model as the study names it, played on the loopback.
    pub fn vendor_model(&self, wanted: &WantedModel<'_>) -> Result<VendorModel, String> {
        let id = wanted.id;
        let spec = spec_of(wanted.table)?.unwrap_or_default();
        let (part, url) = self.part(wanted, &spec)?;
        let mut played = ModelSpec { url: Some(url), key_env: Some(KEY.to_owned()), ..spec };
        // The clinician speaks the vendors' formats and not our own.
        let ours = played.api.as_deref() == Some("waterjar") || id.starts_with("waterjar/");
        if played.command.take().is_some() || ours {
            played.url = Some(format!("{}/v1", self.origin));
            played.api = Some("openai".to_owned());
        }
        let vendor = open_with(id, Some(&played), EndpointPolicy::LocalOnly, &|_| Some(KEY.to_owned()))
            .map_err(|error| error.to_string())?;
        self.parts.lock().unwrap_or_else(PoisonError::into_inner).insert(ModelId::new(id), part);
        Ok(VendorModel {
            endpoint: vendor.endpoint(),
            identity: vendor.identity().to_string(),
            // Nobody waits for a minute to pass in a rehearsal.
            limits: None,
            timeout: None,
            batches: None,
            notes: Vec::new(),
            model: Arc::new(vendor),
        })
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// A program is not started for a rehearsal; whether it could be is looked at.
fn program(wanted: &WantedModel<'_>, spec: &ModelSpec) -> Result<Part, String> {
    programs::check_privacy(wanted.id, wanted.privacy)?;
    let model = || wanted.id.to_owned();
    find_program(spec, wanted.folder).map_err(|why| OpenModelError::NoProgram { model: model(), why }.to_string())?;
    let needs = program_needs(spec, &variable).into_iter().filter(|need| !need.is_set);
    Ok(Part {
        endpoint: format!("`{}`", spec.command.as_deref().unwrap_or_default().join(" ")),
        limits: Some(programs::own_limits(spec)),
        max_tokens: spec.max_tokens,
        thinking: Thinking::No,
        in_batches: false,
        missing: needs.map(|need| need.variable).collect(),
    })
}
