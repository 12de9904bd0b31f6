//! Errors say what happened, to what, and what to do.

use crate::exit::Exit;
use std::io::Write;
use waterjar_engine::EngineError;
use waterjar_store::StoreError;

/// Prints the error and says how to end.
pub fn tell(error: &anyhow::Error) -> Exit {
    let known = error.downcast_ref::<EngineError>();
    let mut to = std::io::stderr().lock();
    let chain: Vec<String> = error.chain().map(ToString::to_string).collect();
    let mut told: Vec<&str> = Vec::new();
    for cause in &chain {
        // A transparent error repeats its source word for word.
        if told.last() != Some(&cause.as_str()) {
            told.push(cause);
        }
    }
    // Nothing can be done about a standard error that is closed.
    let _ = writeln!(to, "error: {}", told.join(": "));
    if let Some(hint) = known.and_then(EngineError::hint) {
        let _ = writeln!(to, "hint: {hint}");
    }
    match known {
        // All of these go on where they stopped, once what stopped them is out of the way.
        Some(
            EngineError::Interrupted | EngineError::Budget(_) | EngineError::Outage { .. } | EngineError::Closed(_),
        ) => Exit::Stopped,
        Some(EngineError::Store(StoreError::DiskFull { .. })) => Exit::Stopped,
        Some(error) if error.gave_up() => Exit::MissingAnswers,
        _ => Exit::BadInput,
    }
}
