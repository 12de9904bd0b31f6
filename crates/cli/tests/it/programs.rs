//! Models that are programs of anybody's own, good and bad, as a user meets them; and servers that speak our own small shape.

use crate::language_models::written;
use crate::sample::{Desk, Ended, program};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use waterjar_core::Seed;
use waterjar_testkit::clinician::{Clinician, Persona};
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings};

/// Says the same to every question, in plain shell.
const SAME: &str = r#"while read -r line; do
  id=${line#*\"id\":\"}; id=${id%%\"*}
  printf '{"id":"%s","text":"1. Stable angina (0.8)"}\n' "$id"
done"#;

/// A subject that is the program, beside one that is built in.
fn study(model: &str, more: &str) -> String {
    format!(
        r#"[study]
name = "programs"
seed = 7

[[suite]]
kind = "einstellung"
patients = 3600
pairs = 8
gap = 0.7

[[subject]]
agent = "plain"
model = "prior"

[[subject]]
agent = "plain"
model = "mine"

[models."mine"]
{model}

[retry]
first_wait = 0.02
longest_wait = 0.1
{more}"#
    )
}

const SHELL: &str = "command = [\"sh\", \"model.sh\"]";

fn desk(script: &str, more: &str) -> Desk {
    let desk = Desk::new();
    desk.write("model.sh", script);
    desk.write("study.toml", study(SHELL, more));
    desk
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples").join(name)
}

/// Whether there is a Python to try the examples with.
fn python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("skipped: there is no python3");
    }
    found
}

fn missing(ended: &Ended, subject: &str) -> (i64, i64) {
    let json = ended.json();
    let results = json["results"].as_array().unwrap();
    let of = results.iter().find(|it| it["subject"] == subject).unwrap();
    (of["n"].as_i64().unwrap(), of["missing"].as_i64().unwrap())
}

fn lines(desk: &Desk, file: &str) -> usize {
    std::fs::read_to_string(desk.path(file)).unwrap_or_default().lines().count()
}

fn is_alive(pid: &str) -> bool {
    let status = std::fs::read_to_string(Path::new("/proc").join(pid.trim()).join("status"));
    status.is_ok_and(|status| !status.contains("State:\tZ"))
}

/// A minute is long: it takes about a second.
fn eventually(is_so: impl Fn() -> bool) {
    let waited = Instant::now();
    while !is_so() {
        assert!(waited.elapsed() < Duration::from_secs(60), "it never came to be");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn the_example_of_the_documentation_is_a_subject() {
    if !python() {
        return;
    }
    let desk = Desk::new();
    std::fs::copy(example("my_model.py"), desk.path("my_model.py")).unwrap();
    desk.write("study.toml", study("command = [\"python3\", \"my_model.py\"]", ""));
    let ended = desk.done("run study.toml --out run --json");
    assert_eq!(missing(&ended, "plain@mine"), (8, 0));
    assert!(desk.read("run/responses.jsonl").contains("1. Viral pharyngitis (0.80)"));
    let page = std::fs::read_to_string(example("../plugins.md")).unwrap();
    assert!(page.contains(&std::fs::read_to_string(example("my_model.py")).unwrap()), "the page shows what was run");
}

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_same_over_http_gives_the_same_answers() {
    if !python() {
        return;
    }
    let mut server =
        Server(Command::new("python3").arg(example("my_server.py")).arg("0").stdout(Stdio::piped()).spawn().unwrap());
    let mut url = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let desk = Desk::new();
    std::fs::copy(example("my_model.py"), desk.path("my_model.py")).unwrap();
    let at_address = format!("url = \"{}\"\napi = \"waterjar\"", url.trim());
    for (name, model) in [("program", "command = [\"python3\", \"my_model.py\"]"), ("server", at_address.as_str())] {
        desk.write("study.toml", study(model, ""));
        let ended = desk.done(&format!("run study.toml --out {name} --json"));
        assert_eq!(missing(&ended, "plain@mine"), (8, 0));
    }
    assert_eq!(desk.read("program/verdicts.jsonl"), desk.read("server/verdicts.jsonl"));
    let told = desk.waterjar("doctor study.toml --ask");
    assert!(told.stdout.contains("ok    asked"), "{}", told.stdout);
}

/// Asks the simulated clinician for whatever it is asked, so that it can write pairs, vote and answer.
const MIDDLEMAN: &str = r#"
import json, os, sys, urllib.request
for line in sys.stdin:
    question = json.loads(line)
    body = {"model": question["model"], "messages": question["messages"]}
    if "schema" in question:
        schema = question["schema"]
        body["response_format"] = {"type": "json_schema", "json_schema": {"name": schema["name"], "strict": True, "schema": schema["schema"]}}
    request = urllib.request.Request(os.environ["CLINICIAN"] + "/v1/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"})
    reply = json.load(urllib.request.urlopen(request))
    usage = {"input": reply["usage"]["prompt_tokens"], "output": reply["usage"]["completion_tokens"]}
    print(json.dumps({"id": question["id"], "text": reply["choices"][0]["message"]["content"], "usage": usage}))
"#;

#[test]
fn a_program_writes_pairs_votes_and_answers_through_every_layer() {
    if !python() {
        return;
    }
    let clinician = Clinician::new(Persona::CAREFUL, Seed(7)).writing_traps();
    let endpoint = Endpoint::start_apart(EndpointSettings::with_clinician(clinician)).unwrap();
    let desk = Desk::new();
    desk.write("middleman.py", MIDDLEMAN);
    let by_program = "command = [\"python3\", \"middleman.py\"]\nenv = [\"CLINICIAN\"]\nprocesses = 2";
    let by_http = "url = \"http://127.0.0.1:9/v1\"\napi = \"openai\"\nkey_env = \"SIM_KEY\"";
    let study = written("http://127.0.0.1:9").replace(by_http, by_program);
    desk.write("study.toml", study.replace("endpoints = \"local\"", "endpoints = \"local\"\nprograms = \"allowed\""));
    let url = endpoint.url();
    let run = || {
        let words =
            "run study.toml --out run --json --set suite.patients=400 --set suite.pairs=3 --set limits.timeout=60";
        desk.waterjar_with(&[("CLINICIAN", &url)], words)
    };
    let ended = run();
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(missing(&ended, "plain@sim/clinician"), (3, 0));
    assert!(ended.stderr.contains("tokens"), "what it says it used is counted: {}", ended.stderr);
    let asked = endpoint.stats().requests;
    assert!(asked > 20 && endpoint.stats().asked_again() == 0, "{asked}");
    assert_eq!(run().code, Some(0));
    assert_eq!(endpoint.stats().requests, asked, "started again, nothing is asked");
}

#[test]
fn a_changed_program_is_asked_anew_and_an_unchanged_one_is_not() {
    let desk = desk(&format!("echo start >> starts\n{SAME}"), "");
    for _ in 0..2 {
        desk.done("run study.toml --out run");
    }
    assert_eq!(lines(&desk, "starts"), 1, "the second time nothing is asked, so nothing is started");
    desk.write("model.sh", format!("echo start >> starts\n{}", SAME.replace("Stable angina", "GERD")));
    desk.done("run study.toml --out run");
    assert!(desk.read("run/responses.jsonl").contains("1. GERD (0.8)"));
}

#[test]
fn a_program_that_ends_now_and_then_costs_no_answer() {
    // Every process answers four questions, then dies of the fifth.
    let script = "n=0\n".to_owned()
        + &SAME.replace("do\n", "do\n  n=$((n+1)); [ $n -le 4 ] || { echo 'out of memory' >&2; exit 7; }\n");
    let desk = desk(&script, "");
    let ended = desk.done("run study.toml --out run --json");
    assert_eq!(missing(&ended, "plain@mine"), (8, 0));
}

#[test]
fn a_program_that_only_ends_is_told_with_its_last_words_and_the_run_can_go_on() {
    let desk = desk("read -r line; echo 'ModuleNotFoundError: torch' >&2; exit 1", "");
    let ended = desk.waterjar("run study.toml --out run");
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("sh model.sh ended with code 1; its last words: ModuleNotFoundError: torch"),
        "{}",
        ended.stderr
    );
    assert!(ended.stderr.contains("start the same command again"), "{}", ended.stderr);
    desk.write("model.sh", SAME);
    assert_eq!(missing(&desk.done("run study.toml --out run --json"), "plain@mine"), (8, 0));
}

#[test]
fn a_program_that_prints_garbage_is_told_what_it_printed() {
    let desk = desk("while read -r line; do echo 'Stable angina, I think.'; done", "");
    let ended = desk.waterjar("run study.toml --out run");
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(ended.stderr.contains("printed a line that is no reply: `Stable angina, I think.`"), "{}", ended.stderr);
    assert!(ended.stderr.contains("standard output is for replies"), "{}", ended.stderr);
}

#[test]
fn a_program_that_hangs_is_told_and_leaves_nothing_behind() {
    let desk =
        desk("sleep 600 & echo $! >> pids; echo $$ >> pids; while :; do sleep 600; done", "[limits]\ntimeout = 0.3\n");
    let ended = desk.waterjar("run study.toml --out run --set retry.attempts=1");
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(ended.stderr.contains("nothing came within 0.3 s"), "{}", ended.stderr);
    let pids = desk.read("pids");
    assert!(pids.lines().count() >= 4, "it was started again: {pids}");
    eventually(|| !pids.lines().any(is_alive));
}

/// The most memory a run of these words ever held, in kilobytes, and its end.
fn watched(desk: &Desk, words: &str) -> (u64, std::process::Output) {
    let child = Command::new(program())
        .args(words.split_whitespace())
        .current_dir(desk.path("."))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let watching = std::thread::spawn(move || {
        let mut most = 0;
        while let Ok(status) = std::fs::read_to_string(&status) {
            let Some(held) = status.lines().find_map(|line| line.strip_prefix("VmHWM:")) else { break };
            most = held.trim().trim_end_matches(" kB").parse().unwrap();
            std::thread::sleep(Duration::from_millis(2));
        }
        most
    });
    let output = child.wait_with_output().unwrap();
    (watching.join().unwrap(), output)
}

#[test]
fn a_hundred_megabytes_are_cut_off_and_fill_no_memory() {
    let (calm, output) = watched(&desk(SAME, ""), "run study.toml --out run");
    assert!(output.status.success());
    for (what, flood) in [
        ("one line", "tr '\\0' x < /dev/zero | head -c 100000000"),
        ("many lines", "yes | head -c 100000000"),
        ("standard error", "yes | head -c 100000000 >&2"),
    ] {
        // The first process floods, those after it answer.
        let script = format!(
            "[ -e flooded ] || {{ touch flooded; read -r line; {flood} && echo all > whole; exit 5; }}\n{SAME}"
        );
        let desk = desk(&script, "");
        let (held, output) = watched(&desk, "run study.toml --out run --json");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{what}: {stderr}");
        assert!(desk.path("flooded").exists());
        assert_eq!(desk.path("whole").exists(), what == "standard error", "{what}: it was ended in the midst of it");
        println!("{what}: at most {held} kB, without a flood {calm} kB");
        assert!(held < calm + 40_000, "{what}: {held} kB, without a flood {calm} kB");
    }
}

#[test]
fn a_flood_that_does_not_end_is_told() {
    let desk = desk("read -r line; exec tr '\\0' x < /dev/zero", "");
    let ended = desk.waterjar("run study.toml --out run --set retry.attempts=1");
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("printed a line of more than 4 MB and was ended; it begins: `xxx"),
        "{}",
        ended.stderr
    );
}

#[test]
fn killed_itself_the_run_leaves_no_program_behind() {
    let script = "sleep 600 & echo $! > child; echo $$ > leader; while :; do sleep 600; done";
    let desk = desk(script, "");
    let mut child = Command::new(program())
        .args(["run", "study.toml", "--out", "run"])
        .current_dir(desk.path("."))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    eventually(|| desk.path("leader").exists() && !desk.read("leader").is_empty());
    let (leader, below) = (desk.read("leader"), desk.read("child"));
    assert!(is_alive(&leader) && is_alive(&below));
    child.kill().unwrap();
    child.wait().unwrap();
    eventually(|| !is_alive(&leader) && !is_alive(&below));
}

#[test]
fn where_endpoints_must_be_local_a_program_must_be_allowed_by_name() {
    let desk = desk(&format!("touch started\n{SAME}"), "[privacy]\nendpoints = \"local\"\n");
    for command in ["run study.toml --out run", "rehearse study.toml"] {
        let ended = desk.waterjar(command);
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(ended.stderr.contains("study.toml, line 19"), "{}", ended.stderr);
        assert!(
            ended.stderr.contains("`mine` is a program, which may send what it reads anywhere"),
            "{}",
            ended.stderr
        );
        assert!(ended.stderr.contains("programs = \"allowed\""), "{}", ended.stderr);
    }
    assert!(!desk.path("started").exists() && !desk.path("run").exists());
    desk.done("run study.toml --out run --set privacy.programs=allowed");
}

#[test]
fn a_rehearsal_starts_no_program_and_doctor_only_when_asked_to() {
    let desk = desk(&format!("touch started\n{SAME}"), "");
    let ended = desk.done("rehearse study.toml --json");
    let calls = ended.json()["calls"].clone();
    assert!(calls.as_array().unwrap().iter().any(|it| it["model"] == "mine" && it["calls"] == 24), "{calls}");
    let told = desk.waterjar("doctor study.toml");
    assert_eq!(told.code, Some(0), "{}", told.stdout);
    assert!(told.stdout.contains("`sh model.sh` would start /"), "{}", told.stdout);
    assert!(!desk.path("started").exists());
    let told = desk.waterjar("doctor study.toml --ask");
    assert!(told.stdout.contains("it answers"), "{}", told.stdout);
    assert!(desk.path("started").exists());
}

#[test]
fn what_cannot_be_started_is_told_with_its_line_before_anything_is_written() {
    let desk = Desk::new();
    desk.write("study.toml", study("command = [\"pyton3\", \"m.py\"]", ""));
    let ended = desk.waterjar("run study.toml --out run");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("there is no program `pyton3` in PATH"), "{}", ended.stderr);
    assert!(ended.stderr.contains("study.toml, line") && !desk.path("run").exists(), "{}", ended.stderr);
    desk.write("study.toml", study(&format!("{SHELL}\nenv = [\"WARD_KEY\"]"), ""));
    let ended = desk.waterjar("run study.toml --out run");
    assert!(ended.stderr.contains("wants WARD_KEY: set it, or take it out of `env`"), "{}", ended.stderr);
    assert!(desk.waterjar("doctor study.toml").stdout.contains("WARD_KEY is not set"));
}
