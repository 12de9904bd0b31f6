//! The suite `sensitivity` on charts of one's own: what is counted, what is read, and what they are held against.

use crate::charts::{study, subject};
use crate::language_models::{done, run};
use crate::sample::Desk;
use serde_json::Value;
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings};

const CATALOG: &str = "- id: her2-lost
  family: A
  applicability: { cancer_types: [breast], positive: ['HER2'] }
  mutation: { replace: 'HER2: positive', with: 'HER2: negative' }
  expected_change: { must_drop: [trastuzumab] }
  scoring_rule: x
";

/// Four charts that name HER2, of which one says it in the words of the catalog.
fn desk() -> Desk {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("charts")).unwrap();
    for (name, told) in [("a", "HER2: positive"), ("b", "HER2 3+"), ("c", "HER2 amplified"), ("d", "HER2 pos.")] {
        let chart =
            format!("# Diagnoses\nBreast cancer, breast cancer\n\n## 2024-03-09 Clinic\nBreast cancer. {told}.\n");
        desk.write(&format!("charts/{name}.txt"), chart);
    }
    desk.write("catalog.yaml", CATALOG);
    desk
}

const SOURCE: &str = "source = \"charts:charts\"\ncatalog = \"catalog.yaml\"";

fn guideline(suite: &str) -> String {
    study(&format!("{SOURCE}\n{suite}"), &subject("plain", "guideline", ""), None)
}

#[test]
fn a_change_that_finds_nothing_is_counted_also_where_the_chart_has_nothing_else() {
    let desk = desk();
    desk.write("study.toml", guideline(""));
    let made = done(&desk, "vary study.toml --out run --json").json();
    let (account, made) = (&made[0]["accounts"][0], &made[0]);
    assert_eq!((account["eligible"].as_u64(), account["asked"].as_u64()), (Some(4), Some(1)), "{made}");
    assert_eq!(account["lost"]["textual_no_op"], 3, "{made}");
    assert_eq!((made["eligible"].as_u64(), made["families"].as_u64()), (Some(4), Some(1)), "{made}");
    // Where nothing is left at all, eligible are tuples too.
    desk.write("catalog.yaml", CATALOG.replace("'HER2'", "'HER2 (?:3|a|p)'"));
    let none = run(&desk, "vary study.toml --out none --json").json();
    assert_eq!((none[0]["eligible"].as_u64(), none[0]["families"].as_u64()), (Some(3), Some(0)), "{none}");
    desk.write("catalog.yaml", CATALOG.replace("'HER2'", "'HER5'"));
    let none = run(&desk, "vary study.toml --out nothing --json").json();
    assert_eq!(none[0]["eligible"], 0, "{none}");
    let told = run(&desk, "run study.toml --out nothing").stderr;
    assert!(told.contains("pattern_not_found") && !told.contains("patients"), "{told}");
    let reasons = &none[0]["accounts"][0]["by_entry"];
    assert!(reasons.to_string().contains("pattern_not_found_(positive_1)\":4"), "{reasons}");
    let told = run(&desk, "vary study.toml --out nothing").stdout;
    assert!(told.contains("apply to no case") && told.contains("pattern not found (positive 1) 4"), "{told}");
}

#[test]
fn a_model_reads_no_more_charts_than_are_asked_for() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let url = format!("{}/v1", endpoint.url());
    let desk = Desk::new();
    let read = |suite: &str, run: &str| {
        let suite = format!("residue = \"other/judge\"\n{suite}");
        let text = study(&suite, &subject("plain", "guideline", ""), Some(("openai", &url)));
        desk.write("study.toml", text.replace("cases = 8\n", ""));
        let made = done(&desk, &format!("vary study.toml --out {run} --json")).json();
        // `run` tells what was spent, and makes nothing anew.
        let told = done(&desk, &format!("run study.toml --out {run}")).stderr;
        let uses = told.lines().find_map(|line| line.strip_prefix("other/judge: "));
        let calls: u64 = uses.map_or(0, |uses| uses.split(' ').next().unwrap().parse().unwrap());
        let changed = made[0]["variants"].as_u64().unwrap() - made[0]["families"].as_u64().unwrap();
        (made[0]["families"].as_u64().unwrap(), changed, calls)
    };
    let (families, changed, calls) = read("cases = 5", "five");
    assert_eq!((families, calls), (5, changed), "one call for each changed chart of the five");
    let (families, changed, calls) = read("per_cancer = 1", "each");
    assert_eq!((families, calls), (12, changed));
}

fn cms(desk: &Desk, words: &str) -> Option<f64> {
    done(desk, words).value(0, "cms")
}

#[test]
fn a_consensus_list_finds_its_charts_also_when_they_are_renamed() {
    let desk = desk();
    desk.write("list.csv", "case,treatment,class\na,trastuzumab,strong\nb,trastuzumab,strong\n");
    desk.write("study.toml", guideline("consensus = \"list.csv\""));
    let scrubbed = cms(&desk, "run study.toml --out scrubbed --json");
    desk.write("study.toml", guideline("consensus = \"list.csv\"\nscrub = false"));
    assert_eq!(scrubbed, cms(&desk, "run study.toml --out plain --json"));
    assert!(scrubbed.is_some());
    // A case that no chart is.
    desk.write("list.csv", "case,treatment,class\na,trastuzumab,strong\nzzz,trastuzumab,strong\n");
    let ended = run(&desk, "run study.toml --out other");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("line 3") && ended.stderr.contains("`zzz`"), "{}", ended.stderr);
}

#[test]
fn another_consensus_list_is_another_study() {
    let desk = desk();
    desk.write("study.toml", guideline("consensus = \"list.csv\""));
    desk.write("list.csv", "case,treatment,class\na,trastuzumab,strong\n");
    let first = cms(&desk, "run study.toml --out run --json");
    desk.write("list.csv", "case,treatment,class\na,aspirin,strong\n");
    let ended = run(&desk, "run study.toml --out run --json");
    assert_eq!(ended.code, Some(2), "{}", ended.stdout);
    assert_ne!(first, cms(&desk, "run study.toml --out anew --json"));
    let kept: Value = serde_json::from_str(&desk.read("run/metrics.json")).unwrap();
    assert_eq!(kept["results"][0]["metrics"]["cms"]["value"].as_f64(), first, "what was measured stays");
}

#[test]
fn a_finished_run_is_judged_measured_and_reported_when_its_charts_and_catalog_are_gone() {
    let desk = desk();
    desk.write("study.toml", guideline("consensus = \"list.csv\""));
    desk.write("list.csv", "case,treatment,class\na,trastuzumab,strong\n");
    let first = done(&desk, "run study.toml --out run --json").stdout;
    let verdicts = desk.read("run/verdicts.jsonl");
    assert_eq!(desk.read("run/inputs/sensitivity/catalog.yaml"), CATALOG);
    std::fs::remove_dir_all(desk.path("charts")).unwrap();
    std::fs::remove_file(desk.path("list.csv")).unwrap();
    desk.write("catalog.yaml", "- id: another\n");
    done(&desk, "judge run");
    assert_eq!(desk.read("run/verdicts.jsonl"), verdicts);
    assert_eq!(done(&desk, "measure run --json").stdout, first);
    done(&desk, "report run");
    done(&desk, "show case run");
    // Variants need the charts.
    let ended = run(&desk, "vary run");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("charts"), "{}", ended.stderr);
}

#[test]
fn single_interventions_are_drawn_with_their_chart() {
    let desk = Desk::new();
    let subjects = [subject("plain", "guideline", ""), subject("plain", "protocolist", "")].concat();
    desk.write("study.toml", study("", &subjects, None));
    done(&desk, "run study.toml --out run");
    let compared = |metric: &str| done(&desk, &format!("compare run --metric {metric} --json")).json()[0].clone();
    let (tuples, charts) = (compared("css_tuples"), compared("css"));
    // The same scores of the same charts, one by one or chart by chart: one figure and one interval.
    assert_eq!((&tuples["value"], &tuples["interval"]), (&charts["value"], &charts["interval"]), "{tuples} {charts}");
    assert!(tuples["interval"]["low"].as_f64() < tuples["interval"]["high"].as_f64(), "{tuples}");
}
