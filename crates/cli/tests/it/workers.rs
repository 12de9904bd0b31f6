//! A run that many processes work on. Needs a PostgreSQL: `WATERJAR_TEST_POSTGRES`, which `scripts/test` sets.

use crate::sample::{Desk, assert_same, files, program};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings, Latency};

/// A server, and a team of its own on it.
pub struct Team {
    pub desk: Desk,
    pub url: String,
}

pub fn team() -> Option<Team> {
    let Ok(server) = std::env::var("WATERJAR_TEST_POSTGRES") else {
        eprintln!("skipped: WATERJAR_TEST_POSTGRES names no server");
        return None;
    };
    let desk = Desk::new();
    Some(Team { url: address(&server, &desk), desk })
}

pub fn address(server: &str, desk: &Desk) -> String {
    let name = desk.path("").file_name().unwrap().to_string_lossy().replace('.', "t");
    format!("{server}?team={name}")
}

pub fn study(endpoint: &Endpoint, pairs: u32, more: &str) -> String {
    format!(
        r#"
[study]
name = "shared"
seed = 7

[[suite]]
kind = "einstellung"
source = "starter"
patients = 4000
pairs = {pairs}
per_condition = 1000
ranking = "any"

[[subject]]
agent = "plain"
model = "sim/one"

[[subject]]
agent = "plain"
model = "prior"

[models."sim/one"]
url = "{}/v1"
api = "openai"
{more}
"#,
        endpoint.url()
    )
}

pub fn slow(milliseconds: u64) -> Endpoint {
    let latency = Latency::Fixed(Duration::from_millis(milliseconds));
    Endpoint::start_apart(EndpointSettings { latency, ..EndpointSettings::default() }).unwrap()
}

impl Team {
    pub fn start(&self, words: &str) -> Process {
        self.start_with(&[], words)
    }

    fn start_with(&self, variables: &[(&str, &str)], words: &str) -> Process {
        let child = Command::new(program())
            .args(words.split_whitespace())
            .envs(variables.iter().copied())
            .current_dir(self.desk.path("."))
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Process(child)
    }

    pub fn worker(&self, more: &str) -> Process {
        self.start(&format!("worker --store {} --lease 3 {more}", self.url))
    }

    pub fn planner(&self, out: &str) -> Process {
        self.start(&format!("run study.toml --out {out} --store {} --workers-only", self.url))
    }
}

/// Killed with the test.
pub struct Process(pub Child);

impl Process {
    fn ended(mut self) -> (Option<i32>, String) {
        let mut talk = String::new();
        self.0.stderr.take().unwrap().read_to_string(&mut talk).unwrap();
        (self.0.wait().unwrap().code(), talk)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn workers_killed_in_the_act_lose_nothing_and_the_run_ends_as_one_process_would_end_it() {
    let Some(team) = team() else { return };
    let calm = slow(1);
    team.desk.write("study.toml", study(&calm, 150, ""));
    team.desk.done("run study.toml --out alone");
    let endpoint = slow(60);
    team.desk.write("study.toml", study(&endpoint, 150, "concurrency = 12"));
    // The address is no part of what was asked, the endpoint is the same clinician.
    let planner = team.planner("together");
    let mut workers: Vec<Process> = (0..3).map(|_| team.worker("--at-once 2")).collect();
    let mut kills = 0;
    let began = Instant::now();
    let mut planner = planner;
    while planner.0.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_secs(240), "it does not end");
        std::thread::sleep(Duration::from_millis(700));
        if kills < 6 && endpoint.stats().requests > 0 {
            // The drop is a kill -9.
            workers.remove(kills % workers.len());
            workers.push(team.worker("--at-once 2"));
            kills += 1;
        }
    }
    let (code, talk) = planner.ended();
    assert_eq!(code, Some(0), "{talk}");
    assert!(kills > 0, "nobody was killed in time");
    assert_same(&files(&team.desk.path("together")), &files(&team.desk.path("alone")));
    let stats = endpoint.stats();
    assert_eq!(stats.answered(), calm.stats().answered());
    // A kill costs the calls in flight: never more than may be under way at once, and what came in the moment before it was stored.
    assert!(stats.asked_again() <= 12 * 2 * kills as u64, "{} asked again after {kills} kills", stats.asked_again());
    assert!(stats.peak_running <= 12, "{} at once", stats.peak_running);
}

#[test]
fn a_worker_takes_only_what_it_was_told_to_and_gives_back_what_it_has_when_it_stops() {
    let Some(team) = team() else { return };
    let endpoint = slow(5);
    team.desk.write("study.toml", study(&endpoint, 20, ""));
    let mut planner = team.planner("run");
    let mut talk = BufReader::new(planner.0.stderr.take().unwrap()).lines().map(Result::unwrap);
    let waits = talk.by_ref().find(|line| line.contains("nobody takes them"));
    assert!(waits.unwrap().contains("start `waterjar worker --store postgres://"));
    // The processor's share, and nothing of the endpoint's.
    let (code, told) = team.worker("--take cpu --until-idle 2").ended();
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("takes cpu") && !told.contains(" 0 parts done"), "{told}");
    assert_eq!(endpoint.stats().requests, 0);
    let mut rest = team.worker("--health 127.0.0.1:0");
    let mut said = BufReader::new(rest.0.stderr.take().unwrap()).lines().map(Result::unwrap);
    let health = said.by_ref().find(|line| line.contains("/healthz")).unwrap();
    let host = health.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
    assert_eq!(planner.0.wait().unwrap().code(), Some(0), "{:?}", talk.collect::<Vec<_>>());
    assert!(get(&host, "/healthz").ends_with("ok\n"));
    let metrics = get(&host, "/metrics");
    assert!(metrics.contains("# TYPE waterjar_worker_parts_done_total counter"), "{metrics}");
    // A wish to stop is heard.
    let sent = Command::new("kill").args(["-INT", &rest.0.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert!(said.any(|line| line.contains(" done (")));
    assert_eq!(rest.0.wait().unwrap().code(), Some(0));
}

/// Takes what is sent to it, says that all is well, and tells the bodies.
fn collector() -> (String, std::sync::mpsc::Receiver<(String, String)>) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (send, bodies) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut reader = BufReader::new(stream.unwrap());
            let (mut first, mut length) = (String::new(), 0);
            if reader.read_line(&mut first).unwrap_or(0) == 0 {
                continue;
            }
            loop {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                if line.trim().is_empty() {
                    break;
                }
            }
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            reader.get_mut().write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}").unwrap();
            if send.send((first, String::from_utf8(body).unwrap())).is_err() {
                return;
            }
        }
    });
    (url, bodies)
}

#[test]
fn a_collector_is_told_of_every_part_and_of_nothing_that_was_asked() {
    let Some(team) = team() else { return };
    let endpoint = slow(1);
    team.desk.write("study.toml", study(&endpoint, 40, ""));
    let (url, bodies) = collector();
    let worker = format!("worker --store {} --lease 3 --until-idle 3", team.url);
    let worker = team.start_with(&[("OTEL_EXPORTER_OTLP_ENDPOINT", url.as_str())], &worker);
    let planner = team.start(&format!("run study.toml --out run --store {} --workers-only", team.url));
    let (code, told) = planner.ended();
    assert_eq!(code, Some(0), "{told}");
    assert_eq!(worker.ended().0, Some(0));
    let (mut asked, mut traces) = (0, std::collections::BTreeSet::new());
    for (first, body) in bodies.try_iter() {
        assert!(first.starts_with("POST /v1/traces "), "{first}");
        assert!(!body.contains("year-old") && !body.contains("patient"), "{body}");
        let body: serde_json::Value = serde_json::from_str(&body).unwrap();
        for span in body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap() {
            traces.insert(span["traceId"].as_str().unwrap().to_owned());
            assert_eq!(span["status"]["code"], 1, "{span}");
            let of = |key: &str| {
                let all = span["attributes"].as_array().unwrap();
                all.iter().find(|it| it["key"] == key).unwrap()["value"].clone()
            };
            if of("waterjar.pass")["stringValue"] == "answer" {
                asked += of("waterjar.items")["intValue"].as_str().unwrap().parse::<usize>().unwrap();
            }
        }
    }
    assert_eq!(asked, team.desk.read("run/responses.jsonl").lines().count());
    assert_eq!(traces.len(), 1, "one run, one trace");
}

/// An endpoint that is gone for a while costs no answer, and the end says what it is.
#[test]
fn an_endpoint_that_goes_away_costs_workers_no_answer() {
    let Some(team) = team() else { return };
    let alone = slow(1);
    let quick = "concurrency = 4\n[retry]\nattempts = 2\nfirst_wait = 0.05\nlongest_wait = 0.1\ndeadline = 2\n";
    team.desk.write("study.toml", study(&alone, 40, quick));
    team.desk.done("run study.toml --out alone");
    let endpoint = slow(40);
    let port = endpoint.url().rsplit(':').next().unwrap().parse::<u16>().unwrap();
    team.desk.write("study.toml", study(&endpoint, 40, quick));
    let mut worker = team.worker("--at-once 2");
    let planner = team.start(&format!("run study.toml --out run --store {} --workers-only", team.url));
    let since = Instant::now();
    while endpoint.stats().requests < 20 {
        assert!(since.elapsed() < Duration::from_secs(60), "nothing is asked");
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(endpoint);
    std::thread::sleep(Duration::from_secs(6));
    let latency = Latency::Fixed(Duration::from_millis(1));
    let back = Endpoint::start_apart(EndpointSettings { latency, port, ..EndpointSettings::default() }).unwrap();
    let (code, told) = planner.ended();
    assert_eq!(code, Some(0), "{told}");
    drop(back);
    worker.0.kill().unwrap();
    worker.0.wait().unwrap();
    assert_same(&files(&team.desk.path("alone")), &files(&team.desk.path("run")));
}

#[test]
fn a_worker_without_the_key_keeps_nobody_else_waiting() {
    let Some(team) = team() else { return };
    let endpoint = slow(5);
    team.desk.write("study.toml", study(&endpoint, 60, "key_env = \"WORKERS_KEY\"\n"));
    let mut unable = team.worker("");
    let key = [("WORKERS_KEY", "secret-of-workers")];
    let words = format!("worker --store {} --lease 3", team.url);
    let mut able = team.start_with(&key, &words);
    let planner = team.start_with(&key, &format!("run study.toml --out run --store {} --workers-only", team.url));
    let (code, told) = planner.ended();
    assert_eq!(code, Some(0), "{told}");
    for worker in [&mut unable, &mut able] {
        worker.0.kill().unwrap();
        worker.0.wait().unwrap();
    }
}

#[test]
fn a_worker_starts_no_program_unless_it_is_told_to() {
    let Some(team) = team() else { return };
    let study = "[study]\nname = \"shared\"\nseed = 7\n[[suite]]\nkind = \"einstellung\"\npatients = 1500\npairs = 4\ngap = 0.2\n\
        [[subject]]\nagent = \"plain\"\nmodel = \"mine\"\n[models.mine]\ncommand = [\"sh\", \"-c\", \"touch started; exec cat\"]\n";
    team.desk.write("study.toml", study);
    let mut planner = team.start(&format!("run study.toml --out run --store {} --workers-only", team.url));
    let mut worker = team.worker("");
    let mut said = BufReader::new(worker.0.stderr.take().unwrap()).lines().map(Result::unwrap);
    let refused = said.find(|line| line.contains("cannot be worked on")).unwrap();
    assert!(refused.contains("`mine` is a program, and this worker starts none"), "{refused}");
    for process in [&mut worker, &mut planner] {
        process.0.kill().unwrap();
        process.0.wait().unwrap();
    }
    assert!(!team.desk.path("started").exists());
}

#[test]
fn a_planner_that_is_killed_and_started_again_has_nothing_asked_twice() {
    let Some(team) = team() else { return };
    let endpoint = slow(400);
    team.desk.write("study.toml", study(&endpoint, 30, "concurrency = 8"));
    let mut planner = team.planner("run");
    let _workers: Vec<Process> = (0..2).map(|_| team.worker("--at-once 2")).collect();
    wait_for(&endpoint, 10, &mut planner);
    drop(planner);
    let (code, talk) = team.planner("run").ended();
    assert_eq!(code, Some(0), "{talk}");
    assert_eq!(endpoint.stats().asked_again(), 0);
    assert_eq!(endpoint.stats().requests as usize, endpoint.stats().answered());
}

#[test]
fn one_call_at_once_is_enough_for_two_workers() {
    let Some(team) = team() else { return };
    let endpoint = slow(1);
    team.desk.write("study.toml", study(&endpoint, 10, "concurrency = 1"));
    let planner = team.planner("run");
    let _workers: Vec<Process> = (0..2).map(|_| team.worker("")).collect();
    let (code, talk) = planner.ended();
    assert_eq!(code, Some(0), "{talk}");
    assert_eq!(endpoint.stats().peak_running, 1);
}

#[test]
fn the_script_for_slurm_works_until_there_is_nothing_to_do() {
    let Some(team) = team() else { return };
    let endpoint = slow(1);
    team.desk.write("study.toml", study(&endpoint, 10, ""));
    let planner = team.planner("run");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/slurm/workers.sbatch");
    let child = Command::new("bash")
        .arg(script)
        .envs([("WATERJAR_STORE", team.url.as_str()), ("WATERJAR_UNTIL_IDLE", "3")])
        .env("WATERJAR", program())
        .stderr(Stdio::piped())
        .spawn();
    let (code, talk) = Process(child.unwrap()).ended();
    assert_eq!(code, Some(0), "{talk}");
    let (code, talk) = planner.ended();
    assert_eq!(code, Some(0), "{talk}");
}

/// Or until there is nobody any more who would see to it.
pub fn wait_for(endpoint: &Endpoint, requests: u64, planner: &mut Process) {
    while endpoint.stats().requests < requests && planner.0.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn get(host: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn workers_together_stay_within_what_an_endpoint_takes_in_a_minute() {
    let Some(team) = team() else { return };
    let endpoint = slow(5);
    team.desk.write("study.toml", study(&endpoint, 30, "requests_per_minute = 900"));
    let mut planner = team.planner("run");
    let workers: Vec<Process> = (0..3).map(|_| team.worker("")).collect();
    wait_for(&endpoint, 1, &mut planner);
    let began = Instant::now();
    let (code, talk) = planner.ended();
    let (took, asked) = (began.elapsed(), endpoint.stats().requests);
    drop(workers);
    assert_eq!(code, Some(0), "{talk}");
    // 15 a second; a worker alone would be three times as fast in three of them.
    let most = 2.0 + 15.0 * took.as_secs_f64();
    assert!(asked as f64 <= most, "{asked} in {took:?}, at most {most}");
}

#[test]
fn an_empty_purse_stops_all_of_them() {
    let Some(team) = team() else { return };
    let endpoint = slow(5);
    let budget = "\n[budget]\ntokens = 2000\n";
    team.desk.write("study.toml", study(&endpoint, 40, budget));
    let planner = team.planner("run");
    let _workers: Vec<Process> = (0..2).map(|_| team.worker("")).collect();
    let (code, talk) = planner.ended();
    assert_eq!(code, Some(4), "{talk}");
    assert!(talk.contains("stopped by the budget"), "{talk}");
}

#[test]
fn a_server_that_is_started_anew_in_the_middle_is_waited_for() {
    if std::env::var_os("WATERJAR_TEST_POSTGRES").is_none() {
        eprintln!("skipped: WATERJAR_TEST_POSTGRES names no server");
        return;
    }
    let desk = Desk::new();
    let own = Server::start(&desk);
    let team = Team { url: address(&own.url, &desk), desk };
    let endpoint = slow(150);
    team.desk.write("study.toml", study(&endpoint, 60, "concurrency = 4"));
    let mut planner = team.planner("run");
    let _workers: Vec<Process> = (0..2).map(|_| team.worker("")).collect();
    wait_for(&endpoint, 20, &mut planner);
    own.tell("restart");
    // The lock went with the server, and whoever plans has taken it again.
    std::thread::sleep(Duration::from_secs(2));
    let second = team.desk.waterjar(&format!("run study.toml --out run --store {}", team.url));
    assert_eq!(second.code, Some(2), "{}", second.stderr);
    assert!(second.stderr.contains("another process"), "{}", second.stderr);
    let (code, talk) = planner.ended();
    assert_eq!(code, Some(0), "{talk}");
    assert_eq!(team.desk.read("run/responses.jsonl").lines().count(), 60 * 3 * 2);
}

/// A server of the test's own, which it may stop.
pub struct Server {
    dir: String,
    pub url: String,
}

impl Server {
    pub fn start(desk: &Desk) -> Self {
        // Not in the desk: its owner is another user.
        let dir = format!("{}-server", desk.path("").to_string_lossy().trim_end_matches('/'));
        let mut server = Self { dir, url: String::new() };
        server.url = server.tell("start").trim().to_owned();
        server
    }

    fn tell(&self, what: &str) -> String {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/postgres");
        let ended = Command::new(script).args([what, &self.dir]).output().unwrap();
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
        String::from_utf8(ended.stdout).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.tell("stop");
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

#[test]
fn a_run_moves_to_a_server_is_measured_there_and_comes_back() {
    let Some(team) = team() else { return };
    let endpoint = slow(1);
    team.desk.write("study.toml", study(&endpoint, 10, ""));
    team.desk.done("run study.toml --out run");
    let before = files(&team.desk.path("run"));
    let moved = team.desk.done(&format!("move run --store {}", team.url));
    assert!(moved.stderr.contains("rows moved to postgres://"), "{}", moved.stderr);
    assert!(!team.desk.path("run/run.sqlite").exists());
    team.desk.done("measure run");
    team.desk.done("report run");
    assert_same(&files(&team.desk.path("run")), &before);
    team.desk.done("move run");
    std::fs::remove_file(team.desk.path("run/metrics.json")).unwrap();
    let asked = endpoint.stats().requests;
    team.desk.done("run run");
    assert_same(&files(&team.desk.path("run")), &before);
    assert_eq!(endpoint.stats().requests, asked);
}

#[test]
fn what_cannot_be_shared_is_said() {
    let desk = Desk::new();
    desk.write("study.toml", "[study]\nname = \"s\"\n");
    let calm = slow(1);
    desk.write("study.toml", study(&calm, 5, ""));
    let ended = desk.waterjar("run study.toml --workers-only");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("workers find the run only on a server"), "{}", ended.stderr);
    let ended = desk.waterjar("run study.toml --out other --store postgres://a:s3cret@127.0.0.1:1/none");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("does not answer") && !ended.stderr.contains("s3cret"), "{}", ended.stderr);
    assert!(!desk.path("other").exists());
    let ended = desk.waterjar("worker --store postgres://127.0.0.1:1/none --take judges");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("no part is ever labelled `judges`"), "{}", ended.stderr);
    for bad in ["mysql://x", "postgres://h/d?run=a/b", "nothing"] {
        let ended = desk.waterjar(&format!("worker --store {bad}"));
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(ended.stderr.contains("hint: "), "{}", ended.stderr);
    }
}
