//! How fast vignettes are told in another wording: `cargo run --release -p waterjar-vignettes --example wording_rate`
#![expect(clippy::print_stdout, reason = "an example speaks")]

use std::time::Instant;
use waterjar_vignettes::{Who, Wording, ablate, rewrite, starter};

fn main() {
    let texts: Vec<String> = starter().into_iter().map(|vignette| vignette.text).collect();
    for copies in [1, 10, 100, 1000] {
        // One text that grows: the time for each byte must stay the same.
        let long = texts.iter().cycle().take(copies * 10).cloned().collect::<Vec<_>>().join(" ");
        let endless = long.replace(". ", " and ");
        for (name, text) in [("sentences", &long), ("one sentence", &endless)] {
            let start = Instant::now();
            let edits = rewrite(text, &[], Wording::Neutral, Who::Patient).map_or(0, |new| new.edits.len());
            let nanoseconds = start.elapsed().as_nanos() as f64 / text.len() as f64;
            println!("{:>9} bytes in {name}: {nanoseconds:.0} ns per byte, {edits} edits", text.len());
        }
    }
    let vignettes = starter();
    let start = Instant::now();
    let mut told = 0;
    for _ in 0..20 {
        for vignette in &vignettes {
            for wording in [Wording::Swapped, Wording::Neutral] {
                told += usize::from(rewrite(&vignette.text, &vignette.spans, wording, Who::Patient).is_ok());
            }
            told +=
                (0..vignette.spans.len()).map(|n| usize::from(!ablate(vignette, n).removed.is_empty())).sum::<usize>();
        }
    }
    println!("{told} wordings and ablations, {:.0} per second", f64::from(told as u32) / start.elapsed().as_secs_f64());
}
