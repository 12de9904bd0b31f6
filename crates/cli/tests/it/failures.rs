//! Why answers kept the old diagnosis: the audit in a run, its figures, and people's labels beside it. Real HTTP.

use crate::sample::{Desk, Ended, result, shared_run};
use serde_json::{Value, json};
use std::fs;
use waterjar_core::Seed;
use waterjar_simulation::{Clinician, Endpoint, EndpointSettings, Heed, Persona};

/// Endpoints whose clinicians go by the symptoms alone and differ in what they say of the rest, and an auditor.
struct Ward {
    desk: Desk,
    endpoints: Vec<(&'static str, Endpoint)>,
}

const MODES: [&str; 6] = ["blindness", "underthinking", "overthinking", "mentioned", "no_reasoning", "unaudited"];

impl Ward {
    fn new() -> Self {
        Self::with_auditor(Clinician::new(Persona::CAREFUL, Seed(7)))
    }

    fn with_auditor(auditor: Clinician) -> Self {
        let stubborn = |heed| Clinician::new(Persona { heed, ..Persona::STUBBORN }, Seed(7));
        let clinicians = [
            ("blind", stubborn(Heed::Overlooks)),
            ("under", stubborn(Heed::Mentions)),
            ("over", stubborn(Heed::ArguesAway)),
            ("terse", Clinician::new(Persona { verbosity: 0, ..Persona::STUBBORN }, Seed(7))),
            ("auditor", auditor),
        ];
        let endpoints = clinicians.map(|(name, clinician)| {
            let settings = EndpointSettings::with_clinician(clinician);
            (name, Endpoint::start_apart(settings).unwrap())
        });
        let ward = Self { desk: Desk::new(), endpoints: endpoints.into() };
        ward.desk.write("study.toml", ward.study("auditor = \"sim/auditor\""));
        ward.desk.write("by-rule.toml", ward.study(""));
        ward
    }

    fn study(&self, auditor: &str) -> String {
        let subjects = ["blind", "under", "over", "terse"];
        let subjects =
            subjects.map(|name| format!("[[subject]]\nagent = \"plain\"\nmodel = \"sim/{name}\"\n")).concat();
        let models = self.endpoints.iter().map(|(name, endpoint)| {
            format!("[models.\"sim/{name}\"]\nurl = \"{}/v1\"\napi = \"openai\"\n", endpoint.url())
        });
        format!(
            "[study]\nname = \"failures\"\nseed = 7\n\n[[suite]]\nkind = \"einstellung\"\npatients = 28000\npairs = 400\n\
             gap = 0.4\n{auditor}\n\n{subjects}\n{}",
            models.collect::<String>()
        )
    }

    fn requests(&self, name: &str) -> u64 {
        self.endpoints.iter().find(|(known, _)| *known == name).unwrap().1.stats().requests
    }

    fn run(&self, words: &str) -> Ended {
        self.desk.done(words)
    }
}

/// How many of the subject's trapped answers went wrong in each way.
fn counts(metrics: &Value, subject: &str) -> Vec<(&'static str, u64)> {
    let metrics = &result(metrics, subject)["metrics"];
    let count = |mode: &'static str| {
        let metric = &metrics[format!("failure_mode.{mode}")];
        let (share, n) = (metric["value"].as_f64().unwrap(), metric["n"].as_f64().unwrap());
        (mode, (share * n).round() as u64)
    };
    MODES.map(count).into_iter().filter(|(_, n)| *n > 0).collect()
}

fn of(metrics: &Value, subject: &str, mode: &str) -> u64 {
    counts(metrics, subject).into_iter().find(|(known, _)| *known == mode).map_or(0, |(_, n)| n)
}

/// What the bias trap rate counts.
fn trapped(metrics: &Value, subject: &str) -> u64 {
    let rate = &result(metrics, subject)["metrics"]["bias_trap_rate"];
    (rate["value"].as_f64().unwrap() * rate["n"].as_f64().unwrap()).round() as u64
}

/// The audits of a subject's answers to the traps.
fn audits(desk: &Desk, subject: &str) -> Vec<Value> {
    let of_subject = |verdict: &Value| verdict["subject"] == subject;
    let audit = |verdict: Value| verdict["rulings"].as_array().unwrap().iter().find_map(|it| it.get("audit").cloned());
    desk.lines("run/verdicts.jsonl").into_iter().filter(of_subject).filter_map(audit).collect()
}

#[test]
fn what_was_made_of_the_evidence_is_told_apart() {
    let ward = Ward::new();
    let metrics = ward.run("run study.toml --out run --json").json();
    let subjects = [("blind", "blindness"), ("under", "underthinking"), ("over", "overthinking")];
    for (name, mode) in subjects {
        let subject = format!("plain@sim/{name}");
        let all = trapped(&metrics, &subject);
        assert!(all >= 5, "{subject}: {all}");
        assert_eq!(of(&metrics, &subject, mode), all, "{:?}", counts(&metrics, &subject));
        let audits = audits(&ward.desk, &subject);
        assert_eq!(audits.len() as u64, all);
        for audit in audits {
            let by = if name == "blind" { "rules" } else { "sim/auditor" };
            assert_eq!((&audit["mode"], &audit["auditor"]), (&json!(mode), &json!(by)), "{audit}");
            assert_eq!(audit["quote"].is_string(), name != "blind", "{audit}");
            assert!(audit["evidence"][0]["said"].is_string(), "{audit}");
        }
    }
    // Whoever gives no reasons is not called blind.
    let terse = "plain@sim/terse";
    assert_eq!(counts(&metrics, terse), [("no_reasoning", trapped(&metrics, terse))]);
    // The rule decides where nothing is mentioned, so the auditor is asked about the other two alone.
    let asked = trapped(&metrics, "plain@sim/under") + trapped(&metrics, "plain@sim/over");
    assert_eq!(ward.requests("auditor"), asked);

    let report = ward.desk.read("run/report.html");
    assert!(report.contains("How the evidence was lost") && report.contains("class=\"chart stacked\""));
    assert!(report.contains("overthinking, says sim/auditor: "));

    // Started again, nobody is asked again and the bytes are the same.
    let before = ward.desk.read("run/metrics.json");
    ward.run("run study.toml --out run");
    assert_eq!(ward.requests("auditor"), asked);
    assert_eq!(ward.desk.read("run/metrics.json"), before);
    ward.run("run study.toml --out again");
    assert_eq!(ward.desk.read("again/metrics.json"), before);
}

#[test]
fn built_in_readers_give_no_reasons_and_the_report_draws_none() {
    let metrics: Value = serde_json::from_str(&fs::read_to_string(shared_run().join("metrics.json")).unwrap()).unwrap();
    let reader = "plain@gestalt";
    assert!(trapped(&metrics, reader) > 0);
    assert_eq!(counts(&metrics, reader), [("no_reasoning", trapped(&metrics, reader))]);
    let report = fs::read_to_string(shared_run().join("report.html")).unwrap();
    assert!(report.contains("How much evidence it takes") && !report.contains("How the evidence was lost"));
    assert!(!report.contains("Failure mode"), "no table of a hundred percent of nothing");
}

#[test]
fn without_an_auditor_what_mentions_the_evidence_is_not_guessed_at() {
    let ward = Ward::new();
    let metrics = ward.run("run by-rule.toml --out run --json").json();
    for (name, mode) in [("blind", "blindness"), ("under", "mentioned"), ("over", "mentioned")] {
        let subject = format!("plain@sim/{name}");
        assert_eq!(counts(&metrics, &subject), [(mode, trapped(&metrics, &subject))]);
    }
    assert_eq!(ward.requests("auditor"), 0);

    // A finished run can be audited later; the subjects are not asked again.
    let asked: Vec<u64> = ["blind", "under", "over"].map(|name| ward.requests(name)).into();
    ward.run("judge run --set suite.auditor=sim/auditor");
    let audited = ward.run("measure run --json").json();
    assert_eq!(["blind", "under", "over"].map(|name| ward.requests(name)).to_vec(), asked);
    assert_eq!(of(&audited, "plain@sim/over", "overthinking"), trapped(&metrics, "plain@sim/over"));
    let others = |metrics: &Value| {
        let mut metrics = result(metrics, "plain@sim/over")["metrics"].clone();
        metrics.as_object_mut().unwrap().retain(|name, _| !name.starts_with("failure_mode"));
        metrics
    };
    assert_eq!(others(&audited), others(&metrics), "an audit changes no other figure");
}

#[test]
fn an_auditor_that_invents_its_quotes_is_asked_twice_and_counted() {
    let inventing =
        |_: &Clinician, _: &_| json!({"classification": "overthinking", "sentence": "No such words were said."});
    let ward = Ward::with_auditor(Clinician::new(Persona::CAREFUL, Seed(7)).on("failure_audit", inventing));
    let ended = ward.desk.waterjar("run study.toml --out run --json");
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    let metrics = ended.json();
    let subject = "plain@sim/under";
    assert_eq!(counts(&metrics, subject), [("unaudited", trapped(&metrics, subject))]);
    let asked = trapped(&metrics, subject) + trapped(&metrics, "plain@sim/over");
    assert_eq!(ward.requests("auditor"), 2 * asked);
    assert!(
        ended.stderr.contains(&format!("{asked} answers that kept the old diagnosis are unaudited")),
        "{}",
        ended.stderr
    );
    for audit in audits(&ward.desk, subject) {
        assert_eq!(audit["failure"]["state"], "invalid_output", "{audit}");
    }
}

#[test]
fn an_empty_purse_stops_the_audit_and_more_money_goes_on() {
    let ward = Ward::new();
    ward.run("vary study.toml --out run");
    ward.run("answer study.toml --out run");
    let ended = ward.desk.waterjar("judge run --set budget.tokens=1000");
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert_eq!(ward.requests("auditor"), 0);
    ward.run("judge run --set budget.tokens=100000000");
    let metrics = ward.run("measure run --json").json();
    assert_eq!(of(&metrics, "plain@sim/under", "underthinking"), trapped(&metrics, "plain@sim/under"));
}

#[test]
fn a_case_is_shown_with_what_went_wrong() {
    let ward = Ward::new();
    ward.run("run study.toml --out run");
    let trapped = |verdict: &Value| {
        let rulings = verdict["rulings"].as_array().unwrap();
        verdict["subject"] == "plain@sim/over" && rulings.iter().any(|ruling| ruling.get("audit").is_some())
    };
    let verdict = ward.desk.lines("run/verdicts.jsonl").into_iter().find(trapped).unwrap();
    let shown = ward.run(&format!("show case run {}", verdict["family"].as_str().unwrap())).stdout;
    for part in [
        "\n== answers\n",
        "plain@sim/over\n  control: right, ",
        "  trap: trapped, stays with ",
        "    overthinking, says sim/auditor: “The patient also says",
        "    blindness, by rule: the reasoning speaks of none of the new evidence",
    ] {
        assert!(shown.contains(part), "no `{part}` in\n{shown}");
    }
}

#[test]
fn people_label_the_exported_answers_and_agree_reads_them_at_once() {
    let ward = Ward::new();
    let metrics = ward.run("run study.toml --out run --json").json();
    ward.run("export run --failures failures.csv");
    let is_marked = ward.desk.read("failures.csv").starts_with("\u{feff}item,suite,");
    assert!(is_marked, "spreadsheets know by the mark that it is UTF-8");
    let mut rows = csv::Reader::from_path(ward.desk.path("failures.csv")).unwrap();
    let head: Vec<String> = rows.headers().unwrap().iter().map(str::to_owned).collect();
    assert_eq!(head.last().map(String::as_str), Some("sim/auditor"));
    let at = |name: &str| head.iter().position(|known| known == name).unwrap();
    let rows: Vec<csv::StringRecord> = rows.records().map(|row| row.unwrap()).collect();
    let subjects = ["plain@sim/blind", "plain@sim/under", "plain@sim/over", "plain@sim/terse"];
    let all: u64 = subjects.iter().map(|subject| trapped(&metrics, subject)).sum();
    assert_eq!(rows.len() as u64, all, "one row per answer that the trap rate counts");
    let mut items: Vec<&str> = rows.iter().map(|row| &row[at("item")]).collect();
    items.sort_unstable();
    items.dedup();
    assert_eq!(items.len(), rows.len());

    // A person labels as the auditor does, but takes every third overthinking for underthinking.
    let mut labelled = csv::Writer::from_path(ward.desk.path("labelled.csv")).unwrap();
    labelled.write_record(head.iter().map(String::as_str).chain(["Dr. Weiss"])).unwrap();
    let (mut rated, mut differ) = (0, 0);
    for row in &rows {
        assert!(!row[at("key_evidence")].is_empty() && !row[at("reasoning")].is_empty());
        let label = &row[at("sim/auditor")];
        let reasons = &row[at("subject")] != "plain@sim/terse";
        assert_eq!(label.is_empty(), !reasons, "{row:?}");
        rated += u64::from(reasons);
        let slips = label == "overthinking" && rated % 3 == 0;
        differ += u64::from(slips);
        labelled.write_record(row.iter().chain([if slips { "underthinking" } else { label }])).unwrap();
    }
    labelled.flush().unwrap();
    let agreed = ward.run("agree labelled.csv --categories blindness,underthinking,overthinking --json").json();
    let agreement = &agreed["results"][0]["metrics"]["raw_agreement"];
    let expected = (rated - differ) as f64 / rated as f64;
    assert!(differ > 0 && (agreement["value"].as_f64().unwrap() - expected).abs() < 1e-6, "{agreed}");
    assert_eq!(agreement["n"], rated);
}

#[test]
fn an_auditor_that_is_no_language_model_is_refused_before_anything_is_made() {
    let desk = Desk::with_study(&crate::sample::quick().replace("gap = 0.7", "gap = 0.7\nauditor = \"gestalt\""));
    let ended = desk.waterjar("run small.toml --out run");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("small.toml, line 6: `gestalt` is no language model\nhint: "), "{}", ended.stderr);
    assert!(!desk.path("run").exists());
}

#[test]
fn an_export_that_cannot_be_written_leaves_nothing_behind() {
    let desk = Desk::with_shared_run();
    let ended = desk.waterjar("export run --failures nowhere/failures.csv");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("nowhere/failures.csv cannot be written"), "{}", ended.stderr);
    assert_eq!(desk.waterjar("export nothing --failures failures.csv").code, Some(2));
    assert_eq!(desk.names("."), ["run"]);
}
