//! A run that many processes work on. Needs a PostgreSQL: `WATERJAR_TEST_POSTGRES`, which `scripts/test` sets.

mod failing;
mod limits;
mod server;
mod watched;

pub use server::Server;

use crate::charts;
use crate::sample::{Desk, assert_same, files, program};
use std::io::Read;
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

/// Or until there is nobody any more who would see to it.
pub fn wait_for(endpoint: &Endpoint, requests: u64, planner: &mut Process) {
    while endpoint.stats().requests < requests && planner.0.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn how_many_verdicts_models_are_to_make_is_told_where_workers_make_them() {
    let Some(team) = team() else { return };
    let endpoint = slow(1);
    let url = format!("{}/v1", endpoint.url());
    let subject = charts::subject("plain", "guideline", "");
    let judged = charts::study("judge = [\"other/judge\"]", &subject, Some(("openai", &url)));
    team.desk.write("study.toml", judged.replace("key_env = \"SIM_KEY\"\n", ""));
    let _worker = team.worker("");
    let (code, talk) = team.planner("run").ended();
    assert_eq!(code, Some(0), "{talk}");
    let all = team.desk.lines("run/verdicts.jsonl").len();
    let told = format!("sensitivity: {all} verdicts to be made by other/judge; 0 stored already\n");
    assert_eq!(talk.matches(&told).count(), 1, "{talk}");
}
