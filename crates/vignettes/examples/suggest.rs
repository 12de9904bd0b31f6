//! Critical spans that the rules suggest beside ours: `cargo run -p waterjar-vignettes --example suggest`
#![expect(clippy::print_stdout, reason = "an example speaks")]

use waterjar_vignettes::{Reason, starter, suggest_spans};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let knowledge = waterjar_knowledge::starter::base()?;
    let (mut marked, mut found, mut suggested, mut right) = (0, 0, 0, 0);
    for vignette in starter() {
        println!("{}", vignette.id);
        let suggestions = suggest_spans(&vignette.text, &knowledge);
        let meets = |at: usize, suggestion: usize| {
            let (ours, theirs) = (vignette.spans[at], suggestions[suggestion].span);
            ours.start < theirs.end && theirs.start < ours.end
        };
        for (n, suggestion) in suggestions.iter().enumerate() {
            let hit = (0..vignette.spans.len()).any(|at| meets(at, n));
            right += usize::from(hit);
            let why = match &suggestion.reason {
                Reason::Finding { id, shared, share } => {
                    format!("{id}: {} ({:.0} %)", shared.join(", "), 100.0 * share)
                }
                Reason::Abnormal { word } => format!("called {word}"),
            };
            println!("  {} {}\n      {why}", if hit { "+" } else { " " }, suggestion.span.of(&vignette.text));
        }
        found += (0..vignette.spans.len()).filter(|&at| (0..suggestions.len()).any(|n| meets(at, n))).count();
        marked += vignette.spans.len();
        suggested += suggestions.len();
    }
    println!("{suggested} suggested, {right} of them on a marked finding; {found} of {marked} marked findings met");
    Ok(())
}
