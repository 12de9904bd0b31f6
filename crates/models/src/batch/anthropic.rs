//! Questions and answers in the batch itself.

use super::{Batches, CARRYING, PAGES, body, bytes, count, is_gone, text};
use crate::wire::unknown_shape;
use serde_json::{Value, json};
use std::time::{Duration, UNIX_EPOCH};
use waterjar_core::{BatchAnswer, BatchBounds, BatchLook, BatchReply, BatchState, ModelError, SentBatch};

/// As documented: 100,000 requests and 256 MB.
pub(super) const BOUNDS: BatchBounds = BatchBounds { requests: 100_000, bytes: 256_000_000 };
const PATH: &str = "messages/batches";
/// How far two clocks may be apart.
const CLOCKS: u64 = 600;

pub(super) fn item(name: &str, body: Value) -> Value {
    json!({ "custom_id": name, "params": body })
}

pub(super) async fn submit(batches: &Batches, written: &[Vec<u8>]) -> Result<String, ModelError> {
    let size: usize = written.iter().map(|item| item.len() + 1).sum();
    let mut order = Vec::with_capacity(size + 32);
    order.extend_from_slice(b"{\"requests\":[");
    for (place, item) in written.iter().enumerate() {
        order.extend_from_slice(if place == 0 { b"" } else { b"," });
        order.extend_from_slice(item);
    }
    order.extend_from_slice(b"]}");
    let headers = batches.vendor.api().headers();
    let made = body(&batches.endpoint(CARRYING).post_bytes(PATH, "application/json", order, &headers).await?)?;
    text(&made, "id").ok_or_else(|| unknown_shape("id of the batch"))
}

/// It keeps no name of ours: by time and number. That it is ours is seen from its results, which have our names.
pub(super) async fn find(batches: &Batches, sent: &SentBatch) -> Result<Vec<String>, ModelError> {
    let mut found: Vec<(u64, String)> = Vec::new();
    let mut after: Option<String> = None;
    for _ in 0..PAGES {
        let mut query = vec![("limit", "100")];
        query.extend(after.as_deref().map(|after| ("after_id", after)));
        let page = batches.get(PATH, &query).await?;
        let list = page["data"].as_array().map(Vec::as_slice).unwrap_or_default();
        let recent: Vec<&Value> = list.iter().take_while(|batch| created(batch) + CLOCKS >= sent.at).collect();
        let alike = recent.iter().filter(|batch| total(batch) == sent.requests);
        found.extend(alike.filter_map(|batch| Some((created(batch).abs_diff(sent.at), text(batch, "id")?))));
        after = list.last().and_then(|batch| text(batch, "id"));
        if page["has_more"] != true || after.is_none() || recent.len() < list.len() {
            break;
        }
    }
    // Ours was made when it was sent.
    found.sort();
    Ok(found.into_iter().map(|(_, id)| id).collect())
}

fn created(batch: &Value) -> u64 {
    let at = batch["created_at"].as_str().and_then(|at| humantime::parse_rfc3339_weak(at.get(..19)?).ok());
    at.and_then(|at| at.duration_since(UNIX_EPOCH).ok()).unwrap_or(Duration::ZERO).as_secs()
}

const ENDS: [&str; 4] = ["succeeded", "errored", "canceled", "expired"];

fn total(batch: &Value) -> usize {
    done(batch) + count(batch, "/request_counts/processing")
}

fn done(batch: &Value) -> usize {
    ENDS.iter().map(|end| count(batch, &format!("/request_counts/{end}"))).sum()
}

pub(super) async fn look(batches: &Batches, id: &str) -> Result<BatchLook, ModelError> {
    let batch = match batches.get(&format!("{PATH}/{id}"), &[]).await {
        Err(error) if is_gone(&error) => return Ok(BatchLook { state: BatchState::Gone, done: 0 }),
        looked => looked?,
    };
    let state = match batch["processing_status"].as_str().unwrap_or_default() {
        "ended" if !batch["archived_at"].is_null() => BatchState::Gone,
        "ended" if count(&batch, "/request_counts/canceled") > 0 => BatchState::Cancelled,
        "ended" => BatchState::Ended,
        _ => BatchState::UnderWay,
    };
    Ok(BatchLook { state, done: done(&batch) })
}

/// The path is ours: the address in `results_url` is another's word on where the key goes.
pub(super) async fn results(
    batches: &Batches,
    id: &str,
    hear: &mut (dyn FnMut(String, BatchAnswer) + Send),
) -> Result<(), ModelError> {
    let mut line = |line: Value| {
        if let Some((name, answer)) = read(&line) {
            hear(name, answer);
        }
    };
    batches.lines(&format!("{PATH}/{id}/results"), &mut line).await
}

fn read(line: &Value) -> Option<(String, BatchAnswer)> {
    let result = &line["result"];
    let answer = match result["type"].as_str()? {
        "succeeded" => BatchAnswer::Reply(BatchReply { status: 200, body: bytes(&result["message"]) }),
        "expired" => BatchAnswer::Expired,
        "canceled" => BatchAnswer::Cancelled,
        // The body says itself that it is an error, and of what kind.
        _ => BatchAnswer::Reply(BatchReply { status: 200, body: bytes(&result["error"]) }),
    };
    Some((text(line, "custom_id")?, answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_result_is_read() {
        let line = |result: Value| read(&json!({ "custom_id": "k1", "result": result })).map(|(_, answer)| answer);
        let reply = |body: &str| Some(BatchAnswer::Reply(BatchReply { status: 200, body: body.as_bytes().to_vec() }));
        assert_eq!(line(json!({ "type": "succeeded", "message": { "a": 1 } })), reply("{\"a\":1}"));
        assert_eq!(line(json!({ "type": "errored", "error": { "type": "error" } })), reply("{\"type\":\"error\"}"));
        assert_eq!(line(json!({ "type": "expired" })), Some(BatchAnswer::Expired));
        assert_eq!(line(json!({ "type": "canceled" })), Some(BatchAnswer::Cancelled));
        assert_eq!(line(json!({})), None);
    }

    #[test]
    fn a_time_is_read_with_and_without_fractions() {
        let at = |text: &str| created(&json!({ "created_at": text }));
        assert_eq!(at("1970-01-02T00:00:00.100435Z"), 86_400);
        assert_eq!(at("1970-01-02T00:00:00+00:00"), 86_400);
        assert_eq!(at("soon"), 0);
    }
}
