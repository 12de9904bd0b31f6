//! What a worker did, for people and for Prometheus.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use waterjar_core::counted;

/// What this worker did.
#[derive(Default)]
pub struct Tally {
    pub begun: AtomicU64,
    pub done: AtomicU64,
    pub failed: AtomicU64,
    pub items: AtomicU64,
}

impl Tally {
    pub fn under_way(&self) -> u64 {
        let ended = self.done.load(Ordering::Relaxed) + self.failed.load(Ordering::Relaxed);
        self.begun.load(Ordering::Relaxed).saturating_sub(ended)
    }

    pub fn line(&self) -> String {
        let of = |it: &AtomicU64| it.load(Ordering::Relaxed);
        format!(
            "{} done ({} questions or families), {} given back",
            counted(of(&self.done), "part", "parts"),
            of(&self.items),
            of(&self.failed)
        )
    }

    /// In the text format of Prometheus.
    pub fn metrics(&self, me: &str) -> String {
        let mut text = String::new();
        let all = [
            ("parts_done_total", "counter", "Parts of runs that were done.", self.done.load(Ordering::Relaxed)),
            (
                "parts_failed_total",
                "counter",
                "Parts that went back to the queue.",
                self.failed.load(Ordering::Relaxed),
            ),
            ("items_total", "counter", "Questions asked and families judged.", self.items.load(Ordering::Relaxed)),
            ("parts_under_way", "gauge", "Parts being done.", self.under_way()),
        ];
        for (name, kind, help, value) in all {
            let _ = writeln!(text, "# HELP waterjar_worker_{name} {help}\n# TYPE waterjar_worker_{name} {kind}");
            let _ = writeln!(text, "waterjar_worker_{name}{{worker=\"{me}\"}} {value}");
        }
        text
    }
}
