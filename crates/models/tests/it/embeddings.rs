//! Vectors over real HTTP.

use crate::server::{Act, Server};
use waterjar_core::{Embedder, ModelError};
use waterjar_models::{EmbeddingModel, EndpointPolicy, ModelSpec};

fn model(url: &str) -> EmbeddingModel {
    let spec = ModelSpec { url: Some(url.to_owned()), api: Some("openai".to_owned()), ..ModelSpec::default() };
    EmbeddingModel::open("local/embedder", Some(&spec), EndpointPolicy::LocalOnly).expect("a local model")
}

fn good() -> Act {
    let body = r#"{"data":[{"index":1,"embedding":[0.0,1.0]},{"index":0,"embedding":[1.0,0.0]}]}"#;
    Act::Answer("200 OK", "", body.to_owned())
}

#[tokio::test]
async fn vectors_come_in_the_order_of_the_texts() {
    let server = Server::start(vec![good()]).await;
    let found = model(&server.url).embed(&["fever", " ", "cough"]).await.expect("vectors");
    assert_eq!(found, [vec![1.0, 0.0], vec![0.0, 0.0], vec![0.0, 1.0]]);
    let heard = server.heard().pop().expect("a request");
    assert!(heard.starts_with("POST /v1/embeddings") && heard.contains(r#""input":["fever","cough"]"#), "{heard}");
}

#[tokio::test]
async fn an_endpoint_that_is_busy_is_asked_again() {
    let busy = Act::Answer("503 Service Unavailable", "", "{}".to_owned());
    let server = Server::start(vec![busy, good()]).await;
    assert_eq!(model(&server.url).embed(&["fever", "cough"]).await.expect("vectors").len(), 2);
    assert_eq!(server.heard().len(), 2);
}

#[tokio::test]
async fn too_few_vectors_are_no_vectors() {
    let server = Server::answering(r#"{"data":[{"index":0,"embedding":[1.0]}]}"#).await;
    let error = model(&server.url).embed(&["fever", "cough"]).await.expect_err("one is missing");
    assert!(matches!(&error, ModelError::InvalidOutput(why) if why.contains("1 came for 2 texts")), "{error}");
}

#[test]
fn a_format_without_embeddings_is_refused() {
    let spec = ModelSpec {
        url: Some("http://127.0.0.1:9".to_owned()),
        api: Some("anthropic".to_owned()),
        ..ModelSpec::default()
    };
    let error = EmbeddingModel::open("local/x", Some(&spec), EndpointPolicy::LocalOnly).err().expect("no embeddings");
    assert!(error.to_string().contains("OpenAI's format"), "{error}");
}
