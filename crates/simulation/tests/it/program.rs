//! The endpoint as a process of its own.

use crate::asking::{Question, ask_over, said};
use serde_json::json;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use waterjar_simulation::Format;
use waterjar_simulation::raw::RawClient;

fn program(flags: &[&str]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_waterjar-endpoint"));
    program.args(flags).stdout(Stdio::piped()).stderr(Stdio::piped());
    program
}

#[tokio::test]
async fn the_first_line_is_the_address_and_the_flags_are_the_settings() {
    let flags = ["--says", "Angina.", "--latency", "20ms", "--rule", "503 nth=1", "--threads", "1"];
    let mut child = program(&flags).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let addr = line.trim().strip_prefix("http://").unwrap().parse().unwrap();
    let mut client = RawClient::connect(addr).await.unwrap();
    let question = Question::new("I cough.");
    let faulted = ask_over(&mut client, Format::OpenAi, &question).await.unwrap();
    let answered = ask_over(&mut client, Format::OpenAi, &question).await.unwrap();
    let stats = client.get("/stats", &[]).await.unwrap().json().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!((faulted.status, answered.status), (503, 200));
    assert_eq!(answered.json().unwrap()["choices"][0]["message"]["content"], "Angina.");
    assert_eq!((&stats["faults"]["503"], &stats["answered"]), (&1.into(), &1.into()));
}

#[tokio::test]
async fn it_writes_and_judges_trap_pairs_like_the_one_in_the_library() {
    let mut child = program(&["--threads", "1"]).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let addr = line.trim().strip_prefix("http://").unwrap().parse().unwrap();
    let mut client = RawClient::connect(addr).await.unwrap();
    let text = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    let narration = Question::with_schema("Statements:\n1. I cough.\n2. I have a fever.", "narration", text);
    let told = ask_over(&mut client, Format::OpenAi, &narration).await.unwrap().json().unwrap();
    let audit = Question::with_schema("", "failure_audit", json!({"type": "object"}));
    let audited = ask_over(&mut client, Format::OpenAi, &audit).await.unwrap().json().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(said(Format::OpenAi, &told).contains("I cough. I have a fever."), "{told}");
    assert!(said(Format::OpenAi, &audited).contains("classification"), "{audited}");
}

#[test]
fn a_fault_that_does_not_exist_is_refused_with_those_that_do() {
    let output = program(&["--faults", "rest"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("reset-mid-body"), "{said}");
}
