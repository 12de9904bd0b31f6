//! Vectors over real HTTP.

use async_trait::async_trait;
use std::num::NonZeroU32;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use waterjar_core::{Embedder, ModelError, Payer, Usage, VectorRequest};
use waterjar_models::{EmbeddingModel, EndpointPolicy, ModelSpec, OpenModelError, Patience};
use waterjar_testkit::{Act, CannedServer};

fn spec(url: &str) -> ModelSpec {
    ModelSpec { url: Some(url.to_owned()), api: Some("openai".to_owned()), ..ModelSpec::default() }
}

fn opened(spec: &ModelSpec, patience: Patience) -> Result<EmbeddingModel, OpenModelError> {
    EmbeddingModel::open("local/embedder", Some(spec), EndpointPolicy::LocalOnly, patience)
}

fn model(url: &str) -> EmbeddingModel {
    opened(&spec(url), Patience::default()).expect("a local model")
}

fn good() -> Act {
    let body = r#"{"data":[{"index":1,"embedding":[0.0,1.0]},{"index":0,"embedding":[1.0,0.0]}]}"#;
    Act::ok(body)
}

#[tokio::test]
async fn vectors_come_in_the_order_of_the_texts() {
    let server = CannedServer::new(vec![good()]);
    let found = model(&server.url("/v1")).embed(&["fever", " ", "cough"]).await.expect("vectors");
    assert_eq!(found, [vec![1.0, 0.0], vec![0.0, 0.0], vec![0.0, 1.0]]);
    let heard = server.heard().pop().expect("a request");
    assert!(heard.starts_with("POST /v1/embeddings") && heard.contains(r#""input":["fever","cough"]"#), "{heard}");
}

#[tokio::test]
async fn an_endpoint_that_is_busy_is_asked_again() {
    let busy = Act::Answer("503 Service Unavailable", "", "{}".to_owned());
    let server = CannedServer::new(vec![busy, good()]);
    assert_eq!(model(&server.url("/v1")).embed(&["fever", "cough"]).await.expect("vectors").len(), 2);
    assert_eq!(server.heard().len(), 2);
}

#[tokio::test]
async fn an_endpoint_that_names_its_rest_is_given_it_however_often() {
    let slower = Act::Answer("429 Too Many Requests", "retry-after-ms: 300\r\n", "{}".to_owned());
    let server = CannedServer::new(vec![slower.clone(), slower.clone(), slower, good()]);
    let once = Patience { attempts: NonZeroU32::MIN, first_wait: Duration::from_millis(1), ..Patience::default() };
    let begun = Instant::now();
    let found = opened(&spec(&server.url("/v1")), once).expect("a local model").embed(&["fever", "cough"]).await;
    assert_eq!(found.expect("vectors, for being asked to slow down is no failure").len(), 2);
    assert!(begun.elapsed() >= Duration::from_millis(900), "{:?}", begun.elapsed());
    assert_eq!(server.heard().len(), 4);
}

#[tokio::test]
async fn a_rest_beyond_the_deadline_is_not_begun() {
    let server =
        CannedServer::new(vec![Act::Answer("429 Too Many Requests", "retry-after: 3600\r\n", "{}".to_owned())]);
    let error = model(&server.url("/v1")).embed(&["fever"]).await.expect_err("nobody waits an hour");
    assert!(matches!(error, ModelError::RateLimited { .. }), "{error}");
    assert_eq!(server.heard().len(), 1);
}

#[tokio::test]
async fn an_endpoint_that_says_nothing_is_left_after_the_studys_time() {
    let server = CannedServer::new(vec![Act::Stall]);
    let short = Patience {
        timeout: Duration::from_millis(100),
        attempts: NonZeroU32::MIN.saturating_add(1),
        first_wait: Duration::from_millis(1),
        ..Patience::default()
    };
    let error = opened(&spec(&server.url("/v1")), short).expect("a local model").embed(&["fever"]).await;
    assert!(matches!(error, Err(ModelError::Timeout(_))), "{error:?}");
}

#[tokio::test]
async fn what_an_endpoint_takes_for_all_attempts_ends_with_the_deadline() {
    let server = CannedServer::new(vec![Act::Stall]);
    let short = Patience {
        timeout: Duration::from_millis(100),
        attempts: NonZeroU32::MAX,
        first_wait: Duration::from_millis(1),
        longest_wait: Duration::from_millis(1),
        deadline: Duration::from_millis(350),
        ..Patience::default()
    };
    let error = opened(&spec(&server.url("/v1")), short).expect("a local model").embed(&["fever"]).await;
    assert!(matches!(error, Err(ModelError::Timeout(_))), "{error:?}");
    assert!(server.heard().len() <= 4, "{} attempts", server.heard().len());
}

/// Vectors are kept by the id: whatever makes other vectors must have another.
#[test]
fn another_model_and_another_path_have_another_id() {
    let id = |it: &ModelSpec| opened(it, Patience::default()).expect("a local model").id();
    let named = |model: &str| ModelSpec { model: Some(model.to_owned()), ..spec("http://127.0.0.1:9/v1") };
    assert_eq!(id(&named("small")), "local/embedder (small) at http://127.0.0.1:9/v1");
    assert_ne!(id(&named("small")), id(&named("large")));
    assert_ne!(id(&spec("http://127.0.0.1:9/a/v1")), id(&spec("http://127.0.0.1:9/b/v1")));
    let (one, two) = (id(&spec("http://127.0.0.1:9/v1?code=hush-1")), id(&spec("http://127.0.0.1:9/v1?code=hush-2")));
    assert!(one != two && !one.contains("hush"), "{one}");
}

#[tokio::test]
async fn too_few_vectors_are_no_vectors() {
    let server = CannedServer::answering(r#"{"data":[{"index":0,"embedding":[1.0]}]}"#);
    let error = model(&server.url("/v1")).embed(&["fever", "cough"]).await.expect_err("one is missing");
    assert!(matches!(&error, ModelError::InvalidOutput(why) if why.contains("1 came for 2 texts")), "{error}");
}

#[tokio::test]
async fn a_vector_without_numbers_is_no_vector() {
    let server = CannedServer::answering(r#"{"data":[{"index":0,"embedding":[]}]}"#);
    let error = model(&server.url("/v1")).embed(&["fever"]).await.expect_err("it says nothing");
    assert!(matches!(&error, ModelError::InvalidOutput(why) if why.contains("has no numbers")), "{error}");
}

/// Has the money only after a while, each time.
struct Late(Duration);

#[async_trait]
impl Payer for Late {
    async fn pay(&self, request: &dyn VectorRequest) -> Result<Vec<Vec<f32>>, ModelError> {
        tokio::time::sleep(self.0).await;
        request.send().await.map(|(vectors, _)| vectors).map_err(ModelError::uncharged)
    }
}

#[tokio::test]
async fn waiting_for_money_is_no_fault_of_the_endpoint() {
    let busy = Act::Answer("503 Service Unavailable", "", "{}".to_owned());
    let server = CannedServer::new(vec![busy.clone(), busy, good()]);
    let deadline = Duration::from_millis(800);
    let hasty = Patience { first_wait: Duration::from_millis(1), deadline, ..Patience::default() };
    let model = opened(&spec(&server.url("/v1")), hasty).expect("a local model");
    let found = model.embed_paid(&["fever", "cough"], &Late(deadline)).await;
    assert_eq!(found.expect("vectors, for the endpoint itself took little time").len(), 2);
    assert_eq!(server.heard().len(), 3);
}

/// Pays for everything, and notes what every attempt used.
#[derive(Default)]
struct Purse(Mutex<Vec<Option<u64>>>);

#[async_trait]
impl Payer for Purse {
    async fn pay(&self, request: &dyn VectorRequest) -> Result<Vec<Vec<f32>>, ModelError> {
        assert_eq!(request.texts(), ["fever", "cough"]);
        let outcome = request.send().await;
        let used: Option<Usage> = match &outcome {
            Ok((_, usage)) => Some(*usage),
            Err(ModelError::Charged { usage, .. }) => *usage,
            Err(_) => None,
        };
        self.0.lock().expect("no test panics while holding it").push(used.map(|usage| usage.input));
        outcome.map(|(vectors, _)| vectors).map_err(ModelError::uncharged)
    }
}

/// Whether there are vectors, and what every attempt used.
async fn paid(acts: Vec<Act>) -> (bool, Vec<Option<u64>>) {
    let server = CannedServer::new(acts);
    let purse = Purse::default();
    let found = model(&server.url("/v1")).embed_paid(&["fever", " ", "cough"], &purse).await;
    (found.is_ok(), purse.0.into_inner().expect("no test panics while holding it"))
}

#[tokio::test]
async fn every_attempt_is_paid_by_what_the_endpoint_says_it_used() {
    let busy = Act::Answer("503 Service Unavailable", "", "{}".to_owned());
    let (one, two) = (r#"{"index":0,"embedding":[1.0]}"#, r#"{"index":1,"embedding":[0.5]}"#);
    let told = format!(r#"{{"data":[{one},{two}],"usage":{{"prompt_tokens":9,"total_tokens":9}}}}"#);
    let told = Act::ok(&told);
    assert_eq!(paid(vec![busy, told]).await, (true, vec![None, Some(9)]));
    assert_eq!(paid(vec![good()]).await, (true, vec![Some(0)]), "it does not say");
}

#[tokio::test]
async fn vectors_that_cannot_be_used_are_paid_for() {
    let few = r#"{"data":[{"index":0,"embedding":[1.0]}],"usage":{"total_tokens":9}}"#;
    assert_eq!(paid(vec![Act::ok(few)]).await, (false, vec![Some(9)]));
}

#[test]
fn a_format_without_embeddings_is_refused() {
    let spec = ModelSpec {
        url: Some("http://127.0.0.1:9".to_owned()),
        api: Some("anthropic".to_owned()),
        ..ModelSpec::default()
    };
    let error = opened(&spec, Patience::default()).err().expect("no embeddings");
    assert!(error.to_string().contains("OpenAI's format"), "{error}");
}

#[test]
fn that_there_are_no_embeddings_is_told_before_a_key_is_missed() {
    let open = |id: &str| EmbeddingModel::open(id, None, EndpointPolicy::Any, Patience::default());
    let error = open("anthropic/claude-sonnet-4-5").err().expect("no embeddings");
    assert!(matches!(error, OpenModelError::NoEmbeddings { .. }), "{error}");
}
