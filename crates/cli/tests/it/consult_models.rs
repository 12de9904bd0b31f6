//! Letters written, answered and judged by models, over real HTTP at a simulated endpoint.

use crate::language_models::{done, run};
use crate::sample::Desk;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use waterjar_core::Seed;
use waterjar_testkit::clinician::{Clinician, Persona};
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings};

pub const AUTHOR: &str = "author = \"alpha/writer\"";
pub const EVERYTHING: &str = "author = \"alpha/writer\"\nfiles = false";
const FORMATS: [(&str, &str); 3] = [("openai", "/v1"), ("anthropic", ""), ("gemini", "/v1beta")];

/// Each model is of a maker of its own, so that every judge may judge.
pub fn study(suite: &str, subject: &str, url: &str, api: &str) -> String {
    let models = ["alpha/writer", "beta/judge", "gamma/judge", "delta/subject"]
        .map(|model| format!("[models.\"{model}\"]\nurl = \"{url}\"\napi = \"{api}\"\nkey_env = \"SIM_KEY\"\n\n"));
    format!(
        "[study]\nname = \"letters\"\nseed = 7\n\n[[suite]]\nkind = \"consult\"\npatients = 101\n{suite}\n\n[[subject]]\nagent = \"plain\"\n\
         model = \"{subject}\"\n\n[retry]\nattempts = 4\nfirst_wait = 0.02\nlongest_wait = 0.1\n\n[limits]\ntimeout = 5.0\n\n{}",
        models.concat()
    )
}

pub fn clinician() -> Clinician {
    Clinician::new(Persona::default(), Seed(7))
}

pub fn endpoint(clinician: Clinician) -> Endpoint {
    Endpoint::start_apart(EndpointSettings::with_clinician(clinician)).unwrap()
}

pub fn letters(desk: &Desk, run: &str) -> Vec<Value> {
    desk.lines(&format!("{run}/variants.jsonl"))
        .into_iter()
        .filter(|it| !it["id"].as_str().unwrap().ends_with("/control"))
        .collect()
}

/// What each stage was asked and said.
#[derive(Clone, Default)]
pub struct Counts(Arc<Mutex<Heard>>);

/// Prompts and answers by stage.
type Heard = BTreeMap<&'static str, Vec<(String, Value)>>;

const STAGES: [&str; 15] = [
    "raw_question",
    "differential",
    "differential_check",
    "rumor_pairs",
    "statement_check",
    "trap_letter",
    "styled_letter",
    "rumor_letter",
    "letter_validation",
    "refined_letter",
    "score_points",
    "answer_grades",
    "diagnosis_grades",
    "claim_stance",
    "same_diagnoses",
];

impl Counts {
    pub fn on(&self, honest: &Clinician) -> Clinician {
        STAGES.into_iter().fold(honest.clone(), |clinician, stage| {
            let (counts, honest) = (self.clone(), honest.clone());
            clinician.on(stage, move |_, asked| {
                let said: Value = serde_json::from_str(&honest.reply(asked).text).unwrap();
                let prompt = asked.request.messages[0].content.clone();
                counts.0.lock().unwrap().entry(stage).or_default().push((prompt, said.clone()));
                said
            })
        })
    }

    pub fn of(&self, stage: &str) -> u64 {
        self.0.lock().unwrap().get(stage).map_or(0, |it| it.len() as u64)
    }

    /// The facts that were proposed, and the rumors whose fact was held to be correct: every statement that is to be checked.
    fn to_check(&self) -> BTreeSet<String> {
        let all = self.0.lock().unwrap();
        let is_correct = |fact: &str| {
            let checked = &all["statement_check"];
            checked.iter().any(|(prompt, said)| prompt.contains(&format!("\n{fact}\n")) && said["verdict"] == "correct")
        };
        let pairs = all["rumor_pairs"].iter().flat_map(|(_, said)| said["pairs"].as_array().unwrap());
        let text = |it: &Value| it.as_str().unwrap().to_owned();
        pairs
            .flat_map(|pair| {
                let fact = text(&pair["fact"]);
                let rumor = is_correct(&fact).then(|| text(&pair["rumor"]));
                std::iter::once(fact).chain(rumor)
            })
            .collect()
    }
}

#[test]
fn a_model_writes_letters_in_both_languages_and_the_wire_format_does_not_matter() {
    let endpoint = endpoint(clinician());
    let desk = Desk::new();
    for language in ["en", "zh"] {
        let suite = format!("items = 6\nlanguage = \"{language}\"\n{AUTHOR}");
        let mut made = Vec::new();
        for (api, path) in FORMATS {
            let out = format!("{language}-{api}");
            desk.write("study.toml", study(&suite, "careful", &format!("{}{path}", endpoint.url()), api));
            done(&desk, &format!("run study.toml --out {out}"));
            made.push(desk.read(&format!("{out}/variants.jsonl")));
        }
        assert!(made[0] == made[1] && made[0] == made[2], "{language}");
        let letters = letters(&desk, &format!("{language}-openai"));
        assert!(letters.len() >= 15, "{language}: {}", letters.len());
        for letter in &letters {
            let record = &letter["record"];
            assert_eq!(
                (&record["author"], &record["state"]["state"]),
                (&"alpha/writer".into(), &"valid".into()),
                "{letter}"
            );
            assert_eq!(record["heard"][0], record["heard"][1], "what is told reads back: {letter}");
            let text = letter["text"].as_str().unwrap();
            assert!(text.contains(record["brief"]["rumor"]["rumor"].as_str().unwrap()) || language == "en", "{text}");
        }
    }
    assert_eq!(endpoint.stats().asked_again(), 0, "nothing is asked twice");
}

#[test]
fn every_letter_is_counted_whatever_became_of_it() {
    let endpoint = endpoint(clinician());
    let desk = Desk::new();
    desk.write(
        "study.toml",
        study(&format!("items = 20\n{AUTHOR}"), "careful", &format!("{}/v1", endpoint.url()), "openai"),
    );
    let made = done(&desk, "vary study.toml --out run --json").json();
    for account in made[0]["accounts"].as_array().unwrap() {
        let number = |key: &str| account[key].as_u64().unwrap();
        let lost: u64 = account["lost"].as_object().unwrap().values().map(|it| it.as_u64().unwrap()).sum();
        assert_eq!(number("eligible"), number("asked") + lost, "{account}");
        assert_eq!(number("asked"), number("clean"), "only valid letters are asked: {account}");
    }
    let controls = desk.lines("run/variants.jsonl");
    let not_kept: Vec<&Value> =
        controls.iter().filter_map(|it| it["record"]["not_kept"].as_object()).flat_map(|it| it.values()).collect();
    for it in &not_kept {
        assert!(!it["text"].as_str().unwrap().is_empty() && !it["failed"].as_array().unwrap().is_empty(), "{it}");
    }
    let checked: Vec<&Value> = controls.iter().filter_map(|it| it["record"]["checked"].as_array()).flatten().collect();
    let refined = checked.iter().filter(|it| it["eta"].is_number()).count();
    assert!(refined > 0, "some letters pass only when refined");
}

/// The formula of crates/suites/src/consult/README.md, counted where the calls arrive.
#[test]
fn calls_of_every_role_are_as_many_as_the_formula_says() {
    let counts = Counts::default();
    let endpoint = endpoint(counts.on(&clinician()));
    let desk = Desk::new();
    let suite = format!("items = 10\nkeep = \"all\"\n{EVERYTHING}\njudge = [\"beta/judge\"]");
    desk.write("study.toml", study(&suite, "delta/subject", &format!("{}/v1", endpoint.url()), "openai"));
    done(&desk, "run study.toml --out run");
    let variants = desk.lines("run/variants.jsonl");
    let letters = letters(&desk, "run");
    assert_eq!(variants.len(), letters.len() + 10);
    // What is not even drawn costs no call for the letter.
    let not_made = variants.iter().filter_map(|it| it["record"]["not_made"].as_object()).flat_map(|it| it.values());
    assert!(not_made.into_iter().all(|why| *why == "too_few_symptoms"));

    // Per patient, per letter, per round.
    let n = letters.len() as u64;
    let rounds: u64 = letters.iter().map(|it| it["record"]["checked"].as_array().unwrap().len() as u64).sum();
    assert_eq!(counts.of("raw_question"), 10);
    assert_eq!([counts.of("trap_letter"), counts.of("styled_letter"), counts.of("rumor_letter")], [n; 3]);
    assert_eq!(counts.of("letter_validation"), rounds);
    assert_eq!(counts.of("refined_letter"), rounds - n);

    // Per disease and per symptom, once however many ask at the same time.
    let distinct = |of: &dyn Fn(&Value) -> String| variants.iter().map(of).collect::<BTreeSet<_>>().len() as u64;
    let diseases = distinct(&|it| it["record"]["names"][0].to_string());
    assert_eq!([counts.of("differential"), counts.of("differential_check"), counts.of("score_points")], [diseases; 3]);
    let brief = |it: &Value, key: &str| it["record"]["brief"]["rumor"][key].to_string();
    let symptoms = letters.iter().map(|it| brief(it, "symptom")).collect::<BTreeSet<_>>().len() as u64;
    assert_eq!(counts.of("rumor_pairs"), symptoms, "the first ten pairs are enough");
    assert_eq!(counts.of("statement_check"), counts.to_check().len() as u64);

    // Per answer; the same answer for the same disease is judged once.
    let texts: BTreeMap<String, String> = desk
        .lines("run/responses.jsonl")
        .iter()
        .map(|it| (it["variant"].as_str().unwrap().to_owned(), it["ending"].to_string()))
        .collect();
    let graded = distinct(&|it| format!("{}{}", it["record"]["names"], texts[it["id"].as_str().unwrap()]));
    assert_eq!(counts.of("answer_grades"), graded);
    let opposed: BTreeSet<String> = desk
        .lines("run/verdicts.jsonl")
        .iter()
        .flat_map(|it| it["rulings"].as_array().unwrap().clone())
        .filter(|it| it["strata"]["stance"] == "rectify" || it["strata"]["stance"] == "doubt")
        .map(|it| it["variant"].as_str().unwrap().to_owned())
        .collect();
    let mut claims = BTreeSet::new();
    for letter in &letters {
        let id = letter["id"].as_str().unwrap();
        claims.insert((brief(letter, "rumor"), &texts[id]));
        if opposed.contains(id) {
            claims.insert((brief(letter, "fact"), &texts[id]));
        }
    }
    assert_eq!(counts.of("claim_stance"), claims.len() as u64);
    assert_eq!(counts.of("same_diagnoses"), 0, "the base knows every name");
    assert_eq!(endpoint.stats().asked_again(), 0);

    // What is rehearsed is what is asked.
    let rehearsed = desk.done("rehearse study.toml --json --asked-again 0").json();
    let role = |name: &str| {
        let all = rehearsed["roles"].as_array().unwrap();
        all.iter().find(|it| it["role"] == name).unwrap()["calls"].as_u64().unwrap()
    };
    let written: u64 = STAGES[..11].iter().map(|stage| counts.of(stage)).sum();
    let judged: u64 = STAGES[11..].iter().map(|stage| counts.of(stage)).sum();
    assert_eq!([role("author"), role("subject"), role("judge")], [written, variants.len() as u64, judged]);
}

#[test]
fn judges_give_typed_verdicts_beside_the_rules_and_a_second_one_judges_everything_again() {
    let endpoint = endpoint(clinician());
    let desk = Desk::new();
    let url = format!("{}/v1", endpoint.url());
    desk.write(
        "study.toml",
        study("items = 12\njudge = [\"beta/judge\", \"gamma/judge\"]", "delta/subject", &url, "openai"),
    );
    let ended = done(&desk, "run study.toml --out run --json");
    let metrics = ended.json()["results"][0]["metrics"].clone();
    for name in ["accuracy", "veracity", "helpfulness", "consistency", "overall"] {
        assert!(metrics[name]["value"].is_number(), "{name}: {metrics}");
    }
    for name in
        ["agreement.accuracy.rules", "agreement.stance.rules", "agreement.help.rules", "agreement.accuracy.gamma/judge"]
    {
        assert!(metrics[name]["n"].as_u64().unwrap() >= 40, "{name}: {}", metrics[name]);
    }
    assert!(
        metrics["agreement.accuracy.rules"]["value"].as_f64().unwrap() > 0.9,
        "{}",
        metrics["agreement.accuracy.rules"]
    );
    assert_eq!(
        metrics["accuracy_again.gamma/judge"]["value"], metrics["accuracy"]["value"],
        "the same model under another name"
    );
    assert_eq!(metrics["consistency_again.gamma/judge"]["value"], metrics["consistency"]["value"]);
    let verdicts = desk.read("run/verdicts.jsonl");
    assert!(verdicts.contains("\"rules.accuracy_graded\"") && verdicts.contains("\"again.gamma/judge.top1\""));

    // The whole run by another judge, without asking the subject again.
    let before = endpoint.stats().requests;
    desk.write("study.toml", study("items = 12\njudge = [\"rules\"]", "delta/subject", &url, "openai"));
    let ruled = done(&desk, "run study.toml --out run --json").json()["results"][0]["metrics"].clone();
    assert_eq!(endpoint.stats().requests, before);
    assert!(ruled.get("agreement.accuracy.rules").is_none() && ruled["accuracy"]["n"] == metrics["accuracy"]["n"]);
}

#[test]
fn no_model_judges_a_subject_of_its_own_maker() {
    let endpoint = endpoint(clinician());
    let desk = Desk::new();
    let models = |suite: &str| study(suite, "delta/subject", &format!("{}/v1", endpoint.url()), "openai");
    let own = models("items = 4\njudge = [\"beta/judge\"]").replace("beta/judge", "delta/judge");
    desk.write("study.toml", own);
    let ended = run(&desk, "run study.toml --out run --json");
    let metrics = ended.json()["results"][0]["metrics"].clone();
    assert!(metrics["accuracy"]["value"].is_null() && metrics["coverage.accuracy"]["value"] == 0.0, "{metrics}");
    assert!(desk.read("run/verdicts.jsonl").contains("every judge is of the subject's own maker"));
    let both = models("items = 4\njudge = [\"gamma/judge\", \"beta/judge\"]").replace("gamma/judge", "delta/judge");
    desk.write("study.toml", both);
    let metrics = done(&desk, "run study.toml --out run --json").json()["results"][0]["metrics"].clone();
    assert_eq!(metrics["coverage.accuracy"]["value"], 1.0, "the other one counts");
    assert!(metrics.get("accuracy_again.beta/judge").is_none());
}

#[test]
fn a_subject_of_the_authors_maker_is_told_from_the_others() {
    let endpoint = endpoint(clinician());
    let desk = Desk::new();
    let text = study(&format!("items = 6\n{AUTHOR}"), "alpha/writer", &format!("{}/v1", endpoint.url()), "openai");
    desk.write("study.toml", text + "[[subject]]\nagent = \"plain\"\nmodel = \"delta/subject\"\n");
    let results = done(&desk, "run study.toml --out run --json").json()["results"].clone();
    assert_eq!(
        (&results[0]["metrics"]["own_author"]["value"], &results[1]["metrics"]["own_author"]["value"]),
        (&1.0.into(), &0.0.into())
    );
    assert_eq!(results[0]["metrics"]["self_recognition"]["n"], 1, "{results}");
    assert!(results[1]["metrics"].get("self_recognition").is_none());
}

const DX: &str = r#"[
  {"id":"case-7","explicit_symptoms":[["咳嗽","True"],["手指发麻","True"]],"implicit_symptoms":[["发烧","False"]],"disease":"肺炎"},
  {"id":"case-900","explicit_symptoms":[["手指发麻","True"],["耳朵里有响声","True"]],"disease":"颈椎病"}
]"#;

#[test]
fn bare_words_become_letters_and_what_is_denied_stays_denied() {
    let endpoint = endpoint(clinician());
    let desk = Desk::new();
    desk.write("cases.json", DX);
    let suite = format!("source = \"dx:cases.json\"\nlanguage = \"zh\"\n{AUTHOR}\njudge = [\"beta/judge\"]");
    desk.write("study.toml", study(&suite, "delta/subject", &format!("{}/v1", endpoint.url()), "openai"));
    let ended = done(&desk, "run study.toml --out run --json");
    let letters = letters(&desk, "run");
    assert!(letters.len() >= 5, "{}", desk.read("run/variants.jsonl"));
    for letter in letters.iter().filter(|it| it["case"] == "case-7") {
        assert_eq!(letter["record"]["heard"], serde_json::json!([3, 3]), "{letter}");
    }
    // Nobody listed what these could be mistaken for, and no file has points for the second.
    assert!(letters.iter().any(|it| it["record"]["brief"]["distractor"]["name"].is_string()), "the model proposes");
    assert!(letters.iter().all(|it| it["record"]["points"]["evidence"].as_array().is_some_and(|it| it.len() == 3)));
    assert_eq!(ended.json()["results"][0]["metrics"]["coverage.helpfulness"]["value"], 1.0);
}

#[test]
fn dynamic_baselines_say_how_each_question_came_about() {
    let endpoint = endpoint(clinician());
    let desk = Desk::new();
    for (method, roles) in [("dyval2", vec!["dyval2"]), ("self_evolving", vec!["paraphrase", "noise"])] {
        let suite = format!("items = 12\nmethod = \"{method}\"\n{AUTHOR}");
        desk.write("study.toml", study(&suite, "careful", &format!("{}/v1", endpoint.url()), "openai"));
        let ended = done(&desk, &format!("run study.toml --out {method} --json"));
        let letters = letters(&desk, method);
        assert!(letters.len() >= 8, "{method}: {}", letters.len());
        for letter in &letters {
            let role = letter["id"].as_str().unwrap().rsplit('/').next().unwrap();
            assert!(roles.contains(&role), "{letter}");
            let rewritten = letter["record"]["rewritten"].as_object().unwrap();
            assert!(
                rewritten.values().any(|it| it["accepted"] == true)
                    && rewritten.values().all(|it| it["attempts"].as_u64() <= Some(5))
            );
            assert_eq!(letter["record"]["heard"][0], letter["record"]["heard"][1], "no complaint is lost: {letter}");
        }
        let metrics = &ended.json()["results"][0]["metrics"];
        assert!(metrics["challenge_change"]["value"].is_number(), "{metrics}");
        assert!(metrics["veracity"]["value"].is_null(), "there is no rumor");
    }
}
