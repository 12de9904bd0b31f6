//! Whatever a vendor does, every question ends in a stored state that says what happened, and the run goes on. These are the
//! triggers of specs section 9 that concern any call to a model: there items vanished, runs crashed or hung, and failures
//! were scored.

use crate::language_models::{run, study, written};
use crate::sample::Desk;
use std::collections::BTreeMap;
use std::time::Duration;
use waterjar_core::Seed;
use waterjar_testkit::clinician::{Clinician, Persona};
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings, Fault, Faults};

const SMALL: &str = "--set suite.patients=400 --set suite.pairs=2 --set retry.attempts=2 --set retry.deadline=1.5";

/// The fault comes at every attempt.
fn for_ever(fault: Fault) -> EndpointSettings {
    EndpointSettings::with_faults(Faults { most_per_request: None, ..Faults::new(1.0, vec![fault], Seed(3)) })
}

/// How often each state ended a question.
fn states(desk: &Desk, run: &str) -> BTreeMap<String, usize> {
    let mut states = BTreeMap::new();
    for line in desk.read(&format!("{run}/responses.jsonl")).lines() {
        let response: serde_json::Value = serde_json::from_str(line).unwrap();
        let ending = &response["ending"];
        let state = ending["failed"]["state"].as_str().unwrap_or("ok").to_owned();
        assert!(state == "ok" || !ending["failed"]["detail"].as_str().unwrap().is_empty(), "{line}");
        *states.entry(state).or_default() += 1;
    }
    states
}

#[test]
fn every_fault_ends_every_question_in_the_state_that_names_it() {
    let patience = Duration::from_secs(3);
    let desk = Desk::new();
    for (n, fault) in Fault::all(patience).into_iter().enumerate() {
        use Fault::*;
        let expected = match fault {
            Slow(_) | Drip(_) | Duplicate | Fenced | ProseAround | TrailingCommas | FullWidth => "ok",
            // Only where a structured answer is asked for, which `plain` does not.
            SchemaUnsupported | BrokenAnswer | WrongSchema => "ok",
            Stall(_) | StallMidBody(_) => "timeout",
            // Being asked to slow down is waited out, until the deadline.
            Status { status: 429, .. } => "timeout",
            Empty | Length => "invalid_output",
            Refusal | ContentFilter => "refused",
            _ => "transport_error",
        };
        let endpoint = Endpoint::start_apart(for_ever(fault)).unwrap();
        desk.write("study.toml", study("openai", &format!("{}/v1", endpoint.url()), ""));
        let out = format!("run{n}");
        let ended = run(&desk, &format!("run study.toml --out {out} {SMALL} --set limits.timeout=1.0"));
        assert_eq!(ended.code, Some(if expected == "ok" { 0 } else { 3 }), "{fault:?}: {}", ended.stderr);
        assert_eq!(states(&desk, &out), BTreeMap::from([(expected.to_owned(), 6)]), "{fault:?}");
        let metrics: serde_json::Value = serde_json::from_str(&desk.read(&format!("{out}/metrics.json"))).unwrap();
        let result = &metrics["results"][0];
        let missing = if expected == "ok" { 0 } else { 2 };
        assert_eq!(result["missing"], missing, "{fault:?}");
        if missing > 0 {
            let baseline = &result["metrics"]["baseline_accuracy"];
            assert!(baseline["value"].is_null() && baseline["n"] == 0, "missing is not zero: {fault:?} {baseline}");
        }
    }
}

#[test]
fn what_no_second_attempt_can_mend_is_asked_once() {
    let desk = Desk::new();
    for fault in [Fault::Quota, Fault::Unauthorized, Fault::ContextLength, Fault::UnknownModel, Fault::Refusal] {
        let endpoint = Endpoint::start_apart(for_ever(fault)).unwrap();
        desk.write("study.toml", study("openai", &format!("{}/v1", endpoint.url()), ""));
        let out = format!("{fault:?}");
        run(&desk, &format!("run study.toml --out {out} {SMALL}"));
        assert_eq!(endpoint.stats().requests, 6, "{fault:?}");
    }
}

#[test]
fn an_author_whose_answers_are_unusable_costs_the_case_and_not_the_run() {
    let desk = Desk::new();
    let faults = [Fault::BrokenAnswer, Fault::WrongSchema, Fault::Empty, Fault::Refusal];
    for (n, fault) in faults.into_iter().enumerate() {
        let clinician = Clinician::new(Persona::CAREFUL, Seed(7)).writing_traps();
        let endpoint = Endpoint::start_apart(EndpointSettings { clinician, ..for_ever(fault) }).unwrap();
        desk.write("study.toml", written(&endpoint.url()));
        let more = "--set suite.patients=300 --set retry.attempts=2 --set retry.deadline=1.5 --limit 2";
        let ended = run(&desk, &format!("vary study.toml --out run{n} --json {more}"));
        assert_eq!(ended.code, Some(0), "{fault:?}: {}", ended.stderr);
        let made = &ended.json()[0];
        assert_eq!(made["families"], 0, "{fault:?}");
        let lost: u64 = made["losses"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
        assert_eq!(lost, made["cases"].as_u64().unwrap(), "{fault:?}: every case is accounted for: {made}");
    }
}

#[test]
fn an_endpoint_that_knows_no_structured_output_is_asked_in_words() {
    let clinician = Clinician::new(Persona::CAREFUL, Seed(7)).writing_traps();
    let endpoint = Endpoint::start_apart(EndpointSettings { clinician, ..for_ever(Fault::SchemaUnsupported) }).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", written(&endpoint.url()));
    let ended = run(&desk, "vary study.toml --out run --json --limit 2");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(ended.json()[0]["families"], 2, "{}", ended.stderr);
}

#[test]
fn what_failed_is_asked_again_only_when_that_is_wanted() {
    // The first time every question is refused, afterwards none.
    let once = Faults { most_per_request: Some(1), ..Faults::new(1.0, vec![Fault::Refusal], Seed(3)) };
    let endpoint = Endpoint::start_apart(EndpointSettings::with_faults(once)).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", study("openai", &format!("{}/v1", endpoint.url()), ""));
    let command = format!("run study.toml --out run {SMALL}");
    assert_eq!(run(&desk, &command).code, Some(3));
    assert_eq!(run(&desk, &command).code, Some(3), "a failure is final");
    assert_eq!(endpoint.stats().requests, 6);
    let ended = run(&desk, &format!("{command} --retry-failed"));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("6 failed answers are asked for again"), "{}", ended.stderr);
    assert_eq!(endpoint.stats().requests, 12);
    assert_eq!(states(&desk, "run"), BTreeMap::from([("ok".to_owned(), 6)]));

    let calm = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    desk.write("study.toml", study("openai", &format!("{}/v1", calm.url()), ""));
    assert_eq!(run(&desk, &format!("run study.toml --out calm {SMALL}")).code, Some(0));
    assert_eq!(desk.read("run/verdicts.jsonl"), desk.read("calm/verdicts.jsonl"), "verdicts follow the new answers");
}

#[test]
fn an_answer_that_cannot_be_used_is_not_given_again_from_the_cache() {
    let once = Faults { most_per_request: Some(1), ..Faults::new(1.0, vec![Fault::Empty], Seed(3)) };
    let endpoint = Endpoint::start_apart(EndpointSettings::with_faults(once)).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", study("openai", &format!("{}/v1", endpoint.url()), ""));
    assert_eq!(run(&desk, &format!("answer study.toml --out run {SMALL}")).code, Some(2), "there are no variants yet");
    assert_eq!(run(&desk, &format!("run study.toml --out run {SMALL}")).code, Some(3));
    assert_eq!(run(&desk, "answer run --retry-failed").code, Some(0));
    assert_eq!(states(&desk, "run"), BTreeMap::from([("ok".to_owned(), 6)]));
}

#[test]
fn told_everything_a_key_is_still_not_told() {
    const KEY: &str = crate::language_models::KEY;
    let kinds = [Fault::all(Duration::from_millis(1500)), vec![Fault::EchoedKey; 8]].concat();
    let endpoint = Endpoint::start_apart(EndpointSettings::with_faults(Faults::new(0.5, kinds, Seed(2)))).unwrap();
    let desk = Desk::new();
    for (api, path) in [("openai", "/v1"), ("anthropic", ""), ("gemini", "/v1beta")] {
        desk.write("study.toml", study(api, &format!("{}{path}", endpoint.url()), ""));
        // A few at a time: a refused key is told at once, and the refusals of sixty questions would come in a row, as if nobody were there.
        let set = "--set limits.timeout=1.0 --set limits.concurrency=4";
        let ended = run(&desk, &format!("run study.toml --out {api} -vvv {set}"));
        assert!(matches!(ended.code, Some(0 | 3)), "{}", ended.stderr);
        assert!(
            ended.stderr.contains("attempt 1 failed") && ended.stderr.contains("    Symptoms:"),
            "{}",
            ended.stderr
        );
        assert!(!ended.stdout.contains(KEY) && !ended.stderr.contains(KEY));
        for name in desk.names(api) {
            let content = std::fs::read(desk.path(api).join(&name)).unwrap();
            assert!(!content.windows(KEY.len()).any(|part| part == KEY.as_bytes()), "{name} holds the key");
        }
    }
    assert!(endpoint.seen_key(KEY), "the key must reach the endpoint");
}

#[test]
fn what_a_model_cannot_do_and_what_it_costs_is_said() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", study("anthropic", &endpoint.url(), "").replace("api =", "seed = 3\napi ="));
    let ended = run(&desk, &format!("run study.toml --out run {SMALL}"));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stderr.contains("sim/clinician: it does not take seed"), "{}", ended.stderr);
    assert!(ended.stderr.contains("no price is known for sim/clinician"), "{}", ended.stderr);
    assert!(ended.stderr.contains("sim/clinician: 6 calls") && ended.stderr.contains("cost unknown"));
    assert!(desk.read("run/report.html").contains("no price known"));
    let priced = "[prices]\n\"sim/*\" = { input = 1000.0, output = 1000.0 }\n";
    desk.write("study.toml", study("anthropic", &endpoint.url(), priced));
    let ended = run(&desk, &format!("run study.toml --out priced {SMALL}"));
    assert!(!ended.stderr.contains("no price") && ended.stderr.contains("tokens, $"), "{}", ended.stderr);
}
