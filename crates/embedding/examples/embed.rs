//! Embeds the texts of a JSON file and prints the seconds it took, without starting up. `benches/embedding` runs it.
//!
//! `cargo run --release -p waterjar-embedding --example embed -- TEXTS.json [VECTORS.f32]`

#![allow(clippy::print_stdout, reason = "an example is a program, and this is its output")]

use std::error::Error;
use std::io::Write;
use std::time::Instant;
use waterjar_embedding::{Length, MiniLm, ModelFiles};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let file = args.next().ok_or("wanted: TEXTS.json [VECTORS.f32]")?;
    let texts: Vec<String> = serde_json::from_str(&std::fs::read_to_string(file)?)?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let begun = Instant::now();
    let model = MiniLm::open(&ModelFiles::find()?, Length::First)?;
    let opened = begun.elapsed();
    model.vectors(&texts[..texts.len().min(8)])?;
    let begun = Instant::now();
    let vectors = model.vectors(&texts)?;
    println!("{} {}", begun.elapsed().as_secs_f64(), opened.as_secs_f64());
    if let Some(file) = args.next() {
        let mut file = std::io::BufWriter::new(std::fs::File::create(file)?);
        for number in vectors.iter().flatten() {
            file.write_all(&number.to_le_bytes())?;
        }
    }
    Ok(())
}
