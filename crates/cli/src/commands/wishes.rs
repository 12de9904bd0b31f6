//! The wish to stop, from the keyboard or another process.

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Wishes to stop: Ctrl-C, the signal that service managers send, or a terminal that was closed. Without a way to be told, the run goes on
/// to its end.
#[cfg(unix)]
pub struct Wishes(Option<Signals>);

#[cfg(unix)]
struct Signals {
    interrupt: Signal,
    terminate: Signal,
    /// None once it was heard: a session that ends may send it twice, and that is one wish.
    hangup: Option<Signal>,
}

#[cfg(unix)]
impl Signals {
    fn open() -> std::io::Result<Self> {
        let hangup = if is_hangup_ignored() { None } else { Some(signal(SignalKind::hangup())?) };
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())?, hangup })
    }

    async fn hang_up(hangup: &mut Option<Signal>) {
        match hangup {
            Some(signal) => {
                signal.recv().await;
                *hangup = None;
            }
            None => std::future::pending().await,
        }
    }
}

#[cfg(unix)]
impl Wishes {
    pub fn listen() -> Self {
        Self(Signals::open().ok())
    }

    pub async fn next(&mut self) {
        match &mut self.0 {
            Some(Signals { interrupt, terminate, hangup }) => {
                tokio::select! {
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                    () = Signals::hang_up(hangup) => {}
                }
            }
            None => std::future::pending().await,
        }
    }
}

/// What `nohup` starts is to outlive its terminal. Where it cannot be looked up, a hangup does what it always did.
#[cfg(unix)]
fn is_hangup_ignored() -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return true };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // Signal 1 is the lowest bit.
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_none_or(|mask| mask & 1 == 1)
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
