//! Looking at an endpoint without asking a model: its list of models, which no vendor charges for.

use crate::http::Endpoint;
use crate::open::Opening;
use crate::{EndpointPolicy, ModelSpec, OpenModelError};
use serde_json::Value;
use std::time::Duration;
use waterjar_core::ModelError;

/// What the endpoint answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    pub status: u16,
    /// Empty where it lists none.
    pub models: Vec<String>,
    /// Where it is not, it is most often a web page to sign in.
    pub json: bool,
    /// The list goes on elsewhere.
    pub more: bool,
    /// Whether a key was sent.
    pub with_key: bool,
}

/// The key is sent where it is set; where it is not, an endpoint that answers "no" answers all the same.
pub async fn look(
    id: &str,
    spec: Option<&ModelSpec>,
    policy: EndpointPolicy,
    variable: &dyn Fn(&str) -> Option<String>,
    patience: Duration,
) -> Result<Result<Looked, ModelError>, OpenModelError> {
    let mut spec = spec.cloned().unwrap_or_default();
    spec.headers.retain(|_, value| value.strip_prefix('$').is_none_or(|name| variable(name).is_some()));
    let opening = Opening { id, spec: &spec, variable };
    let row = opening.row()?;
    let url = opening.url(row)?;
    let key = opening.key_variable(row, &url).and_then(|(variable, _)| opening.key_in(variable));
    let (headers, secrets) = opening.headers(row, key.as_ref())?;
    let with_key = key.is_some();
    let endpoint = Endpoint { url, headers, key, secrets, policy, timeout: patience };
    let reply = match endpoint.get("models", &[], &row.api.headers()).await {
        Ok(reply) => reply,
        Err(error) => return Ok(Err(error.uncharged())),
    };
    let body: Option<Value> = serde_json::from_slice(&reply.body).ok();
    let json = body.is_some();
    let body = body.unwrap_or_default();
    let more = body["has_more"] == true || body.get("nextPageToken").is_some();
    Ok(Ok(Looked { status: reply.status, models: names(&body), json, more, with_key }))
}

/// `data[].id`, or Gemini's `models[].name`.
fn names(body: &Value) -> Vec<String> {
    let list = |key: &str, name: &str| -> Vec<String> {
        let items = body[key].as_array().into_iter().flatten();
        items.filter_map(|item| item[name].as_str()).map(|it| it.trim_start_matches("models/").to_owned()).collect()
    };
    [list("data", "id"), list("models", "name")].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_list_is_read_in_every_format() {
        assert_eq!(names(&json!({ "object": "list", "data": [{ "id": "qwen" }, { "id": "phi" }] })), ["qwen", "phi"]);
        assert_eq!(names(&json!({ "models": [{ "name": "models/gemini-2.5-pro" }] })), ["gemini-2.5-pro"]);
        assert_eq!(names(&json!("no list")), Vec::<String>::new());
    }
}
