//! The description of the endpoint, made from the types it reads and writes.

use super::error::Problem;
use super::wire::{Batch, Scored, Scores, Wanted};
use axum::Json;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};
use std::sync::LazyLock;

pub async fn describe() -> Json<Value> {
    static DESCRIPTION: LazyLock<Value> = LazyLock::new(description);
    Json(DESCRIPTION.clone())
}

fn description() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|it| it.definitions_path = "/components/schemas".into());
    let mut schemas = settings.into_generator();
    let one = operation::<Wanted, Scored>(&mut schemas, "score", "What one answer is worth");
    let many = operation::<Batch, Scores>(&mut schemas, "scoreBatch", "What several answers are worth, in their order");
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Waterjar: what an answer is worth",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "A variant and an answer go in, the verdict of the suite's own rules comes out. Nothing is stored, and no language model is \
                asked. Cases are illustrative; not for patient care."
        },
        "paths": {
            "/v1/score": { "post": one },
            "/v1/score/batch": { "post": many },
            "/v1/openapi.json": { "get": {
                "operationId": "describe",
                "summary": "This description",
                "security": [],
                "responses": { "200": { "description": "It", "content": { "application/json": { "schema": { "type": "object" } } } } }
            } }
        },
        "security": [{ "token": [] }],
        "components": {
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
            "schemas": schemas.take_definitions(true)
        }
    })
}

fn operation<I: JsonSchema, O: JsonSchema>(schemas: &mut SchemaGenerator, id: &str, summary: &str) -> Value {
    let content = |schema: schemars::Schema| json!({ "application/json": { "schema": schema } });
    let problem = schemas.subschema_for::<Problem>();
    let failed = |what: &str| json!({ "description": what, "content": content(problem.clone()) });
    json!({
        "operationId": id,
        "summary": summary,
        "requestBody": { "required": true, "content": content(schemas.subschema_for::<I>()) },
        "responses": {
            "200": { "description": "The verdict", "content": content(schemas.subschema_for::<O>()) },
            "400": failed("The body is no JSON"),
            "401": failed("There is no token, or another"),
            "403": failed("The server was started without a token"),
            "404": failed("There is no such run, suite or variant"),
            "409": failed("A model judges this suite, or the run cannot be read"),
            "413": failed("The body is too long"),
            "415": failed("The body is not said to be JSON"),
            "422": failed("The body is JSON of another shape, or what it names cannot be scored")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_is_referred_to_is_described() {
        let description = description();
        let text = description.to_string();
        let named: Vec<&str> =
            text.split("#/components/schemas/").skip(1).filter_map(|it| it.split('"').next()).collect();
        assert!(named.len() > 4);
        for name in named {
            assert!(description["components"]["schemas"][name].is_object(), "{name}");
        }
        assert!(!text.contains("$defs"));
    }
}
