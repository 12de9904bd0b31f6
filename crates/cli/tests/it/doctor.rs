//! `waterjar doctor`: what it finds, what it says to do, and what it leaves alone.

use crate::parity_budget::{study as vectors, study_at as vectors_at};
use crate::sample::{Desk, Ended, SMALL, program, quick};
use serde_json::Value;
use std::net::TcpListener;
use std::process::Command;
use std::time::Duration;
use waterjar_store::{Mode, Store};
use waterjar_testkit::{Act, CannedServer, Endpoint, EndpointSettings, Fault, Script};

const KEY: &str = "canary-90ab4c17ee25";

fn study(url: &str, more: &str) -> String {
    let (head, _) = SMALL.split_once("[[subject]]").unwrap();
    format!(
        "{head}[[subject]]\nagent = \"plain\"\nmodel = \"sim/x\"\n\
         [models.\"sim/x\"]\nurl = \"{url}\"\nkey_env = \"SIM_KEY\"\n{more}"
    )
}

fn desk(study: &str) -> Desk {
    let desk = Desk::new();
    desk.write("study.toml", study);
    desk
}

/// The checks, after what must hold of every visit: the exit code, the key unseen, nothing left behind.
fn visit(desk: &Desk, key: bool, words: &str) -> Vec<Value> {
    let before = desk.names(".");
    let keys: &[(&str, &str)] = if key { &[("SIM_KEY", KEY)] } else { &[] };
    let json = desk.waterjar_with(keys, &format!("doctor study.toml --json {words}"));
    let Ended { code, stdout, stderr } = desk.waterjar_with(keys, &format!("doctor study.toml {words}"));
    assert_eq!(desk.names("."), before, "a visit leaves nothing behind");
    for text in [&json.stdout, &json.stderr, &stdout, &stderr] {
        assert!(!text.contains(KEY), "the key is shown: {text}");
    }
    let report = json.json();
    let checks = report["checks"].as_array().unwrap().clone();
    let failed = checks.iter().any(|check| check["state"] == "fail");
    assert_eq!((json.code, code), if failed { (Some(2), Some(2)) } else { (Some(0), Some(0)) }, "{stdout}");
    assert_eq!(report["ok"], !failed);
    for check in &checks {
        // How much is free changes by the moment.
        let is_told = check["what"] == "disk" || stdout.contains(check["found"].as_str().unwrap());
        assert!(is_told, "{check}\n{stdout}");
        assert_eq!(check["state"] == "ok", check.get("todo").is_none(), "what is wrong has something to do: {check}");
    }
    checks
}

/// State and finding of what was looked at.
fn found<'a>(checks: &'a [Value], what: &str) -> (&'a str, &'a str) {
    let check = checks.iter().find(|check| check["what"] == what);
    let check = check.unwrap_or_else(|| panic!("no check of {what}: {checks:?}"));
    (check["state"].as_str().unwrap(), check["found"].as_str().unwrap())
}

fn check(checks: &[Value], what: &str, state: &str, told: &str) {
    let (is, found) = found(checks, what);
    assert!(is == state && found.contains(told), "{what} {is}: {found}");
}

#[test]
fn where_all_is_well_nothing_is_asked_that_costs() {
    let endpoint =
        Endpoint::start_apart(EndpointSettings { models: vec!["x".to_owned()], ..Default::default() }).unwrap();
    let more = "[privacy]\nendpoints = \"local\"\n[prices]\n\"sim/*\" = { input = 1.0, output = 2.0 }\n";
    let desk = desk(&study(&format!("{}/v1", endpoint.url()), more));
    let checks = visit(&desk, true, "");
    assert!(checks.iter().all(|check| check["state"] == "ok"), "{checks:?}");
    check(&checks, "key", "ok", "SIM_KEY is set");
    check(&checks, "privacy", "ok", "127.0.0.1 is local");
    check(&checks, "endpoint", "ok", "answers");
    check(&checks, "store", "ok", "can be written");
    check(&checks, "disk", "ok", "free");
    assert_eq!(endpoint.stats().requests, 0);

    let checks = visit(&desk, true, "--ask");
    check(&checks, "asked", "ok", "tokens read");
    assert_eq!(endpoint.stats().requests, 2, "once for each of the two visits");
    assert!(endpoint.seen_key(KEY));
}

#[test]
fn an_embedder_without_a_price_is_told_and_beside_a_budget_in_dollars_it_fails() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let told = |more: &str| visit(&desk(&vectors(&endpoint, more)), false, "");
    check(&told(""), "price", "warn", "not known: only its tokens are counted");
    check(&told("[budget]\nusd = 5.0\n"), "price", "fail", "not known: the budget of $5 cannot be kept");
    assert_eq!(endpoint.stats().requests, 0);
}

#[test]
fn a_missing_key_is_named_with_what_to_do() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let desk = desk(&study(&format!("{}/v1", endpoint.url()), ""));
    let checks = visit(&desk, false, "--ask");
    check(&checks, "key", "fail", "SIM_KEY is not set");
    check(&checks, "endpoint", "warn", "lists no model `x`");
    assert_eq!(endpoint.stats().requests, 0, "without a key nothing is asked");
    let told = desk.waterjar("doctor study.toml").stdout;
    assert!(told.contains("→ set it where the run is started: export SIM_KEY=…"), "{told}");
}

#[test]
fn an_endpoint_that_is_down_mute_or_says_no_is_told_apart() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let checks = visit(&desk(&study(&format!("http://{closed}/v1"), "")), true, "");
    check(&checks, "endpoint", "fail", "takes no connection");

    let mute = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", mute.local_addr().unwrap());
    let checks = visit(&desk(&study(&url, "")), true, "--timeout 0.5");
    check(&checks, "endpoint", "fail", "takes a connection");

    let checks = visit(&desk(&study(&answering("401 Unauthorized", ""), "")), true, "");
    check(&checks, "endpoint", "fail", "does not accept the key (status 401)");
    let checks = visit(&desk(&study(&answering("404 Not Found", ""), "")), true, "");
    check(&checks, "endpoint", "warn", "no list of models");
    let checks = visit(&desk(&study("http://no-such-host.invalid/v1", "")), true, "");
    check(&checks, "endpoint", "fail", "does not resolve");
}

/// A server that has one answer to everything.
fn answering(status: &'static str, body: &str) -> String {
    CannedServer::new(vec![Act::Answer(status, "", body.to_owned())]).url("/v1")
}

#[test]
fn an_embedder_at_an_address_is_looked_at_as_models_are_and_asked_for_one_word() {
    let settings =
        EndpointSettings { models: vec!["vectors".to_owned()], openai_needs_key: true, ..Default::default() };
    let endpoint = Endpoint::start_apart(settings).unwrap();
    let more = "key_env = \"SIM_KEY\"\n[privacy]\nendpoints = \"local\"\n\
                [prices]\n\"local/vectors\" = { input = 1.0, output = 0.0 }\n";
    let desk = desk(&vectors(&endpoint, more));
    let checks = visit(&desk, true, "");
    assert!(checks.iter().all(|check| check["state"] == "ok"), "{checks:?}");
    check(&checks, "key", "ok", "SIM_KEY is set");
    check(&checks, "privacy", "ok", "127.0.0.1 is local");
    check(&checks, "endpoint", "ok", "answers");
    check(&checks, "embedder", "ok", "local/vectors (vectors) at http://127.0.0.1");
    assert_eq!(endpoint.stats().requests, 0);

    let checks = visit(&desk, true, "--ask");
    check(&checks, "asked", "ok", "a vector of 64 numbers: 1 token read, for $0.000001");
    let stats = endpoint.stats();
    assert_eq!((stats.requests, stats.input_tokens), (2, 2), "one word for each of the two visits");
    assert!(endpoint.seen_key(KEY));

    let checks = visit(&desk, false, "--ask");
    check(&checks, "key", "fail", "SIM_KEY is not set");
    assert!(checks.iter().all(|check| check["what"] != "asked"), "without a key nothing is asked: {checks:?}");
    assert_eq!(endpoint.stats().requests, 2);
}

#[test]
fn an_embedder_that_may_not_be_asked_is_not_contacted() {
    let local = "[privacy]\nendpoints = \"local\"\n";
    let checks = visit(&desk(&vectors_at("http://8.8.8.8/v1", local)), false, "--ask");
    check(&checks, "privacy", "fail", "8.8.8.8 is outside this machine");
    assert!(checks.iter().all(|check| check["what"] != "endpoint" && check["what"] != "asked"), "{checks:?}");
    let written = vectors_at("http://127.0.0.1:9/v1", "").replace("api = \"openai\"", "api = \"anthropic\"");
    let checks = visit(&desk(&written), false, "--ask");
    check(&checks, "embedder", "fail", "is not asked in OpenAI's format");
}

#[test]
fn vectors_that_do_not_come_or_cannot_be_compared_fail_with_what_to_do() {
    let told = |url: &str, words: &str| visit(&desk(&vectors_at(url, "")), false, words);
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    check(&told(&format!("http://{closed}/v1"), ""), "endpoint", "fail", "takes no connection");
    for (status, body, found) in [
        ("200 OK", r#"{"data":[]}"#, "0 came for 1 texts"),
        ("200 OK", r#"{"data":[{"index":0,"embedding":[]}]}"#, "a vector has no numbers"),
        ("200 OK", r#"{"data":[{"index":0,"embedding":[0.0,0.0]}]}"#, "2 zeros"),
        ("200 OK", "hello", "not JSON"),
        ("404 Not Found", "", "status 404"),
    ] {
        check(&told(&answering(status, body), "--ask"), "asked", "fail", found);
    }
    let script = Script::always(Fault::Stall(Duration::from_secs(2)));
    let slow = Endpoint::start_apart(EndpointSettings::with_script(script)).unwrap();
    check(&told(&format!("{}/v1", slow.url()), "--ask --timeout 0.5"), "asked", "fail", "no vector within 0.5 s");
}

#[test]
fn a_public_endpoint_in_a_local_study_fails_before_it_is_looked_at() {
    let local = "[privacy]\nendpoints = \"local\"\n[[subject]]\nagent = \"direct\"\nmodel = \"openai/gpt-5\"\n";
    let endpoint =
        Endpoint::start_apart(EndpointSettings { models: vec!["x".to_owned()], ..Default::default() }).unwrap();
    let checks = visit(&desk(&study(&format!("{}/v1", endpoint.url()), local)), true, "--ask");
    let of = |model: &str| checks.iter().filter(|check| check["of"] == model).cloned().collect::<Vec<_>>();
    check(&of("openai/gpt-5"), "privacy", "fail", "api.openai.com is outside this machine");
    assert!(of("openai/gpt-5").iter().all(|check| check["what"] != "endpoint" && check["what"] != "asked"));
    check(&of("sim/x"), "privacy", "ok", "local");
    let checks = visit(&desk(&study("http://8.8.8.8/v1", local)), true, "");
    assert!(checks.iter().all(|check| check["what"] != "endpoint"), "{checks:?}");
}

#[test]
fn a_place_that_cannot_be_written_fails() {
    let desk = desk(&quick());
    let checks = visit(&desk, false, "--out study.toml");
    check(&checks, "store", "fail", "is a file");
    std::fs::create_dir(desk.path("closed")).unwrap();
    let mut rights = std::fs::metadata(desk.path("closed")).unwrap().permissions();
    rights.set_readonly(true);
    std::fs::set_permissions(desk.path("closed"), rights).unwrap();
    // Whoever may do everything may write there, too; then a place where nobody may.
    let all_powerful = std::fs::write(desk.path("closed/try"), "").is_ok();
    let out = if all_powerful { "/proc/waterjar/run" } else { "closed/run" };
    if all_powerful && !cfg!(target_os = "linux") {
        return eprintln!("skipped: this user may write everywhere");
    }
    let checks = visit(&desk, false, &format!("--out {out}"));
    check(&checks, "store", "fail", "nothing can be written in");
}

#[test]
fn another_run_a_foreign_folder_and_a_run_in_use_are_told() {
    let desk = desk(&quick());
    desk.done("vary study.toml --out run");
    check(&visit(&desk, false, "--out run"), "run", "ok", "`run` goes on with it");
    check(&visit(&desk, false, "--out run --set study.seed=8"), "run", "fail", "another study");

    std::fs::create_dir(desk.path("photos")).unwrap();
    desk.write("photos/cat.jpg", "");
    check(&visit(&desk, false, "--out photos"), "store", "fail", "holds files but no run");

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let _writing = runtime.block_on(Store::open(desk.path("run/run.sqlite"), Mode::Existing)).unwrap();
    check(&visit(&desk, false, "--out run"), "run", "fail", "another process");
}

#[test]
fn a_wrong_study_and_a_missing_source_fail_and_the_rest_is_examined_all_the_same() {
    let checks = visit(&desk(&study("http://127.0.0.1:9/v1", "").replace("gap = 0.7", "gup = 0.2")), false, "");
    check(&checks, "study", "fail", "study.toml, line");
    check(&checks, "key", "fail", "SIM_KEY");
    check(&checks, "store", "ok", "can be written");
    let checks = visit(&desk(&quick().replace("gap = 0.7", "source = \"jsonl:none.jsonl\"")), false, "");
    check(&checks, "source", "fail", "none.jsonl");
    let desk = desk(&quick().replace("gap = 0.7", "source = \"jsonl:cases.jsonl\""));
    desk.write("cases.jsonl", "{\"id\": 1}\n");
    check(&visit(&desk, false, ""), "source", "fail", "cases.jsonl, line 1");
}

#[test]
fn a_small_disk_is_too_small() {
    let desk = desk(&quick());
    std::fs::create_dir(desk.path("disk")).unwrap();
    let script = "mount -t tmpfs -o size=1m none disk || exit 99; \"$1\" doctor study.toml --out disk/run";
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"])
        .arg(program())
        .current_dir(desk.path("."))
        .output();
    let Ok(output) = output else { return eprintln!("skipped: there is no `unshare`") };
    let (stdout, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    if output.status.code() == Some(99) || stderr.contains("unshare") {
        return eprintln!("skipped: no small disk can be mounted: {stderr}");
    }
    assert_eq!(output.status.code(), Some(2), "{stdout}");
    assert!(stdout.contains("FAIL  disk") && stdout.contains("→ make room"), "{stdout}");
}
