//! Logs of Inspect AI: what is written comes back as it was. `cli/tests` lets Inspect itself read them.

use crate::sample::{CONTROL, TRAP, answer, failure, head, question, variant, verdict};
use std::path::Path;
use waterjar_core::{Ending, Response};
use waterjar_exchange::inspect::{Log, LogFormat, LogSample, LogWriter};
use waterjar_exchange::{Recorded, Recording};

pub fn write(path: &Path, responses: &[Response]) {
    let mut log = LogWriter::create(path, LogFormat::of(path).unwrap(), head()).unwrap();
    let verdict = verdict();
    for response in responses {
        let variant = variant(response.variant.as_str());
        let ruling = verdict.rulings.iter().find(|it| it.variant == response.variant).unwrap();
        let question = question(&variant);
        let named = Some("Gout".to_owned());
        let ruling = Some((&verdict.judge, ruling));
        log.sample(&LogSample { variant: &variant, question: &question, response, ruling, named }).unwrap();
    }
    assert_eq!(log.finish().unwrap(), responses.len() as u64);
}

pub fn read(path: &Path) -> Vec<Recorded> {
    let mut read = Vec::new();
    let log = Log::open(path).unwrap();
    log.each(&mut |it| {
        read.push(it);
        Ok(())
    })
    .unwrap();
    read.sort_by(|a, b| a.id.cmp(&b.id));
    read
}

#[test]
fn answers_and_failures_come_back_as_what_they_were() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["log.eval", "log.json"] {
        let path = dir.path().join(name);
        let long = answer(CONTROL, &"很长。".repeat(350_000));
        write(&path, &[long.clone(), failure(TRAP)]);
        let log = Log::open(&path).unwrap();
        assert_eq!((log.model(), log.notes()), (Some("plain@x"), Vec::new()));
        let read = read(&path);
        assert_eq!(read.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(), [CONTROL, TRAP]);
        assert!(read[0].ending == long.ending, "{name}: 1,050,000 characters");
        assert_eq!(read[1].ending, failure(TRAP).ending);
        assert_eq!(read[0].question.as_deref(), Some(format!("hash of {CONTROL}").as_str()));
        assert_eq!(read[0].suite.as_deref(), Some("einstellung"));
        assert_eq!(read[0].asked[1], "My toe hurts. 很痛。");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1 + usize::from(name == "log.json"), "no litter");
    }
}

#[test]
fn the_same_run_is_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let paths = [dir.path().join("a.eval"), dir.path().join("b.eval")];
    for path in &paths {
        write(path, &[answer(CONTROL, "Gout")]);
    }
    assert!(std::fs::read(&paths[0]).unwrap() == std::fs::read(&paths[1]).unwrap());
}

#[test]
fn nothing_is_left_of_a_log_that_was_not_finished() {
    let dir = tempfile::tempdir().unwrap();
    drop(LogWriter::create(&dir.path().join("log.eval"), LogFormat::Eval, head()).unwrap());
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}

/// What a sample with this much of it in place of `"output"` ends as.
fn ending(rest: &str) -> Ending {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("log.json");
    let log = format!(
        r#"{{"version": 2, "status": "success", "eval": {{"model": "openai/gpt-5"}},
            "samples": [{{"id": 7, "epoch": 1, "input": "?", "target": "", "scores": {{"x": {{"value": NaN}}}}, {rest}}}]}}"#
    );
    std::fs::write(&path, log).unwrap();
    read(&path).remove(0).ending
}

fn check(rest: &str, state: &str, detail: &str) {
    match ending(rest) {
        Ending::Failed(failure) => {
            assert_eq!(failure.state.as_str(), state, "{rest}");
            assert!(failure.detail.contains(detail), "{rest}: {}", failure.detail);
        }
        Ending::Ok(answer) => panic!("{rest}: {answer:?}"),
    }
}

fn said(content: &str, stop: &str) -> String {
    format!(
        r#""output": {{"model": "m", "choices": [{{"message": {{"role": "assistant", "content": {content}}}, "stop_reason": "{stop}"}}]}}"#
    )
}

#[test]
fn what_is_no_answer_is_missing_with_its_state_and_never_empty() {
    check(r#""output": {"model": "m", "choices": []}"#, "invalid_output", "no output");
    check(r#""metadata": {}"#, "invalid_output", "no output");
    check(&said("\" \\n\"", "stop"), "invalid_output", "empty");
    check(&said("\"It may be\"", "max_tokens"), "invalid_output", "token limit");
    check(&said("\"\"", "content_filter"), "refused", "content filter");
    let limit = |kind: &str| format!(r#""limit": {{"type": "{kind}", "limit": 10.0}}, {}"#, said("\"Gout\"", "stop"));
    check(&limit("time"), "timeout", "time limit of 10");
    check(&limit("message"), "invalid_output", "message limit of 10");
    let error =
        |message: &str| format!(r#""error": {{"message": "{message}", "traceback": "…"}}, {}"#, said("\"x\"", "stop"));
    check(&error("TimeoutError()"), "timeout", "TimeoutError");
    check(&error("ConnectionError(…)"), "transport_error", "ConnectionError");
    check(&error("refused: no medical advice"), "refused", "no medical advice");
    check(&format!(r#""invalidation": {{"author": "me"}}, {}"#, said("\"x\"", "stop")), "not_applicable", "set aside");
}

#[test]
fn text_and_thoughts_are_told_apart() {
    let parts = r#"[{"type": "reasoning", "reasoning": "Hm."}, {"type": "text", "text": "Gout"}, {"type": "image", "image": "x"}]"#;
    match ending(&said(parts, "stop")) {
        Ending::Ok(answer) => assert_eq!((answer.text.as_str(), answer.reasoning.as_deref()), ("Gout", Some("Hm."))),
        failed => panic!("{failed:?}"),
    }
}

#[test]
fn an_eval_that_did_not_finish_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("log.json");
    std::fs::write(&path, r#"{"version": 2, "status": "error", "eval": {"model": "m"}, "samples": null}"#).unwrap();
    assert!(Log::open(&path).unwrap().notes()[0].contains("its status is `error`"));
    assert_eq!(read(&path), []);
}
