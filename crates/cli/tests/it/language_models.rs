//! Subjects that are language models, reached over real HTTP at a simulated endpoint.

use crate::sample::{Desk, Ended};
use std::time::Duration;
use waterjar_core::Seed;
use waterjar_testkit::clinician::{Clinician, Persona};
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings, Fault, Faults};

pub const KEY: &str = "canary-7f3a91c2d4e5";

pub fn study(api: &str, url: &str, more: &str) -> String {
    format!(
        r#"
[study]
name = "models"
seed = 7

[[suite]]
kind = "einstellung"
patients = 3600
pairs = 20
gap = 0.7

[[subject]]
agent = "plain"
model = "sim/clinician"

[models."sim/clinician"]
url = "{url}"
api = "{api}"
key_env = "SIM_KEY"

[retry]
first_wait = 0.02
longest_wait = 0.1

[limits]
timeout = 2.0

[privacy]
endpoints = "local"
{more}"#
    )
}

pub fn run(desk: &Desk, words: &str) -> Ended {
    desk.waterjar_with(&[("SIM_KEY", KEY)], words)
}

/// The same where it must go well.
pub fn done(desk: &Desk, words: &str) -> Ended {
    let ended = run(desk, words);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    ended
}

#[test]
fn a_model_that_moved_is_told_of_before_it_is_asked_again() {
    let endpoints = [(); 2].map(|()| Endpoint::start_apart(EndpointSettings::default()).unwrap());
    let [old, new] = endpoints.each_ref().map(|it| format!("{}/v1", it.url()));
    let desk = Desk::new();
    desk.write("study.toml", study("openai", &old, ""));
    let few = "run study.toml --out run --set suite.pairs=3";
    for _ in 0..2 {
        let ended = done(&desk, few);
        assert!(!ended.stderr.contains("asked for again"), "{}", ended.stderr);
    }
    let is_told = |ended: &Ended, why: &str| {
        let told = &ended.stderr;
        assert!(told.contains("answers of `plain@sim/clinician` will be asked for again: "), "{told}");
        assert!(told.contains(why) && told.contains("hint: to keep them"), "{told}");
    };
    let is_silent = |ended: &Ended| assert!(!ended.stderr.contains("asked for again"), "{}", ended.stderr);
    // A pass that asks nobody says nothing, and takes the warning from nobody.
    desk.write("study.toml", study("openai", &new, ""));
    is_silent(&done(&desk, "measure study.toml --out run --set suite.pairs=3"));
    is_told(&done(&desk, few), "they were given to other questions or settings");
    is_silent(&done(&desk, few));
    desk.write("study.toml", study("openai", &old, ""));
    is_told(&done(&desk, few), &format!("the `url` of its model is {old} now, and was {new} at the last start"));
    assert_eq!(desk.json("run/metrics.json")["results"][0]["missing"], 0);
}

#[test]
fn a_url_that_is_set_back_before_anybody_was_asked_costs_nothing() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let url = format!("{}/v1", endpoint.url());
    let desk = Desk::new();
    desk.write("study.toml", study("openai", &url, ""));
    let few = "run study.toml --out run --set suite.pairs=3";
    done(&desk, few);
    let asked = endpoint.stats().requests;
    desk.write("study.toml", study("openai", "http://127.0.0.1:9/v1", ""));
    done(&desk, "measure study.toml --out run --set suite.pairs=3");
    desk.write("study.toml", study("openai", &url, ""));
    let ended = done(&desk, few);
    assert!(!ended.stderr.contains("asked for again"), "{}", ended.stderr);
    assert_eq!(endpoint.stats().requests, asked);
}

#[test]
fn the_same_study_gives_the_same_verdicts_in_all_three_formats() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let desk = Desk::new();
    let verdicts = [("openai", "/v1"), ("anthropic", ""), ("gemini", "/v1beta")].map(|(api, path)| {
        desk.write("study.toml", study(api, &format!("{}{path}", endpoint.url()), ""));
        done(&desk, &format!("run study.toml --out {api}"));
        desk.read(&format!("{api}/verdicts.jsonl"))
    });
    assert!(verdicts[0].lines().count() == 20 && verdicts[0].contains("\"right\""));
    assert_eq!(verdicts[0], verdicts[1]);
    assert_eq!(verdicts[0], verdicts[2]);
    assert_eq!(endpoint.stats().asked_again(), 0);
}

#[test]
fn with_a_third_of_the_calls_faulted_every_answer_comes_and_none_is_asked_twice() {
    let calm = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let kinds = Fault::transient(Duration::from_secs(3));
    let faults = Faults::new(0.3, kinds, Seed(5));
    let rough = Endpoint::start_apart(EndpointSettings::with_faults(faults)).unwrap();
    let desk = Desk::new();
    for (name, endpoint) in [("calm", &calm), ("rough", &rough)] {
        desk.write("study.toml", study("openai", &format!("{}/v1", endpoint.url()), ""));
        let ended = done(&desk, &format!("run study.toml --out {name} --json"));
        assert_eq!(ended.json()["results"][0]["missing"], 0);
    }
    assert!(rough.stats().faulted() > 5, "{:?}", rough.stats().faults);
    assert_eq!(desk.read("rough/verdicts.jsonl"), desk.read("calm/verdicts.jsonl"));

    // Started again, nothing is asked.
    let before = rough.stats().requests;
    done(&desk, "run study.toml --out rough");
    assert_eq!(rough.stats().requests, before);
}

#[test]
fn a_key_is_sent_and_nowhere_written() {
    let faults = Faults::new(0.1, vec![Fault::EchoedKey], Seed(1));
    let echoing = EndpointSettings::with_faults(faults);
    let endpoint = Endpoint::start_apart(echoing).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", study("openai", &format!("{}/v1", endpoint.url()), ""));
    let ended = run(&desk, "run study.toml --out run");
    assert!(endpoint.seen_key(KEY), "the key must reach the endpoint");
    assert_eq!(ended.code, Some(3), "a rejected key is a missing answer: {}", ended.stderr);
    assert!(!ended.stdout.contains(KEY) && !ended.stderr.contains(KEY));
    for name in desk.names("run") {
        let content = std::fs::read(desk.path("run").join(&name)).unwrap();
        assert!(!content.windows(KEY.len()).any(|part| part == KEY.as_bytes()), "{name} holds the key");
    }
}

#[test]
fn a_public_host_is_refused_before_anything_is_asked_or_written() {
    let desk = Desk::new();
    desk.write("study.toml", study("openai", "https://api.openai.com/v1", ""));
    let ended = run(&desk, "run study.toml --out run");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("study.toml, line") && ended.stderr.contains("api.openai.com"), "{}", ended.stderr);
    assert!(!desk.path("run").exists());
}

#[test]
fn a_study_stopped_by_its_budget_goes_on_when_there_is_more() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", study("openai", &format!("{}/v1", endpoint.url()), "[budget]\ntokens = 12000\n"));
    let ended = run(&desk, "run study.toml --out run");
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(ended.stderr.contains("budget") && ended.stderr.contains("hint:"), "{}", ended.stderr);
    let asked = endpoint.stats().requests;
    assert!(asked > 0 && asked < 60, "{asked}");
    done(&desk, "run study.toml --out run --set budget.tokens=10000000");
    assert_eq!(endpoint.stats().asked_again(), 0);
    assert_eq!(endpoint.stats().requests, 60);
}

#[test]
fn a_missing_key_and_an_unknown_vendor_are_told_with_their_line() {
    let desk = Desk::new();
    desk.write("study.toml", study("openai", "http://127.0.0.1:9/v1", ""));
    let ended = desk.waterjar("run study.toml --out run");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("set SIM_KEY"), "{}", ended.stderr);
    desk.write(
        "study.toml",
        study("openai", "http://127.0.0.1:9/v1", "").replace("sim/clinician\"\n\n", "opnai/gpt-5\"\n\n"),
    );
    let ended = run(&desk, "run study.toml --out run");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("no vendor is called `opnai`"), "{}", ended.stderr);
}

/// The study with pairs written by a model and voted on by three.
pub fn written(url: &str) -> String {
    let rules = study("openai", &format!("{url}/v1"), "");
    let models = r#"author = "sim/clinician"
judges = ["sim/clinician", "sim/second", "sim/third"]
"#;
    let table = rules.split("[models.\"sim/clinician\"]").nth(1).unwrap().split("\n\n").next().unwrap().to_owned();
    let more = ["second", "third"].map(|name| format!("[models.\"sim/{name}\"]{table}\n\n")).concat();
    rules.replace("gap = 0.7\n", &format!("gap = 0.7\n{models}")).replace("[retry]", &format!("{more}[retry]"))
}

#[test]
fn a_model_writes_pairs_with_one_sentence_changed_and_a_committee_votes() {
    let settings = EndpointSettings::with_clinician(Clinician::new(Persona::CAREFUL, Seed(7)).writing_traps());
    let endpoint = Endpoint::start_apart(settings).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", written(&endpoint.url()));
    let ended = done(&desk, "run study.toml --out run --json");
    assert_eq!(ended.json()["results"][0]["n"], 20);
    let variants = desk.lines("run/variants.jsonl");
    assert_eq!(variants.len(), 60);
    for family in variants.chunks(3) {
        let (control, trap) = (family[0]["text"].as_str().unwrap(), family[1]["text"].as_str().unwrap());
        let edit = &family[1]["intervention"]["edits"][0];
        let (removed, inserted) = (edit["removed"].as_str().unwrap(), edit["inserted"].as_str().unwrap());
        assert_eq!(control.replacen(removed, inserted, 1), trap, "one sentence changed and nothing else");
        assert!(!control.contains("Symptoms:"), "the story is prose: {control}");
        let ballots = family[1]["record"]["ballots"].as_array().unwrap();
        assert_eq!(ballots.len(), 3);
        assert!(ballots.iter().all(|ballot| ballot["accepts"] == true));
        assert!(family[1]["record"]["votes"][0]["accepts"].is_boolean(), "the rule judge's word stands beside");
    }
    // Started again, the author is not asked again.
    let before = endpoint.stats().requests;
    done(&desk, "run study.toml --out run");
    assert_eq!(endpoint.stats().requests, before);
}

#[test]
fn a_rewrite_that_changes_more_is_asked_again_and_then_lost() {
    let careless = Clinician::new(Persona::CAREFUL, Seed(7))
        .writing_traps()
        .on("rewrite", |_, _| serde_json::json!({ "text": "Something else. Altogether. Different." }));
    let endpoint = Endpoint::start_apart(EndpointSettings::with_clinician(careless)).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", written(&endpoint.url()));
    let ended = run(&desk, "vary study.toml --out run --json --limit 3 --set suite.patients=300");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let made = &ended.json()[0];
    assert_eq!(made["families"], 0);
    assert!(made["losses"]["rewrite_changed_more"].as_u64().unwrap() > 0, "{made}");
}

#[test]
fn a_story_is_not_covered_by_a_word_that_stands_in_every_story() {
    let lazy = Clinician::new(Persona::CAREFUL, Seed(7)).writing_traps().on("coverage", |_, asked| {
        let prompt = asked.request.messages[0].content.as_str();
        let numbers = prompt.lines().filter_map(|line| line.split_once(". ")?.0.parse::<u32>().ok());
        let statements: Vec<_> = numbers.map(|number| serde_json::json!({ "number": number, "quote": "I" })).collect();
        serde_json::json!({ "statements": statements, "added": [] })
    });
    let endpoint = Endpoint::start_apart(EndpointSettings::with_clinician(lazy)).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", written(&endpoint.url()));
    let made = &done(&desk, "vary study.toml --out run --json --limit 3 --set suite.patients=300").json()[0];
    assert_eq!(made["families"], 0);
    assert!(made["losses"]["narration_changed_findings"].as_u64().unwrap() > 0, "{made}");
}

#[test]
fn with_rules_for_judges_what_is_written_must_flip_and_the_sham_must_hold() {
    let settings = EndpointSettings::with_clinician(Clinician::new(Persona::CAREFUL, Seed(7)).writing_traps());
    let endpoint = Endpoint::start_apart(settings).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", written(&endpoint.url()));
    done(&desk, "vary study.toml --out run --set suite.judges=[\"rules\"]");
    let variants = desk.read("run/variants.jsonl");
    assert!(variants.lines().count() > 0);
    for line in variants.lines() {
        let variant: serde_json::Value = serde_json::from_str(line).unwrap();
        let vote = &variant["record"]["votes"][0]["accepts"];
        assert!(variant["intervention"].is_null() || *vote == true, "{line}");
    }
}

#[test]
fn a_committee_that_says_no_rejects_the_pair() {
    let strict = Clinician::new(Persona::CAREFUL, Seed(7)).writing_traps().on("vote", |_, asked| {
        let correct = if asked.model == "clinician" { "yes" } else { "no" };
        serde_json::json!({ "correct": correct, "plausibility": 9, "fluency": 9, "reason": "So it seems." })
    });
    let endpoint = Endpoint::start_apart(EndpointSettings::with_clinician(strict)).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", written(&endpoint.url()));
    let made = &done(&desk, "vary study.toml --out run --json --limit 3 --set suite.patients=300").json()[0];
    assert_eq!(made["families"], 0);
    assert!(made["losses"]["committee_rejected"].as_u64().unwrap() > 0, "{made}");
}

#[test]
fn a_budget_in_dollars_goes_by_the_studys_own_prices() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let desk = Desk::new();
    let dear = "[budget]\nusd = 0.5\n[prices]\n\"sim/*\" = { input = 100.0, output = 100.0 }\n";
    desk.write("study.toml", study("openai", &format!("{}/v1", endpoint.url()), dear));
    let ended = run(&desk, "run study.toml --out run");
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    desk.write("study.toml", study("openai", &format!("{}/v1", endpoint.url()), &dear.replace("100.0", "0.01")));
    done(&desk, "run study.toml --out cheap");
}
