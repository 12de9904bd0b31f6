//! The wish to stop, from the keyboard or another process.

/// Wishes to stop: Ctrl-C, or the signal that service managers send. Without a way to be told, the run goes on to its end.
#[cfg(unix)]
pub struct Wishes(Option<(tokio::signal::unix::Signal, tokio::signal::unix::Signal)>);

#[cfg(unix)]
impl Wishes {
    pub fn listen() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        Self(signal(SignalKind::interrupt()).and_then(|first| Ok((first, signal(SignalKind::terminate())?))).ok())
    }

    pub async fn next(&mut self) {
        match &mut self.0 {
            Some((interrupt, terminate)) => {
                tokio::select! {
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                }
            }
            None => std::future::pending().await,
        }
    }
}

#[cfg(not(unix))]
pub struct Wishes;

#[cfg(not(unix))]
impl Wishes {
    pub const fn listen() -> Self {
        Self
    }

    pub async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
