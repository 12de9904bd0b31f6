//! Models that are programs: whether they may be started, and what the gateway must know of them.

use crate::catalog::limits;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;
use waterjar_engine::VendorModel;
use waterjar_engine::gateway::LimitSettings;
use waterjar_engine::plan::WantedModel;
use waterjar_engine::study::Privacy;
use waterjar_models::{ModelSpec, Program};

pub fn open(wanted: &WantedModel<'_>, spec: &ModelSpec) -> Result<VendorModel, String> {
    check_privacy(wanted.id, wanted.privacy)?;
    let program = Program::open(wanted.id, spec, wanted.folder).map_err(|error| error.to_string())?;
    Ok(VendorModel {
        endpoint: program.endpoint(),
        identity: program.identity().to_string(),
        limits: Some(own_limits(spec)),
        timeout: spec.timeout_seconds.map(Duration::from_secs_f64),
        batches: None,
        notes: Vec::new(),
        model: Arc::new(program),
    })
}

/// No request leaves this machine where the study says so, and of a program nobody can know.
pub fn check_privacy(id: &str, privacy: Privacy) -> Result<(), String> {
    if privacy.allows_programs() {
        return Ok(());
    }
    Err(format!(
        "`{id}` is a program, which may send what it reads anywhere, and [privacy] does not allow that; \
         where you know that it does not, write programs = \"allowed\" there"
    ))
}

/// One question at a time for each process, unless the study knows that it takes more: what waits for its turn in the
/// gateway runs into no timeout.
pub fn own_limits(spec: &ModelSpec) -> LimitSettings {
    let one_each = spec.processes.unwrap_or(NonZeroU32::MIN);
    LimitSettings { concurrency: spec.concurrency.or(Some(one_each)), ..limits(spec).unwrap_or_default() }
}
