//! Rows of specs 9.2: answers are judged.

use super::*;

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
    assert!(desk.lines("run/verdicts.jsonl").iter().all(|it| it["rulings"][1].get("named").is_none()));
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
