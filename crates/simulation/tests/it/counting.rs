//! What the endpoint remembers, and what it must not.

use crate::asking::{FORMATS, KEY, Question, ask, path, start};
use waterjar_simulation::raw::RawClient;
use waterjar_simulation::{Endpoint, EndpointSettings, Fault, Format, Script};

#[tokio::test]
async fn requests_are_counted_by_path_status_fault_and_content() {
    let endpoint = start(EndpointSettings::with_script(Script::nth(2, Fault::Reset))).await;
    for format in FORMATS {
        let _ = ask(&endpoint, format, &Question::new("I cough.")).await;
    }
    let stats = endpoint.stats();
    assert_eq!((stats.requests, stats.admitted, stats.with_key), (3, 3, 3));
    assert!(FORMATS.iter().all(|format| stats.paths[path(*format)] == 1));
    assert_eq!(stats.statuses, [(200, 2)].into());
    assert_eq!(stats.faults, [("reset".to_owned(), 1)].into());
    assert_eq!((stats.distinct_requests(), stats.answered()), (3, 2));
    assert_eq!((stats.running, stats.peak_running), (0, 1));
}

#[tokio::test]
async fn asking_again_after_an_answer_shows() {
    let endpoint = start(EndpointSettings::with_script(Script::nth(1, Fault::status(500)))).await;
    let question = Question::new("I cough.");
    for _ in 0..2 {
        ask(&endpoint, Format::OpenAi, &question).await.unwrap();
    }
    // A retry after a failure is none.
    assert_eq!(endpoint.stats().asked_again(), 0);
    ask(&endpoint, Format::OpenAi, &question).await.unwrap();
    assert_eq!(endpoint.stats().asked_again(), 1);
}

#[tokio::test]
async fn keys_are_recognised_and_not_kept() {
    let endpoint = start(EndpointSettings::default()).await;
    ask(&endpoint, Format::OpenAi, &Question::new("I cough.")).await.unwrap();
    assert!(endpoint.seen_key(KEY) && !endpoint.seen_key("another"));
    assert!(!format!("{:?}", endpoint.stats()).contains(KEY));
    let mut client = RawClient::connect(endpoint.addr()).await.unwrap();
    let address = format!("{}?key=in-the-url", path(Format::Gemini));
    let body = Question::new("I cough.").body(Format::Gemini).to_string();
    assert_eq!(client.post(&address, &[], body.as_bytes()).await.unwrap().status, 200);
    assert!(endpoint.seen_key("in-the-url"));
    assert_eq!(endpoint.stats().with_key_in_url, 1);
    assert!(!format!("{:?}", endpoint.stats()).contains("in-the-url"));
}

#[tokio::test]
async fn another_process_can_ask_for_the_counts() {
    let endpoint = start(EndpointSettings::default()).await;
    ask(&endpoint, Format::OpenAi, &Question::new("I cough.")).await.unwrap();
    let mut client = RawClient::connect(endpoint.addr()).await.unwrap();
    let stats = client.get("/stats", &[]).await.unwrap().json().unwrap();
    assert_eq!((&stats["requests"], &stats["answered"], &stats["asked_again"]), (&1.into(), &1.into(), &0.into()));
}

#[test]
fn an_endpoint_apart_serves_a_test_that_blocks() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    assert!(endpoint.url().starts_with("http://127.0.0.1:"));
    let addr = endpoint.addr();
    let status = std::thread::spawn(move || {
        use std::io::{Read, Write};
        let mut stream = std::net::TcpStream::connect(addr).unwrap();
        stream.write_all(b"GET /v1/models HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    });
    assert!(status.join().unwrap().starts_with("HTTP/1.1 200"));
    drop(endpoint);
    assert!(std::net::TcpStream::connect(addr).is_err());
}

#[tokio::test]
async fn shutting_down_frees_the_port_and_ends_connections() {
    let endpoint = start(EndpointSettings::default()).await;
    let addr = endpoint.addr();
    let mut client = RawClient::connect(addr).await.unwrap();
    assert_eq!(client.get("/v1/models", &[]).await.unwrap().status, 200);
    endpoint.shutdown().await;
    assert!(client.get("/v1/models", &[]).await.is_err());
    assert!(RawClient::connect(addr).await.is_err());
}
