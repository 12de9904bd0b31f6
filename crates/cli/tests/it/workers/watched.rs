//! What a worker tells of itself.

use super::*;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use waterjar_testkit::CannedServer;

#[test]
fn a_worker_takes_only_what_it_was_told_to_and_gives_back_what_it_has_when_it_stops() {
    let Some(team) = team() else { return };
    let endpoint = slow(5);
    team.desk.write("study.toml", study(&endpoint, 20, ""));
    let mut planner = team.planner("run");
    let mut talk = BufReader::new(planner.0.stderr.take().unwrap()).lines().map(Result::unwrap);
    let waits = talk.by_ref().find(|line| line.contains("nobody takes any"));
    assert!(waits.unwrap().contains("start `waterjar worker --store postgres://"));
    // The processor's share, and nothing of the endpoint's.
    let (code, told) = team.worker("--take cpu --until-idle 2").ended();
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("takes cpu") && !told.contains(" 0 parts done"), "{told}");
    assert_eq!(endpoint.stats().requests, 0);
    let mut rest = team.worker("--health 127.0.0.1:0");
    let mut said = BufReader::new(rest.0.stderr.take().unwrap()).lines().map(Result::unwrap);
    let health = said.by_ref().find(|line| line.contains("/healthz")).unwrap();
    let host = health.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
    assert_eq!(planner.0.wait().unwrap().code(), Some(0), "{:?}", talk.collect::<Vec<_>>());
    assert!(get(&host, "/healthz").ends_with("ok\n"));
    let metrics = get(&host, "/metrics");
    assert!(metrics.contains("# TYPE waterjar_worker_parts_done_total counter"), "{metrics}");
    // A wish to stop is heard.
    let sent = Command::new("kill").args(["-INT", &rest.0.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert!(said.any(|line| line.contains(" done (")));
    assert_eq!(rest.0.wait().unwrap().code(), Some(0));
}

#[test]
fn a_collector_is_told_of_every_part_and_of_nothing_that_was_asked() {
    let Some(team) = team() else { return };
    let endpoint = slow(1);
    team.desk.write("study.toml", study(&endpoint, 40, ""));
    let collector = CannedServer::answering("{}");
    let worker = format!("worker --store {} --lease 3 --until-idle 3", team.url);
    let worker = team.start_with(&[("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url("").as_str())], &worker);
    let planner = team.start(&format!("run study.toml --out run --store {} --workers-only", team.url));
    let (code, told) = planner.ended();
    assert_eq!(code, Some(0), "{told}");
    assert_eq!(worker.ended().0, Some(0));
    let (mut asked, mut traces) = (0, std::collections::BTreeSet::new());
    for request in collector.heard() {
        assert!(request.starts_with("POST /v1/traces "), "{request}");
        let (_, body) = request.split_once("\r\n\r\n").unwrap();
        assert!(!body.contains("year-old") && !body.contains("patient"), "{body}");
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        for span in body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap() {
            traces.insert(span["traceId"].as_str().unwrap().to_owned());
            assert_eq!(span["status"]["code"], 1, "{span}");
            let of = |key: &str| {
                let all = span["attributes"].as_array().unwrap();
                all.iter().find(|it| it["key"] == key).unwrap()["value"].clone()
            };
            if of("waterjar.pass")["stringValue"] == "answer" {
                asked += of("waterjar.items")["intValue"].as_str().unwrap().parse::<usize>().unwrap();
            }
        }
    }
    assert_eq!(asked, team.desk.read("run/responses.jsonl").lines().count());
    assert_eq!(traces.len(), 1, "one run, one trace");
}

fn get(host: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}
