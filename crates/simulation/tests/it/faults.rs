//! Each fault does what its name says.

use crate::asking::{FORMATS, Question, answer, ask, ask_over, said, start};
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::time::{Duration, Instant};
use waterjar_core::Seed;
use waterjar_simulation::raw::{RawClient, RawEnd, RawReply};
use waterjar_simulation::{
    Admission, Endpoint, EndpointSettings, Fault, Faults, Format, RetryAfter, Rule, Script, sample_cases,
};

fn question() -> Question {
    Question::new(&sample_cases()[0].text)
}

fn structured() -> Question {
    let schema = json!({"type": "object", "required": ["diagnosis", "findings"], "properties": {
        "diagnosis": {"type": "string"}, "findings": {"type": "array", "minItems": 2, "items": {"type": "string"}}}});
    Question::with_schema(&sample_cases()[0].text, "stage", schema)
}

async fn endpoint(fault: Fault) -> Endpoint {
    start(EndpointSettings::with_script(Script::always(fault))).await
}

async fn meet(fault: Fault, question: &Question) -> std::io::Result<RawReply> {
    ask(&endpoint(fault).await, Format::OpenAi, question).await
}

#[tokio::test]
async fn a_status_is_sent_with_or_without_a_word_on_when_to_come_back() {
    for status in [429, 500, 502, 503, 529, 408] {
        let reply = meet(Fault::status(status), &question()).await.unwrap();
        assert_eq!((reply.status, reply.end), (status, RawEnd::Whole));
        assert_eq!((reply.header("retry-after"), reply.header("retry-after-ms")), (None, None));
        // A proxy answers with a page, not with JSON.
        assert_eq!(reply.json().is_err(), status == 502);
    }
    let reply = meet(Fault::rate_limited(RetryAfter::Seconds(2)), &question()).await.unwrap();
    assert_eq!(reply.header("retry-after"), Some("2"));
    let reply = meet(Fault::rate_limited(RetryAfter::Millis(50)), &question()).await.unwrap();
    assert_eq!((reply.header("retry-after-ms"), reply.header("retry-after")), (Some("50"), None));
    let reply = meet(Fault::rate_limited(RetryAfter::Date(9)), &question()).await.unwrap();
    assert!(reply.header("retry-after").unwrap().ends_with(" GMT"));
    let gemini =
        ask(&endpoint(Fault::rate_limited(RetryAfter::Seconds(2))).await, Format::Gemini, &question()).await.unwrap();
    assert_eq!(gemini.json().unwrap().pointer("/error/details/0/retryDelay"), Some(&json!("2s")));
}

#[tokio::test]
async fn a_reset_comes_before_a_byte_or_in_the_middle_of_the_body() {
    for fault in [Fault::Reset, Fault::LostReply] {
        let error = meet(fault, &question()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionReset);
    }
    let reply = meet(Fault::ResetMidBody, &question()).await.unwrap();
    assert_eq!((reply.status, reply.end), (200, RawEnd::Reset));
    assert!(!reply.body.is_empty() && reply.json().is_err());
}

#[tokio::test]
async fn a_connection_is_closed_before_a_byte_or_short_of_its_length() {
    let error = meet(Fault::Closed, &question()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
    let reply = meet(Fault::Truncated, &question()).await.unwrap();
    assert_eq!((reply.status, reply.end), (200, RawEnd::Closed));
    let length: usize = reply.header("content-length").unwrap().parse().unwrap();
    assert!(!reply.body.is_empty() && reply.body.len() < length);
}

#[tokio::test]
async fn a_lost_reply_is_billed_each_time() {
    let script = Script::first_k_attempts_of_each_request(1, Fault::LostReply);
    let endpoint = start(EndpointSettings::with_script(script)).await;
    assert!(ask(&endpoint, Format::OpenAi, &question()).await.is_err());
    let once = endpoint.stats();
    assert!(once.output_tokens > 0 && once.answered() == 0);
    assert_eq!(ask(&endpoint, Format::OpenAi, &question()).await.unwrap().status, 200);
    let twice = endpoint.stats();
    assert_eq!((twice.output_tokens, twice.asked_again()), (2 * once.output_tokens, 0));
}

#[tokio::test]
async fn a_stall_lasts_and_then_the_connection_closes() {
    let time = Duration::from_millis(300);
    let started = Instant::now();
    let error = meet(Fault::Stall(time), &question()).await.unwrap_err();
    assert!(error.kind() == ErrorKind::UnexpectedEof && started.elapsed() >= time - Duration::from_millis(2));
    let started = Instant::now();
    let reply = meet(Fault::StallMidBody(time), &question()).await.unwrap();
    assert!(reply.end == RawEnd::Closed && started.elapsed() >= time);
}

#[tokio::test]
async fn who_leaves_during_a_stall_is_counted_as_gone() {
    let endpoint = endpoint(Fault::Stall(Duration::from_secs(60))).await;
    let question = question();
    let left = tokio::time::timeout(Duration::from_millis(100), ask(&endpoint, Format::OpenAi, &question)).await;
    assert!(left.is_err());
    tokio::time::sleep(Duration::from_millis(100)).await;
    let stats = endpoint.stats();
    assert_eq!((stats.abandoned, stats.running, stats.peak_running), (1, 0, 1));
}

#[tokio::test]
async fn a_drip_brings_everything_in_its_time() {
    let time = Duration::from_millis(300);
    let plain = meet(Fault::Slow(Duration::ZERO), &question()).await.unwrap();
    let started = Instant::now();
    let reply = meet(Fault::Drip(time), &question()).await.unwrap();
    let took = started.elapsed();
    assert_eq!((reply.end, &reply.body), (RawEnd::Whole, &plain.body));
    assert!((time / 2..time * 4).contains(&took), "{took:?}");
    let started = Instant::now();
    let slow = meet(Fault::Slow(time), &question()).await.unwrap();
    assert!(slow.body == plain.body && started.elapsed() >= time - Duration::from_millis(2));
}

#[tokio::test]
async fn a_duplicate_is_the_same_reply_twice_and_the_connection_goes_on() {
    let endpoint = start(EndpointSettings::with_script(Script::nth(1, Fault::Duplicate))).await;
    let mut client = RawClient::connect(endpoint.addr()).await.unwrap();
    let reply = ask_over(&mut client, Format::OpenAi, &question()).await.unwrap();
    assert_eq!((reply.status, reply.end), (200, RawEnd::Whole));
    let again = client.unasked(Duration::from_millis(100)).await;
    assert!(again.starts_with(b"HTTP/1.1 200") && again.ends_with(&reply.body));
    let next = ask_over(&mut client, Format::OpenAi, &question()).await.unwrap();
    assert_eq!(next.status, 200);
    assert_eq!(client.unasked(Duration::from_millis(50)).await, b"");
}

#[tokio::test]
async fn a_body_that_is_not_json_is_of_the_length_it_says() {
    let reply = meet(Fault::InvalidJson, &question()).await.unwrap();
    assert_eq!((reply.status, reply.end), (200, RawEnd::Whole));
    assert!(reply.json().is_err());
}

#[tokio::test]
async fn an_error_can_hide_behind_200() {
    let reply = meet(Fault::ErrorIn200, &question()).await.unwrap();
    assert!(reply.status == 200 && reply.json().unwrap()["error"]["message"].is_string());
}

#[tokio::test]
async fn an_echoed_key_is_in_the_error() {
    let reply = meet(Fault::EchoedKey, &question()).await.unwrap();
    assert!(reply.status == 401 && String::from_utf8_lossy(&reply.body).contains("test-key"));
}

#[tokio::test]
async fn an_answer_may_be_empty_or_cut() {
    for format in FORMATS {
        let reply = ask(&endpoint(Fault::Empty).await, format, &question()).await.unwrap();
        assert_eq!((reply.status, said(format, &reply.json().unwrap())), (200, String::new()));
    }
    let reply = meet(Fault::Length, &question()).await.unwrap().json().unwrap();
    assert_eq!(reply["choices"][0]["finish_reason"], "length");
}

#[tokio::test]
async fn a_wrong_answer_violates_its_schema_in_every_format() {
    let (_, schema) = structured().schema.unwrap();
    for format in FORMATS {
        let plain = answer(&start(EndpointSettings::default()).await, format, &structured()).await;
        let wrong = answer(&endpoint(Fault::WrongSchema).await, format, &structured()).await;
        let valid = |text: &str| jsonschema::is_valid(&schema, &serde_json::from_str::<Value>(text).unwrap());
        assert!(valid(&plain) && !valid(&wrong), "{plain} {wrong}");
    }
}

#[tokio::test]
async fn a_dressed_answer_is_the_same_answer_in_other_clothes() {
    let plain = answer(&start(EndpointSettings::default()).await, Format::OpenAi, &structured()).await;
    for (fault, undress) in [
        (
            Fault::Fenced,
            (|text| text.trim_start_matches("```json\n").trim_end_matches("\n```").to_owned()) as fn(&str) -> String,
        ),
        (Fault::ProseAround, |text| text[text.find('{').unwrap()..=text.rfind('}').unwrap()].to_owned()),
        (Fault::TrailingCommas, |text| text.replace(",]", "]").replace(",}", "}")),
        (Fault::FullWidth, |text| text.replace('：', ":").replace('，', ",")),
    ] {
        let dressed = answer(&endpoint(fault).await, Format::OpenAi, &structured()).await;
        assert!(serde_json::from_str::<Value>(&dressed).is_err(), "{dressed}");
        assert_eq!(undress(&dressed), plain);
    }
    let broken = answer(&endpoint(Fault::BrokenAnswer).await, Format::OpenAi, &structured()).await;
    assert!(plain.starts_with(&broken) && broken.len() < plain.len());
}

#[tokio::test]
async fn a_fault_of_structured_answers_does_not_meet_free_text() {
    for fault in [Fault::WrongSchema, Fault::Fenced, Fault::BrokenAnswer, Fault::SchemaUnsupported] {
        let endpoint = endpoint(fault).await;
        assert!(answer(&endpoint, Format::OpenAi, &question()).await.contains("1. "));
        assert_eq!(endpoint.stats().faulted(), 0);
    }
    let reply = meet(Fault::SchemaUnsupported, &structured()).await.unwrap();
    assert!(reply.status == 400 && String::from_utf8_lossy(&reply.body).contains("json_schema"));
}

#[tokio::test]
async fn a_script_faults_what_it_names() {
    let script =
        Script::nth(2, Fault::status(500)).and(Rule::always(Fault::status(503)).containing("Sneeze").first_attempts(2));
    let endpoint = start(EndpointSettings::with_script(script)).await;
    let mut statuses = Vec::new();
    for text in ["a", "b", "Sneeze", "Sneeze", "Sneeze", "a"] {
        statuses.push(ask(&endpoint, Format::OpenAi, &Question::new(text)).await.unwrap().status);
    }
    assert_eq!(statuses, [200, 500, 503, 503, 200, 200]);
    assert_eq!(endpoint.stats().faults, [("500".to_owned(), 1), ("503".to_owned(), 2)].into());
}

/// What each of 60 requests meets in up to five attempts, in the order asked for.
async fn course(seed: u64, backwards: bool) -> Vec<(usize, Vec<u16>)> {
    let kinds = vec![Fault::status(500), Fault::status(429), Fault::Reset, Fault::Truncated, Fault::InvalidJson];
    let endpoint = start(EndpointSettings::with_faults(Faults::new(0.5, kinds, Seed(seed)))).await;
    let mut numbers: Vec<usize> = (0..60).collect();
    if backwards {
        numbers.reverse();
    }
    let mut course = Vec::new();
    for number in numbers {
        let question = Question::new(&format!("patient {number}"));
        let mut met = Vec::new();
        for _ in 0..5 {
            let reply = ask(&endpoint, Format::OpenAi, &question).await;
            let usable =
                reply.as_ref().is_ok_and(|it| it.status == 200 && it.end == RawEnd::Whole && it.json().is_ok());
            met.push(if usable { 1 } else { reply.map_or(0, |reply| reply.status) });
            if usable {
                break;
            }
        }
        course.push((number, met));
    }
    let stats = endpoint.stats();
    assert_eq!((stats.distinct_requests(), stats.answered(), stats.asked_again()), (60, 60, 0));
    course.sort();
    course
}

#[tokio::test]
async fn chance_depends_on_the_seed_and_not_on_the_order() {
    let course_of_seven = course(7, false).await;
    assert_eq!(course_of_seven, course(7, true).await);
    assert_ne!(course_of_seven, course(8, false).await);
    // Three faults at most, then the answer.
    assert!(course_of_seven.iter().all(|(_, met)| met.last() == Some(&1) && met.len() <= 4));
    assert!(course_of_seven.iter().any(|(_, met)| met.len() == 4));
}

#[tokio::test]
async fn beyond_the_limits_is_429() {
    let admission = Admission { requests_per_minute: Some(2), says_retry_after: true, ..Admission::default() };
    let endpoint = start(EndpointSettings { admission, ..EndpointSettings::default() }).await;
    let mut replies = Vec::new();
    for _ in 0..3 {
        replies.push(ask(&endpoint, Format::OpenAi, &question()).await.unwrap());
    }
    assert_eq!(replies.iter().map(|reply| reply.status).collect::<Vec<_>>(), [200, 200, 429]);
    let wait: u64 = replies[2].header("retry-after").unwrap().parse().unwrap();
    assert!((55..=60).contains(&wait), "{wait}");
    assert_eq!((endpoint.stats().rejected, endpoint.stats().admitted), (1, 2));
}
