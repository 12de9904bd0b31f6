//! Where there are no process groups nothing could be ended for sure, so nothing is started.

use super::Start;
use serde_json::{Map, Value};
use waterjar_core::ModelError;

pub(super) struct Pool(Start);

impl Pool {
    pub fn new(start: Start, _: usize, _: u32) -> Self {
        Self(start)
    }

    pub async fn ask(&self, _: Map<String, Value>) -> Result<Value, ModelError> {
        let Start { command, folder, variables, longest_line } = &self.0;
        let _ = (folder, variables, longest_line);
        Err(ModelError::Forbidden(format!("`{}`: programs are started on Unix only", command.join(" "))))
    }
}
