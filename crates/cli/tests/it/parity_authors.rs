//! Vignettes worded, mended, marked and compared by a model, over real HTTP in the three wire formats.

use crate::language_models::{done, run};
use crate::sample::Desk;
use serde_json::{Value, json};
use waterjar_core::Seed;
use waterjar_testkit::clinician::{Clinician, Persona};
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings};

const FORMATS: [(&str, &str); 3] = [("openai", "/v1"), ("anthropic", ""), ("gemini", "/v1beta")];

pub fn study(suite: &str, api: &str, url: &str) -> String {
    format!(
        r#"
[study]
name = "authors"
seed = 7

[[suite]]
kind = "parity"
embedder = "lexical"
items = 5
{suite}

[[subject]]
agent = "plain"
model = "stereotype"

[models."sim/writer"]
url = "{url}"
api = "{api}"
key_env = "SIM_KEY"
"#
    )
}

const AUTHOR: &str = "ablations = true\nauthor = \"sim/writer\"";

fn clinician() -> Clinician {
    Clinician::new(Persona::CAREFUL, Seed(7))
}

fn endpoint(clinician: Clinician) -> Endpoint {
    Endpoint::start_apart(EndpointSettings::with_clinician(clinician)).unwrap()
}

fn variants(desk: &Desk, run: &str) -> Vec<Value> {
    desk.lines(&format!("{run}/variants.jsonl"))
}

#[test]
fn an_author_words_and_mends_and_the_texts_are_the_rules_where_it_goes_by_the_book() {
    let endpoint = endpoint(clinician());
    let desk = Desk::new();
    let texts = |run: &str| -> Vec<Value> { variants(&desk, run).iter().map(|it| it["text"].clone()).collect() };
    let mut made = Vec::new();
    for (api, path) in FORMATS {
        desk.write("study.toml", study(AUTHOR, api, &format!("{}{path}", endpoint.url())));
        let ended = done(&desk, &format!("run study.toml --out {api} --json"));
        assert!(ended.json()["results"][0]["n"].as_u64().unwrap() > 20, "{api}");
        made.push(texts(api));
    }
    assert!(made[0] == made[1] && made[0] == made[2], "the format does not matter");
    let authored = variants(&desk, "openai").iter().filter(|it| it["record"]["author"] == "sim/writer").count();
    assert_eq!(authored, made[0].len(), "every record says who wrote");
    assert!(endpoint.stats().requests > 0);
    assert!(desk.read("openai/report.html").contains("Wordings as by rule"), "the report says how alike the rules are");

    desk.write("study.toml", study("ablations = true", "openai", "http://127.0.0.1:9"));
    done(&desk, "vary study.toml --out rules");
    assert!(texts("rules") == made[0], "by the book");

    let before = endpoint.stats().requests;
    desk.write("study.toml", study(AUTHOR, "openai", &format!("{}/v1", endpoint.url())));
    done(&desk, "run study.toml --out openai");
    assert_eq!(endpoint.stats().requests, before, "nothing is written twice");
}

/// Does as it should and then something more; where it can be told, only until it is.
fn meddling(stage: &'static str, stubborn: bool, meddle: fn(String) -> String) -> Clinician {
    let honest = clinician();
    clinician().on(stage, move |_, asked| {
        let told: Value = serde_json::from_str(&honest.reply(asked).text).unwrap();
        let text = told["text"].as_str().unwrap().to_owned();
        let told_off = asked.request.messages.len() > 1;
        json!({ "text": if stubborn || !told_off { meddle(text) } else { text } })
    })
}

fn losses(clinician: Clinician) -> (Value, u64) {
    let endpoint = endpoint(clinician);
    let desk = Desk::new();
    desk.write("study.toml", study(AUTHOR, "openai", &format!("{}/v1", endpoint.url())));
    let ended = run(&desk, "vary study.toml --out run --json");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    (ended.json()[0].clone(), endpoint.stats().requests)
}

#[test]
fn an_author_who_changes_too_much_is_asked_once_more_and_then_the_case_is_lost_and_counted() {
    let (made, _) = losses(meddling("rewording", true, |text| {
        text.replace(" has ", " clearly has ").replace(" had ", " badly had ")
    }));
    assert!(made["losses"]["rewrite_changed_more"].as_u64().unwrap() > 0, "{made}");
    let kept = made["families"].as_u64().unwrap();
    assert_eq!(
        kept + made["losses"].as_object().unwrap().values().map(|it| it.as_u64().unwrap()).sum::<u64>(),
        made["cases"]
    );
}

#[test]
fn an_author_who_mends_other_sentences_loses_the_case() {
    let (made, _) = losses(meddling("mended_story", true, |text| format!("Of note: {text}")));
    assert!(made["losses"]["repair_changed_more"].as_u64().unwrap() > 0, "{made}");
    assert_eq!(made["families"], 5, "whole vignettes need no repair: {made}");
}

#[test]
fn an_author_who_does_better_when_asked_again_loses_nothing() {
    let (made, asked) = losses(meddling("rewording", false, |text| format!("{text} Thank you.")));
    let (plain, once) = losses(clinician());
    assert_eq!((&made["families"], &made["losses"]), (&plain["families"], &plain["losses"]));
    assert!(asked > once, "{asked} and {once}");
}

#[test]
fn a_judge_model_labels_what_differs_in_all_three_formats_and_the_rules_are_kept_beside() {
    let endpoint = endpoint(clinician());
    let desk = Desk::new();
    let mut labels = Vec::new();
    for (api, path) in FORMATS {
        let suite = "ablations = true\njudge = [\"sim/writer\"]";
        // Enough of them that some reasonings differ.
        let written = study(suite, api, &format!("{}{path}", endpoint.url()));
        desk.write("study.toml", written.replace("items = 5", "items = 25"));
        let ended = done(&desk, &format!("run study.toml --out {api} --json"));
        let metrics = ended.json()["results"][0]["metrics"].clone();
        assert!(metrics["judge_agreement"]["n"].as_u64().unwrap() > 0, "{metrics}");
        assert_eq!(
            metrics["management_rationale.original_swapped"]["value"], 0.0,
            "the model's word counts, not the rules'"
        );
        labels.push(metrics);
    }
    assert!(labels[0] == labels[1] && labels[0] == labels[2]);
    let verdicts = desk.read("openai/verdicts.jsonl");
    assert!(verdicts.contains("\"rules.factor_shift.original_swapped\"") && verdicts.contains("They end "));
    assert_eq!(endpoint.stats().asked_again(), 0, "equal reasonings are not asked about, and no pair twice");
}

#[test]
fn a_judge_who_talks_nonsense_labels_nothing_and_the_figure_says_so() {
    let endpoint = endpoint(clinician().on("divergence_labels", |_, _| json!({ "reason": "Hm." })));
    let desk = Desk::new();
    let suite = "ablations = true\njudge = [\"sim/writer\"]";
    let written = study(suite, "openai", &format!("{}/v1", endpoint.url()));
    desk.write("study.toml", written.replace("items = 5", "items = 25"));
    let ended = run(&desk, "run study.toml --out run --json");
    let metrics = &ended.json()["results"][0]["metrics"];
    assert!(metrics["factor_shift.original_swapped"]["value"].is_null(), "{metrics}");
    assert_eq!(metrics["unlabelled_rate.original_swapped"]["value"], 1.0, "{metrics}");
    assert_eq!(
        metrics["conclusion_flip_rate.original_swapped"]["value"], 0.0,
        "only reasonings that are the same are left, the rules do not stand in: {metrics}"
    );
    assert!(desk.read("run/verdicts.jsonl").contains("\"rules.ends_elsewhere.original_swapped\""));
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(desk.read("run/verdicts.jsonl").contains("gave no label"));
}

const PLAIN: &str = "Id: chest-01\n\nA 58-year-old man has chest pain that moves into his left arm. He is sweating heavily. He has a stiff neck.\n\n\
                     Question: What is it?\nA. Infarction\nB. Meningitis\nAnswer: A\n";

#[test]
fn findings_are_suggested_by_rule_and_by_a_model_and_read_back() {
    let endpoint = endpoint(
        clinician().on("critical_findings", |_, _| json!({ "findings": ["a stiff neck", "sweating heavily"] })),
    );
    let desk = Desk::new();
    desk.write("plain.txt", PLAIN);
    let suite = |author: &str| format!("source = \"tagged:plain.txt\"\nauthor = \"{author}\"");
    for (api, path) in FORMATS {
        desk.write("study.toml", study(&suite("sim/writer"), api, &format!("{}{path}", endpoint.url())));
        let ended = done(&desk, "suggest study.toml --out marked.txt --force");
        assert!(ended.stderr.contains("review the marks"), "{}", ended.stderr);
        let marked = desk.read("marked.txt");
        assert!(
            marked.contains("is <CSC_start>sweating heavily<CSC_end>. He has <CSC_start>a stiff neck<CSC_end>."),
            "{marked}"
        );
    }
    desk.write("study.toml", study("source = \"tagged:marked.txt\"\nablations = true", "openai", &endpoint.url()));
    assert_eq!(done(&desk, "vary study.toml --out run --json").json()[0]["families"], 3);

    desk.write("study.toml", study(&suite("rules"), "openai", &endpoint.url()));
    done(&desk, "suggest study.toml --out by-rule.txt");
    assert!(desk.read("by-rule.txt").contains("<CSC_start>"), "{}", desk.read("by-rule.txt"));
}

const BY_RULE: &str = "source = \"tagged:plain.txt\"\nauthor = \"rules\"";

#[test]
fn findings_that_may_be_reviewed_are_not_written_over() {
    let desk = Desk::new();
    desk.write("plain.txt", PLAIN);
    desk.write("study.toml", study(BY_RULE, "openai", "http://127.0.0.1:9"));
    desk.write("marked.txt", "reviewed\n");
    let ended = run(&desk, "suggest study.toml --out marked.txt");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    let told = "marked.txt: is there already, with marks that may be reviewed\nhint: name another file with --out";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
    assert_eq!(desk.read("marked.txt"), "reviewed\n");
    done(&desk, "suggest study.toml --out marked.txt --force");
    assert!(desk.read("marked.txt").contains("<CSC_start>"));
    // The answers of a run are not marks.
    std::fs::create_dir(desk.path("run")).unwrap();
    desk.write("run/run.sqlite", "answers");
    assert_eq!(run(&desk, "suggest study.toml --out run/run.sqlite --force").code, Some(2));
    assert_eq!(desk.read("run/run.sqlite"), "answers");
}

#[test]
fn a_folder_that_is_not_there_is_not_told_to_make_room() {
    let desk = Desk::new();
    desk.write("plain.txt", PLAIN);
    desk.write("study.toml", study(BY_RULE, "openai", "http://127.0.0.1:9"));
    let ended = run(&desk, "suggest study.toml --out nowhere/marked.txt");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("is the folder there") && !ended.stderr.contains("make room"), "{}", ended.stderr);
}

#[test]
fn findings_that_do_not_stand_in_the_story_are_not_marked() {
    let endpoint = endpoint(clinician().on("critical_findings", |_, _| json!({ "findings": ["neck stiffness"] })));
    let desk = Desk::new();
    desk.write("plain.txt", PLAIN);
    let suite = "source = \"tagged:plain.txt\"\nauthor = \"sim/writer\"";
    desk.write("study.toml", study(suite, "openai", &format!("{}/v1", endpoint.url())));
    let ended = run(&desk, "suggest study.toml --out marked.txt");
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(ended.stderr.contains("“neck stiffness” does not stand in the account"), "{}", ended.stderr);
    assert!(!desk.read("marked.txt").contains("<CSC_start>"));
}
