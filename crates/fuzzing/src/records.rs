//! Answers that other tools have recorded.

use crate::file::with_file;
use crate::told;
use waterjar_core::{Ending, SourceError};
use waterjar_exchange::{Recorded, Recording, inspect as inspect_ai, lm_eval as harness, promptfoo as foo};

pub fn inspect(data: &[u8]) {
    with_file("log.eval", data, |path| each(inspect_ai::Log::open(path)));
}

pub fn lm_eval(data: &[u8]) {
    with_file("samples_task_2026.jsonl", data, |path| each(harness::Samples::open(path)));
}

pub fn promptfoo(data: &[u8]) {
    for name in ["results.json", "results.jsonl"] {
        with_file(name, data, |path| each(foo::Results::open(path, None)));
    }
}

/// However often it is read, it says the same; an answer that is empty is none.
fn each<R: Recording>(opened: Result<R, SourceError>) {
    let recording = match opened {
        Ok(recording) => recording,
        Err(error) => return told(&error),
    };
    let read = || {
        let mut all: Vec<Recorded> = Vec::new();
        let outcome = recording.each(&mut |recorded| {
            all.push(recorded);
            Ok(())
        });
        (all, outcome.map_err(|error| error.to_string()))
    };
    let (all, outcome) = read();
    assert_eq!((all.clone(), outcome), read());
    for recorded in &all {
        assert!(!recorded.place.is_empty());
        if let Ending::Ok(conclusion) = &recorded.ending {
            assert!(!conclusion.text.trim().is_empty(), "nothing said is not an answer");
        }
    }
    recording.notes().iter().for_each(|note| assert!(!note.is_empty()));
    let _ = recording.model();
}
