//! The synthetic tumor boards: `cargo run -p waterjar-charts --example boards [-- ID]` prints lengths, or one packet.
#![expect(clippy::print_stdout, reason = "an example speaks")]

use waterjar_charts::{boards::boards, render};
use waterjar_core::Seed;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted = std::env::args().nth(1);
    for board in boards(Seed(7))? {
        let board = board?;
        let text = render(&board.chart).text;
        match &wanted {
            Some(id) if *id == board.id => println!("{text}\n{:#?}", board.consensus),
            Some(_) => {}
            None => println!(
                "{:15} {:6} characters, {:3} entries",
                board.id,
                text.chars().count(),
                board.chart.entries.len()
            ),
        }
    }
    Ok(())
}
