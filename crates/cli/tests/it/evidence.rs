//! Where subjects look things up: names, privacy, services that answer and services that do not.

use crate::sample::{Desk, Ended};
use std::path::Path;
use waterjar_testkit::{Act, CannedServer};

const STUDY: &str = r#"
[study]
name = "small"
seed = 7

[[suite]]
kind = "einstellung"
source = "starter"
patients = 3600
pairs = 2
gap = 0.7

[[subject]]
agent = "ecr"
model = "rules"
evidence = EVIDENCE
"#;

fn desk(evidence: &str) -> Desk {
    Desk::with_study(&STUDY.replace("EVIDENCE", evidence))
}

/// PubMed as far as we use it: its formats with invented content, every search with the same result.
fn pubmed() -> CannedServer {
    CannedServer::with(|_, request| {
        Act::ok(match request.contains("esearch.fcgi") {
            true => include_str!("../../../evidence/tests/fixtures/esearch.json"),
            false => include_str!("../../../evidence/tests/fixtures/efetch.xml"),
        })
    })
}

fn run(desk: &Desk, out: &str) -> Ended {
    let key = ("NCBI_API_KEY", "a-secret-that-is-nowhere-else");
    let ended = desk.waterjar_with(&[key], &format!("run small.toml --out {out}"));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    ended
}

/// Every file below a folder holds it not.
fn assert_nowhere(folder: &Path, secret: &str) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            assert_nowhere(&path, secret);
        } else {
            let bytes = std::fs::read(&path).unwrap();
            let found = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
            assert!(!found, "{} holds the key", path.display());
        }
    }
}

#[test]
fn what_a_service_said_is_kept_for_the_next_run_and_the_key_is_not() {
    let pubmed = pubmed();
    let desk = desk(&format!("[\"starter\", \"pubmed:{}\"]", pubmed.url("/eutils")));
    let first = run(&desk, "one");
    let heard = pubmed.heard();
    assert!(heard.len() > 4 && heard[0].contains("api_key=a-secret"), "{} requests", heard.len());
    assert!(!first.stderr.contains("answered without"), "{}", first.stderr);
    run(&desk, "two");
    assert_eq!(pubmed.heard().len(), heard.len(), "asked again");
    assert_eq!(desk.read("one/responses.jsonl"), desk.read("two/responses.jsonl"));
    assert_nowhere(&desk.path(""), "a-secret-that");
    assert!(desk.names(".cache").contains(&"replies".to_owned()));
}

#[test]
fn no_word_of_the_patient_is_sent() {
    let pubmed = pubmed();
    let desk = desk(&format!("\"pubmed:{}\"", pubmed.url("/eutils")));
    run(&desk, "run");
    for request in pubmed.heard() {
        let term = request.split("term=").nth(1).map(|it| it.split('&').next().unwrap());
        assert!(term.is_none_or(|term| term.len() < 160), "{request}");
    }
}

#[test]
fn a_service_that_is_down_is_gone_without_and_told_of() {
    let desk = desk("[\"starter\", \"opentargets:http://127.0.0.1:9/api\"]");
    let ended = run(&desk, "run");
    let told = "warning: ecr@rules, 6 answers: answered without open-targets: no connection to 127.0.0.1";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
    assert!(desk.read("run/report.html").contains("answered without open-targets"));
    // The articles were there.
    assert!(desk.read("run/responses.jsonl").contains("Verified pivots"));
}

#[test]
fn under_local_endpoints_a_service_is_refused_before_anything_is_sent() {
    for (evidence, host) in [("pubmed", "eutils.ncbi.nlm.nih.gov"), ("opentargets", "api.platform.opentargets.org")] {
        let desk = desk(&format!("[\"starter\", \"{evidence}\"]\n[privacy]\nendpoints = \"local\""));
        let ended = desk.waterjar("run small.toml --out run");
        assert_eq!(ended.code, Some(2));
        let told = format!("subject `ecr@rules`: evidence: `{evidence}`: {host} is neither this machine");
        assert!(ended.stderr.contains(&told), "{}", ended.stderr);
        assert!(ended.stderr.contains("small.toml, line 16"), "{}", ended.stderr);
        assert!(!desk.names("").contains(&"run".to_owned()));
    }
}

#[test]
fn a_name_that_is_no_source_and_no_folder_is_told() {
    let check = |evidence: &str, told: &str| {
        let ended = desk(evidence).waterjar("run small.toml --out run");
        assert_eq!(ended.code, Some(2));
        assert!(ended.stderr.contains(told), "{}", ended.stderr);
    };
    check("\"pubmet\"", "`pubmet` is neither starter, pubmed or opentargets, nor a folder of texts");
    check("[\"starter\", \"starter\"]", "evidence: `starter` is there twice");
    check("3", "evidence: a name, or a list of names");
}

#[test]
fn an_agents_embedder_is_not_at_an_address() {
    let ended = desk("\"starter\"\nembedder = \"openai/text-embedding-3-small\"").waterjar("run small.toml --out run");
    assert_eq!(ended.code, Some(2));
    let told = "embedder: `openai/text-embedding-3-small` is a model at an address";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
}

#[test]
fn a_folder_of_texts_is_evidence() {
    let desk = desk("\"notes\"");
    std::fs::create_dir(desk.path("notes")).unwrap();
    desk.write("notes/gout.md", "# Gout\nMy big toe is red. Fever argues against it.\n");
    run(&desk, "run");
    assert!(desk.names(".cache").contains(&"texts".to_owned()));
    // The agent's own fingerprint follows the texts: a changed one is asked anew.
    let before = desk.read("run/responses.jsonl");
    desk.write("notes/gout.md", "# Gout\nA swollen knee.\n");
    run(&desk, "run");
    assert_eq!(desk.read("run/responses.jsonl").lines().count(), before.lines().count());
}
