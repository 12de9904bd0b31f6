//! How fast charts are changed and audited: `cargo run --release -p waterjar-suites --example mutation_rate [-- VARIANTS]`.
//!
//! Packets of 80,000 characters (a board's own, repeated), our catalog in turn on the boards it applies to. The yardstick is one pass of
//! one plain pattern over the same text.
#![expect(clippy::print_stdout, reason = "an example speaks")]

use regex::Regex;
use std::hint::black_box;
use std::time::{Duration, Instant};
use waterjar_charts::boards::{Claim, boards, claims};
use waterjar_charts::render;
use waterjar_core::Seed;
use waterjar_suites::sensitivity::audit::{Auditor, no_op};
use waterjar_suites::sensitivity::catalog::Catalog;
use waterjar_suites::sensitivity::mutate::Applies;

const LENGTH: usize = 80_000;

struct Chart {
    cancer: &'static str,
    claims: Vec<Claim>,
    text: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted: usize = std::env::args().nth(1).map_or(Ok(10_000), |it| it.parse())?;
    let catalog = Catalog::ours();
    let auditor = Auditor::new(&catalog);
    let charts: Vec<Chart> = boards(Seed(7))?
        .flatten()
        .map(|board| Chart {
            cancer: board.facts.cancer.name(),
            text: long(&render(&board.chart).text),
            claims: claims(&board.facts),
        })
        .collect();
    let tuples: Vec<_> = charts
        .iter()
        .flat_map(|chart| catalog.entries.iter().map(move |entry| (chart, entry)))
        .filter(|(chart, entry)| entry.applies(Some(chart.cancer), &chart.text) == Applies::Yes)
        .collect();
    println!("{} charts, {} tuples, {} kB resident before", charts.len(), tuples.len(), resident());

    let plain = Regex::new(r"(?i)\b(?:HER2|EGFR|BRAF|stage|allerg\w*)\b[^.\n]{0,40}")?;
    let (mut passing, mut working) = (Duration::ZERO, Duration::ZERO);
    let (mut bytes, mut edits, mut residue) = (0usize, 0usize, 0usize);
    for (chart, entry) in tuples.iter().cycle().take(wanted) {
        let start = Instant::now();
        black_box(plain.find_iter(&chart.text).count());
        passing += start.elapsed();
        let start = Instant::now();
        let made = entry.mutate(&chart.text)?;
        black_box(no_op(&chart.text, &made));
        let found = auditor.audit(entry, &made, &chart.claims)?;
        working += start.elapsed();
        bytes += chart.text.len();
        edits += made.edits.len();
        residue += found.residue.len();
    }
    let rate = |took: Duration| bytes as f64 / 1e6 / took.as_secs_f64();
    println!("{wanted} variants, {:.0} MB, {edits} edits, {residue} left behind", bytes as f64 / 1e6);
    println!(
        "mutated and audited: {:.1} MB/s ({:.2} ms a variant)",
        rate(working),
        1e3 * working.as_secs_f64() / wanted as f64
    );
    println!("one plain pattern:   {:.1} MB/s", rate(passing));
    println!("ratio {:.1}, {} kB resident after", working.as_secs_f64() / passing.as_secs_f64(), resident());
    Ok(())
}

/// The packet, its chronology repeated until it is long enough.
fn long(packet: &str) -> String {
    let body = packet.split_once("== Chronology ==\n").map_or(packet, |(_, body)| body);
    let mut text = packet.trim_end().to_owned();
    while text.len() < LENGTH {
        text.push('\n');
        text.push_str(body.trim_end());
    }
    text.truncate(text.floor_char_boundary(LENGTH));
    text
}

/// Zero where the system does not tell.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
