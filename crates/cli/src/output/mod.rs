//! The terminal: data on standard output, talk on standard error.

mod calls;
pub mod checks;
pub mod compared;
pub mod diff;
pub mod error;
pub mod keyed;
pub mod planned;
pub mod progress;
pub mod rehearsal;
pub mod screen;
pub mod table;
pub mod verdicts;

use anyhow::{Context, Result};
use progress::Progress;
use serde::Serialize;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

pub struct Output {
    quiet: bool,
    /// How often `-v` was typed.
    pub verbose: u8,
    /// Data was lost on its way to standard output.
    lost: AtomicBool,
}

impl Output {
    pub fn new(quiet: bool, verbose: u8) -> Self {
        Self { quiet, verbose, lost: AtomicBool::new(false) }
    }

    /// Data, for people.
    pub fn print(&self, text: &str) {
        let mut to = std::io::stdout().lock();
        let written = writeln!(to, "{}", text.trim_end()).and_then(|()| to.flush());
        // A reader that has gone away (`| head`) is no error of ours; a full disk behind it is.
        if let Err(error) = written
            && error.kind() != std::io::ErrorKind::BrokenPipe
        {
            self.warn(&format!("standard output cannot be written: {error}"));
            self.lost.store(true, Ordering::Relaxed);
        }
    }

    /// Prose among the data.
    pub fn prose(&self, text: &str) {
        self.print(&screen::among_data(text));
    }

    pub fn has_lost_data(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Data, for programs.
    pub fn json(&self, content: &impl Serialize) -> Result<()> {
        let json = serde_json::to_string_pretty(content).context("figures hold nothing JSON cannot")?;
        self.print(&json);
        Ok(())
    }

    /// Talk.
    pub fn say(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(std::io::stderr().lock(), "{}", screen::talk(text));
        }
    }

    /// Talk that matters even to those who want quiet.
    pub fn warn(&self, text: &str) {
        let _ = writeln!(std::io::stderr().lock(), "{}", screen::talk(&format!("warning: {text}")));
    }

    /// What to do about it.
    pub fn hint(&self, text: &str) {
        let _ = writeln!(std::io::stderr().lock(), "{}", screen::talk(&format!("hint: {text}")));
    }

    pub fn progress(&self) -> Progress {
        Progress::new(self.quiet, self.verbose)
    }
}
