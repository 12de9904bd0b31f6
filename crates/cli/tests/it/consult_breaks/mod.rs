//! Every row of specs 9.1 to 9.3: what breaks DyReMe, DyVal2 and Self-Evolving, and what becomes of it here. The name of a test begins with
//! its row. Rows that concern any call to a model are covered elsewhere:
//!
//! | row | test |
//! |---|---|
//! | 9.1 text call keeps failing | `what_breaks::every_fault_ends_every_question_in_the_state_that_names_it` |
//! | 9.1 persona without style | `consultations/tests/languages.rs: a_persona_without_a_style_is_refused_with_its_file` |
//! | 9.1 several questions of one diagnosis at once | `consult_models::calls_of_every_role_are_as_many_as_the_formula_says` |
//! | 9.1 429/5xx | `engine gateway::retried: retry_after_is_honoured_and_never_undercut`, `what_cannot_pass_is_not_tried_again`; `row_9_1_14` here |
//! | 9.2 a question id that is always skipped | there is none: no id has a meaning |

mod baselines;
mod judging;
mod writing;

use crate::consult_models::{AUTHOR, EVERYTHING, clinician, endpoint, letters, study};
use crate::language_models::{done, run};
use crate::sample::Desk;
use serde_json::{Value, json};
use std::time::Duration;
use waterjar_core::Seed;
use waterjar_testkit::clinician::Clinician;
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings, Fault, Faults, Rule, Script, Takes};

struct Varied {
    desk: Desk,
    summary: Value,
    requests: u64,
}

impl Varied {
    fn letters(&self) -> Vec<Value> {
        letters(&self.desk, "run")
    }

    /// How many letters of all groups were lost for a reason.
    fn lost(&self, reason: &str) -> u64 {
        let accounts = self.summary["accounts"].as_array().cloned().unwrap_or_default();
        let of_letters: u64 = accounts.iter().filter_map(|it| it["lost"][reason].as_u64()).sum();
        of_letters.max(self.summary["losses"][reason].as_u64().unwrap_or(0))
    }

    fn roles(&self) -> Vec<String> {
        let role = |it: &Value| it["id"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        let mut roles: Vec<String> = self.letters().iter().map(role).collect();
        roles.sort();
        roles.dedup();
        roles
    }
}

fn vary_at(settings: EndpointSettings, suite: &str) -> Varied {
    let endpoint = Endpoint::start_apart(settings).unwrap();
    let desk = Desk::new();
    desk.write(
        "study.toml",
        study(&format!("items = 3\n{suite}"), "careful", &format!("{}/v1", endpoint.url()), "openai"),
    );
    let ended = run(&desk, "vary study.toml --out run --json");
    // 3: a case is undecided because a model gave no answer.
    assert!(matches!(ended.code, Some(0 | 3)), "{}", ended.stderr);
    Varied { summary: ended.json()[0].clone(), desk, requests: endpoint.stats().requests }
}

fn vary(clinician: Clinician, suite: &str) -> Varied {
    vary_at(EndpointSettings::with_clinician(clinician), suite)
}

/// Says nothing that fits.
fn nonsense(stage: &str) -> Clinician {
    clinician().on(stage, |_, _| json!({ "nothing": true }))
}

fn honest(asked: &waterjar_testkit::Asked) -> Value {
    serde_json::from_str(&clinician().reply(asked).text).unwrap()
}

/// Of how many patients there is no letter.
fn lost_patients(made: &Varied) -> u64 {
    let left_alone = ["not_needed", "not_tried"];
    let losses = made.summary["losses"].as_object().unwrap().iter();
    losses.filter(|(why, _)| !left_alone.contains(&why.as_str())).map(|(_, n)| n.as_u64().unwrap()).sum()
}
