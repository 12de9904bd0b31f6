//! What the built-in readers recommend for the synthetic boards, held against the strong items of the consensus:
//! `cargo run -p waterjar-charts --example advice [-- ID]`.
#![expect(clippy::print_stdout, reason = "an example speaks")]

use waterjar_charts::advice::{Advisor, Reading};
use waterjar_charts::boards::{ConsensusClass, boards};
use waterjar_charts::render;
use waterjar_core::Seed;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted = std::env::args().nth(1);
    for board in boards(Seed(7))? {
        let board = board?;
        if wanted.as_ref().is_some_and(|id| *id != board.id) {
            continue;
        }
        let reading = Reading::of(&render(&board.chart).text);
        if wanted.is_some() {
            println!("{reading:#?}");
        }
        for advisor in Advisor::ALL {
            let advice = advisor.recommend(&reading)?;
            let given: Vec<&str> = advice.recommendations.iter().map(|it| it.treatment.as_str()).collect();
            let of = |class| board.consensus.iter().filter(move |it| it.class == class).map(|it| it.treatment.as_str());
            let missed: Vec<&str> = of(ConsensusClass::Strong).filter(|it| !given.contains(it)).collect();
            let refused: Vec<&str> = of(ConsensusClass::Refusal).filter(|it| given.contains(it)).collect();
            println!("{:14} {:12} missed {missed:?}, refused {refused:?}, gives {given:?}", board.id, advisor.id());
        }
    }
    Ok(())
}
