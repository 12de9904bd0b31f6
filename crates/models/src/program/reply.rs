//! A line of a program → the reply on it.

use super::end::told;
use super::lines::{self, beginning};
use crate::waterjar;
use serde_json::Value;
use std::io::Read;
use waterjar_core::{ChatReply, ModelError};

/// The question it is for, and the reply; no question where its `id` is none of ours. The error is that it is no reply.
pub(super) fn reply_of(line: &[u8]) -> Result<(Option<u64>, Value), String> {
    let reply: Value = serde_json::from_slice(line)
        .map_err(|_| format!("printed a line that is no reply: `{}` (standard output is for replies, one JSON object on a line; all else goes to standard error)", beginning(line)))?;
    let id = match reply.get("id") {
        Some(Value::String(id)) => id.parse().ok(),
        Some(Value::Number(id)) => id.as_u64(),
        _ => return Err(format!("printed a reply without the `id` of its question: `{}`", beginning(line))),
    };
    Ok((id, reply))
}

/// What a program printed, reply by reply, as far as it is replies; and why a program that prints this is ended, where it is. For whoever holds
/// such lines already.
pub fn read_replies(
    printed: impl Read,
    longest_line: usize,
    mut hear: impl FnMut(Option<u64>, Result<ChatReply, ModelError>),
) -> Option<String> {
    let end = lines::read(printed, longest_line, |line| {
        let (id, reply) = reply_of(line)?;
        hear(id, waterjar::read(reply));
        Ok(())
    });
    told(&end, longest_line)
}
