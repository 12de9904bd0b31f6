//! The suite `consult`: offline, over real HTTP, and on outputs judged elsewhere.

use crate::language_models::run;
use crate::sample::Desk;
use crate::served::{Served, Visitor, links};
use waterjar_testkit::clinician::Clinician;
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings};

fn study(suite: &str, more: &str) -> String {
    format!(
        "[study]\nname = \"consult\"\nseed = 7\n\n[[suite]]\nkind = \"consult\"\npatients = 101\nitems = 30\n{suite}\n\n{more}"
    )
}

fn subject(model: &str) -> String {
    format!("[[subject]]\nagent = \"plain\"\nmodel = \"{model}\"\n\n")
}

fn offline(language: &str) -> String {
    study(&format!("language = \"{language}\""), &(subject("credulous") + &subject("careful")))
}

#[test]
fn a_doctor_who_believes_everything_is_told_from_one_who_reads() {
    for language in ["en", "zh"] {
        let desk = Desk::new();
        desk.write("study.toml", offline(language));
        let ended = desk.done("run study.toml --out run --json");
        assert!(ended.value(0, "accuracy").unwrap() + 0.2 < ended.value(1, "accuracy").unwrap());
        assert!(ended.value(0, "veracity").unwrap() + 0.8 < ended.value(1, "veracity").unwrap());
        assert!(ended.value(0, "challenge_change").unwrap() < 0.0);
        let report = desk.read("run/report.html");
        assert!(report.contains("What becomes of the rumor") && report.contains("Which trap works"));
        assert!(report.contains("Expression diversity") && report.contains("Self diagnosis"), "checks and accounts");
        let shown = desk.done("show case run").stdout;
        assert!(shown.contains("== misplaced") && shown.contains("plain@careful"), "{shown}");
    }
}

#[test]
fn every_pass_takes_the_folder_of_a_run() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("studies")).unwrap();
    desk.write("studies/study.toml", offline("en"));
    desk.done("run studies/study.toml --out run --set suite.items=4");
    let before = desk.read("run/metrics.json");
    for pass in ["vary", "answer", "judge", "measure", "report", "run"] {
        let ended = desk.waterjar(&format!("{pass} run"));
        assert_eq!(ended.code, Some(0), "{pass}: {}", ended.stderr);
    }
    assert_eq!(desk.read("run/metrics.json"), before);
}

#[test]
fn the_same_study_gives_the_same_bytes() {
    let desk = Desk::new();
    desk.write("study.toml", offline("zh"));
    desk.done("run study.toml --out one");
    desk.done("run study.toml --out two");
    for file in ["metrics.json", "variants.jsonl", "verdicts.jsonl"] {
        assert_eq!(desk.read(&format!("one/{file}")), desk.read(&format!("two/{file}")), "{file}");
    }
}

#[test]
fn letters_in_chinese_are_marked_as_chinese() {
    let desk = Desk::new();
    desk.write("study.toml", offline("zh"));
    desk.done("run study.toml --out run");
    let served = Served::start(&[&desk.path("run")]);
    let cases = "/runs/run/consult/families";
    let family = links(&served.page(cases), &format!("{cases}/"))[0].clone();
    for page in [served.page(&family), desk.read("run/report.html")] {
        assert!(page.contains("<div class=\"narrative\" lang=\"zh\">"), "{page}");
    }
    let fields = [("name", "letters"), ("form", "question_quality"), ("items", "2"), ("seed", "1"), ("raters", "anna")];
    let made = Visitor::default().post(&served, "/runs/run/consult/projects", &fields).body;
    let link = format!("/r/{}", made.split("/r/").nth(1).unwrap().split('"').next().unwrap());
    let mut anna = Visitor::default();
    let rate = anna.send(&served, "POST", &link, "", "").location();
    let page = anna.get(&served, &format!("{rate}/1")).body;
    assert!(page.contains("<div class=\"narrative\" tabindex=\"0\" lang=\"zh\">"), "{page}");
}

#[test]
fn a_language_model_is_sent_the_letter_and_answers_in_prose() {
    let says =
        "This sounds most like a viral infection of the throat. It is not a pulmonary embolism. Rest and drink enough.";
    let settings = EndpointSettings::with_clinician(Clinician::always(says));
    let endpoint = Endpoint::start_apart(settings).unwrap();
    let desk = Desk::new();
    let model = format!("[models.\"sim/clinician\"]\nurl = \"{}/v1\"\napi = \"openai\"\n", endpoint.url());
    desk.write("study.toml", study("", &(subject("sim/clinician") + &model)));
    let ended = run(&desk, "run study.toml --out run --json");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let letters = desk.read("run/variants.jsonl").lines().count() as u64;
    assert_eq!(endpoint.stats().requests, letters);
    assert_eq!(ended.value(0, "stance.avoid"), Some(1.0));
    assert_eq!(ended.value(0, "coverage.accuracy"), Some(1.0));
}

#[test]
fn outputs_judged_elsewhere_are_scored() {
    let desk = Desk::new();
    let head = "case,question,accuracy,rumor_stance,fact_stance,evidence,treatment,lifestyle,diagnosis\n";
    desk.write(
        "rows.csv",
        format!("{head}p1,control,100,,,100,100,100,gout\np1,a,50,opposes,supports,50,50,50,gout\np1,b,0,supports,,0,0,0,cold\n"),
    );
    let ended = desk.done("score consult rows.csv --json");
    assert_eq!(ended.value(0, "accuracy"), Some(0.0));
    assert_eq!(ended.value(0, "veracity"), Some(0.5));
    assert_eq!(ended.value(0, "consistency"), Some(0.0));
    assert_eq!(ended.value(0, "static_accuracy"), Some(1.0));
}

#[test]
fn what_cannot_be_is_told_with_what_to_do() {
    let desk = Desk::new();
    for (suite, told) in [
        ("language = \"xx\"", "no language is called `xx`; there are: en, zh"),
        ("source = \"nowhere\"", "`nowhere` is not a source"),
        ("traps = [\"history\", \"history\"]", "`history` is there twice"),
        ("traps = []", "name at least one of self_diagnosis"),
        ("edition = 0", "editions count from 1"),
    ] {
        desk.write("study.toml", study(suite, &subject("careful")));
        let ended = desk.waterjar("run study.toml --out run");
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(ended.stderr.contains(told), "{}", ended.stderr);
    }
    desk.write("study.toml", study("", &subject("gestalt")));
    assert!(desk.waterjar("run study.toml --out run").stderr.contains("answers no letters"));
    desk.write("cases.json", "[{\"id\":\"a\",\"explicit_symptoms\":[[\"咳嗽\",\"True\"]],\"disease\":\"肺炎\"}]");
    desk.write("study.toml", study("source = \"dx:cases.json\"\nlanguage = \"zh\"", &subject("careful")));
    assert!(desk.waterjar("run study.toml --out run").stderr.contains("come without one; name a language model"));
}
