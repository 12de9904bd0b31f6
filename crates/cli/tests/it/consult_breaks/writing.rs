//! Rows of specs 9.1: letters are written.

use super::*;

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
    let made = vary(illogical(80), AUTHOR);
    let (families, lost) = (made.summary["families"].as_u64().unwrap(), lost_patients(&made));
    assert!(families > 0 && lost > 0, "{}", made.summary);
    let accounts = made.summary["accounts"].as_array().unwrap();
    assert!(accounts.iter().all(|it| it["eligible"].as_u64() == Some(families + lost)), "{}", made.summary);
    assert!(made.lost("exhausted_logic") >= 3 * lost, "{}", made.summary);
    // Their raw question and every letter with what it failed.
    let rejected = made.desk.lines("run/lost.jsonl");
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
    let kept = made.desk.lines("run/variants.jsonl");
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
