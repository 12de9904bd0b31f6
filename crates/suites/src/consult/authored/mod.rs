//! Letters written by a language model (DyGen): raw question, distractor, trap, style, rumor, then checked and refined. What is the same for
//! every patient of a disease or with a symptom is asked in the same words, so that the gateway asks it once.

mod answers;
mod baselines;
mod knowledge;
mod letter;

pub(super) use baselines::{DYVAL2_ROLES, SELF_EVOLVING_ROLES};

use super::Consult;
use super::record::{Checked, Rewriting};
use super::vary::Seeded;
use crate::step::{Step, settled};
use answers::{RawQuestion, Written};
use futures::future::join_all;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use waterjar_consultations::author::{Brief, Checks, introduced};
use waterjar_consultations::{Complaint, Criterion, Patient, Plan, Points, State};
use waterjar_core::{ChatModel, ChatRequest, Message, ModelError, Role, Sampling, SuiteError};
use waterjar_structured::ask_fitting;

/// As the paper has it: writing is warm, deciding is cold.
const WRITING: f64 = 0.7;
const DECIDING: f64 = 0.0;

/// A model at work on one patient.
pub(super) struct Writer<'a> {
    pub suite: &'a Consult,
    pub model: &'a dyn ChatModel,
    pub seeded: &'a Seeded<'a>,
    pub plan: &'a Plan,
}

/// Everything written for one patient.
pub(super) struct Made {
    pub raw: String,
    /// By role, in order: a letter, or why there is none.
    pub letters: Vec<(String, Result<Drafted, String>)>,
    pub points: Option<Points>,
}

/// A letter, whatever became of it.
#[derive(Default)]
pub(super) struct Drafted {
    pub brief: Option<Brief>,
    pub text: String,
    pub state: Option<State>,
    /// How often it was written.
    pub rounds: u32,
    pub checked: Vec<Checked>,
    pub rewritten: BTreeMap<String, Rewriting>,
}

impl Drafted {
    /// What was wrong with it at the end.
    pub fn failed(&self) -> Vec<Criterion> {
        match &self.state {
            Some(State::Exhausted { failed }) => failed.clone(),
            _ => Vec::new(),
        }
    }
}

impl Writer<'_> {
    fn patient(&self) -> &Patient {
        &self.seeded.patient
    }

    /// What the right disease is called.
    fn disease(&self) -> &str {
        self.patient().names.first().map_or(self.patient().condition.as_str(), String::as_str)
    }

    fn checks(&self) -> Checks<'_> {
        self.suite.checks(self.seeded)
    }

    fn prompt(&self, name: &str, slots: &[(&str, &str)]) -> String {
        self.suite.language.prompts.fill(name, slots)
    }

    /// One thing asked, and once more with what was wrong.
    async fn put<T: DeserializeOwned + JsonSchema, R>(
        &self,
        prompt: String,
        name: &str,
        temperature: f64,
        check: impl Fn(&T) -> Result<R, String>,
    ) -> Result<R, ModelError> {
        self.put_again(prompt, name, temperature, 0, check).await
    }

    /// The same for the so manieth time.
    async fn put_again<T: DeserializeOwned + JsonSchema, R>(
        &self,
        prompt: String,
        name: &str,
        temperature: f64,
        repeat: u32,
        check: impl Fn(&T) -> Result<R, String>,
    ) -> Result<R, ModelError> {
        let request = ChatRequest {
            messages: vec![Message::new(Role::User, prompt)],
            sampling: Sampling { temperature: Some(temperature), ..Sampling::default() },
            repeat,
            ..ChatRequest::default()
        };
        let asked = ask_fitting(self.model, request, name, |it: &T| check(it).map(|_| ())).await?;
        check(&asked.value).map_err(ModelError::InvalidOutput)
    }

    /// A whole letter.
    async fn text(&self, prompt: String, name: &str, temperature: f64) -> Step<String> {
        let written = self.put(prompt, name, temperature, |it: &Written| whole(&it.text)).await;
        settled(self.model, written, &format!("{name}_unusable"))
    }

    /// `1. [+] I cough.`
    fn statements(&self) -> String {
        let sign = |present: bool| if present { '+' } else { '-' };
        // Of a vignette its own words, which make no sentence of the patient's.
        let bare = self.suite.settings.is_of_vignettes();
        let line = |(n, it): (u32, &Complaint)| {
            format!("{n}. [{}] {}", sign(it.is_present()), if bare { &it.topic } else { &it.sentence })
        };
        let lines: Vec<String> = (1..).zip(&self.patient().complaints).map(line).collect();
        lines.join("\n")
    }

    /// The static baseline. What the rules find surely wrong is asked again, and then the patient is lost.
    async fn raw(&self) -> Step<String> {
        let patient = self.patient();
        let who = introduced(&self.suite.language, patient).unwrap_or_default();
        let voice = if patient.child { "parent" } else { "patient" };
        let prompt = self.prompt("raw", &[("voice", voice), ("who", &who), ("statements", &self.statements())]);
        let checks = self.checks();
        let sound = |it: &RawQuestion| {
            let text = format!("{}\n{}", whole(&it.description)?, whole(&it.question)?);
            if self.suite.earlier.holds(&text) {
                return Err("this very question was asked before; word it otherwise".to_owned());
            }
            match checks.faults(None, &text).first() {
                Some(fault) => Err(format!("it fails the check of {}: {}", fault.as_str(), letter::told(*fault))),
                None => Ok(text),
            }
        };
        let asked = self.put(prompt, "raw_question", WRITING, sound).await;
        settled(self.model, asked, "raw_question_unusable")
    }

    /// Raw question and letters; a loss where there is no raw question.
    pub async fn dygen(&self) -> Step<Made> {
        let raw = match self.raw().await? {
            Ok(raw) => raw,
            Err(loss) => return Ok(Err(loss)),
        };
        let distractors = self.distractors().await?;
        let traps = &self.suite.settings.traps;
        let letters = join_all(traps.iter().map(|&trap| self.letter(&raw, trap, &distractors))).await;
        let mut made = Vec::new();
        for (trap, letter) in traps.iter().zip(letters) {
            made.push((trap.as_str().to_owned(), letter?));
        }
        let points = if made.iter().any(|(_, it)| it.is_ok()) { self.points().await? } else { None };
        Ok(Ok(Made { raw, letters: made, points }))
    }
}

/// Nothing but a text is one.
fn whole(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() { Err("there is no text".to_owned()) } else { Ok(text.to_owned()) }
}

/// A word that could not be used is none; one that never came leaves everything undecided.
fn usable<T>(model: &dyn ChatModel, asked: Result<T, ModelError>) -> Result<Option<T>, SuiteError> {
    settled(model, asked, "").map(Result::ok)
}
