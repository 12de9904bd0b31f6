//! `ecr` on language models, reached over real HTTP at a simulated endpoint: six calls a case, every bad answer a stored state, nothing
//! finished asked again.

use crate::language_models::{KEY, run};
use crate::sample::{Desk, program};
use serde_json::{Value, json};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use waterjar_core::Seed;
use waterjar_testkit::clinician::{Clinician, Persona};
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings, Fault, Rule, Script};

pub const STAGES: [&str; 6] =
    ["ecr_intuition", "ecr_representation", "ecr_features", "ecr_relations", "ecr_second_look", "ecr_audit"];

const FORMATS: [(&str, &str); 3] = [("openai", "/v1"), ("gemini", "/v1beta"), ("anthropic", "")];

/// A study without shams, so that a pair is two cases, and a subject for each of `models`.
pub fn study(pairs: u32, models: &[(String, &str, String)], more: &str) -> String {
    let head = format!(
        r#"
[study]
name = "ecr"
seed = 7

[[suite]]
kind = "einstellung"
patients = 400
pairs = {pairs}
gap = 0.7
shams = false

[retry]
attempts = 2
first_wait = 0.02

[privacy]
endpoints = "local"
"#
    );
    let subjects = models.iter().map(|(name, api, url)| {
        format!(
            "[[subject]]\nagent = \"ecr\"\nmodel = \"sim/{name}\"\n{more}\n[models.\"sim/{name}\"]\nurl = \"{url}\"\napi = \"{api}\"\nkey_env = \"SIM_KEY\"\nconcurrency = 1\n"
        )
    });
    head + &subjects.collect::<String>()
}

pub fn openai(endpoint: &Endpoint) -> [(String, &'static str, String); 1] {
    [("clinician".to_owned(), "openai", format!("{}/v1", endpoint.url()))]
}

pub fn started(desk: &Desk, words: &[&str]) -> Child {
    Command::new(program())
        .args(words)
        .current_dir(desk.path("."))
        .env("SIM_KEY", KEY)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Kills it while the n-th request is being held up, when everything answered before is on the disk.
pub fn kill_at(endpoint: &Endpoint, n: u64, child: &mut Child) {
    while endpoint.stats().requests < n {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be killed");
        std::thread::sleep(Duration::from_millis(5));
    }
    // Rows are committed every 50 ms.
    std::thread::sleep(Duration::from_millis(800));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(endpoint.stats().requests, n);
}

/// Holds up the n-th request for longer than a test waits.
pub fn holding_up(n: u64) -> EndpointSettings {
    EndpointSettings::with_script(Script::nth(n, Fault::Stall(Duration::from_secs(60))))
}

#[test]
fn six_calls_a_case_and_the_same_verdicts_in_all_three_formats() {
    let desk = Desk::new();
    let verdicts = FORMATS.map(|(api, path)| {
        let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
        let models = [("clinician".to_owned(), api, format!("{}{path}", endpoint.url()))];
        desk.write("study.toml", study(6, &models, ""));
        let ended = run(&desk, &format!("run study.toml --out {api}"));
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let stats = endpoint.stats();
        assert_eq!((stats.requests, stats.asked_again()), (2 * 6 * 6, 0), "{api}");
        // Started again, nothing is asked.
        assert_eq!(run(&desk, &format!("run study.toml --out {api}")).code, Some(0));
        assert_eq!(endpoint.stats().requests, stats.requests);
        desk.read(&format!("{api}/verdicts.jsonl"))
    });
    assert!(verdicts[0].lines().count() == 6 && verdicts[0].contains("\"right\""));
    assert_eq!(verdicts[0], verdicts[1]);
    assert_eq!(verdicts[0], verdicts[2]);
}

/// Every response of a run, by subject: its state and what is told of it.
fn endings(desk: &Desk, out: &str) -> Vec<(String, String, String)> {
    let lines = desk.read(&format!("{out}/responses.jsonl"));
    let ending = |line: &str| {
        let response: Value = serde_json::from_str(line).unwrap();
        let failed = &response["ending"]["failed"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (text(&response["subject"]), text(&failed["state"]), text(&failed["detail"]))
    };
    lines.lines().map(ending).collect()
}

/// An endpoint for each stage, where that stage goes wrong and no other. Every case ends in that state, after so many tries of the
/// stage, and what is told of it contains `told`.
fn check(
    name: &str,
    formats: &[(&'static str, &str)],
    settings: impl Fn(&'static str) -> EndpointSettings,
    (state, tries): (&str, u64),
    told: impl Fn(&str) -> String,
) {
    let endpoints = STAGES.map(|stage| (stage, Endpoint::start_apart(settings(stage)).unwrap()));
    let models: Vec<(String, &str, String)> = endpoints
        .iter()
        .zip(formats.iter().copied().cycle())
        .enumerate()
        // The name of a stage must be in its own requests alone.
        .map(|(at, ((_, endpoint), (api, path)))| (at.to_string(), api, format!("{}{path}", endpoint.url())))
        .collect();
    let desk = Desk::new();
    desk.write("study.toml", study(1, &models, ""));
    let ended = run(&desk, "run study.toml --out run --json");
    assert_eq!(ended.code, Some(3), "{name}: {}", ended.stderr);
    let endings = endings(&desk, "run");
    assert_eq!(endings.len(), 2 * STAGES.len(), "{name}");
    for (subject, found, detail) in &endings {
        let stage = STAGES[subject.split_once("sim/").unwrap().1.parse::<usize>().unwrap()];
        assert_eq!(found, state, "{name}, {stage}: {detail}");
        assert!(!detail.is_empty() && detail.contains(&told(stage)), "{name}, {stage}: {detail}");
    }
    for (at, (stage, endpoint)) in endpoints.iter().enumerate() {
        // Of each case the stages before, and the bad one; nothing after it.
        assert_eq!(endpoint.stats().requests, 2 * (at as u64 + tries), "{name}, {stage}");
    }
    for result in ended.json()["results"].as_array().unwrap() {
        assert_eq!(
            (&result["missing"], &result["metrics"]["baseline_accuracy"]["n"]),
            (&1.into(), &0.into()),
            "{name}"
        );
    }
}

/// The fault comes whenever the stage is asked.
fn faulted(stage: &'static str, fault: Fault) -> EndpointSettings {
    EndpointSettings::with_script(Script::default().and(Rule::always(fault).containing(stage)))
}

/// The stage says this.
fn saying(stage: &'static str, said: Value) -> EndpointSettings {
    let clinician = Clinician::new(Persona::default(), Seed(7)).on(stage, move |_, _| said.clone());
    EndpointSettings::with_clinician(clinician)
}

/// Asked twice, and then unusable.
const AGAIN: (&str, u64) = ("invalid_output", 2);

fn of_stage(stage: &str) -> String {
    format!("`{stage}`: ")
}

#[test]
fn a_stage_that_breaks_its_schema_is_never_an_answer() {
    check("wrong schema", &FORMATS, |stage| faulted(stage, Fault::WrongSchema), AGAIN, of_stage);
}

#[test]
fn a_stage_that_is_cut_off_is_never_an_answer() {
    // Anthropic's answer is the argument of a tool, which comes whole or not at all.
    let in_words = &FORMATS[..2];
    check("broken", in_words, |stage| faulted(stage, Fault::BrokenAnswer), AGAIN, of_stage);
    check("length", in_words, |stage| faulted(stage, Fault::Length), AGAIN, of_stage);
}

#[test]
fn a_stage_that_says_nothing_or_refuses_is_never_an_answer() {
    check("empty", &FORMATS, |stage| faulted(stage, Fault::Empty), ("invalid_output", 1), of_stage);
    check("refusal", &FORMATS, |stage| faulted(stage, Fault::Refusal), ("refused", 1), |_| "refused".to_owned());
}

#[test]
fn a_number_out_of_range_is_never_an_answer() {
    let fact = json!({"content": "pain", "original": "", "status": "present"});
    let suspect = json!({"condition": "Gout", "confidence": 7.0, "reason": "It fits."});
    let feature = json!({"content": "pain", "kind": "pivot", "importance": 0.5, "supports": [9], "rules_out": []});
    let bearing = json!({"feature": 0, "candidate": 9, "kind": "support", "strength": 0.5, "if_denied": 0.5});
    let bad = move |stage| match stage {
        "ecr_intuition" => json!({ "candidates": [suspect] }),
        // It has no numbers; this is a fact out of nowhere.
        "ecr_representation" => json!({ "one_liner": "A patient.", "nodes": [fact] }),
        "ecr_features" => json!({ "features": [feature] }),
        "ecr_relations" => json!({ "links": [], "bearings": [bearing] }),
        "ecr_second_look" => json!({ "features": [{"feature": 999, "status": "missing", "original": ""}] }),
        _ => json!({ "verdict": "overturn", "diagnosis": 9, "also": null, "reasons": ["So it is."] }),
    };
    check("range", &FORMATS, |stage| saying(stage, bad(stage)), AGAIN, of_stage);
}

#[test]
fn an_invented_quote_is_never_an_answer() {
    let desk = Desk::new();
    let fact = json!({"content": "green hair", "original": "My hair has turned green.", "status": "absent"});
    let seen = json!({"feature": 0, "status": "present", "original": "My hair has turned green."});
    let inventions = [
        ("ecr_representation", json!({ "one_liner": "A patient.", "nodes": [fact] })),
        ("ecr_second_look", json!({ "features": [seen] })),
    ];
    for (stage, said) in inventions {
        let endpoint = Endpoint::start_apart(saying(stage, said)).unwrap();
        desk.write("study.toml", study(1, &openai(&endpoint), ""));
        assert_eq!(run(&desk, &format!("run study.toml --out {stage}")).code, Some(3));
        for (_, state, detail) in endings(&desk, stage) {
            assert_eq!(state, "invalid_output");
            assert!(
                detail.contains(&of_stage(stage)) && detail.contains("is not in the patient's account"),
                "{detail}"
            );
        }
    }
}

#[test]
fn killed_between_stages_a_case_goes_on_with_the_stage_that_was_under_way() {
    let desk = Desk::new();
    let calm = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    desk.write("study.toml", study(1, &openai(&calm), ""));
    assert_eq!(run(&desk, "run study.toml --out calm").code, Some(0));
    // Two cases of six stages, one call at a time: every stage is the one under way once.
    for n in [2, 3, 5, 7, 9, 11, 12] {
        let endpoint = Endpoint::start_apart(holding_up(n)).unwrap();
        desk.write("study.toml", study(1, &openai(&endpoint), ""));
        let out = format!("killed-{n}");
        let mut child = started(&desk, &["run", "study.toml", "--out", &out]);
        kill_at(&endpoint, n, &mut child);
        let ended = run(&desk, &format!("run study.toml --out {out}"));
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let stats = endpoint.stats();
        assert_eq!((stats.requests, stats.asked_again()), (12 + 1, 0), "killed at request {n}");
        assert_eq!(desk.read(&format!("{out}/verdicts.jsonl")), desk.read("calm/verdicts.jsonl"));
        assert_eq!(desk.read(&format!("{out}/responses.jsonl")), desk.read("calm/responses.jsonl"));
    }
}

#[test]
fn a_budget_that_ends_between_stages_repeats_none_when_it_is_raised() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", study(1, &openai(&endpoint), ""));
    let mut stops = 0;
    for tokens in [6000, 12000, 20000, 30000, 10_000_000] {
        let ended = run(&desk, &format!("run study.toml --out run --set budget.tokens={tokens}"));
        assert!(matches!(ended.code, Some(0 | 4)), "{}", ended.stderr);
        stops += u32::from(ended.code == Some(4));
    }
    assert!(stops >= 2, "{stops} stops");
    assert_eq!((endpoint.stats().requests, endpoint.stats().asked_again()), (12, 0));
    assert!(endings(&desk, "run").iter().all(|(_, state, _)| state.is_empty()));
}
