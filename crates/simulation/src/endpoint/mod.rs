//! A real HTTP server on the loopback that answers as three vendors would, and fails as they do.

mod admission;
mod batches;
mod content;
mod dress;
mod faults;
mod keys;
mod latency;
mod made;
mod manner;
mod names;
mod routes;
mod script;
mod serve;
mod service;
mod settings;
mod stats;

pub use admission::Admission;
pub use content::Content;
pub use faults::{Fault, Faults, RetryAfter};
pub use latency::Latency;
pub use names::{BadName, parse_duration};
pub use script::{Rule, Script};
pub use settings::{BatchEnd, BatchManner, EndpointSettings, Takes};
pub use stats::{Asks, Stats};

use service::Service;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Serves until it is shut down or dropped.
pub struct Endpoint {
    addr: SocketAddr,
    service: Arc<Service>,
    running: Running,
}

enum Running {
    Task(JoinHandle<()>),
    /// Ends when the sender is dropped.
    Apart {
        stop: Option<tokio::sync::oneshot::Sender<()>>,
        thread: Option<std::thread::JoinHandle<()>>,
    },
}

impl Endpoint {
    /// In the runtime of the caller, on a free port of 127.0.0.1.
    pub async fn start(settings: EndpointSettings) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", settings.port)).await?;
        let addr = listener.local_addr()?;
        let service = Arc::new(Service::new(settings));
        let task = tokio::spawn(serve::serve(listener, service.clone()));
        Ok(Self { addr, service, running: Running::Task(task) })
    }

    /// In a thread of its own, for tests that block: those that wait for a child process, say.
    pub fn start_apart(settings: EndpointSettings) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let listener = runtime.block_on(TcpListener::bind(("127.0.0.1", settings.port)))?;
        let addr = listener.local_addr()?;
        let service = Arc::new(Service::new(settings));
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let serving = serve::serve(listener, service.clone());
        let thread = std::thread::Builder::new().name("waterjar-endpoint".to_owned()).spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    () = serving => {}
                    _ = stopped => {}
                }
            });
        })?;
        Ok(Self { addr, service, running: Running::Apart { stop: Some(stop), thread: Some(thread) } })
    }

    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// `http://127.0.0.1:PORT`, without a path.
    pub fn url(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// What happened so far.
    pub fn stats(&self) -> Stats {
        self.service.stats.snapshot()
    }

    /// Whether any request carried this key. Keys are compared by hash; none is kept.
    pub fn seen_key(&self, key: &str) -> bool {
        self.service.keys.seen(key)
    }

    /// Closes the port and all connections.
    pub async fn shutdown(mut self) {
        if let Running::Task(task) = &mut self.running {
            task.abort();
            // The error says that it was aborted, which is what was wanted.
            let _ = task.await;
        }
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        match &mut self.running {
            Running::Task(task) => task.abort(),
            Running::Apart { stop, thread } => {
                drop(stop.take());
                if let Some(thread) = thread.take() {
                    // A panic there has been printed; this one must not hide the test's own.
                    let _ = thread.join();
                }
            }
        }
    }
}
