//! One answer as a sample of a log.

use super::head::{LogHead, SCORER};
use crate::Question;
use serde_json::{Map, Value, json};
use waterjar_core::{Conclusion, Ending, Failure, JudgeId, Outcome, Response, Ruling, Variant};

pub struct LogSample<'a> {
    pub variant: &'a Variant,
    pub question: &'a Question,
    pub response: &'a Response,
    /// Where somebody judged it; and what people call the condition that was named.
    pub ruling: Option<(&'a JudgeId, &'a Ruling)>,
    pub named: Option<String>,
}

/// What lists show of a text.
const SHORT: usize = 300;

impl LogSample<'_> {
    pub(super) fn epoch(&self) -> u32 {
        self.response.repeat + 1
    }

    /// `samples/ID_epoch_N.json`
    pub(super) fn file_name(&self) -> String {
        format!("samples/{}_epoch_{}.json", self.variant.id, self.epoch())
    }

    fn uuid(&self, head: &LogHead) -> String {
        head.id(&format!("sample {} {}", self.variant.id, self.epoch()))
    }

    pub(super) fn json(&self, head: &LogHead) -> Value {
        let asked = self.asked();
        let answer = self.response.conclusion().map(|said| message(said, head));
        let messages: Vec<Value> = asked.iter().cloned().chain(answer.clone()).collect();
        let said = self.response.conclusion().map_or("", |it| it.text.as_str());
        let choices: Vec<Value> =
            answer.into_iter().map(|message| json!({ "message": message, "stop_reason": "stop" })).collect();
        let mut sample = json!({
            "id": self.variant.id,
            "epoch": self.epoch(),
            "input": asked,
            "target": self.question.target(),
            "messages": messages,
            "output": { "model": head.subject, "choices": choices, "completion": said },
            "scores": self.scores(),
            "metadata": self.question.metadata(&head.suite, self.variant),
            "store": {},
            "events": [],
            "model_usage": {},
            "role_usage": {},
            "uuid": self.uuid(head),
            "attachments": {},
        });
        if let Ending::Failed(failure) = &self.response.ending {
            sample["error"] = json!({ "message": told(failure), "traceback": "", "traceback_ansi": "" });
        }
        sample
    }

    pub(super) fn summary(&self, head: &LogHead) -> Value {
        let mut summary = json!({
            "id": self.variant.id,
            "epoch": self.epoch(),
            "input": short(&self.question.prompt.text),
            "target": self.question.target(),
            "metadata": { "family": self.variant.family, "role": self.variant.role() },
            "scores": self.scores(),
            "model_usage": {},
            "role_usage": {},
            "uuid": self.uuid(head),
            "completed": true,
            "message_count": 2 + usize::from(self.response.conclusion().is_some()),
        });
        if let Ending::Failed(failure) = &self.response.ending {
            summary["error"] = told(failure).into();
        }
        summary
    }

    fn asked(&self) -> [Value; 2] {
        [
            json!({ "role": "system", "content": self.question.instructions }),
            json!({ "role": "user", "content": self.question.prompt.text, "source": "input" }),
        ]
    }

    /// An answer that is not there has no score, nor has one that is held against nothing.
    fn scores(&self) -> Value {
        let Some((judge, ruling)) = self.ruling.filter(|(_, it)| it.worth().is_some()) else {
            return json!({});
        };
        let mut about = Map::from_iter([
            ("outcome".to_owned(), ruling.outcome.as_str().into()),
            ("judge".to_owned(), judge.as_str().into()),
        ]);
        if !ruling.parts.is_empty() {
            about.insert("parts".to_owned(), json!(ruling.parts));
        }
        if let Some(audit) = &ruling.audit {
            about.insert("failure_mode".to_owned(), audit.mode.as_str().into());
        }
        let score = json!({
            "value": grade(ruling), "answer": self.named, "explanation": ruling.reason, "metadata": about,
        });
        json!({ SCORER: score })
    }
}

/// The judge's, where there is one; else what the outcome is worth.
fn grade(ruling: &Ruling) -> f64 {
    let by_outcome = match ruling.outcome {
        Outcome::Right => 1.0,
        Outcome::Partly => 0.5,
        Outcome::Trapped | Outcome::Missed | Outcome::Missing => 0.0,
    };
    ruling.score.filter(|score| score.is_finite()).unwrap_or(by_outcome)
}

fn message(said: &Conclusion, head: &LogHead) -> Value {
    let content = match &said.reasoning {
        None => json!(said.text),
        Some(reasoning) => {
            json!([{ "type": "reasoning", "reasoning": reasoning }, { "type": "text", "text": said.text }])
        }
    };
    json!({ "role": "assistant", "content": content, "source": "generate", "model": head.subject })
}

/// `refused: no medical advice`
fn told(failure: &Failure) -> String {
    format!("{}: {}", failure.state.as_str(), failure.detail)
}

fn short(text: &str) -> String {
    match text.char_indices().nth(SHORT) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
