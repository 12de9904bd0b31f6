//! How fast packets are rendered, read back and scrubbed: `cargo run -p waterjar-charts --example speed`
#![expect(clippy::print_stdout, reason = "an example speaks")]

use std::hint::black_box;
use std::time::Instant;
use waterjar_charts::{ScrubOptions, boards::boards, read, render, scrub};
use waterjar_core::Seed;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let charts: Vec<_> = boards(Seed(7))?.map(|board| board.map(|board| board.chart)).collect::<Result<_, _>>()?;
    let texts: Vec<_> = charts.iter().map(|chart| render(chart).text).collect();
    let bytes: usize = texts.iter().map(String::len).sum();
    println!("{} boards made in {:.0?}, {bytes} bytes", charts.len(), start.elapsed());
    let rate = |name: &str, times: usize, work: &mut dyn FnMut()| {
        let start = Instant::now();
        for _ in 0..times {
            work();
        }
        println!("{name:8} {:8.1} MB/s", (bytes * times) as f64 / 1e6 / start.elapsed().as_secs_f64());
    };
    rate("render", 200, &mut || charts.iter().for_each(|chart| drop(black_box(render(chart)))));
    rate("read", 200, &mut || texts.iter().for_each(|text| drop(black_box(read(text)))));
    let options = ScrubOptions::new(Seed(7));
    rate("scrub", 3, &mut || charts.iter().for_each(|chart| drop(black_box(scrub(chart, &options)))));
    Ok(())
}
