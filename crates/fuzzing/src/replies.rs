//! What vendors and programs send.

use std::time::{Duration, SystemTime};
use waterjar_core::{ChatReply, ChatRequest, Finish, ModelError};
use waterjar_models::{WireReply, anthropic, gemini, openai, waterjar};

type FromWire = fn(&ChatRequest, &WireReply) -> Result<ChatReply, ModelError>;

pub fn openai(data: &[u8]) {
    wire(openai::from_wire, data);
}

pub fn anthropic(data: &[u8]) {
    wire(anthropic::from_wire, data);
}

pub fn gemini(data: &[u8]) {
    wire(gemini::from_wire, data);
}

/// Lines on standard output, and the same format over HTTP.
pub fn program(data: &[u8]) {
    const LONGEST: usize = 4096;
    let mut heard = 0;
    let end = waterjar_models::read_replies(data, LONGEST, |_, reply| {
        heard += 1;
        if let Ok(reply) = reply {
            sound(&reply);
        }
    });
    assert!(end.is_none_or(|why| !why.is_empty() && why.len() < 2 * LONGEST));
    assert!(heard <= data.len() / 2, "a reply is longer than a letter");
    wire(waterjar::from_wire, data);
}

/// Headers come first where the input begins with some: `retry-after: 5`, an empty line, the body.
fn wire(from_wire: FromWire, data: &[u8]) {
    let (headers, body) = headers(data);
    let request = ChatRequest::default();
    for status in [200, 400, 429, 503] {
        let reply =
            WireReply { status, headers: headers.clone(), body: body.to_vec(), received: SystemTime::UNIX_EPOCH };
        match from_wire(&request, &reply) {
            Ok(reply) => {
                assert_eq!(status, 200, "no answer comes with status {status}");
                sound(&reply);
            }
            Err(error) => {
                crate::told(&error);
                // A vendor that asks for a year must not stop the clock.
                assert!(error.retry_after().is_none_or(|it| SystemTime::now().checked_add(it).is_some()), "{error:?}");
            }
        }
    }
}

/// Something was said, and counts can be added up without overflow.
fn sound(reply: &ChatReply) {
    assert!(!reply.text.trim().is_empty() || !reply.tool_calls.is_empty(), "nothing said is not an answer");
    assert_eq!(reply.finish == Finish::ToolCalls, !reply.tool_calls.is_empty());
    assert!(reply.reasoning.as_ref().is_none_or(|it| !it.trim().is_empty()));
    let usage = reply.usage;
    for count in [usage.input, usage.output, usage.cached_input, usage.reasoning] {
        assert!(count <= 4 * u64::from(u32::MAX), "{usage:?}");
    }
    assert!(reply.rest.is_none_or(|it| it < Duration::from_secs(u64::MAX / 4)));
    // It is kept and read back.
    let kept = serde_json::to_string(reply).expect("a reply can be kept");
    let again: ChatReply = serde_json::from_str(&kept).expect("what was kept reads back");
    assert_eq!((again.text, again.tool_calls, again.usage), (reply.text.clone(), reply.tool_calls.clone(), usage));
}

fn headers(data: &[u8]) -> (Vec<(String, String)>, &[u8]) {
    let end = data.windows(2).position(|it| it == b"\n\n");
    let head = end.and_then(|end| std::str::from_utf8(&data[..end]).ok());
    let read = head.and_then(|head| head.lines().map(|line| line.split_once(": ")).collect::<Option<Vec<_>>>());
    match (read, end) {
        (Some(lines), Some(end))
            if lines.iter().all(|(name, _)| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')) =>
        {
            (lines.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(), &data[end + 2..])
        }
        _ => (Vec::new(), data),
    }
}
