//! What the scrubber leaves of a path: `cargo run -p waterjar-charts --example scrub -- PATH`
#![expect(clippy::print_stdout, reason = "an example speaks")]

use std::path::Path;
use waterjar_charts::{Import, ImportOptions, ScrubOptions, render, scrub};
use waterjar_core::Seed;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a file or a folder")?;
    for chart in Import::open(Path::new(&path), &ImportOptions::default())? {
        println!("{}", render(&scrub(&chart?, &ScrubOptions::new(Seed(7))).chart).text);
    }
    Ok(())
}
