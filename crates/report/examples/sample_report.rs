//! Writes a report on made-up figures, to look at: `cargo run -p waterjar-report --example sample_report -- FILE`.

mod sample;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("say where to write: sample_report FILE")?;
    std::fs::write(file, waterjar_report::html(&sample::report())?)?;
    Ok(())
}
