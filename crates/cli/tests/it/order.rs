//! The order in which a study names its cases, suites, subjects and judges changes no figure.

use crate::charts::{study as charts_study, subject};
use crate::language_models::{run, written};
use crate::sample::{Desk, objects, shared_run};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use waterjar_core::Seed;
use waterjar_testkit::clinician::{Clinician, Persona};
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings};

/// All that metrics.json says, whatever the order it says it in.
fn figures(desk: &Desk, run: &str) -> BTreeMap<String, Value> {
    let metrics = desk.json(&format!("{run}/metrics.json"));
    let results = metrics["results"].as_array().unwrap().iter();
    let key = |result: &Value| format!("{} {}", result["suite"], result["subject"]);
    let found: BTreeMap<String, Value> = results.clone().map(|result| (key(result), result.clone())).collect();
    assert_eq!(found.len(), results.count());
    assert!(!found.is_empty());
    found
}

/// Runs the studies and compares what came of them with what came of the first.
fn check(desk: &Desk, studies: &[String]) {
    for (at, study) in studies.iter().enumerate() {
        desk.write("study.toml", study);
        let ended = run(desk, &format!("run study.toml --out run-{at}"));
        assert_eq!(ended.code, Some(0), "{}\n{study}", ended.stderr);
        let (first, this) = (figures(desk, "run-0"), figures(desk, &format!("run-{at}")));
        assert_eq!(first.keys().collect::<Vec<_>>(), this.keys().collect::<Vec<_>>());
        for (key, figures) in &first {
            let differ = |name: &&String| figures["metrics"][name.as_str()] != this[key]["metrics"][name.as_str()];
            let names: Vec<&String> = figures["metrics"].as_object().unwrap().keys().filter(differ).collect();
            let [one, other] =
                [figures, &this[key]].map(|it| names.first().map(|name| it["metrics"][name.as_str()].clone()));
            assert!(names.is_empty(), "{key} of run {at}: {names:?} {one:?} {other:?}");
            assert_eq!(figures, &this[key], "{key} of run {at}");
        }
    }
}

/// A list turned around, and shifted by one.
fn orders<T: Clone>(list: &[T]) -> [Vec<T>; 3] {
    let (mut turned, mut shifted) = (list.to_vec(), list.to_vec());
    turned.reverse();
    shifted.rotate_left(1);
    [list.to_vec(), turned, shifted]
}

const HEAD: &str = "[study]\nname = \"order\"\nseed = 7\n\n";

#[test]
fn of_suites_and_subjects() {
    let suites = [
        "[[suite]]\nkind = \"einstellung\"\npatients = 900\npairs = 20\ngap = 0.7\n\n",
        "[[suite]]\nkind = \"parity\"\nitems = 4\nembedder = \"lexical\"\n\n",
        "[[suite]]\nkind = \"consult\"\nitems = 4\n\n",
    ];
    let answers = |model: &str, suite: &str| subject("plain", model, &format!("suites = [\"{suite}\"]\n"));
    let subjects = [
        answers("prior", "einstellung"),
        answers("symptoms-only", "einstellung"),
        answers("stereotype", "parity"),
        answers("careful", "consult"),
        answers("credulous", "consult"),
    ];
    let studies = orders(&suites).into_iter().zip(orders(&subjects));
    check(
        &Desk::new(),
        &studies
            .map(|(suites, subjects)| format!("{HEAD}{}{}", suites.concat(), subjects.concat()))
            .collect::<Vec<_>>(),
    );
}

#[test]
fn of_patients() {
    let variants = objects(&std::fs::read_to_string(shared_run().join("variants.jsonl")).unwrap());
    let controls = variants.into_iter().filter(|it| it["suite"] == "einstellung" && it["intervention"].is_null());
    let cases: Vec<String> = controls
        .map(|it| {
            json!({ "id": it["case"], "source": "mine", "text": it["text"], "facts": it["facts"] }).to_string() + "\n"
        })
        .collect();
    assert!(cases.len() >= 30, "{}", cases.len());
    let desk = Desk::new();
    let subjects = subject("plain", "prior", "") + &subject("plain", "reference", "");
    let studies = orders(&cases).into_iter().enumerate().map(|(at, cases)| {
        desk.write(&format!("cases-{at}.jsonl"), cases.concat());
        format!(
            "{HEAD}[[suite]]\nkind = \"einstellung\"\nsource = \"jsonl:cases-{at}.jsonl\"\npairs = 25\ngap = 0.7\n\n{subjects}"
        )
    });
    check(&desk, &studies.collect::<Vec<_>>());
}

#[test]
fn of_vignettes() {
    let vignettes = include_str!("../../../vignettes/data/belly.txt").lines().skip(1).collect::<Vec<_>>().join("\n");
    let blocks: Vec<&str> = vignettes.split("\n----\n").map(str::trim).take(6).collect();
    assert_eq!(blocks.len(), 6);
    let desk = Desk::new();
    let studies = orders(&blocks).into_iter().enumerate().map(|(at, blocks)| {
        desk.write(&format!("vignettes-{at}.txt"), blocks.join("\n----\n") + "\n");
        let suite = format!("[[suite]]\nkind = \"parity\"\nsource = \"tagged:vignettes-{at}.txt\"\nembedder = \"lexical\"\nablations = true\n\n");
        format!("{HEAD}{suite}{}", subject("plain", "stereotype", ""))
    });
    check(&desk, &studies.collect::<Vec<_>>());
}

const JUDGES: [&str; 3] = ["one/judge", "two/judge", "three/judge"];

/// With the model that each names at one endpoint.
fn judged(study: &str, key: &str, judges: &[&str], url: &str) -> String {
    let models =
        JUDGES.map(|id| format!("[models.\"{id}\"]\nurl = \"{url}\"\napi = \"openai\"\nkey_env = \"SIM_KEY\"\n\n"));
    let named = judges.iter().map(|id| format!("\"{id}\"")).collect::<Vec<_>>().join(", ");
    study.replace("JUDGES", &format!("{key} = [{named}]")) + &models.concat()
}

#[test]
fn of_judges_of_recommendations() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let study = charts_study("JUDGES", &subject("plain", "guideline", ""), None);
    let studies = orders(&JUDGES).map(|judges| judged(&study, "judge", &judges, &format!("{}/v1", endpoint.url())));
    check(&Desk::new(), &studies);
}

#[test]
fn of_a_committee_that_votes_on_pairs() {
    let clinician = Clinician::new(Persona::CAREFUL, Seed(7)).writing_traps();
    let endpoint = Endpoint::start_apart(EndpointSettings::with_clinician(clinician)).unwrap();
    let study = written(&endpoint.url());
    let list = |judges: &[&str]| {
        let named: Vec<String> = judges.iter().map(|id| format!("\"{id}\"")).collect();
        format!("judges = [{}]", named.join(", "))
    };
    let judges = ["sim/clinician", "sim/second", "sim/third"];
    assert!(study.contains(&list(&judges)), "{study}");
    let studies = orders(&judges).map(|turned| study.replace(&list(&judges), &list(&turned)));
    check(&Desk::new(), &studies);
}
