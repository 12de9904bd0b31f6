//! The stages of a model that writes letters of patients, checks and mends them, answers them, and judges answers (suite `consult`). It
//! goes by the prompts alone, in any language there is, and errs by lot, so that short and long ways are all taken.

use super::letter_judge::{claim, considered, grades, same};
use super::letter_lore::{differential, rumor_pairs, score_points};
use super::{Clinician, trap_author::prompt};
use crate::format::Asked;
use crate::patients::starter;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};
use waterjar_consultations::doctor::{Doctor, Habit};
use waterjar_consultations::words::{capital, words};
use waterjar_consultations::{Communication, Language, Level, Names};
use waterjar_core::{ConditionId, Role};

/// A language with whoever speaks it.
pub(super) struct Tongue {
    pub language: Arc<Language>,
    careful: Doctor,
    credulous: Doctor,
    names: Names,
    facts: BTreeSet<String>,
    rumors: BTreeSet<String>,
}

static TONGUES: LazyLock<Vec<Tongue>> = LazyLock::new(|| Language::ids().into_iter().filter_map(Tongue::new).collect());

/// Shares of what goes wrong.
const FAILS_A_CHECK: f64 = 0.25;
const UNSURE: f64 = 0.05;
const DOUBTS: f64 = 0.2;

impl Tongue {
    fn new(id: &str) -> Option<Self> {
        let language = Arc::new(Language::named(id).ok()?);
        let doctor = |habit| Doctor::new(Arc::clone(&language), starter(), habit);
        Some(Self {
            careful: doctor(Habit::Careful),
            credulous: doctor(Habit::Credulous),
            names: Names::new(language.all_names(&starter())),
            facts: language.rumors().map(|it| it.fact).collect(),
            rumors: language.rumors().map(|it| it.rumor).collect(),
            language,
        })
    }

    /// Whose prompt it is, and which; English where nobody knows.
    fn of(prompt: &str) -> (&'static Self, &'static str) {
        let known = TONGUES.iter().find_map(|it| Some((it, it.language.prompts.which(prompt)?)));
        known.unwrap_or((&TONGUES[0], ""))
    }

    pub fn condition(&self, name: &str) -> Option<ConditionId> {
        let first = name.split(" / ").next().unwrap_or(name);
        self.names.mentions(first).into_iter().next().map(|it| it.condition)
    }

    pub fn called(&self, id: &ConditionId) -> String {
        let base = starter();
        let names = base.condition(id).map(|it| self.language.names_of(it));
        names.and_then(|it| it.into_iter().next()).unwrap_or_else(|| id.to_string())
    }
}

/// What stands between `<name>` and `</name>`.
pub(super) fn tag<'a>(prompt: &'a str, name: &str) -> &'a str {
    let after = prompt.rsplit_once(&format!("<{name}>\n")).map_or("", |(_, rest)| rest);
    after.split_once(&format!("</{name}>")).map_or("", |(text, _)| text).trim()
}

/// `1. [+] I cough.`
fn statements(prompt: &str) -> Vec<(bool, &str)> {
    let read = |line: &'_ str| -> Option<(bool, usize)> {
        let (_, rest) = line.split_once(". [")?;
        Some((rest.starts_with('-'), line.len() - rest.len() + 3))
    };
    tag(prompt, "statements").lines().filter_map(|line| read(line).map(|(denied, at)| (denied, &line[at..]))).collect()
}

/// Sentences of one script or the other.
fn joined(parts: &[String]) -> String {
    let mut text = String::new();
    for part in parts.iter().filter(|it| !it.is_empty()) {
        if text.ends_with(|c: char| c.is_ascii()) {
            text.push(' ');
        }
        text.push_str(part);
    }
    text
}

/// Tells, and asks.
fn parts(letter: &str) -> (&str, &str) {
    letter.rsplit_once('\n').unwrap_or((letter, ""))
}

fn with(letter: &str, sentence: &str) -> String {
    let (told, asks) = parts(letter);
    format!("{}\n{asks}", joined(&[told.to_owned(), sentence.to_owned()])).trim_end().to_owned()
}

impl Clinician {
    pub(super) fn lot(&self, purpose: &str, thing: &str) -> f64 {
        self.seed().rank(purpose, thing) as f64 / i64::MAX as f64
    }

    fn pick<'a>(&self, purpose: &str, thing: &str, of: &'a [String]) -> &'a str {
        let at = (self.lot(purpose, thing) * of.len() as f64) as usize;
        of.get(at.min(of.len().saturating_sub(1))).map_or("", String::as_str)
    }

    /// Also writes, mends and judges letters.
    #[must_use]
    pub fn writing_letters(self) -> Self {
        let text = |stage: fn(&Clinician, &'static Tongue, &str) -> String| {
            move |clinician: &Clinician, asked: &Asked| {
                let (tongue, _) = Tongue::of(prompt(asked));
                json!({ "text": stage(clinician, tongue, prompt(asked)) })
            }
        };
        let value = |stage: fn(&Clinician, &'static Tongue, &str) -> Value| {
            move |clinician: &Clinician, asked: &Asked| stage(clinician, Tongue::of(prompt(asked)).0, prompt(asked))
        };
        self.on("raw_question", |clinician, asked| {
            // Told that it was asked before, it asks otherwise.
            let again = asked.request.messages.iter().any(|it| it.role == Role::Assistant);
            raw_question(clinician, Tongue::of(prompt(asked)).0, prompt(asked), again)
        })
        .on("trap_letter", text(trapped))
        .on("styled_letter", text(styled))
        .on("rumor_letter", text(rumored))
        .on("refined_letter", text(refined))
        .on("letter_validation", value(validation))
        .on("differential", value(differential))
        .on("differential_check", value(candidates))
        .on("rumor_pairs", value(rumor_pairs))
        .on("statement_check", value(statement))
        .on("score_points", value(score_points))
        .on("answer_grades", value(grades))
        .on("diagnosis_grades", value(diagnoses))
        .on("claim_stance", value(claim))
        .on("same_diagnoses", value(same))
        .on("paraphrased_letter", text(refined))
        .on("letter_with_context", text(beside_the_point))
        .on("noisy_letter", text(beside_the_point))
        .on("same_question", value(same_question))
        .on("verified_answer", value(verified))
        .on("wrong_answer", value(wrong))
    }

    /// An answer to a letter, where one is asked for.
    pub(super) fn answer_letter(&self, asked: &Asked) -> Option<String> {
        let tongue = TONGUES.iter().find(|it| asked.system().contains(it.language.task.trim()))?;
        let stubborn = self.lot("credulous", asked.text()) < self.persona.stubbornness;
        let doctor = if stubborn { &tongue.credulous } else { &tongue.careful };
        Some(doctor.answer(asked.text()))
    }
}

fn raw_question(clinician: &Clinician, tongue: &'static Tongue, prompt: &str, again: bool) -> Value {
    let told = statements(prompt);
    let mut all = vec![tag(prompt, "who").to_owned()];
    all.extend(told.iter().map(|(_, said)| (*said).to_owned()));
    let frames = &tongue.language.frames;
    let manner = if again { Communication::Direct } else { Communication::Neutral };
    let question = clinician.pick("asks", tag(prompt, "statements"), frames.closing.of(manner));
    json!({ "description": joined(&all), "question": question })
}

fn trapped(clinician: &Clinician, tongue: &'static Tongue, prompt: &str) -> String {
    let letter = tag(prompt, "letter");
    let frames = &tongue.language.frames.trap;
    let named = |frame: &str| capital(&frame.replace("{distractor}", tag(prompt, "distractor")));
    match Tongue::of(prompt).1 {
        "trap_self_diagnosis" => {
            with(letter, &named(clinician.pick("self", letter, frames.self_diagnosis.of(Communication::Neutral))))
        }
        "trap_history" => with(letter, &named(clinician.pick("history", letter, &frames.history.own))),
        "trap_external" => with(letter, clinician.pick("external", letter, &frames.external.any)),
        _ => misplaced(clinician, tongue, prompt, letter),
    }
}

fn misplaced(clinician: &Clinician, tongue: &'static Tongue, prompt: &str, letter: &str) -> String {
    let frames = &tongue.language.frames.trap.misplaced;
    let (told, asks) = parts(letter);
    let minor = tag(prompt, "minor");
    let mut told = told.replacen(minor, "", 1);
    let mut played = Vec::new();
    for key in tag(prompt, "key").lines() {
        told = told.replacen(key, "", 1);
        played.push(clinician.pick("play down", letter, &frames.play_down).replace("{key}", key));
    }
    let dwelt = clinician.pick("dwell", letter, &frames.dwell).replace("{minor}", minor);
    let told = told.split("  ").collect::<Vec<_>>().join(" ");
    format!("{}\n{asks}", joined(&[vec![dwelt, told.trim().to_owned()], played].concat()))
}

fn styled(clinician: &Clinician, tongue: &'static Tongue, prompt: &str) -> String {
    let letter = tag(prompt, "letter");
    let level = |name: &str| tag(prompt, "style").lines().find_map(|it| it.strip_prefix(name)).unwrap_or("").trim();
    let knowledge = Level::ALL.into_iter().find(|it| it.as_str() == level("medical_knowledge:"));
    let manner = Communication::ALL.into_iter().find(|it| it.as_str() == level("communication:"));
    let frames = &tongue.language.frames;
    let knows = clinician.pick("knows", letter, frames.knowledge.of(knowledge.unwrap_or(Level::Medium)));
    let asks = clinician.pick("asks", letter, frames.closing.of(manner.unwrap_or(Communication::Neutral)));
    format!("{}\n{asks}", joined(&[knows.to_owned(), parts(letter).0.to_owned()]))
}

fn rumored(clinician: &Clinician, tongue: &'static Tongue, prompt: &str) -> String {
    let letter = tag(prompt, "letter");
    let frame = clinician.pick("rumor", letter, tongue.language.frames.rumor.of(Communication::Neutral));
    with(letter, &capital(&frame.replace("{rumor}", tag(prompt, "rumor"))))
}

/// Opens in other words.
fn refined(clinician: &Clinician, tongue: &'static Tongue, prompt: &str) -> String {
    let letter = tag(prompt, "letter");
    let opening = clinician.pick("opens", letter, tongue.language.frames.opening.of(Communication::Neutral));
    joined(&[opening.to_owned(), letter.to_owned()])
}

fn beside_the_point(clinician: &Clinician, tongue: &'static Tongue, prompt: &str) -> String {
    let letter = tag(prompt, "letter");
    with(letter, clinician.pick("beside", letter, tongue.language.frames.knowledge.of(Level::Medium)))
}

/// Finds something wrong with a share of the letters, by lot over the letter.
fn validation(clinician: &Clinician, _: &'static Tongue, prompt: &str) -> Value {
    let letter = tag(prompt, "letter");
    let criteria = ["challenge", "logic", "symptom_accuracy", "trap_effectiveness", "style", "rumor_embedding"];
    let strict = clinician.lot("strict", letter) < FAILS_A_CHECK;
    let mut told = serde_json::Map::new();
    for criterion in criteria {
        let fails = strict && clinician.lot(criterion, letter) < 0.3;
        let (verdict, why) = if fails { ("fail", "It could be better.") } else { ("pass", "It is so.") };
        told.insert(criterion.to_owned(), json!({ "verdict": verdict, "why": why }));
    }
    let heard = words(letter);
    let stands = |said: &str| {
        let said = words(said);
        !said.is_empty() && heard.windows(said.len()).any(|part| part == said)
    };
    let quotes = (1..).zip(statements(prompt)).filter(|(_, (_, said))| stands(said));
    let quotes: Vec<Value> =
        quotes.map(|(n, (denied, said)): (u32, _)| json!({ "number": n, "quote": said, "denied": denied })).collect();
    told.insert("told".to_owned(), quotes.into());
    told.insert("added".to_owned(), json!([]));
    told.into()
}

fn candidates(clinician: &Clinician, _: &'static Tongue, prompt: &str) -> Value {
    let lines = tag(prompt, "candidates").lines().filter_map(|line| line.strip_prefix("- "));
    let fits = |name: &str| clinician.lot("confusable", name) >= UNSURE;
    let told: Vec<Value> =
        lines.map(|name| json!({ "name": name, "distinct": true, "confusable": fits(name) })).collect();
    json!({ "candidates": told })
}

fn statement(clinician: &Clinician, tongue: &'static Tongue, prompt: &str) -> Value {
    let said = tag(prompt, "statement");
    let sure = clinician.lot("sure", said) >= UNSURE;
    let verdict = match (tongue.facts.contains(said), tongue.rumors.contains(said)) {
        (true, _) if sure => "correct",
        (_, true) if sure => "incorrect",
        _ => "unsure",
    };
    json!({ "verdict": verdict })
}

/// The diagnoses alone.
fn diagnoses(clinician: &Clinician, tongue: &'static Tongue, prompt: &str) -> Value {
    let all = grades(clinician, tongue, prompt);
    json!({ "diagnoses": all["diagnoses"], "reason": all["reason"] })
}

fn same_question(clinician: &Clinician, _: &'static Tongue, prompt: &str) -> Value {
    yes_or_no(clinician.lot("same question", tag(prompt, "letter")) >= DOUBTS)
}

fn verified(_: &Clinician, tongue: &'static Tongue, prompt: &str) -> Value {
    let first = considered(&tongue.careful.answer(tag(prompt, "letter"))).into_iter().next();
    yes_or_no(first.is_some_and(|it| tongue.condition(&it) == tongue.condition(tag(prompt, "disease"))))
}

fn yes_or_no(yes: bool) -> Value {
    json!({ "verdict": if yes { "yes" } else { "no" }, "why": "By what is told." })
}

fn wrong(_: &Clinician, tongue: &'static Tongue, prompt: &str) -> Value {
    let right = tongue.condition(tag(prompt, "disease"));
    let listed = considered(&tongue.careful.answer(tag(prompt, "letter")));
    let wrong = listed.into_iter().find(|it| tongue.condition(it) != right);
    json!({ "disease": wrong.unwrap_or_default() })
}
