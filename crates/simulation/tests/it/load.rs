//! Many at once.

use crate::asking::{FORMATS, Question, ask, ask_over, start};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use waterjar_core::Seed;
use waterjar_simulation::raw::{RawClient, RawEnd};
use waterjar_simulation::{Admission, Endpoint, EndpointSettings, Fault, Faults, Format, Latency, simulated_cases};

/// Every connection asks one question after the other. How many got 200, and how many 429.
async fn storm(endpoint: &Endpoint, connections: usize, each: usize) -> (usize, usize) {
    let addr = endpoint.addr();
    let texts: Vec<String> = simulated_cases(50).into_iter().map(|case| case.text).collect();
    let mut tasks = JoinSet::new();
    for number in 0..connections {
        let texts = texts.clone();
        tasks.spawn(async move {
            let mut client = RawClient::connect(addr).await.unwrap();
            let mut statuses = Vec::new();
            for turn in 0..each {
                let text = format!("{}\nQuestion {number}, {turn}.", texts[(number + turn) % texts.len()]);
                statuses.push(ask_over(&mut client, Format::OpenAi, &Question::new(&text)).await.unwrap().status);
            }
            statuses
        });
    }
    let statuses = tasks.join_all().await.concat();
    let count = |wanted| statuses.iter().filter(|status| **status == wanted).count();
    (count(200), count(429))
}

#[tokio::test(flavor = "multi_thread")]
async fn two_thousand_requests_at_concurrency_two_hundred_are_all_answered() {
    let latency = Latency::Fixed(Duration::from_millis(50));
    let endpoint = start(EndpointSettings { latency, ..EndpointSettings::default() }).await;
    let started = Instant::now();
    assert_eq!(storm(&endpoint, 200, 10).await, (2000, 0));
    let took = started.elapsed();
    // Ten turns of 50 ms, each rounded to the timer's millisecond.
    assert!(took >= Duration::from_millis(490), "{took:?}");
    let stats = endpoint.stats();
    assert_eq!(
        (stats.requests, stats.distinct_requests(), stats.answered(), stats.asked_again()),
        (2000, 2000, 2000, 0)
    );
    assert!(stats.peak_running > 100 && stats.peak_running <= 200, "{}", stats.peak_running);
}

#[tokio::test(flavor = "multi_thread")]
async fn forty_are_let_in_and_the_rest_rejected() {
    let latency = Latency::Fixed(Duration::from_millis(50));
    let admission = Admission { max_concurrent: Some(40), ..Admission::default() };
    let endpoint = start(EndpointSettings { latency, admission, ..EndpointSettings::default() }).await;
    let (answered, rejected) = storm(&endpoint, 120, 3).await;
    assert!(answered >= 40 && rejected >= 80, "{answered} {rejected}");
    let stats = endpoint.stats();
    assert_eq!((stats.rejected as usize, stats.statuses[&429] as usize), (rejected, rejected));
}

#[tokio::test(flavor = "multi_thread")]
async fn under_every_fault_at_once_whoever_tries_four_times_gets_a_reply() {
    let kinds = Fault::all(Duration::from_millis(150));
    let count = kinds.len();
    let endpoint = start(EndpointSettings::with_faults(Faults::new(0.6, kinds, Seed(7)))).await;
    let mut tasks = JoinSet::new();
    let schema = serde_json::json!({"type": "object", "required": ["diagnosis"], "properties": {"diagnosis": {"type": "string"}}});
    let endpoint = std::sync::Arc::new(endpoint);
    for case in simulated_cases(300) {
        let (endpoint, schema) = (endpoint.clone(), schema.clone());
        tasks.spawn(async move {
            let format = FORMATS[case.text.len() % 3];
            let question = Question::with_schema(&case.text, "stage", schema);
            for _ in 0..4 {
                let reply = ask(&endpoint, format, &question).await;
                if reply.is_ok_and(|reply| reply.status == 200 && reply.end == RawEnd::Whole) {
                    return true;
                }
            }
            false
        });
    }
    assert!(tasks.join_all().await.into_iter().all(|answered| answered));
    let stats = endpoint.stats();
    assert_eq!((stats.running, stats.distinct_requests()), (0, 300));
    // All kinds but the three ways of saying 429 apart.
    assert!(stats.faults.len() >= count - 3, "{:?}", stats.faults);
}
