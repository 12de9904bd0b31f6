//! Pairs that come finished: `source = "medeinst:FILE"`, `waterjar import medeinst`.

use crate::sample::{Desk, Ended};
use serde_json::Value;
use waterjar_core::Seed;
use waterjar_testkit::clinician::{Clinician, Persona};
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings};

const PAIRS: &str = include_str!("../../../suites/tests/fixtures/pairs.jsonl");

/// Words only one text holds, and what the doctor says to it.
const SAID: [(&str, &[&str]); 20] = [
    ("knee operated on", &["Pulmonary embolism (0.70)", "Spontaneous pneumothorax (0.20)"]),
    ("lung collapsed", &["Pulmonary embolism (0.60)", "Pneumothorax (0.30)"]),
    ("allergic to peanuts", &["Anaphylactic reaction (0.80)", "Scombroid poisoning (0.10)"]),
    ("same tuna", &["Scombroid poisoning (0.70)", "Anaphylaxis (0.20)"]),
    ("antacids take it away", &["GERD (0.60)"]),
    ("carried boxes upstairs", &["Heart attack (0.80)", "Gastroesophageal reflux disease (0.10)"]),
    ("day nursery", &["Bronchiolitis (0.70)", "Pertussis (0.20)"]),
    ("end in a gasp", &["Bronchiolitis (0.55)", "Whooping cough (0.40)"]),
    ("I pace the room", &["Cluster headaches (0.80)"]),
    ("electric shock", &["Trigeminal neuralga (0.90)"]),
    ("crowded trains", &["Panic disorder (0.50)", "PSVT (0.30)"]),
    ("like a switch", &["Atrial fibrillation (0.50)", "Panic attack (0.30)"]),
    ("coughs blood", &["Lung abscess (0.40)", "Tuberculosis (0.30)"]),
    ("lumps on my shins", &["Sarcoidosis (0.70)"]),
    ("climbed from my legs", &["Guillain-Barre syndrome (0.90)"]),
    ("eyelids droop", &["None of the conditions I know explains this."]),
    ("lean forward", &["Acute pericarditis (0.80)"]),
    ("heavy weight", &["Unstable angina or pericarditis."]),
    ("her brother had the same", &["I would have to look into her throat before I can say anything."]),
    ("hot potato", &["Epiglottitis (0.90)"]),
];

/// Answers in the form it is asked for.
fn doctor() -> Endpoint {
    let mut clinician = Clinician::new(Persona::CAREFUL, Seed(7));
    for (words, said) in SAID {
        clinician = clinician.when(words, move |_, asked| {
            let graded = said[0].contains("(0.");
            let first = said[0].split(" (0.").next().unwrap_or_default();
            match asked.system().contains("the one condition you decide for") {
                true if graded => format!("The story decides.\n\nFinal diagnosis: {first}"),
                false if graded => {
                    let list: Vec<String> = (1..).zip(said).map(|(place, it)| format!("{place}. {it}")).collect();
                    format!("The story decides.\n\n{}", list.join("\n"))
                }
                _ => said[0].to_owned(),
            }
        });
    }
    Endpoint::start_apart(EndpointSettings::with_clinician(clinician)).unwrap()
}

fn study(url: &str, suite: &str) -> String {
    format!(
        r#"
[study]
name = "published"
seed = 7

[[suite]]
kind = "einstellung"
source = "medeinst:pairs.jsonl"
{suite}

[[subject]]
agent = "plain"
model = "sim/doctor"

[models."sim/doctor"]
url = "{url}/v1"
api = "openai"
key_env = "SIM_KEY"

[privacy]
endpoints = "local"
"#
    )
}

fn desk(url: &str, suite: &str) -> Desk {
    let desk = Desk::new();
    desk.write("pairs.jsonl", PAIRS);
    desk.write("study.toml", study(url, suite));
    desk
}

fn waterjar(desk: &Desk, words: &str) -> Ended {
    desk.waterjar_with(&[("SIM_KEY", "none of your business")], words)
}

fn check(result: &Value, metric: &str, value: f64, n: u64) {
    let found = &result["metrics"][metric];
    assert_eq!((found["value"].as_f64(), found["n"].as_u64()), (Some(value), Some(n)), "{metric}: {found}");
}

#[test]
fn published_pairs_are_asked_judged_and_measured_as_they_are() {
    let endpoint = doctor();
    let desk = desk(&endpoint.url(), "");
    let ended = waterjar(&desk, "run study.toml --out run --json");
    assert_eq!(ended.code, Some(3), "one answer could not be read: {}", ended.stderr);
    let metrics = ended.json();
    let result = &metrics["results"][0];
    assert_eq!((result["n"].as_u64(), result["missing"].as_u64()), (Some(10), Some(1)));
    check(result, "baseline_accuracy", 0.888889, 9);
    check(result, "robust_accuracy", 0.333333, 9);
    check(result, "bias_trap_rate", 0.25, 8);
    check(result, "stochastic_error_rate", 0.375, 8);
    check(result, "rigidity_ratio", 0.4, 5);
    check(result, "rank_drop", 0.571429, 7);
    check(result, "reverted_confidence", 0.575, 2);
    check(result, "top3", 1.0, 9);
    let sham = &result["metrics"]["sham_kept"];
    assert_eq!((&sham["value"], sham["n"].as_u64()), (&Value::Null, Some(0)));
    assert!(sham["absent"].as_str().unwrap().contains("without shams"), "{sham}");

    let verdicts = desk.read("run/verdicts.jsonl");
    for reason in [
        "stays with Pulmonary embolism although the findings now say Spontaneous pneumothorax",
        "says it is none of the conditions; Myasthenia gravis is right",
        "leaves it open: “Unstable angina or pericarditis”; Unstable angina is right",
        "“Lung abscess” is none of the conditions; Tuberculosis is right",
        "says Atrial fibrillation; PSVT is right",
        "no diagnosis could be read",
    ] {
        assert!(verdicts.contains(reason), "no `{reason}` in\n{verdicts}");
    }
    // What was published is what was asked.
    let variants = desk.lines("run/variants.jsonl");
    let trap = variants.iter().find(|it| it["id"] == "203/trap").unwrap();
    let row: Value = PAIRS
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .rfind(|it: &Value| it["case_id"] == "203")
        .unwrap();
    assert_eq!(trap["text"], format!("Sex: M, Age: 58\n{}", row["narrative"].as_str().unwrap()));
    assert_eq!(trap["intervention"]["edits"].as_array().unwrap().len(), 1);
    assert_eq!(trap["record"]["published"]["department"], "emergency");
    assert!(desk.read("run/report.html").contains("GERD → Possible NSTEMI / STEMI"));

    // Started again, nothing is asked.
    let before = endpoint.stats().requests;
    waterjar(&desk, "run study.toml --out run");
    assert_eq!(endpoint.stats().requests, before);
}

#[test]
fn asked_for_one_diagnosis_there_are_no_ranks_and_it_says_why() {
    let endpoint = doctor();
    let desk = desk(&endpoint.url(), "ask = \"one\"");
    let ended = waterjar(&desk, "run study.toml --out run --json");
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    let metrics = ended.json();
    let result = &metrics["results"][0];
    check(result, "baseline_accuracy", 0.888889, 9);
    check(result, "bias_trap_rate", 0.25, 8);
    for name in ["rank_drop", "reverted_confidence", "top3", "top5"] {
        let metric = &result["metrics"][name];
        assert_eq!((&metric["value"], metric["n"].as_u64()), (&Value::Null, Some(0)), "{name}");
        assert!(metric["absent"].as_str().unwrap().contains("ask = \"one\""), "{name}: {metric}");
    }
    assert!(desk.read("run/responses.jsonl").contains("Final diagnosis: Pulmonary embolism"));
    assert!(desk.read("run/report.html").contains("one diagnosis was asked for"));
    // A bound on what cannot be had is broken, and says why.
    desk.write(
        "study.toml",
        study(&endpoint.url(), "ask = \"one\"") + "[bounds]\n\"einstellung.rank_drop\" = { min = 0.5 }\n",
    );
    let ended = waterjar(&desk, "run study.toml --out run");
    assert_eq!(ended.code, Some(1));
    assert!(ended.stderr.contains("has no value: one diagnosis was asked for"), "{}", ended.stderr);
}

#[test]
fn a_published_pair_is_shown_with_the_sentence_that_changed() {
    let desk = desk("http://127.0.0.1:9", "");
    let ended = waterjar(&desk, "vary study.toml --out run --json");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let made = &ended.json()[0];
    assert_eq!(
        (&made["cases"], &made["eligible"], &made["families"], &made["variants"]),
        (&13.into(), &10.into(), &10.into(), &20.into())
    );
    assert_eq!(made["losses"], serde_json::json!({"labels_are_the_same": 1, "no_trap": 1, "trap_says_the_same": 1}));
    let shown = waterjar(&desk, "show case run 206").stdout;
    assert!(shown.starts_with("206: Panic attack → PSVT\n"), "{shown}");
    assert!(
        shown.contains("\n- It happens in crowded trains,") && shown.contains("\n+ It starts and stops like a switch,")
    );
    assert_eq!(shown.matches("My heart suddenly starts to race").count(), 1, "what stayed is told once: {shown}");
}

#[test]
fn an_import_gives_one_row_per_pair_that_can_be_read_again() {
    let desk = desk("http://127.0.0.1:9", "");
    let ended = desk.done("import medeinst pairs.jsonl --out wide.jsonl");
    assert_eq!(
        ended.stderr.trim(),
        "10 pairs; lost: labels are the same 1; lost: no trap 1; lost: trap says the same 1"
    );
    assert_eq!(desk.read("wide.jsonl").lines().count(), 10);
    waterjar(&desk, "vary study.toml --out long");
    desk.write("study.toml", study("http://127.0.0.1:9", "").replace("medeinst:pairs", "medeinst:wide"));
    waterjar(&desk, "vary study.toml --out wide");
    let told = |run: &str| -> Vec<(Value, Value, Value, Value)> {
        let variants = desk.read(&format!("{run}/variants.jsonl"));
        let variant = |line: &str| -> (Value, Value, Value, Value) {
            let mut it: Value = serde_json::from_str(line).unwrap();
            (it["id"].take(), it["text"].take(), it["expectation"].take(), it["intervention"].take())
        };
        let mut told: Vec<_> = variants.lines().map(variant).collect();
        told.sort_by_key(|it| it.0.to_string());
        told
    };
    assert_eq!((told("long").len(), told("long")), (20, told("wide")));
}

#[test]
fn what_cannot_be_done_with_finished_pairs_is_told_before_anything_is_written() {
    let refused = |desk: &Desk, why: &str| {
        let ended = waterjar(desk, "run study.toml --out run");
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(ended.stderr.contains(why), "no `{why}` in {}", ended.stderr);
        assert!(!desk.path("run").exists());
    };
    let desk = desk("http://127.0.0.1:9", "");
    let whole = desk.read("study.toml");
    desk.write("study.toml", whole.replace("sim/doctor\"\n\n", "gestalt\"\n\n"));
    refused(&desk, "`gestalt` rests on a knowledge base");
    desk.write("study.toml", whole.replace("pairs.jsonl\"\n", "pairs.jsonl\"\nauthor = \"sim/doctor\"\n"));
    refused(&desk, "author: the cases of this source come finished");
    desk.write("study.toml", whole.replace("pairs.jsonl", "pairs.parquet"));
    refused(&desk, "pairs.parquet: cannot be read");
    desk.write("study.toml", whole.replace("pairs.jsonl", "nowhere.jsonl"));
    refused(&desk, "nowhere.jsonl: cannot be read");
    desk.write("study.toml", &whole);
    let mut rows: Vec<&str> = PAIRS.lines().collect();
    rows.push(rows[4]);
    desk.write("pairs.jsonl", rows.join("\n"));
    refused(&desk, "pairs.jsonl, line 26: the control of `205` is there twice, first in line 5");
    desk.write("pairs.jsonl", PAIRS.replacen("\"narrative\"", "\"story\"", 1));
    refused(&desk, "pairs.jsonl, line 1: has no text: a field called narrative");
}

#[test]
fn cases_told_in_stages_are_asked_whole_and_measured_by_how_often_the_answer_is_right() {
    let mut clinician = Clinician::new(Persona::CAREFUL, Seed(7));
    for (words, said) in [
        ("the right lid droops", "1. Myasthenia gravis (0.90)"),
        ("a rim of air on the left", "1. Collapsed lung (0.80)"),
        ("sour taste", "1. Myasthenia gravis (0.60)\n2. Gastroesophageal reflux disease (0.30)"),
    ] {
        clinician = clinician.when(words, move |_, _| said.to_owned());
    }
    let endpoint = Endpoint::start_apart(EndpointSettings::with_clinician(clinician)).unwrap();
    let desk = Desk::new();
    desk.write("staged.jsonl", include_str!("../../../suites/tests/fixtures/staged.jsonl"));
    desk.write("study.toml", study(&endpoint.url(), "").replace("medeinst:pairs.jsonl", "staged:staged.jsonl"));
    let ended = waterjar(&desk, "run study.toml --out run --json");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let metrics = ended.json();
    let result = &metrics["results"][0];
    check(result, "baseline_accuracy", 0.666667, 3);
    check(result, "top3", 1.0, 3);
    let trap = &result["metrics"]["bias_trap_rate"];
    assert_eq!(
        (&trap["value"], trap["absent"].as_str()),
        (&Value::Null, Some("the cases came in stages, without traps"))
    );
    let asked = desk.read("run/variants.jsonl");
    assert!(asked.contains(r"Sex: M, Age: 24\nHistory:\n- Since this morning"), "{asked}");
    assert!(desk.read("run/report.html").contains("Spontaneous pneumothorax"));

    desk.write("staged.jsonl", "{\"history\": \"a\", \"diagnosis\": \"X\"}\n{\"history\": \"a\"}\n");
    let ended = waterjar(&desk, "run study.toml --out other");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("staged.jsonl, line 2: has no diagnosis"), "{}", ended.stderr);
}
