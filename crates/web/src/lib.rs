//! Runs in a browser. Pages are made here and sent whole: they need no script, no build step and nothing from elsewhere.

mod assets;
mod error;
mod filter;
mod guard;
mod index;
mod pages;
mod score;
mod shelf;
mod summary;

pub use score::Token;
pub use shelf::{Opened, Opens, Shelf};

use axum::Router;
use axum::routing::get;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;

/// Everything a page is made from.
#[derive(Clone)]
pub struct Site {
    shelf: Arc<Shelf>,
    /// Without one nobody is told scores.
    token: Option<Arc<Token>>,
}

impl Site {
    pub fn new(shelf: Shelf) -> Self {
        Self { shelf: Arc::new(shelf), token: None }
    }

    /// Tells scores to whoever has the token.
    pub fn with_token(self, token: Option<Token>) -> Self {
        Self { token: token.map(Arc::new), ..self }
    }

    /// The pages as a service, to be asked in a test as over a network.
    pub fn router(self) -> Router {
        Router::new()
            .route("/", get(pages::runs::page))
            .route("/static/{name}", get(assets::serve))
            .route("/runs/{run}", get(pages::run::page))
            .route("/runs/{run}/progress", get(pages::run::progress))
            .route("/runs/{run}/{suite}", get(pages::suite::page))
            .route("/runs/{run}/{suite}/compare", get(pages::compare::page))
            .route("/runs/{run}/{suite}/families", get(pages::families::page))
            .route("/runs/{run}/{suite}/families/{family}", get(pages::family::page))
            .route("/runs/{run}/{suite}/families/{family}/reasoning", get(pages::reasoning::page))
            .route("/runs/{run}/{suite}/families/{family}/transcript", get(pages::transcript::page))
            .route("/score", get(score::page))
            .nest("/v1", score::router())
            .fallback(pages::nothing_here)
            .layer(axum::middleware::from_fn(guard::headers))
            .with_state(self)
    }

    /// Serves until `stop` is done. Only this machine can reach a loopback address, and a page from elsewhere that a browser on it
    /// has open is kept out by name.
    pub async fn serve(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> std::io::Result<()> {
        let at: SocketAddr = listener.local_addr()?;
        let router = self.router().layer(axum::middleware::from_fn_with_state(at, guard::host));
        axum::serve(listener, router).with_graceful_shutdown(stop).await
    }
}
