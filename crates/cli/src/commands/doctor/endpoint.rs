//! An endpoint as it was found: how it answered, or how far one gets.

use super::Check;
use std::time::Duration;
use tokio::net::TcpStream;
use waterjar_core::ModelError;
use waterjar_models::{Api, Description, Looked};

pub fn answered(id: &str, described: &Description, looked: &Looked) -> Check {
    let (at, status) = (described.origin(), looked.status);
    let ok = |found: String| Check::ok("endpoint", id, found);
    let warn = |found: String, todo: &str| Check::warn("endpoint", id, found, todo);
    let fail = |found: String, todo: &str| Check::fail("endpoint", id, found, todo);
    let refused = format!("{at} answers, and does not accept the key (status {status})");
    match (status, looked.with_key) {
        // Our own shape has no list of models: whatever it says, it is there.
        (100..=499, _) if described.api == Api::Waterjar => ok(format!("{at} answers")),
        (200..=299, _) if !looked.json => warn(
            format!("{at} answers with a web page or other text, not with a list of models"),
            "is there a page to sign in to this network, or is the path of `url` wrong (often /v1)? --ask tells",
        ),
        (200..=299, _) => listed(id, described, looked),
        (401, true) => fail(refused, "check the key: is it complete, of this vendor, and still valid?"),
        (400, true) if described.api == Api::Gemini => fail(refused, "check the key: Gemini says 400 to a bad one"),
        (403, true) => warn(
            format!("{at} answers, and does not let this key list models (status 403)"),
            "the key may be good for asking all the same: --ask tells",
        ),
        (401 | 403, false) if described.needs.iter().any(|need| need.required) => ok(format!("{at} answers")),
        (401 | 403, false) => fail(
            format!("{at} answers, and wants a key (status {status})"),
            "name the variable that holds it with `key_env` in the model's table",
        ),
        (404 | 405, _) => warn(
            format!("{at} answers, and has no list of models at this path (status {status})"),
            "is the path of `url` right (often /v1)? --ask tells",
        ),
        (429, _) => warn(
            format!("{at} answers, and asks to slow down (status 429)"),
            "wait a little, or ask for a higher limit",
        ),
        (500..=599, _) => warn(format!("{at} answers with an error of its own (status {status})"), "try again later"),
        _ => warn(format!("{at} answers with status {status}"), "is `url` right? --ask tells"),
    }
}

/// A server people run themselves lists all it has; a vendor's list may lack aliases and go on over pages.
fn listed(id: &str, described: &Description, looked: &Looked) -> Check {
    let at = described.origin();
    let complete = described.local && !looked.more && !looked.models.is_empty();
    if complete && !looked.models.contains(&described.model) {
        let some: Vec<&str> = looked.models.iter().take(5).map(String::as_str).collect();
        let found = format!("{at} answers, and lists no model `{}` but {}", described.model, some.join(", "));
        return Check::warn("endpoint", id, found, "set `model` in its table to the name the server uses");
    }
    Check::ok("endpoint", id, format!("{at} answers"))
}

/// Nothing came back: the name, the connection, or what is spoken over it.
pub async fn silent(id: &str, described: &Description, error: &ModelError, patience: Duration) -> Check {
    let (host, port) = (described.host(), described.port());
    let fail = |found: String, todo: &str| Check::fail("endpoint", id, found, todo);
    let elsewhere = "check the network and, behind a proxy, HTTPS_PROXY";
    if tokio::net::lookup_host((host, port)).await.is_err() {
        let todo = if described.local { "correct the host in `url`" } else { elsewhere };
        return fail(format!("the name {host} does not resolve"), todo);
    }
    let connected = tokio::time::timeout(patience, TcpStream::connect((host, port))).await;
    let refused = match connected {
        Ok(Ok(_)) => None,
        Ok(Err(error)) => Some(error.to_string()),
        Err(_) => Some(format!("nothing within {} s", patience.as_secs_f64())),
    };
    if let Some(why) = refused {
        let todo = if described.local { "start the server, or correct `url` in the model's table" } else { elsewhere };
        return fail(format!("{host} takes no connection at port {port}: {why}"), todo);
    }
    let why = match error {
        ModelError::Transport(why) | ModelError::Timeout(why) => why.clone(),
        other => other.to_string(),
    };
    let todo = "is it http rather than https, a certificate this machine does not trust, or another program?";
    fail(format!("{host} takes a connection at port {port} and does not answer: {why}"), todo)
}
