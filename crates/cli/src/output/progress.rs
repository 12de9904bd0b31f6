//! How far a run has come: a bar in a terminal, a line per pass elsewhere.

use super::{calls, table};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::HashSet;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::Duration;
use waterjar_core::{Account, counted};
use waterjar_engine::RunEvent;
use waterjar_engine::gateway::GatewayEvent;

pub struct Progress {
    /// Warnings are told once; every pass has them anew.
    warned: Mutex<HashSet<String>>,
    bar: Mutex<Option<ProgressBar>>,
    quiet: bool,
    verbose: u8,
    terminal: bool,
}

impl Progress {
    pub fn new(quiet: bool, verbose: u8) -> Self {
        Self {
            warned: Mutex::default(),
            bar: Mutex::new(None),
            quiet,
            verbose,
            terminal: std::io::stderr().is_terminal(),
        }
    }

    pub fn tell(&self, event: &RunEvent) {
        if self.quiet {
            return;
        }
        match event {
            RunEvent::Started { suite, pass, total } => self.start(&format!("{suite}: {}", pass.doing()), *total),
            RunEvent::Progress { done, .. } => self.with_bar(|bar| bar.set_position(*done)),
            RunEvent::Preparing { model } => self.with_bar(|bar| bar.set_message(format!("(preparing {model})"))),
            RunEvent::Finished { .. } => self.clear(),
            RunEvent::Notice(text) => self.above(text),
            RunEvent::Benchmark(summary) => {
                self.line(&format!(
                    "{}: {} → {} eligible → {}, {}",
                    summary.suite,
                    counted(summary.cases, "case", "cases"),
                    summary.eligible,
                    counted(summary.families, "family", "families"),
                    counted(summary.variants, "variant", "variants")
                ));
                let lost: Vec<String> = summary
                    .losses
                    .iter()
                    .filter(|(reason, _)| *reason != "not_needed")
                    .map(|(reason, n)| format!("{} {n}", reason.replace('_', " ")))
                    .collect();
                if !lost.is_empty() {
                    self.line(&format!("{}: lost cases: {}", summary.suite, lost.join(", ")));
                }
                // All of it is in the table that `vary` prints and in the report.
                if !summary.accounts.is_empty() {
                    self.line(&format!("{}: {}", summary.suite, table::account(&Account::total(&summary.accounts))));
                }
                // No report follows.
                if summary.families == 0 {
                    table::by_entry(&summary.accounts).lines().for_each(|line| self.line(line));
                }
            }
            RunEvent::Gateway(GatewayEvent::Spent { usd, tokens }) => {
                self.with_bar(|bar| bar.set_message(format!("${usd:.2} {tokens} tokens")));
            }
            RunEvent::Gateway(event) => {
                if let Some(text) = calls::tell(event, self.verbose).filter(|text| self.is_news(text)) {
                    self.above(&text);
                }
            }
        }
    }

    fn is_news(&self, text: &str) -> bool {
        let mut warned = self.warned.lock().unwrap_or_else(|broken| broken.into_inner());
        !text.starts_with("warning:") || warned.insert(text.to_owned())
    }

    pub fn clear(&self) {
        if let Some(bar) = self.bar.lock().unwrap_or_else(|broken| broken.into_inner()).take() {
            bar.finish_and_clear();
        }
    }

    fn start(&self, text: &str, total: Option<u64>) {
        self.clear();
        if !self.terminal {
            return self.line(text);
        }
        let (bar, template) = match total {
            Some(total) => (ProgressBar::new(total), "{prefix} {wide_bar} {pos}/{len} {eta} {msg}"),
            None => (ProgressBar::new_spinner(), "{prefix} {spinner} {pos} {msg}"),
        };
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style);
        bar.set_prefix(text.to_owned());
        bar.enable_steady_tick(Duration::from_millis(120));
        *self.bar.lock().unwrap_or_else(|broken| broken.into_inner()) = Some(bar);
    }

    fn with_bar(&self, change: impl FnOnce(&ProgressBar)) {
        if let Some(bar) = &*self.bar.lock().unwrap_or_else(|broken| broken.into_inner()) {
            change(bar);
        }
    }

    /// A line that does not end the bar.
    fn above(&self, text: &str) {
        let write = || drop(writeln!(std::io::stderr().lock(), "{text}"));
        match &*self.bar.lock().unwrap_or_else(|broken| broken.into_inner()) {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    fn line(&self, text: &str) {
        self.clear();
        let _ = writeln!(std::io::stderr().lock(), "{text}");
    }
}
