//! `waterjar export --format …` and `waterjar import inspect` and the like, with the tools themselves where they are there.

mod answers;
mod export;
mod other_tools;
mod parquet;
mod tools;

use crate::sample::{Desk, SMALL};
use serde_json::{Value, json};

/// What the run says of a subject, after judging and measuring; nobody else is asked.
pub fn measured(desk: &Desk, subject: &str) -> Value {
    desk.waterjar("judge run");
    desk.waterjar("measure run");
    crate::sample::result(&desk.json("run/metrics.json"), subject).clone()
}

/// A run that answers elsewhere alone, and its questions.
pub fn elsewhere() -> (Desk, Vec<Value>) {
    let (head, _) = SMALL.split_once("[[subject]]").unwrap();
    let study = format!("{head}[[subject]]\nagent = \"elsewhere\"\nmodel = \"m\"\nname = \"inspect:m\"\n");
    let desk = Desk::with_study(&study.replace("pairs = 40", "pairs = 4"));
    desk.done("vary small.toml --out run");
    desk.done("export run --format inspect-dataset --out questions.jsonl");
    let questions = desk.lines("questions.jsonl");
    (desk, questions)
}

/// What Inspect would have made of a question.
pub fn sample(question: &Value, epoch: u32, says: &str) -> Value {
    let mut sample = question.clone();
    sample["epoch"] = epoch.into();
    sample["output"] = json!({ "choices": [{ "message": { "content": says }, "stop_reason": "stop" }] });
    sample
}

pub fn right(questions: &[Value]) -> Vec<Value> {
    questions.iter().map(|it| sample(it, 1, &format!("1. {}", it["target"].as_str().unwrap()))).collect()
}

pub fn log(desk: &Desk, name: &str, samples: &[Value]) {
    let log = json!({ "version": 2, "status": "success", "eval": { "model": "m" }, "samples": samples });
    desk.write(name, log.to_string());
}
