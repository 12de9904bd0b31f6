//! Where a run's time goes, for whoever watches many workers: a span of OpenTelemetry for each part, sent as JSON over HTTP. Spans name run, suite
//! and subject and count questions; nothing of what was asked or answered is in them.
//!
//! Our own few lines rather than the `opentelemetry` crates: one kind of span, one format, and 40 dependencies less.

use serde_json::{Value, json};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use waterjar_engine::EngineError;
use waterjar_store::Shard;

/// Sent together after so long.
const EVERY: Duration = Duration::from_secs(2);
/// A collector that is slow or away must not cost the worker anything but spans.
const WAITING: usize = 4096;
const PATIENCE: Duration = Duration::from_secs(3);

/// Where spans go. Clones go to the same place.
#[derive(Clone)]
pub struct Traces(Option<mpsc::Sender<Value>>);

/// What `OTEL_EXPORTER_OTLP_ENDPOINT` says, as every program that tells of itself in this way reads it.
pub fn open(worker: &str) -> anyhow::Result<(Traces, Option<JoinHandle<()>>)> {
    let place = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"]
        .into_iter()
        .find_map(|name| Some((name, std::env::var(name).ok().filter(|it| !it.is_empty())?)));
    let Some((name, url)) = place else { return Ok((Traces(None), None)) };
    let path = if name.contains("TRACES") { "" } else { "/v1/traces" };
    let url = format!("{}{path}", url.trim_end_matches('/'));
    let url = reqwest::Url::parse(&url).map_err(|error| {
        EngineError::study(name, format!("`{url}` is no address: {error}"))
            .with_hint("a collector is reached at an address such as http://127.0.0.1:4318")
    })?;
    let client = waterjar_models::plain_client(PATIENCE)?;
    let (send, spans) = mpsc::channel(WAITING);
    let sending = tokio::spawn(forward(client, url, worker.to_owned(), spans));
    Ok((Traces(Some(send)), Some(sending)))
}

impl Traces {
    /// A part that ended. All parts of a run belong to one trace, whoever did them.
    pub fn part(&self, shard: &Shard, began: SystemTime, done: &Result<u64, EngineError>) {
        let Some(send) = &self.0 else { return };
        let nanos = |at: SystemTime| at.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos().to_string();
        let (ended, key) = (SystemTime::now(), shard.key());
        let trace = blake3::hash(format!("{} {}", shard.run, shard.study).as_bytes()).to_hex();
        let span = blake3::hash(format!("{key} {}", nanos(began)).as_bytes()).to_hex();
        let mut attributes = vec![
            attribute("waterjar.run", &shard.run),
            attribute("waterjar.pass", &shard.pass),
            attribute("waterjar.suite", &shard.suite),
            attribute("waterjar.subject", &shard.subject),
        ];
        let status = match done {
            Ok(items) => {
                attributes.push(json!({"key": "waterjar.items", "value": {"intValue": items.to_string()}}));
                json!({"code": 1})
            }
            Err(why) => json!({"code": 2, "message": why.to_string()}),
        };
        // Full: whoever should take them is away.
        let _ = send.try_send(json!({
            "traceId": &trace[..32], "spanId": &span[..16], "name": format!("{} part", shard.pass), "kind": 1,
            "startTimeUnixNano": nanos(began), "endTimeUnixNano": nanos(ended), "attributes": attributes, "status": status,
        }));
    }
}

fn attribute(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}

async fn forward(client: reqwest::Client, url: reqwest::Url, worker: String, mut spans: mpsc::Receiver<Value>) {
    let mut some = Vec::new();
    while spans.recv_many(&mut some, WAITING).await > 0 {
        let body = json!({"resourceSpans": [{
            "resource": {"attributes": [
                attribute("service.name", "waterjar-worker"),
                attribute("service.instance.id", &worker),
                attribute("service.version", env!("CARGO_PKG_VERSION")),
            ]},
            "scopeSpans": [{"scope": {"name": "waterjar"}, "spans": std::mem::take(&mut some)}],
        }]});
        let sent = client.post(url.clone()).header("content-type", "application/json").body(body.to_string()).send();
        // A collector that does not answer loses what it was sent; the work goes on.
        let _ = sent.await;
        if !spans.is_closed() {
            tokio::time::sleep(EVERY).await;
        }
    }
}
