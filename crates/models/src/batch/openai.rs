//! A file of questions, a batch made of it, a file of answers and one of errors.

use super::{Batches, CARRYING, PAGES, body, bytes, count, is_gone, text};
use crate::WireRequest;
use crate::wire::unknown_shape;
use serde_json::{Value, json};
use waterjar_core::{BatchAnswer, BatchBounds, BatchLook, BatchReply, BatchState, ModelError, SentBatch};

/// As documented: 50,000 requests and 200 MB.
pub(super) const BOUNDS: BatchBounds = BatchBounds { requests: 50_000, bytes: 200_000_000 };
/// Under this a batch holds our own name for it.
const NAME: &str = "waterjar";
/// Separates the parts of the upload. No line of JSON begins with it.
const BOUNDARY: &str = "waterjar-batch-7d41c09b";

pub(super) fn item(name: &str, body: Value) -> Value {
    json!({ "custom_id": name, "method": "POST", "url": "/v1/chat/completions", "body": body })
}

pub(super) async fn submit(batches: &Batches, sent: &SentBatch, written: &[Vec<u8>]) -> Result<String, ModelError> {
    let endpoint = batches.endpoint(CARRYING);
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    let file = body(&endpoint.post_bytes("files", &kind, upload(&sent.name, written), &[]).await?)?;
    let file = text(&file, "id").ok_or_else(|| unknown_shape("id of the file"))?;
    let order = json!({
        "input_file_id": file,
        "endpoint": "/v1/chat/completions",
        "completion_window": "24h",
        "metadata": { NAME: sent.name },
    });
    let made = body(&endpoint.send(&WireRequest { path: "batches".into(), headers: Vec::new(), body: order }).await?)?;
    text(&made, "id").ok_or_else(|| unknown_shape("id of the batch"))
}

fn upload(name: &str, written: &[Vec<u8>]) -> Vec<u8> {
    let head = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"purpose\"\r\n\r\nbatch\r\n\
         --{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}.jsonl\"\r\n\
         Content-Type: application/jsonl\r\n\r\n"
    );
    let size: usize = written.iter().map(|line| line.len() + 1).sum();
    let mut all = Vec::with_capacity(head.len() + size + 64);
    all.extend_from_slice(head.as_bytes());
    for line in written {
        all.extend_from_slice(line);
        all.push(b'\n');
    }
    all.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
    all
}

/// By our name in its metadata.
pub(super) async fn find(batches: &Batches, sent: &SentBatch) -> Result<Vec<String>, ModelError> {
    let mut after: Option<String> = None;
    for _ in 0..PAGES {
        let mut query = vec![("limit", "100")];
        query.extend(after.as_deref().map(|after| ("after", after)));
        let page = batches.get("batches", &query).await?;
        let list = page["data"].as_array().map(Vec::as_slice).unwrap_or_default();
        let found = list.iter().find(|batch| batch["metadata"][NAME] == sent.name.as_str());
        if let Some(id) = found.and_then(|batch| text(batch, "id")) {
            return Ok(vec![id]);
        }
        after = list.last().and_then(|batch| text(batch, "id"));
        // The newest come first; what is a day older than ours is not it.
        let too_old =
            list.last().and_then(|batch| batch["created_at"].as_u64()).is_some_and(|at| at + 86_400 < sent.at);
        if page["has_more"] != true || after.is_none() || too_old {
            break;
        }
    }
    Ok(Vec::new())
}

pub(super) async fn look(batches: &Batches, id: &str) -> Result<BatchLook, ModelError> {
    let batch = match batches.get(&format!("batches/{id}"), &[]).await {
        Err(error) if is_gone(&error) => return Ok(BatchLook { state: BatchState::Gone, done: 0 }),
        looked => looked?,
    };
    let done = count(&batch, "/request_counts/completed") + count(&batch, "/request_counts/failed");
    let state = match batch["status"].as_str().unwrap_or_default() {
        "completed" | "expired" => BatchState::Ended,
        "cancelled" => BatchState::Cancelled,
        "failed" => BatchState::Failed(problem(&batch)),
        _ => BatchState::UnderWay,
    };
    Ok(BatchLook { state, done })
}

fn problem(batch: &Value) -> String {
    let errors = batch["errors"]["data"].as_array().into_iter().flatten();
    let told: Vec<&str> = errors.filter_map(|error| error["message"].as_str()).take(3).collect();
    if told.is_empty() { "it does not say why".to_owned() } else { told.join("; ") }
}

pub(super) async fn results(
    batches: &Batches,
    id: &str,
    hear: &mut (dyn FnMut(String, BatchAnswer) + Send),
) -> Result<(), ModelError> {
    let batch = batches.get(&format!("batches/{id}"), &[]).await?;
    for file in ["output_file_id", "error_file_id"].iter().filter_map(|key| text(&batch, key)) {
        let mut line = |line: Value| {
            if let Some((name, answer)) = read(&line) {
                hear(name, answer);
            }
        };
        batches.lines(&format!("files/{file}/content"), &mut line).await?;
    }
    Ok(())
}

fn read(line: &Value) -> Option<(String, BatchAnswer)> {
    let name = text(line, "custom_id")?;
    let code = line["error"]["code"].as_str().unwrap_or_default();
    let answer = match (code, line.get("response").filter(|response| !response.is_null())) {
        ("batch_expired", _) => BatchAnswer::Expired,
        ("batch_cancelled", _) => BatchAnswer::Cancelled,
        (_, Some(response)) => {
            let status = response["status_code"].as_u64().and_then(|status| u16::try_from(status).ok()).unwrap_or(500);
            BatchAnswer::Reply(BatchReply { status, body: bytes(&response["body"]) })
        }
        _ => BatchAnswer::Reply(BatchReply { status: 500, body: bytes(line) }),
    };
    Some((name, answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: Value, expected: BatchAnswer) {
        assert_eq!(read(&line), Some(("k1".to_owned(), expected)), "{line}");
    }

    #[test]
    fn every_kind_of_line_is_read() {
        let reply = |status, body: &str| BatchAnswer::Reply(BatchReply { status, body: body.as_bytes().to_vec() });
        let good = json!({ "custom_id": "k1", "error": null, "response": { "status_code": 200, "body": { "a": 1 } } });
        check(good, reply(200, "{\"a\":1}"));
        let bad = json!({ "custom_id": "k1", "response": { "status_code": 429, "body": { "error": {} } } });
        check(bad, reply(429, "{\"error\":{}}"));
        check(
            json!({ "custom_id": "k1", "response": null, "error": { "code": "batch_expired" } }),
            BatchAnswer::Expired,
        );
        check(json!({ "custom_id": "k1", "error": { "code": "batch_cancelled" } }), BatchAnswer::Cancelled);
        assert_eq!(read(&json!({ "response": {} })), None);
    }

    #[test]
    fn an_upload_is_a_file_of_lines() {
        let all = String::from_utf8(upload("n", &[b"{}".to_vec(), b"{\"a\":1}".to_vec()])).expect("text");
        assert!(all.contains("name=\"purpose\"\r\n\r\nbatch\r\n") && all.contains("filename=\"n.jsonl\""));
        assert!(all.contains("\r\n\r\n{}\n{\"a\":1}\n\r\n--"), "{all}");
    }
}
