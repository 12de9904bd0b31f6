//! `waterjar evolve` with a language model: it grows a memory, pays for nothing twice, and stops as it should.

use crate::ecr_models::{holding_up, kill_at, openai, started, study};
use crate::language_models::{KEY, run};
use crate::sample::{Desk, Ended};
use serde_json::Value;
use waterjar_core::Seed;
use waterjar_testkit::clinician::{Clinician, Persona};
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings, Fault, Rule, Script};

const FILES: [&str; 4] = ["manifest.json", "illness.jsonl", "exemplars.jsonl", "journal.jsonl"];
const EVOLVE: &str = "evolve study.toml --per-condition 1";

fn desk(endpoint: &Endpoint) -> Desk {
    let desk = Desk::new();
    desk.write("study.toml", study(2, &openai(endpoint), "memory = \"memory\""));
    desk
}

fn evolve(desk: &Desk) -> Ended {
    let ended = run(desk, EVOLVE);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    ended
}

fn memory(desk: &Desk) -> Vec<String> {
    FILES.iter().map(|name| desk.read(&format!("memory/{name}"))).collect()
}

#[test]
fn a_model_grows_a_memory_a_run_recalls_and_nothing_is_paid_twice() {
    // One whom the critic has something to say to.
    let clinician = Clinician::new(Persona::STUBBORN, Seed(7));
    let endpoint = Endpoint::start_apart(EndpointSettings::with_clinician(clinician)).unwrap();
    let desk = desk(&endpoint);
    let counts = run(&desk, &format!("{EVOLVE} --json")).json();
    let number = |key: &str| counts[key].as_u64().unwrap();
    assert_eq!(number("cases"), number("at_once") + number("after_feedback") + number("discarded"));
    assert!(number("cases") == 101 && number("exemplars") > 60 && number("after_feedback") > 0, "{counts}");
    let grown = endpoint.stats();
    assert!(grown.requests >= 6 * 101, "{}", grown.requests);
    assert_eq!(grown.asked_again(), 0);
    assert!(desk.names("memory").iter().all(|name| {
        let content = std::fs::read(desk.path("memory").join(name)).unwrap();
        !content.windows(KEY.len()).any(|part| part == KEY.as_bytes())
    }));

    // Started again, nothing is asked and nothing changes.
    let before = memory(&desk);
    assert!(evolve(&desk).stderr.contains("going on after 101 cases"));
    assert_eq!((endpoint.stats().requests, memory(&desk)), (grown.requests, before));

    let ended = run(&desk, "run study.toml --out run");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let recalled = desk.read("run/responses.jsonl").lines().all(|line| {
        let response: Value = serde_json::from_str(line).unwrap();
        let exemplars = &response["ending"]["ok"]["record"]["audit"]["exemplars"];
        exemplars.as_array().is_some_and(|it| !it.is_empty())
    });
    assert!(recalled, "every answer recalls cases that were learnt");
}

#[test]
fn killed_in_the_middle_of_a_case_it_repeats_only_the_call_under_way() {
    let whole = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let undisturbed = desk(&whole);
    evolve(&undisturbed);
    let endpoint = Endpoint::start_apart(holding_up(40)).unwrap();
    let desk = desk(&endpoint);
    let mut child = started(&desk, &EVOLVE.split(' ').collect::<Vec<_>>());
    kill_at(&endpoint, 40, &mut child);
    assert!(!desk.read("memory/journal.jsonl").is_empty());
    evolve(&desk);
    let stats = endpoint.stats();
    assert_eq!((stats.requests, stats.asked_again()), (whole.stats().requests + 1, 0));
    assert!(memory(&desk) == memory(&undisturbed), "the address of an endpoint is no part of what was learnt");
}

#[test]
fn an_endpoint_that_goes_down_stops_it_and_nothing_is_lost() {
    let down = Rule::always(Fault::status(503)).first_attempts(99).containing("ecr_audit");
    let broken = Endpoint::start_apart(EndpointSettings::with_script(Script::default().and(down))).unwrap();
    let desk = desk(&broken);
    let ended = run(&desk, EVOLVE);
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(ended.stderr.contains("`sim/clinician` gave no answer"), "{}", ended.stderr);
    assert!(ended.stderr.contains("hint: ") && ended.stderr.contains("start the same command again"));
    assert!(!desk.path("memory/manifest.json").exists(), "without a case it is no memory");
    assert_eq!(desk.read("memory/journal.jsonl"), "", "the case is not given up");
}

#[test]
fn a_budget_stops_it_and_more_lets_it_go_on() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let desk = desk(&endpoint);
    let ended = run(&desk, &format!("{EVOLVE} --set budget.tokens=60000"));
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(ended.stderr.contains("stopped by the budget") && ended.stderr.contains("hint: "), "{}", ended.stderr);
    let learnt = desk.read("memory/journal.jsonl").lines().count();
    assert!((1..101).contains(&learnt), "{learnt}");
    let early = run(&desk, "run study.toml --out run");
    assert!(early.code == Some(2) && early.stderr.contains("not grown to its end"), "{}", early.stderr);
    assert!(evolve(&desk).stderr.contains(&format!("going on after {learnt} cases")));
    assert_eq!(endpoint.stats().asked_again(), 0);
}

#[test]
fn what_a_model_says_unusably_gives_up_the_case_and_goes_on() {
    let rule = Rule::always(Fault::WrongSchema).containing("ecr_audit");
    let endpoint = Endpoint::start_apart(EndpointSettings::with_script(Script::default().and(rule))).unwrap();
    let desk = desk(&endpoint);
    let counts = run(&desk, &format!("{EVOLVE} --json")).json();
    assert_eq!((&counts["cases"], &counts["discarded"]), (&101.into(), &101.into()));
    let first: Value = serde_json::from_str(desk.read("memory/journal.jsonl").lines().next().unwrap()).unwrap();
    assert!(first["reason"].as_str().unwrap().contains("`ecr_audit`: "), "{first}");
}

#[test]
fn a_wrong_key_stops_it_with_what_the_endpoint_said() {
    let settings = EndpointSettings::with_script(Script::always(Fault::Unauthorized));
    let endpoint = Endpoint::start_apart(settings).unwrap();
    let desk = desk(&endpoint);
    let ended = run(&desk, EVOLVE);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("the model `sim/clinician` cannot be used") && ended.stderr.contains("401"));
    assert_eq!(endpoint.stats().requests, 1);
}

#[test]
fn a_memory_grown_by_another_model_is_not_gone_on_with() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let desk = desk(&endpoint);
    evolve(&desk);
    let asked = endpoint.stats().requests;
    let text = desk.read("study.toml");
    desk.write("study.toml", text.replace("key_env", "temperature = 0.5\nkey_env"));
    let ended = run(&desk, EVOLVE);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("was grown with another reasoner"), "{}", ended.stderr);
    assert_eq!(endpoint.stats().requests, asked, "nothing was asked");
}
