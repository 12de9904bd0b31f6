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

use crate::consult_models::{AUTHOR, EVERYTHING, clinician, done, endpoint, letters, lines, study};
use crate::language_models::run;
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
    vary_at(EndpointSettings { clinician, ..EndpointSettings::default() }, suite)
}

/// Says nothing that fits.
fn nonsense(stage: &str) -> Clinician {
    clinician().on(stage, |_, _| json!({ "nothing": true }))
}

fn honest(asked: &waterjar_testkit::Asked) -> Value {
    serde_json::from_str(&clinician().reply(asked).text).unwrap()
}

#[test]
fn row_9_1_1_a_json_call_that_keeps_failing_is_a_counted_loss() {
    let made = vary(nonsense("raw_question"), AUTHOR);
    assert_eq!(made.summary["families"], 0, "{}", made.summary);
    // Twelve of whom nothing came: more would only cost more.
    assert_eq!((lost_patients(&made), &made.summary["losses"]["not_tried"]), (12, &89.into()), "{}", made.summary);
    assert_eq!(made.lost("raw_question_unusable"), 48, "each of their letters is counted: {}", made.summary);
    for stage in ["trap_letter", "styled_letter", "rumor_letter"] {
        let made = vary(nonsense(stage), &format!("{AUTHOR}\ntraps = [\"external\"]"));
        assert!(made.lost(&format!("{stage}_unusable")) > 0 && made.letters().is_empty(), "{stage}: {}", made.summary);
    }
}

/// Of how many patients there is no letter.
fn lost_patients(made: &Varied) -> u64 {
    let left_alone = ["not_needed", "not_tried"];
    let losses = made.summary["losses"].as_object().unwrap().iter();
    losses.filter(|(why, _)| !left_alone.contains(&why.as_str())).map(|(_, n)| n.as_u64().unwrap()).sum()
}

/// Finds the letters of a share of patients illogical, whatever the trap.
fn illogical(percent: i64) -> Clinician {
    clinician().on("letter_validation", move |clinician, asked| {
        let mut told = honest(asked);
        let prompt = asked.request.messages[0].content.as_str();
        let statements = prompt.rsplit_once("<statements>").unwrap().1.split_once("</statements>").unwrap().0;
        if clinician.seed().rank("illogical", statements) % 100 < percent {
            told["logic"] = json!({ "verdict": "fail", "why": "It does not hold together." });
        }
        told
    })
}

#[test]
fn a_patient_without_a_valid_letter_is_counted_letter_by_letter_and_its_texts_are_kept() {
    let made = vary(illogical(50), AUTHOR);
    let (families, lost) = (made.summary["families"].as_u64().unwrap(), lost_patients(&made));
    assert!(families == 3 && lost > 0, "{}", made.summary);
    let accounts = made.summary["accounts"].as_array().unwrap();
    assert!(accounts.iter().all(|it| it["eligible"].as_u64() == Some(families + lost)), "{}", made.summary);
    assert!(made.lost("exhausted_logic") >= 3 * lost, "{}", made.summary);
    // Their raw question and every letter with what it failed.
    let rejected = lines(&made.desk, "run/lost.jsonl");
    assert_eq!(rejected.len() as u64, lost);
    for patient in &rejected {
        let not_kept = patient["record"]["not_kept"].as_object().unwrap();
        assert!(!patient["text"].as_str().unwrap().is_empty() && not_kept.len() >= 3, "{patient}");
        let failed = |it: &Value| it["failed"].as_array().unwrap().contains(&"logic".into());
        assert!(not_kept.values().all(|it| failed(it) && !it["text"].as_str().unwrap().is_empty()), "{patient}");
    }
}

#[test]
fn where_nothing_comes_out_it_stops_and_says_so() {
    let endpoint = endpoint(illogical(100));
    let desk = Desk::new();
    desk.write(
        "study.toml",
        study(&format!("items = 6\n{AUTHOR}"), "careful", &format!("{}/v1", endpoint.url()), "openai"),
    );
    let ended = run(&desk, "vary study.toml --out run --json");
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(ended.stderr.contains("nothing came of many cases in a row; 83 more were not tried"), "{}", ended.stderr);
    assert_eq!(ended.json()[0]["losses"]["exhausted_logic"], 18, "three times as many as are wanted");
    let asked = endpoint.stats().requests;
    // The same command goes on with the next ones, and `run` ends the same way.
    let ended = run(&desk, "run study.toml --out run");
    assert!(ended.code == Some(3) && ended.stderr.contains("exhausted_logic 36, not_tried 65"), "{}", ended.stderr);
    assert!(endpoint.stats().requests < 3 * asked, "{} after {asked}", endpoint.stats().requests);
}

#[test]
fn row_9_1_3_without_differentials_the_traps_that_need_none_are_made() {
    for told in [json!({ "diseases": [] }), json!({ "nothing": true })] {
        let made = vary(clinician().on("differential", move |_, _| told.clone()), EVERYTHING);
        assert_eq!(made.roles(), ["external", "misplaced"], "{}", made.summary);
        assert!(made.lost("differential_unusable") >= 6, "{}", made.summary);
    }
    // What is proposed and is the same disease by another name does not pass the gate.
    let made = vary(
        clinician().on("differential", |_, asked| {
            let prompt = &asked.request.messages[0].content;
            let disease = prompt.rsplit_once("<disease>\n").unwrap().1.split('\n').next().unwrap();
            json!({ "diseases": [disease, format!("Acute {disease}"), format!("chronic {disease}")] })
        }),
        EVERYTHING,
    );
    assert!(made.lost("no_differential") >= 6 && made.roles() == ["external", "misplaced"], "{}", made.summary);
}

#[test]
fn row_9_1_5_a_patient_without_symptoms_is_lost_by_name() {
    let endpoint = endpoint(clinician());
    let desk = Desk::new();
    desk.write(
        "cases.json",
        r#"[{"id":"Dxy_30","explicit_symptoms":[],"disease":"肺炎"},{"id":"b","explicit_symptoms":[["咳嗽","False"]],"disease":"肺炎"},
            {"id":"c","explicit_symptoms":[["咳嗽","True"]],"disease":"肺炎"}]"#,
    );
    let suite = format!("source = \"dx:cases.json\"\nlanguage = \"zh\"\n{AUTHOR}");
    desk.write("study.toml", study(&suite, "delta/subject", &format!("{}/v1", endpoint.url()), "openai"));
    let made = done(&desk, "vary study.toml --out run --json").json();
    assert_eq!((&made[0]["losses"]["no_symptoms"], &made[0]["families"]), (&2.into(), &1.into()), "{made}");
}

#[test]
fn row_9_1_6_without_a_valid_rumor_the_letters_are_lost_by_name_after_five_attempts() {
    let unsure = clinician().on("statement_check", |_, _| json!({ "verdict": "unsure" }));
    let made = vary(unsure, &format!("{EVERYTHING}\ntraps = [\"external\"]"));
    assert!(made.letters().is_empty() && made.lost("no_rumor") > 0, "{}", made.summary);
    // A raw question, and for a symptom five times ten pairs whose facts nobody vouches for.
    assert!(made.requests <= lost_patients(&made) * (1 + 5 * 11), "{}", made.requests);
}

#[test]
fn row_9_1_6_fewer_than_three_valid_pairs_are_none() {
    // So many of the pairs of a symptom hold, the same ones at every attempt.
    let holding = |n: usize| {
        clinician().on("rumor_pairs", move |_, asked| {
            let mut told = honest(asked);
            for (at, pair) in told["pairs"].as_array_mut().unwrap().iter_mut().enumerate() {
                let (word, at) = (if at < n { "truth" } else { "guess" }, char::from(b'a' + at as u8));
                let (rumor, fact) = (format!("falsehood {at}"), format!("{word} {at}"));
                (pair["rumor"], pair["fact"]) = (rumor.into(), fact.into());
            }
            told
        })
    };
    let checked = |clinician: Clinician| {
        clinician.on("statement_check", |_, asked| {
            let prompt = asked.request.messages[0].content.as_str();
            let of = |word: &str| prompt.contains(&format!("\n{word}"));
            json!({ "verdict": if of("truth") { "correct" } else if of("falsehood") { "incorrect" } else { "unsure" } })
        })
    };
    let suite = format!("{EVERYTHING}\ntraps = [\"external\"]");
    for (n, comes) in [(1, false), (2, false), (3, true)] {
        let made = vary(checked(holding(n)), &suite);
        assert_eq!(made.summary["families"] == 3, comes, "{n}: {}", made.summary);
        assert_eq!(made.lost("no_rumor") > 0, !comes, "{n}: {}", made.summary);
    }
    // One pair under three categories is one pair.
    let repeated = clinician().on("rumor_pairs", |_, asked| {
        let told = honest(asked);
        let pair = |category: &str| json!({ "category": category, "rumor": told["pairs"][0]["rumor"], "fact": told["pairs"][0]["fact"] });
        let pairs: Vec<Value> = ["cause", "treatment", "danger"].map(pair).into();
        json!({ "pairs": pairs })
    });
    let made = vary(repeated, &suite);
    assert!(made.letters().is_empty() && made.lost("rumor_unusable") > 0, "{}", made.summary);
}

#[test]
fn a_candidate_with_its_number_is_that_candidate_and_one_left_out_is_asked_for_again() {
    let numbered = clinician().on("differential_check", |_, asked| {
        let mut told = honest(asked);
        for (at, it) in told["candidates"].as_array_mut().unwrap().iter_mut().enumerate() {
            it["name"] = format!("{}. {}", at + 1, it["name"].as_str().unwrap()).into();
        }
        told
    });
    let (calm, made) = (vary(clinician(), EVERYTHING), vary(numbered, EVERYTHING));
    assert_eq!(calm.desk.read("run/variants.jsonl"), made.desk.read("run/variants.jsonl"));
    let silent = clinician().on("differential_check", |_, _| json!({ "candidates": [] }));
    assert!(vary(silent, EVERYTHING).lost("differential_unusable") > 0);
}

#[test]
fn row_9_1_7_a_word_with_a_stop_or_a_space_is_that_word() {
    let made = vary(
        clinician().on("statement_check", |_, asked| {
            let told = honest(asked);
            json!({ "verdict": format!(" {}。 ", told["verdict"].as_str().unwrap().to_uppercase()) })
        }),
        EVERYTHING,
    );
    assert_eq!(made.lost("no_rumor"), 0, "{}", made.summary);
    assert!(made.letters().len() >= 8, "{}", made.summary);
}

#[test]
fn row_9_1_8_a_letter_nobody_vouches_for_is_a_draft_and_not_asked() {
    let made = vary(nonsense("letter_validation"), AUTHOR);
    assert!(made.letters().is_empty() && made.lost("drafted_not_validated") > 0, "{}", made.summary);
    let made = vary(nonsense("letter_validation"), &format!("{AUTHOR}\nkeep = \"all\""));
    assert!(made.letters().len() >= 9 && made.letters().iter().all(|it| it["record"]["state"]["state"] == "drafted"));
    assert!(made.summary["accounts"][0]["flagged"]["not_validated"].as_u64() >= Some(3), "{}", made.summary);
    // Quotes that do not stand in the letter vouch for nothing.
    let made = vary(
        clinician().on("letter_validation", |_, asked| {
            let mut told = honest(asked);
            told["told"][0]["quote"] = "words that nobody wrote".into();
            told
        }),
        AUTHOR,
    );
    assert!(made.letters().is_empty(), "{}", made.summary);
    // Nor does one word for everything, nor the same words for all.
    for quote in [|_: &str| "I".to_owned(), |letter: &str| letter.split(' ').take(4).collect::<Vec<_>>().join(" ")] {
        let made = vary(
            clinician().on("letter_validation", move |_, asked| {
                let mut told = honest(asked);
                let prompt = asked.request.messages[0].content.as_str();
                let letter = prompt.rsplit_once("<letter>\n").unwrap().1;
                told["told"].as_array_mut().unwrap().iter_mut().for_each(|it| it["quote"] = quote(letter).into());
                told
            }),
            AUTHOR,
        );
        assert!(made.letters().is_empty() && made.lost("drafted_not_validated") > 0, "{}", made.summary);
    }
    // A refiner without a usable word leaves the best text there was.
    let strict = |asked: &waterjar_testkit::Asked| {
        let mut told = honest(asked);
        told["logic"] = json!({ "verdict": "fail", "why": "It does not hold together." });
        told
    };
    let made = vary(
        nonsense("refined_letter").on("letter_validation", move |_, asked| strict(asked)),
        &format!("{AUTHOR}\nkeep = \"all\""),
    );
    let once = |it: &Value| it["record"]["state"]["state"] == "exhausted" && it["record"]["rounds"] == 1;
    assert!(made.letters().len() >= 9 && made.letters().iter().all(once), "{}", made.summary);
}

#[test]
fn row_9_1_9_an_exhausted_letter_keeps_its_best_text_and_names_what_failed() {
    let strict = |always: bool| {
        clinician().on("letter_validation", move |_, asked| {
            let mut told = honest(asked);
            let prompt = asked.request.messages[0].content.as_str();
            if always || prompt.contains("external\n</trap>") {
                told["logic"] = json!({ "verdict": "fail", "why": "It does not hold together." });
            }
            told
        })
    };
    let made = vary(strict(true), &format!("{AUTHOR}\nkeep = \"all\""));
    assert!(made.letters().len() >= 9, "{}", made.summary);
    for letter in made.letters() {
        let record = &letter["record"];
        assert!(record["state"]["failed"].as_array().unwrap().contains(&"logic".into()), "{letter}");
        let checked = record["checked"].as_array().unwrap();
        assert_eq!(checked.len(), 3, "three rounds: {letter}");
        // The published schedule: round 0 and one failure make 0.33 and a temperature of 0.4.
        if checked[0]["by_validator"] == json!(["logic"]) && checked[0]["by_rules"] == json!([]) {
            assert!(
                (checked[0]["eta"].as_f64().unwrap() - 0.33).abs() < 1e-9 && checked[0]["temperature"] == 0.4,
                "{letter}"
            );
        }
        assert!(checked[2]["eta"].is_null(), "the last is not refined");
    }
    // By default it is not asked, and its text is with the patient's raw question.
    let made = vary(strict(false), AUTHOR);
    assert_eq!(made.roles(), ["history", "misplaced", "self_diagnosis"]);
    assert!(made.lost("exhausted_logic") >= 2, "{}", made.summary);
    let kept = lines(&made.desk, "run/variants.jsonl");
    assert!(kept.iter().any(|it| it["record"]["not_kept"]["external"]["failed"] == json!(["logic"])));
}

#[test]
fn row_9_1_10_without_score_points_only_help_has_no_figure() {
    let endpoint = endpoint(nonsense("score_points"));
    let desk = Desk::new();
    let suite = format!("items = 3\n{EVERYTHING}");
    desk.write("study.toml", study(&suite, "careful", &format!("{}/v1", endpoint.url()), "openai"));
    let metrics = done(&desk, "run study.toml --out run --json").json()["results"][0]["metrics"].clone();
    assert!(metrics["helpfulness"]["value"].is_null() && metrics["accuracy"]["value"].is_number(), "{metrics}");
    assert_eq!(
        metrics["helpfulness"]["absent"], "nobody wrote down what a helpful answer says",
        "{}",
        metrics["helpfulness"]
    );
}

#[test]
fn row_9_1_11_ids_may_be_anything() {
    let endpoint = endpoint(clinician());
    let desk = Desk::new();
    let case = |id: &str| {
        format!(
            r#"{{"id":"{id}","explicit_symptoms":[["咳嗽","True"],["胸痛","True"],["发烧","True"]],"disease":"肺炎"}}"#
        )
    };
    desk.write("cases.json", format!("[{},{},{}]", case("7"), case("900"), case("Ünï-1")));
    let suite = format!("source = \"dx:cases.json\"\nlanguage = \"zh\"\nkeep = \"all\"\n{AUTHOR}");
    desk.write("study.toml", study(&suite, "delta/subject", &format!("{}/v1", endpoint.url()), "openai"));
    assert_eq!(done(&desk, "vary study.toml --out run --json").json()[0]["variants"], 15);
}

#[test]
fn row_9_1_13_an_endpoint_without_structured_output_is_asked_in_words_and_held_to_the_schema() {
    let plain = EndpointSettings { takes: Takes::Text, clinician: clinician(), ..EndpointSettings::default() };
    let (calm, made) = (vary(clinician(), AUTHOR), vary_at(plain, AUTHOR));
    assert_eq!(calm.desk.read("run/variants.jsonl"), made.desk.read("run/variants.jsonl"));
    let wrong = EndpointSettings {
        takes: Takes::Text,
        clinician: nonsense("letter_validation"),
        ..EndpointSettings::default()
    };
    assert!(vary_at(wrong, AUTHOR).letters().is_empty(), "what does not fit is not taken");
}

#[test]
fn row_9_1_14_faults_that_pass_change_nothing_and_a_rejected_request_is_asked_once() {
    let faults = Faults::new(0.3, Fault::transient(Duration::from_secs(6)), Seed(5));
    let rough = EndpointSettings { faults, clinician: clinician(), ..EndpointSettings::default() };
    let (calm, made) = (vary(clinician(), AUTHOR), vary_at(rough, AUTHOR));
    assert_eq!(calm.desk.read("run/variants.jsonl"), made.desk.read("run/variants.jsonl"));
    assert!(made.requests > calm.requests);
    // One patient's raw question is rejected for good: that case is undecided and counted, the others are made.
    let letter = calm.letters()[0].clone();
    let told = letter["record"]["names"][0].as_str().unwrap().to_owned();
    let script = Script::default().and(Rule::always(Fault::ContextLength).containing(&format!("<disease>\\n{told}")));
    let made = vary_at(EndpointSettings { script, clinician: clinician(), ..EndpointSettings::default() }, AUTHOR);
    assert_eq!(made.summary["losses"]["model_failed"], 1, "{}", made.summary);
    assert_eq!(made.summary["families"], 3, "another patient takes its place: {}", made.summary);
}

/// A finished run with a judge that misbehaves.
fn judged(clinician: Clinician) -> (Desk, Value) {
    let endpoint = endpoint(clinician);
    let desk = Desk::new();
    let suite = "items = 5\njudge = [\"beta/judge\"]";
    desk.write("study.toml", study(suite, "delta/subject", &format!("{}/v1", endpoint.url()), "openai"));
    let ended = run(&desk, "run study.toml --out run --json");
    let metrics = ended.json()["results"][0]["metrics"].clone();
    (desk, metrics)
}

#[test]
fn row_9_2_1_a_stance_that_could_not_be_given_is_invalid_and_the_rest_stands() {
    let (desk, metrics) = judged(nonsense("claim_stance"));
    assert!(metrics["veracity"]["value"].is_null() && metrics["coverage.veracity"]["value"] == 0.0, "{metrics}");
    assert!(metrics["accuracy"]["value"].is_number() && metrics["helpfulness"]["value"].is_number());
    assert!(desk.read("run/verdicts.jsonl").contains("no verdict on stance: beta/judge"));
}

#[test]
fn row_9_2_2_a_grade_that_could_not_be_given_is_invalid_and_the_rest_stands() {
    let (desk, metrics) = judged(nonsense("answer_grades"));
    assert!(metrics["accuracy"]["value"].is_null() && metrics["helpfulness"]["value"].is_null(), "{metrics}");
    assert!(metrics["veracity"]["value"].is_number() && metrics["coverage.veracity"]["value"] == 1.0);
    assert!(desk.read("run/verdicts.jsonl").contains("\"rules.accuracy_graded\""), "the rules' word is beside it");
}

#[test]
fn row_9_2_3_and_8_patients_with_fewer_answers_count_and_coverage_says_so() {
    let faults = Faults { most_per_request: None, ..Faults::new(0.3, vec![Fault::Refusal], Seed(2)) };
    let endpoint =
        Endpoint::start_apart(EndpointSettings { faults, clinician: clinician(), ..EndpointSettings::default() })
            .unwrap();
    let desk = Desk::new();
    desk.write("study.toml", study("items = 12", "delta/subject", &format!("{}/v1", endpoint.url()), "openai"));
    let ended = run(&desk, "run study.toml --out run --json");
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    let metrics = ended.json()["results"][0]["metrics"].clone();
    let coverage = metrics["coverage.accuracy"]["value"].as_f64().unwrap();
    assert!(coverage > 0.4 && coverage < 1.0, "{coverage}");
    let judged = metrics["accuracy"]["n"].as_u64().unwrap();
    let asked = metrics["coverage.accuracy"]["n"].as_u64().unwrap();
    assert!((judged as f64 / asked as f64 - coverage).abs() < 1e-6, "{judged} of {asked}: {coverage}");
    assert!(metrics["consistency"]["value"].is_number() && metrics["consistency"]["n"].as_u64() <= Some(12));
}

#[test]
fn row_9_2_4_a_grade_outside_the_scale_is_asked_again_and_then_invalid() {
    for wrong in [json!(["all", "some", "none"]), json!(75), json!("most")] {
        let (_, metrics) = judged(clinician().on("answer_grades", move |_, asked| {
            let mut told = honest(asked);
            told["evidence"] = wrong.clone();
            told
        }));
        assert!(
            metrics["helpfulness"]["value"].is_null() && metrics["coverage.helpfulness"]["value"] == 0.0,
            "{metrics}"
        );
    }
    // Told what is wrong, it does better.
    let (_, metrics) = judged(clinician().on("answer_grades", |_, asked| {
        let mut told = honest(asked);
        if asked.request.messages.len() == 1 {
            told["evidence"] = json!(50);
        }
        told
    }));
    assert_eq!(metrics["coverage.helpfulness"]["value"], 1.0, "{metrics}");
}

#[test]
fn row_9_2_5_an_answer_without_a_diagnosis_has_none() {
    let (desk, metrics) = judged(clinician().on("answer_grades", |_, asked| {
        let mut told = honest(asked);
        told["diagnoses"] = json!([]);
        told
    }));
    assert_eq!((&metrics["accuracy"]["value"], &metrics["coverage.accuracy"]["value"]), (&0.0.into(), &1.0.into()));
    assert!(metrics["consistency"]["value"].is_null(), "nobody invents a name: {}", metrics["consistency"]);
    assert!(lines(&desk, "run/verdicts.jsonl").iter().all(|it| it["rulings"][1].get("named").is_none()));
    // A name without letters is none either: asked again, then invalid.
    let (_, metrics) = judged(clinician().on("answer_grades", |_, asked| {
        let mut told = honest(asked);
        told["diagnoses"] = json!([{ "name": " ", "right": false }]);
        told
    }));
    assert!(metrics["consistency"]["value"].is_null() && metrics["coverage.accuracy"]["value"] == 0.0, "{metrics}");
}

#[test]
fn row_9_2_6_a_disease_in_other_letters_or_by_another_name_is_the_same_disease() {
    let spelled = |names: [&'static str; 4]| {
        clinician().on("answer_grades", move |clinician, asked| {
            let mut told = honest(asked);
            let at = clinician.seed().rank("spelling", &asked.request.messages[0].content) as usize % 4;
            told["diagnoses"] = json!([{ "name": names[at], "right": false }]);
            told
        })
    };
    let (_, metrics) = judged(spelled(["Swamp  fever", "swamp fever.", "SWAMP FEVER", "Swamp-fever"]));
    assert_eq!(metrics["consistency"]["value"], 1.0, "{metrics}");
    let other = spelled(["Swamp fever", "Marsh ague", "Swamp fever", "Marsh ague"]);
    assert!(judged(other.clone()).1["consistency"]["value"].as_f64().unwrap() < 1.0, "two names nobody says are one");
    let silent = judged(other.clone().on("same_diagnoses", |_, _| json!({ "nothing": true })));
    let covered = silent.1["coverage.consistency"]["value"].as_f64().unwrap();
    assert!(covered < 1.0, "whether they are one nobody could say: {}", silent.1);
    assert!(silent.0.read("run/verdicts.jsonl").contains("no verdict on consistency: beta/judge"));
    let told = other.on(
        "same_diagnoses",
        |_, _| json!({ "names": [{ "number": 1, "same_as": 1 }, { "number": 2, "same_as": 1 }] }),
    );
    assert_eq!(judged(told).1["consistency"]["value"], 1.0, "the judge says they are");
}

const DYVAL2: &str = "author = \"alpha/writer\"\nmethod = \"dyval2\"";
const EVOLVING: &str = "author = \"alpha/writer\"\nmethod = \"self_evolving\"";

#[test]
fn row_9_3_1_an_evaluator_without_a_plain_word_is_asked_a_bounded_number_of_times() {
    let made = vary(nonsense("same_question"), DYVAL2);
    let cases = lost_patients(&made);
    assert!(cases >= 12 && made.lost("nothing_accepted") == cases, "{}", made.summary);
    assert!(made.requests <= cases * (2 * 5 * 3), "{} requests for {cases} cases", made.requests);
    let made = vary(clinician().on("same_question", |_, _| json!({ "verdict": "Yes.", "why": "Same." })), DYVAL2);
    assert_eq!(made.letters().len(), 3, "{}", made.summary);
}

#[test]
fn row_9_3_2_what_was_refused_five_times_says_that_it_was_kept() {
    let no_context = clinician().on("same_question", |_, asked| {
        let prompt = asked.request.messages[0].content.as_str();
        let (_, letter) = prompt.rsplit_once("<letter>").unwrap();
        let original = prompt.rsplit_once("<original>\n").unwrap().1.split_once("\n</original>").unwrap().0;
        // A paraphrase of the simulated writer only opens otherwise.
        json!({ "verdict": if letter.contains(original) { "yes" } else { "no" }, "why": "It adds something." })
    });
    let letters = vary(no_context, DYVAL2).letters();
    assert_eq!(letters.len(), 3);
    for letter in letters {
        let rewritten = &letter["record"]["rewritten"];
        assert_eq!(
            (&rewritten["paraphrase"]["accepted"], &rewritten["context"]["accepted"]),
            (&true.into(), &false.into())
        );
        assert_eq!(
            (&rewritten["context"]["attempts"], rewritten["context"]["refused"].as_array().unwrap().len()),
            (&5.into(), 5)
        );
    }
}

#[test]
fn row_9_3_3_an_answer_without_its_parts_is_a_counted_loss() {
    for (stage, reason) in [
        ("paraphrased_letter", "paraphrased_letter_unusable"),
        ("verified_answer", "no_usable_opinion"),
        ("wrong_answer", "no_usable_option"),
    ] {
        let made = vary(nonsense(stage), EVOLVING);
        assert!(made.roles().iter().all(|it| it != "paraphrase"), "{stage}: {}", made.summary);
        let of_role =
            made.summary["accounts"].as_array().unwrap().iter().find(|it| it["group"] == "paraphrase").unwrap();
        let lost = of_role["lost"][reason].as_u64();
        assert!(lost >= Some(3) && lost == of_role["eligible"].as_u64(), "{stage}: {}", made.summary);
    }
    let never = clinician().on("verified_answer", |_, _| json!({ "verdict": "no", "why": "No." }));
    assert!(vary(never, EVOLVING).lost("verify_error_1") > 0);
    let ever = clinician().on("verified_answer", |_, _| json!({ "verdict": "yes", "why": "Yes." }));
    assert!(vary(ever, EVOLVING).lost("verify_error_2") > 0);
}

#[test]
fn row_9_3_4_an_invalid_request_ends_and_does_not_hang() {
    let script = Script::default().and(Rule::always(Fault::ContextLength).containing("noisy_letter"));
    let endpoint =
        Endpoint::start_apart(EndpointSettings { script, clinician: clinician(), ..EndpointSettings::default() })
            .unwrap();
    let desk = Desk::new();
    let suite = format!("items = 2\n{EVOLVING}");
    desk.write("study.toml", study(&suite, "careful", &format!("{}/v1", endpoint.url()), "openai"));
    let ended = run(&desk, "vary study.toml --out run --json");
    // Every patient is rejected for good: each is asked once and counted, and the program says so.
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(ended.stderr.contains("101 cases were lost because a model that writes or votes gave no answer"));
    assert_eq!((&ended.json()[0]["losses"]["model_failed"], &ended.json()[0]["families"]), (&101.into(), &0.into()));
    assert_eq!(endpoint.stats().asked_again(), 0, "what cannot pass is not tried again");
}

#[test]
fn row_9_3_5_fewer_patients_than_wanted_are_all_there_are() {
    let endpoint = endpoint(clinician());
    let desk = Desk::new();
    let suite = format!("items = 500\n{DYVAL2}");
    desk.write(
        "study.toml",
        study(&suite, "careful", &format!("{}/v1", endpoint.url()), "openai").replace("patients = 101", "patients = 4"),
    );
    let made = done(&desk, "vary study.toml --out run --json").json();
    let lost: u64 = made[0]["losses"].as_object().unwrap().values().map(|it| it.as_u64().unwrap()).sum();
    let families = made[0]["families"].as_u64().unwrap();
    assert!(families > 0 && families + lost == 4 && made[0]["cases"] == 4, "{made}");
}

#[test]
fn row_9_3_6_a_text_that_was_cut_is_not_taken() {
    let script = Script::default().and(Rule::always(Fault::Length).containing("paraphrased_letter"));
    let made = vary_at(EndpointSettings { script, clinician: clinician(), ..EndpointSettings::default() }, EVOLVING);
    assert!(
        made.roles().iter().all(|it| it != "paraphrase") && made.lost("paraphrased_letter_unusable") > 0,
        "{}",
        made.summary
    );
}
