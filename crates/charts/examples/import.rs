//! What an import makes of a path: `cargo run -p waterjar-charts --example import -- PATH [show]`
#![expect(clippy::print_stdout, reason = "an example speaks")]

use std::path::Path;
use waterjar_charts::{Import, ImportOptions, render};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("name a file or a folder")?;
    let show = arguments.next().is_some();
    let mut import = Import::open(Path::new(&path), &ImportOptions::default())?;
    println!("{path} is of kind {}", import.kind());
    for chart in import.by_ref() {
        let chart = chart?;
        let packet = render(&chart);
        println!("{}: {} entries, {} characters", chart.id, chart.entries.len(), packet.text.chars().count());
        if show {
            println!("{}", packet.text);
        }
    }
    println!("{}", import.summary());
    Ok(())
}
