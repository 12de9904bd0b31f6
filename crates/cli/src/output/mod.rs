//! The terminal: data on standard output, talk on standard error.

pub mod diff;
pub mod error;
pub mod progress;
pub mod table;

use anyhow::{Context, Result};
use progress::Progress;
use serde::Serialize;
use std::io::Write;

pub struct Output {
    quiet: bool,
}

impl Output {
    pub fn new(quiet: bool) -> Self {
        Self { quiet }
    }

    /// Data, for people.
    pub fn print(&self, text: &str) {
        // A reader that has gone away (`| head`) is no error of ours.
        let _ = writeln!(std::io::stdout().lock(), "{}", text.trim_end());
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
            let _ = writeln!(std::io::stderr().lock(), "{text}");
        }
    }

    /// Talk that matters even to those who want quiet.
    pub fn warn(&self, text: &str) {
        let _ = writeln!(std::io::stderr().lock(), "warning: {text}");
    }

    pub fn progress(&self) -> Progress {
        Progress::new(self.quiet)
    }
}
