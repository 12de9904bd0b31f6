//! A model that is any program: a question on a line of its standard input, a reply on a line of its standard output.
//!
//! ```text
//! id + spec ─open▶ Program ─ask▶ Pool ─line▶ Process ─line▶ reply
//! ```

#[cfg(unix)]
mod end;
mod found;
#[cfg(unix)]
mod keeper;
#[cfg(unix)]
mod lines;
#[cfg_attr(not(unix), path = "elsewhere.rs")]
mod pool;
#[cfg(unix)]
mod process;
#[cfg(unix)]
mod reply;
#[cfg(unix)]
mod tail;

#[cfg(unix)]
pub use reply::read_replies;

use crate::secrets::Secrets;
use crate::vendor::merge;
use crate::{ModelSpec, Need, OpenModelError, waterjar};
use async_trait::async_trait;
use pool::Pool;
use serde_json::{Value, json};
use std::fmt;
use std::path::{Path, PathBuf};
use waterjar_core::{ChatModel, ChatReply, ChatRequest, ModelError, ModelId};

/// Far more than any answer; a program that prints more is broken.
const LONGEST_LINE: u64 = 4 << 20;
const RESTARTS: u32 = 10;
/// What every program sees of the environment.
const ALWAYS: [&str; 3] = ["PATH", "HOME", "LANG"];

/// Asks once per call, as a vendor does: repeating, limiting, timing and caching are the gateway's work.
pub struct Program {
    id: ModelId,
    /// The name sent.
    model: String,
    spec: ModelSpec,
    identity: Value,
    secrets: Secrets,
    pool: Pool,
}

/// How to start it.
pub(crate) struct Start {
    pub command: Vec<String>,
    /// Where it is started, and where relative paths begin.
    pub folder: PathBuf,
    pub variables: Vec<(String, String)>,
    pub longest_line: usize,
}

impl Program {
    /// Nothing is started before the first question. `folder` is where relative paths of the command begin.
    pub fn open(id: &str, spec: &ModelSpec, folder: &Path) -> Result<Self, OpenModelError> {
        Self::open_with(id, spec, folder, &|variable| std::env::var(variable).ok())
    }

    pub fn open_with(
        id: &str,
        spec: &ModelSpec,
        folder: &Path,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, OpenModelError> {
        let command = spec.command.clone().unwrap_or_default();
        found::find(&command, folder, variable)
            .map_err(|why| OpenModelError::NoProgram { model: id.to_owned(), why })?;
        let mut secrets = Secrets::default();
        let mut variables: Vec<(String, String)> = Vec::new();
        for name in &spec.env {
            let Some(value) = variable(name) else {
                return Err(OpenModelError::MissingVariable { model: id.to_owned(), variable: name.clone() });
            };
            secrets.add(&value);
            variables.push((name.clone(), value));
        }
        variables.extend(ALWAYS.iter().filter_map(|name| Some(((*name).to_owned(), variable(name)?))));
        let model = spec.model.clone().unwrap_or_else(|| id.to_owned());
        let identity = json!({
            "api": "program",
            "command": command,
            "files": found::contents(&command, folder),
            "model": model,
            "sampling": spec.sampling(),
        });
        let longest_line = spec.max_line_bytes.map_or(LONGEST_LINE, |most| most.get());
        let start = Start {
            command,
            folder: folder.to_owned(),
            variables,
            longest_line: usize::try_from(longest_line).unwrap_or(usize::MAX),
        };
        let processes = spec.processes.map_or(1, |most| most.get());
        let pool = Pool::new(start, processes as usize, spec.restarts.unwrap_or(RESTARTS));
        Ok(Self { id: ModelId::new(id), model, spec: spec.clone(), identity, secrets, pool })
    }

    /// All that decides a reply besides the request: the command, and what is in the files it names.
    pub fn identity(&self) -> &Value {
        &self.identity
    }

    /// What shares limits: a program shares with no other.
    pub fn endpoint(&self) -> String {
        format!("program {}", self.id)
    }

    pub fn spec(&self) -> &ModelSpec {
        &self.spec
    }
}

/// What can be said of a program without starting it: where it is, or why it cannot be started.
pub fn find_program(spec: &ModelSpec, folder: &Path) -> Result<PathBuf, String> {
    found::find(spec.command.as_deref().unwrap_or_default(), folder, &|variable| std::env::var(variable).ok())
}

/// The variables that the study lets it see.
pub fn program_needs(spec: &ModelSpec, variable: &dyn Fn(&str) -> Option<String>) -> Vec<Need> {
    let need =
        |name: &String| Need { variable: name.clone(), header: None, required: true, is_set: variable(name).is_some() };
    spec.env.iter().map(need).collect()
}

#[async_trait]
impl ChatModel for Program {
    fn id(&self) -> &ModelId {
        &self.id
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let sampling = merge(&request.sampling, self.spec.sampling());
        let request = ChatRequest { sampling, ..request.clone() };
        let reply = self.pool.ask(waterjar::question(&self.model, &request)).await;
        let mut outcome = reply.and_then(waterjar::read);
        self.secrets.scrub_outcome(&mut outcome);
        outcome
    }

    fn most_output(&self, request: &ChatRequest) -> Option<u32> {
        request.sampling.max_tokens.or(self.spec.max_tokens)
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program")
            .field("id", &self.id.as_str())
            .field("command", &self.spec.command)
            .finish_non_exhaustive()
    }
}
