//! `waterjar reference`: pages of the documents that are made from the code. A test holds those in `docs/reference` equal to them.

mod commands;
mod metrics;
mod schema;

pub use schema::schema;

use crate::cli::Reference;
use crate::exit::Exit;
use crate::output::Output;
use anyhow::Result;

pub fn run(what: Reference, out: &Output) -> Result<Exit> {
    match what {
        Reference::Commands => out.print(&commands::page()),
        Reference::Metrics => out.print(&metrics::page()),
        Reference::Schema => out.json(&schema())?,
    }
    Ok(Exit::Done)
}

/// Text within a cell of a table: on one line, and without an end of the cell.
fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
