//! Whether a worker lives, and what it did, for those who look after many.

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use tokio::net::TcpListener;

/// Answers `/healthz` and `/metrics` (the text format of Prometheus) until it is dropped.
pub async fn health(listener: TcpListener, metrics: impl Fn() -> String + Clone + Send + Sync + 'static) {
    let text = move || async move { ([(CONTENT_TYPE, "text/plain; version=0.0.4")], metrics()) };
    let routes = Router::new().route("/healthz", get(async || "ok\n")).route("/metrics", get(text));
    // It ends with the worker; a connection that breaks is not its affair.
    let _ = axum::serve(listener, routes).await;
}
