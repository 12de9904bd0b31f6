//! Errors say what happened, to what, and what to do.

use super::screen;
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
    let _ = writeln!(to, "{}", screen::talk(&format!("error: {}", told.join(": "))));
    for hint in [known.and_then(EngineError::hint), known.and_then(for_one_suite)].into_iter().flatten() {
        let _ = writeln!(to, "{}", screen::talk(&format!("hint: {hint}")));
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

/// `--set suite.KEY` is of every suite. Where one has no such key and no slip explains it, another suite was meant.
fn for_one_suite(error: &EngineError) -> Option<String> {
    let EngineError::Study { place, hint, lacks_key: true, .. } = error else { return None };
    let set = place.strip_prefix("--set suite.")?;
    let (key, _) = set.split_once('=')?;
    let of_every_suite = !key.contains('.');
    let is_slip = hint.as_ref().is_some_and(|hint| hint.starts_with("did you mean"));
    (of_every_suite && !is_slip)
        .then(|| format!("`suite.{key}` is of every suite; to change one alone, write --set suite.NAME.{set}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(place: &str, hint: &str, told: Option<&str>) {
        let error = EngineError::study(place, "there is no key `pairs` in suite `parity`").with_hint(hint);
        assert_eq!(for_one_suite(&error), None, "another problem than a key that a suite lacks");
        let error = error.lacking_key();
        assert_eq!(for_one_suite(&error).as_deref(), told, "{place}");
    }

    #[test]
    fn who_sets_a_key_in_every_suite_is_told_how_to_set_it_in_one() {
        let told = "`suite.pairs` is of every suite; to change one alone, write --set suite.NAME.pairs=50";
        check("--set suite.pairs=50", "the keys of `parity` are: kind", Some(told));
        check("--set suite.pairs=50", "did you mean `pears`?", None);
        check("--set suite.parity.pairs=50", "the keys of `parity` are: kind", None);
        check("study.toml, line 7", "the keys of `parity` are: kind", None);
    }
}
