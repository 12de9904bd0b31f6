//! `waterjar rehearse`: what it counts is what a run asks, and nothing leaves the machine.

use crate::parity_budget::{study as vectors, study_at as vectors_at};
use crate::sample::{Desk, Ended, SMALL};
use serde_json::Value;
use waterjar_core::Seed;
use waterjar_testkit::{Clinician, Endpoint, EndpointSettings, Persona};

const KEY: &str = "canary-55e0b1d7a3c9";

/// An author, a committee of three and three subjects, each a model of its own, in three wire formats.
const CAST: [(&str, &str, &str); 7] = [
    ("author", "sim/author", "anthropic"),
    ("judge", "sim/judge-1", "openai"),
    ("judge", "sim/judge-2", "anthropic"),
    ("judge", "sim/judge-3", "gemini"),
    ("subject", "sim/subject-1", "openai"),
    ("subject", "sim/subject-2", "anthropic"),
    ("subject", "sim/subject-3", "gemini"),
];

fn written(origin: &str, more: &str) -> String {
    let head = r#"
[study]
name = "written"
seed = 7

[[suite]]
kind = "einstellung"
patients = 3600
pairs = 20
gap = 0.7
author = "sim/author"
judges = ["sim/judge-1", "sim/judge-2", "sim/judge-3"]

[privacy]
endpoints = "local"
"#;
    let subjects = (1..=3).map(|n| format!("[[subject]]\nagent = \"plain\"\nmodel = \"sim/subject-{n}\"\n"));
    let models = CAST.map(|(_, model, api)| {
        format!("[models.\"{model}\"]\nurl = \"{origin}\"\napi = \"{api}\"\nkey_env = \"SIM_KEY\"\n")
    });
    format!("{head}{}{}{more}", subjects.collect::<String>(), models.concat())
}

/// Pairs made by rules and one model to answer them.
fn ruled(model: &str, more: &str) -> String {
    let (head, _) = SMALL.split_once("[[subject]]").unwrap();
    format!("{head}[[subject]]\nagent = \"plain\"\nmodel = \"{model}\"\n{more}")
}

fn desk(study: &str) -> Desk {
    let desk = Desk::new();
    desk.write("study.toml", study);
    desk
}

/// Where nobody listens: who is asked there is not answered.
const NOWHERE: &str = "http://127.0.0.1:9";

fn figures(desk: &Desk, words: &str) -> Value {
    let ended = desk.done(&format!("rehearse study.toml --json {words}"));
    assert_eq!(desk.names("."), ["study.toml"], "nothing is written beside the study");
    ended.json()
}

fn calls_of(figures: &Value, role: &str, model: &str) -> u64 {
    let all = figures["calls"].as_array().unwrap();
    let line = all.iter().find(|line| line["role"] == role && line["model"] == model);
    line.unwrap_or_else(|| panic!("no {role} {model}: {figures}"))["calls"].as_u64().unwrap()
}

fn calls_in(figures: &Value, role: &str) -> u64 {
    let roles = figures["roles"].as_array().unwrap();
    roles.iter().find(|line| line["role"] == role).map_or(0, |line| line["calls"].as_u64().unwrap())
}

#[test]
fn every_role_is_asked_in_a_run_as_often_as_was_rehearsed() {
    let clinician = Clinician::new(Persona::default(), Seed(7)).writing_traps();
    let endpoint = Endpoint::start_apart(EndpointSettings::with_clinician(clinician)).unwrap();
    let desk = desk(&written(&endpoint.url(), ""));
    let figures = figures(&desk, "");
    assert_eq!(endpoint.stats().requests, 0, "a rehearsal asks an endpoint of its own");

    let variants = figures["suites"][0]["whole"]["variants"].as_u64().unwrap();
    assert_eq!(variants, 60);
    assert_eq!(calls_in(&figures, "subject"), 3 * variants);
    let votes = calls_of(&figures, "judge", "sim/judge-1");
    assert!(votes >= 20, "{votes}");
    assert_eq!(calls_in(&figures, "judge"), 3 * votes);
    assert!(calls_in(&figures, "author") > 4 * votes, "narration, coverage, telling, stand-in, rewrite");

    let ended = desk.waterjar_with(&[("SIM_KEY", KEY)], "run study.toml --out run");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    for (role, model, _) in CAST {
        let told = format!("{model}: {} calls,", calls_of(&figures, role, model));
        assert!(ended.stderr.contains(&told), "{told}\n{}", ended.stderr);
    }
    assert_eq!(endpoint.stats().requests, figures["total"]["calls"].as_u64().unwrap());
    assert_eq!(figures["whole"], true);
}

#[test]
fn a_missing_key_is_a_note_and_a_key_that_is_there_is_not_read_out() {
    let desk = desk(&written(NOWHERE, ""));
    let ended = desk.done("rehearse study.toml");
    let note = "note: SIM_KEY is not set; `run` needs it for sim/author, sim/judge-1";
    assert!(ended.stderr.contains(note), "{}", ended.stderr);
    let ended = desk.waterjar_with(&[("SIM_KEY", KEY)], "rehearse study.toml --json -vvv --limit 1");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(!ended.stderr.contains("SIM_KEY") && ended.json()["missing"].as_array().unwrap().is_empty());
    assert!(!ended.stdout.contains(KEY) && !ended.stderr.contains(KEY));
}

#[test]
fn pairs_made_by_rules_are_counted_exactly_however_few_are_rehearsed() {
    let desk = desk(&ruled("sim/x", &format!("[models.\"sim/x\"]\nurl = \"{NOWHERE}\"\n")));
    let (all, few) = (figures(&desk, ""), figures(&desk, "--limit 4"));
    assert_eq!((all["whole"].as_bool(), few["whole"].as_bool()), (Some(true), Some(false)));
    assert_eq!(few["suites"][0]["rehearsed"]["families"], 4);
    assert_eq!(few["total"]["rehearsed"], 12);
    assert_eq!(all["total"]["calls"], 120);
    assert_eq!(few["total"]["calls"], all["total"]["calls"]);
    assert_eq!(few["total"]["output_tokens"], all["total"]["output_tokens"]);
    // Narratives differ in length, and twelve of them are not all.
    let input = |figures: &Value| figures["total"]["input_tokens"].as_f64().unwrap();
    assert!((input(&few) / input(&all) - 1.0).abs() < 0.15, "{} {}", input(&few), input(&all));
    let told = desk.done("rehearse study.toml --limit 4").stdout;
    assert!(told.contains("4 of 40 families, 12 of 120 variants; the rest is extrapolated"), "{told}");
}

#[test]
fn cases_are_lost_in_a_rehearsal_as_in_a_run() {
    for limit in ["", "--limit 4"] {
        let desk = desk(&ruled("prior", ""));
        let rehearsed = figures(&desk, limit)["suites"][0].take();
        let told = desk.done(&format!("rehearse study.toml {limit}")).stdout;
        let ended = desk.done(&format!("vary study.toml --out run --json {limit}"));
        let made = ended.json()[0].take();
        for count in ["cases", "eligible", "families", "variants", "losses"] {
            assert_eq!(rehearsed[count], made[count], "{count} {limit}");
        }
        let lost: u64 = rehearsed["losses"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum();
        let families = rehearsed["families"].as_u64().unwrap();
        assert_eq!(rehearsed["cases"].as_u64(), Some(families + lost), "{rehearsed}");
        for part in [" eligible → ", ": lost cases: "] {
            let line = ended.stderr.lines().find(|line| line.contains(part)).unwrap();
            assert!(told.contains(line), "{line}\n{told}");
        }
    }
}

#[test]
fn pairs_a_model_writes_are_extrapolated_within_the_range_that_is_told() {
    let desk = desk(&written(NOWHERE, "").replace("patients = 3600", "patients = 4000"));
    let (all, few) = (figures(&desk, ""), figures(&desk, "--limit 2"));
    assert_eq!(calls_in(&few, "subject"), calls_in(&all, "subject"));
    let total = |figures: &Value| figures["calls"].as_u64().unwrap();
    let (low, high) = (total(&few["between"][0]), total(&few["between"][1]));
    assert!((low..=high).contains(&total(&all["total"])), "{low} to {high}: {}", all["total"]);
    assert!((low..=high).contains(&total(&few["total"])), "{low} to {high}: {}", few["total"]);
    let off = total(&few["total"]) as f64 / total(&all["total"]) as f64;
    assert!((0.5..2.0).contains(&off), "{off}");
    assert!(all.get("between").is_none());
}

#[test]
fn an_unknown_price_is_said_and_never_taken_as_zero() {
    let models = format!("[models.\"sim/x\"]\nurl = \"{NOWHERE}\"\n[budget]\nusd = 1.0\n");
    let desk = desk(&ruled("sim/x", &models));
    let unknown = figures(&desk, "--limit 2");
    assert_eq!(unknown["total"]["usd"], Value::Null);
    assert_eq!(unknown["total"]["unpriced"][0], "sim/x");
    assert_eq!(unknown["budget"]["usd_enough"], Value::Null);
    let told = desk.done("rehearse study.toml --limit 2");
    assert!(told.stderr.contains("no price is known for sim/x"), "{}", told.stderr);
    assert!(told.stdout.contains("at least $0.00: no price is known for sim/x"), "{}", told.stdout);

    desk.write(
        "study.toml",
        ruled("sim/x", &format!("{models}[prices]\n\"sim/*\" = {{ input = 2.0, output = 50.0 }}\n")),
    );
    let known = figures(&desk, "");
    let tokens = |part: &str| known["total"][part].as_f64().unwrap();
    let expected = (2.0 * tokens("input_tokens") + 50.0 * tokens("output_tokens")) / 1e6;
    assert!((known["total"]["usd"].as_f64().unwrap() - expected).abs() < 1e-9);
    assert_eq!(known["budget"]["usd_enough"], false, "{known}");
    let told = desk.done("rehearse study.toml");
    assert!(told.stderr.contains("the budget of $1.00 is too small"), "{}", told.stderr);
}

#[test]
fn time_goes_by_the_limits_of_the_study_and_what_is_assumed() {
    let table = |more: &str| ruled("sim/x", &format!("[models.\"sim/x\"]\nurl = \"{NOWHERE}\"\n{more}"));
    let time = |study: String, words: &str| {
        let time = figures(&desk(&study), words)["time"].take();
        (time["seconds"].as_f64().unwrap(), time["passes"][0]["limited_by"].as_str().unwrap().to_owned())
    };
    // 120 calls.
    let (seconds, by) = time(table("requests_per_minute = 30\n"), "");
    assert_eq!(seconds, 240.0);
    assert!(by.starts_with("30 requests a minute at http://127.0.0.1:9"), "{by}");
    let (seconds, by) = time(table("concurrency = 4\n"), "--latency 2 --tokens-per-second 100 --output-tokens 800");
    assert!((seconds - 120.0 * (2.0 + 8.0) / 4.0).abs() < 1e-9, "{seconds}");
    assert!(by.starts_with("4 calls at once"), "{by}");
    let (slower, _) = time(table("concurrency = 4\n"), "--latency 2 --tokens-per-second 100 --output-tokens 1800");
    assert!((slower - 2.0 * seconds).abs() < 1e-9, "{slower}");
    let (_, by) = time(table("tokens_per_minute = 1000\n"), "");
    assert!(by.starts_with("1000 tokens a minute"), "{by}");
}

#[test]
fn limits_budget_and_privacy_of_the_study_do_not_hold_the_rehearsal_up() {
    let limits =
        "requests_per_minute = 1\ntokens_per_minute = 100\n[budget]\ntokens = 10\n[privacy]\nendpoints = \"local\"\n";
    let desk = desk(&ruled("sim/x", &format!("[models.\"sim/x\"]\nurl = \"{NOWHERE}\"\n{limits}")));
    let figures = figures(&desk, "");
    assert_eq!((figures["total"]["rehearsed"].as_u64(), figures["failed"].as_u64()), (Some(120), Some(0)));
    assert_eq!(figures["budget"]["tokens_enough"], false);
}

#[test]
fn vendors_are_played_in_their_own_format_without_their_key() {
    let subjects = ["openai/gpt-5", "anthropic/claude-sonnet-5", "gemini/gemini-2.5-pro", "azure/ward"];
    let more = subjects[1..].iter().map(|model| format!("[[subject]]\nagent = \"plain\"\nmodel = \"{model}\"\n"));
    let desk = desk(&ruled(subjects[0], &more.collect::<String>()));
    let figures = figures(&desk, "--limit 2");
    assert_eq!(figures["failed"], 0);
    let output = |model: &str| {
        let lines = figures["calls"].as_array().unwrap();
        let line = lines.iter().find(|line| line["model"] == model).unwrap();
        line["output_tokens"].as_u64().unwrap() / line["calls"].as_u64().unwrap()
    };
    assert_eq!(output("openai/gpt-5"), 1800, "it thinks before it answers");
    assert_eq!(output("anthropic/claude-sonnet-5"), 800);
    for model in subjects {
        assert_eq!(calls_of(&figures, "subject", model), 120, "{model}");
    }
}

#[test]
fn what_may_go_wrong_is_assumed_on_request() {
    let desk = desk(&written(NOWHERE, ""));
    let well = figures(&desk, "");
    let again = figures(&desk, "--asked-again 0.1");
    let asked = |figures: &Value| (calls_in(figures, "author") + calls_in(figures, "judge")) as f64;
    assert!(asked(&again) > 1.05 * asked(&well), "{} {}", asked(&again), asked(&well));
    let choosy = figures(&desk, "--accepted 0.5");
    let rejected = choosy["suites"][0]["losses"]["committee_rejected"].as_u64().unwrap();
    assert!(rejected > 10, "{choosy}");
}

#[test]
fn that_vectors_are_not_counted_is_said_and_none_is_asked_for() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let desk = desk(&vectors(&endpoint, ""));
    let told = desk.done("rehearse study.toml --limit 1").stderr;
    let note = "texts are compared without local/vectors; what it will be sent is not counted";
    assert!(told.contains(note), "{told}");
    desk.write(
        "two.toml",
        vectors(&endpoint, "[[suite]]\nkind = \"parity\"\nname = \"again\"\nembedder = \"local/vectors\"\n"),
    );
    let told = desk.done("rehearse two.toml --limit 1").stderr;
    assert_eq!(told.matches(note).count(), 1, "suites that share it are not told apart: {told}");
    assert_eq!(endpoint.stats().requests, 0);
}

/// A model answers and an embedder at an address compares, which a rehearsal does not ask.
fn compared(budget: &str, price: &str) -> Value {
    let prices = format!("[prices]\n\"sim/x\" = {{ input = 1.0, output = 1.0 }}\n{price}");
    let tables = format!("[models.\"sim/x\"]\nurl = \"{NOWHERE}\"\n[budget]\n{budget}\n{prices}");
    let study = vectors_at(&format!("{NOWHERE}/v1"), &tables).replace("\"stereotype\"", "\"sim/x\"");
    figures(&desk(&study), "--limit 2")["budget"].take()
}

#[test]
fn a_budget_that_pays_for_vectors_too_is_at_most_known_to_be_too_small() {
    let (dear, free) = ("", "\"local/vectors\" = { input = 0.0, output = 0.0 }\n");
    let usd = |most: f64, price: &str| compared(&format!("usd = {most:?}"), price)["usd_enough"].take();
    assert_eq!(usd(1000.0, dear), Value::Null);
    assert_eq!(usd(0.0, dear), false);
    assert_eq!(usd(1000.0, free), true);
    let tokens = |most: u64, price: &str| compared(&format!("tokens = {most}"), price)["tokens_enough"].take();
    for price in [dear, free] {
        assert_eq!(tokens(1_000_000_000, price), Value::Null, "what costs nothing has tokens too");
        assert_eq!(tokens(10, price), false);
    }
}

#[test]
fn no_budget_is_called_enough_for_vectors_that_are_not_counted() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let enough = |input: &str, budget: &str| {
        let price = format!("[prices]\n\"local/vectors\" = {{ input = {input}, output = 0.0 }}\n");
        let told = figures(&desk(&vectors(&endpoint, &format!("[budget]\n{budget}\n{price}"))), "--limit 1");
        let [usd, tokens] = ["usd_enough", "tokens_enough"].map(|it| told["budget"][it].clone());
        (usd, tokens)
    };
    assert_eq!(enough("0.02", "usd = 5.0"), (Value::Null, Value::Null));
    assert_eq!(enough("0.0", "usd = 5.0"), (Value::Bool(true), Value::Null), "they cost nothing");
    for price in ["0.02", "0.0"] {
        assert_eq!(enough(price, "tokens = 5"), (Value::Null, Value::Null), "free ones take tokens too");
    }
}

#[test]
fn a_study_of_built_in_models_costs_nothing() {
    let desk = desk(&ruled("prior", ""));
    let figures = figures(&desk, "");
    assert_eq!((figures["total"]["calls"].as_u64(), figures["total"]["usd"].as_f64()), (Some(0), Some(0.0)));
    assert_eq!(figures["built_in"][0], "prior");
    let told = desk.done("rehearse study.toml").stdout;
    assert!(told.contains("no calls") && told.contains("$0.00"), "{told}");
}

fn check_refused(study: &str, words: &str, told: &[&str]) {
    let desk = desk(study);
    let Ended { code, stderr, stdout } = desk.waterjar(&format!("rehearse study.toml {words}"));
    assert_eq!(code, Some(2), "{stderr}");
    assert!(told.iter().all(|part| stderr.contains(part)), "{stderr}");
    assert_eq!(stdout, "");
    assert_eq!(desk.names("."), ["study.toml"]);
}

#[test]
fn a_wrong_study_is_refused_as_a_run_would() {
    check_refused(&ruled("opnai/gpt-5", ""), "", &["study.toml, line", "did you mean `openai`?"]);
    check_refused(&ruled("gestalt", "[budgt]\nusd = 1\n"), "", &["study.toml, line"]);
    check_refused(&ruled("gestalt", "").replace("gap = 0.7", "gap = 7"), "", &["gap"]);
    let public = "[privacy]\nendpoints = \"local\"\n";
    check_refused(&ruled("openai/gpt-5", public), "", &["api.openai.com", "only local endpoints"]);
    check_refused(&ruled("gestalt", ""), "--set suite.gap=0.0000001", &["no family could be made"]);
    check_refused(&ruled("gestalt", ""), "--tokens-per-second 0", &["--tokens-per-second", "more than 0"]);
}

/// It names vendors and prices, which only a run would find wrong.
#[test]
fn the_study_of_letters_by_models_can_be_rehearsed_as_it_ships() {
    let study = crate::sample::quickstart().with_file_name("consult-models.toml");
    let told = Desk::new().done(&format!("rehearse {} --set suite.items=2 --json", study.display())).stdout;
    for model in ["openai/gpt-5", "gemini/gemini-2.5-pro", "anthropic/claude-sonnet-4-5"] {
        assert!(told.contains(model), "{model}: {told}");
    }
}
