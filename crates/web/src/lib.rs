//! Runs in a browser. Pages are made here and sent whole: they need no script, no build step and nothing from elsewhere.

mod account;
mod annotation;
mod assets;
mod error;
mod filter;
mod guard;
mod health;
mod index;
mod pages;
mod score;
mod shelf;
mod summary;
mod texts;

pub use health::health;
pub use score::Token;
pub use shelf::{Opened, Opens, Shelf};

use account::owner::Owner;
use account::throttle::Throttle;
use annotation::desk::Desks;
use axum::Router;
use axum::routing::{get, post};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use waterjar_annotation::Form;

/// Everything a page is made from.
#[derive(Clone)]
pub struct Site {
    shelf: Arc<Shelf>,
    owner: Arc<Owner>,
    throttle: Arc<Throttle>,
    desks: Arc<Desks>,
    forms: Arc<Vec<Form>>,
    /// Where others reach it: `https://rate.example.org`, without a slash at the end.
    url: Arc<str>,
    /// Without one nobody is told scores.
    token: Option<Arc<Token>>,
}

/// What is decided when the server is started.
#[derive(Default)]
pub struct Settings {
    /// Of the owner. Without one whoever reaches the server is the owner.
    pub password: Option<String>,
    /// What raters can be asked.
    pub forms: Vec<Form>,
    /// Where others reach it.
    pub url: String,
    /// Tells scores to whoever has it.
    pub token: Option<Token>,
}

impl Site {
    pub async fn new(shelf: Shelf, settings: Settings) -> Self {
        let owner = match settings.password {
            Some(password) => Owner::with_password(password).await,
            None => Owner::default(),
        };
        Self {
            shelf: Arc::new(shelf),
            owner: Arc::new(owner),
            throttle: Arc::default(),
            desks: Arc::default(),
            forms: Arc::new(settings.forms),
            token: settings.token.map(Arc::new),
            url: guard::origin(&settings.url).into(),
        }
    }

    /// The address of a page as somebody elsewhere types it.
    fn absolute(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// A rater's personal link.
    fn link(&self, token: &str) -> String {
        self.absolute(&format!("/r/{token}"))
    }

    /// Whether browsers come over TLS, so that cookies need never go without.
    fn is_secure(&self) -> bool {
        self.url.starts_with("https://")
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
            .merge(annotation())
            .route("/score", get(score::page))
            .nest("/v1", score::router())
            .fallback(pages::nothing_here)
            .layer(axum::middleware::from_fn_with_state(self.clone(), account::owner::guard))
            .layer(axum::middleware::from_fn_with_state(self.clone(), account::origin::check))
            .layer(axum::middleware::from_fn(texts::speak))
            .layer(axum::middleware::from_fn(guard::headers))
            .with_state(self)
    }

    /// Serves until `stop` is done, and leaves what people said in one file for each run. Only this machine can reach a loopback address, and a page from elsewhere that a browser on it
    /// has open is kept out by name.
    pub async fn serve(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> std::io::Result<()> {
        let at: SocketAddr = listener.local_addr()?;
        let names = guard::Names::new(at, &self.url);
        let (shelf, at_stop) = (Arc::clone(&self.shelf), Arc::clone(&self.shelf));
        let router = self.router().layer(axum::middleware::from_fn_with_state(names, guard::host));
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        // Tidied first: a browser that still holds a connection may make whoever stops the server lose patience.
        let stop = async move {
            stop.await;
            at_stop.tidy().await;
        };
        let served = axum::serve(listener, service).with_graceful_shutdown(stop).await;
        shelf.close().await;
        served
    }
}

/// Raters' pages, and what the owner does about them.
fn annotation() -> Router<Site> {
    use annotation::{adjudicate, enter, export, project, projects, rate};
    const PROJECTS: &str = "/runs/{run}/{suite}/projects";
    let of = |rest: &str| format!("{PROJECTS}/{{project}}{rest}");
    Router::new()
        .route("/sign-in", get(account::owner::sign_in_page).post(account::owner::sign_in))
        .route("/sign-out", post(account::owner::sign_out))
        .route("/language/{language}", get(texts::choose))
        .route(PROJECTS, get(projects::page).post(projects::new))
        .route(&of(""), get(project::page).post(project::change))
        .route(&of("/items/{item}"), get(adjudicate::page).post(adjudicate::decide))
        .route(&of("/ratings.csv"), get(export::table))
        .route(&of("/ratings.jsonl"), get(export::lines))
        .route(&of("/results.csv"), get(export::results))
        .route(&of("/log.jsonl"), get(export::log))
        .route("/r/{link}", get(enter::invited).post(enter::begin))
        .route("/rate/sign-in", get(enter::entrance).post(enter::sign_in_anywhere))
        .route("/rate/{key}", get(rate::desk))
        .route("/rate/{key}/sign-in", post(enter::sign_in))
        .route("/rate/{key}/sign-out", post(enter::sign_out))
        .route("/rate/{key}/{place}", get(rate::item).post(rate::save))
        .layer(axum::extract::DefaultBodyLimit::max(256 * 1024))
}
