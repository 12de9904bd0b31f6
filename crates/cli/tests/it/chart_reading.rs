//! The suite `sensitivity` where models read charts, judge what is recommended beyond a list, and look things up.

use crate::charts::{study, subject};
use crate::language_models::{done, run};
use crate::sample::{Desk, Ended};
use serde_json::{Value, json};
use waterjar_charts::{boards::boards, render};
use waterjar_core::Seed;
use waterjar_testkit::clinician::{Clinician, Persona};
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings};

/// A chart whose HER2 status is told once more, in words no pattern knows.
fn desk_with_a_chart() -> Desk {
    let board = boards(Seed(7)).unwrap().map(|it| it.unwrap()).find(|board| board.id == "breast-01").unwrap();
    let chart = render(&board.chart).text;
    let desk = Desk::new();
    std::fs::create_dir(desk.path("charts")).unwrap();
    desk.write(
        "charts/breast.txt",
        format!("{}\n2025-06-01 [Note] Outside laboratory: the neu oncogene is amplified.\n", chart.trim_end()),
    );
    desk
}

fn audit_of(desk: &Desk, run: &str, intervention: &str) -> Value {
    let all = desk.lines(&format!("{run}/variants.jsonl"));
    let changed = all.iter().find(|it| it["intervention"]["name"] == intervention);
    changed.unwrap_or_else(|| panic!("{all:#?}"))["record"]["audit"].clone()
}

const SOURCE: &str = "source = \"charts:charts\"\nscrub = false";

#[test]
fn a_model_that_reads_finds_what_no_pattern_knows() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let url = format!("{}/v1", endpoint.url());
    let desk = desk_with_a_chart();
    let guideline = subject("plain", "guideline", "");
    desk.write("rules.toml", study(SOURCE, &guideline, None));
    done(&desk, "vary rules.toml --out rules");
    let by_rules = audit_of(&desk, "rules", "her2-lost-breast");
    assert_eq!((by_rules["residue"].as_array().unwrap().len(), &by_rules["reader"]), (0, &Value::Null), "{by_rules}");

    let asked = study(&format!("{SOURCE}\nresidue = \"other/judge\""), &guideline, Some(("openai", &url)));
    desk.write("read.toml", asked);
    let first = done(&desk, "run read.toml --out read --json");
    let read = audit_of(&desk, "read", "her2-lost-breast");
    assert_eq!(read["residue"][0]["by"], "reading");
    assert!(read["residue"][0]["said"].as_str().unwrap().contains("neu oncogene"), "{read}");
    assert_eq!(read["reader"]["model"], "other/judge");
    let shown = done(&desk, "show case read").stdout;
    assert!(shown.contains("still says") && shown.contains("neu oncogene"), "{shown}");
    // Nothing is read twice.
    let calls = |ended: &Ended| ended.stderr.lines().find(|it| it.starts_with("other/judge: ")).map(str::to_owned);
    assert!(calls(&first).is_some());
    assert_eq!(calls(&first), calls(&done(&desk, "run read.toml --out read --json")));
}

#[test]
fn a_quote_that_stands_nowhere_leaves_the_chart_unread_and_not_clean() {
    let invents =
        |_: &Clinician, _: &_| json!({ "still_said": [{ "quote": "words that stand nowhere", "reason": "x" }] });
    let clinician = Clinician::new(Persona::default(), Seed(1)).on("chart_residue", invents);
    let endpoint = Endpoint::start_apart(EndpointSettings::with_clinician(clinician)).unwrap();
    let url = format!("{}/v1", endpoint.url());
    let desk = desk_with_a_chart();
    let asked = study(
        &format!("{SOURCE}\nresidue = \"other/judge\""),
        &subject("plain", "guideline", ""),
        Some(("openai", &url)),
    );
    desk.write("study.toml", asked);
    let made = run(&desk, "vary study.toml --out run --json");
    let audit = audit_of(&desk, "run", "her2-lost-breast");
    let failed = audit["reader"]["failed"].as_str();
    assert!(failed.is_some_and(|why| why.contains("stands on no line")), "{audit} {}", made.stderr);
    let accounts = &made.json()[0]["accounts"];
    for account in accounts.as_array().unwrap().iter().filter(|it| it["asked"] != 0) {
        assert_eq!((&account["clean"], &account["flagged"]["unread"]), (&json!(0), &account["asked"]), "{account}");
    }
}

#[test]
fn models_judge_what_is_recommended_beyond_the_list() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let url = format!("{}/v1", endpoint.url());
    let desk = Desk::new();
    let asked = study("judge = [\"other/judge\"]", &subject("plain", "protocolist", ""), Some(("openai", &url)));
    // All cases: few lists hold anything beyond the board's.
    desk.write("study.toml", asked.replace("cases = 8\n", ""));
    done(&desk, "run study.toml --out run --json");
    let verdicts = desk.lines("run/verdicts.jsonl");
    let controls = verdicts.iter().map(|it| &it["rulings"][0]["parts"]);
    let judged: Vec<&Value> = controls.filter(|parts| parts["extra_plausibility_rules"].is_number()).collect();
    assert!(!judged.is_empty());
    // The simulated colleague holds no further drug for plausible, the rule those that some board names.
    assert!(judged.iter().any(|parts| parts["extra_plausibility"] != parts["extra_plausibility_rules"]), "{judged:#?}");
}

#[test]
fn ranks_tool_use_and_the_sections_read_are_told() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let url = format!("{}/v1", endpoint.url());
    let desk = Desk::new();
    let subjects = [
        subject("plain", "protocolist", ""),
        subject("plain", "sim/clinician", ""),
        subject("react", "sim/clinician", "tools = \"text\"\ncalls = 1"),
    ];
    desk.write("study.toml", study("", &subjects.concat(), Some(("openai", &url))));
    let ended = done(&desk, "run study.toml --out run --json");
    assert_eq!(ended.value(0, "css_rank"), Some(3.0));
    let metrics = |at: usize| ended.json()["results"][at]["metrics"].clone();
    assert!(metrics(1)["css_rank"]["low"].as_f64().unwrap() >= 1.0);
    assert!(metrics(1)["tools_help"].is_null(), "who uses no tools has nothing to compare");
    let react = metrics(2);
    let shares = ["tools_help", "tools_same", "tools_hurt"].map(|name| react[name]["value"].as_f64().unwrap());
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-5, "{shares:?}");
    assert!(react["tools_sign_p"]["value"].as_f64().unwrap() <= 1.0);
    assert_eq!(react["tool_calls"]["value"], 1.0);
    assert_eq!(react["calls.overview"]["value"], 1.0);
    let page = desk.read("run/report.html");
    for figure in ["ranks", "css-by-family", "cases", "tool-use", "sections-read"] {
        assert!(page.contains(&format!("id=\"sensitivity-{figure}\"")), "{figure}");
    }
    let compared = done(&desk, "compare run --metric css_tuples --against plain@sim/clinician --json").json();
    let signs = compared.as_array().unwrap().iter().find(|it| it["subject"] == "react@sim/clinician").unwrap();
    assert!(signs["mcnemar_p"].is_number() || signs["signs"]["p"].is_number(), "an exact test over tuples: {signs}");
}

#[test]
fn a_long_chart_is_shown_by_what_changed() {
    let desk = desk_with_a_chart();
    desk.write("study.toml", study(SOURCE, &subject("plain", "guideline", ""), None));
    done(&desk, "run study.toml --out run");
    let shown = done(&desk, "show case run").stdout;
    assert!(shown.contains("- HER2 is positive.\n+ HER2 is negative (IHC 0).\n"), "{shown}");
    assert!(shown.contains(" lines …") && shown.contains("audit: changed in 7 places, clean"), "{shown}");
    assert!(shown.len() < 15_000, "{}", shown.len());
}
