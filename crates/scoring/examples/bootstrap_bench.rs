//! Times our bootstrap, and numpy's beside it if given a python that has numpy:
//! `cargo run --release -p waterjar-scoring --example bootstrap_bench -- /path/to/python`
//!
//! 1,000 replicates over 5,383 pairs for 19 subjects with three metrics each, all from the same resamples; the outcomes
//! are the counts of MedEinst's Table 1 (specs 10.2), scattered over the pairs.

#![allow(clippy::print_stdout)]

use std::{error::Error, process::Command, time::Instant};
use waterjar_core::Seed;
use waterjar_scoring::stats::{Bootstrap, Ratio, Tally};

const PAIRS: usize = 5383;

/// N, control-correct, robust, rigid
const SUBJECTS: [[usize; 4]; 19] = [
    [5379, 2572, 670, 1212],
    [5379, 2270, 609, 1047],
    [5379, 2133, 605, 1016],
    [5379, 2373, 607, 1286],
    [5379, 2208, 599, 991],
    [5379, 2165, 638, 941],
    [5379, 2179, 613, 944],
    [5379, 2921, 849, 1515],
    [5379, 2882, 590, 1755],
    [5379, 2264, 665, 973],
    [5379, 803, 172, 295],
    [5379, 350, 64, 154],
    [5379, 2201, 628, 1186],
    [5379, 2422, 386, 1601],
    [5379, 1489, 332, 807],
    [5379, 1727, 436, 720],
    [5367, 1594, 555, 643],
    [5381, 3739, 1303, 1262],
    [5376, 2983, 1072, 1143],
];

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/bootstrap_numpy.py");

fn main() -> Result<(), Box<dyn Error>> {
    let (tally, ratios) = tally()?;
    let bootstrap = Bootstrap::new(Seed(7));
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        let resampled = bootstrap.resample(&tally);
        let estimates: Vec<_> = ratios.iter().filter_map(|ratio| resampled.estimate(*ratio)).collect();
        best = best.min(start.elapsed().as_secs_f64());
        assert_eq!(estimates.len(), ratios.len());
    }
    println!("waterjar {best:.6} s on {} threads", rayon::current_num_threads());
    // GPT-5's trap rate; the script prints numpy's.
    let gpt_5 = bootstrap.resample(&tally).estimate(ratios[3 * 7 + 2]).ok_or("GPT-5 has controls")?;
    println!("GPT-5 trap rate {:.4}, interval {:?}", gpt_5.value, gpt_5.interval);

    if let Some(python) = std::env::args().nth(1) {
        let output = Command::new(python).arg(SCRIPT).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        for line in String::from_utf8(output.stdout)?.lines() {
            match line.split_once(' ').and_then(|(way, rest)| Some((way, rest.parse::<f64>().ok()?))) {
                Some((way, seconds)) => println!("numpy, {way}: {seconds:.6} s, {:.1} times ours", seconds / best),
                None => println!("numpy, {line}"),
            }
        }
    }
    Ok(())
}

fn tally() -> Result<(Tally, Vec<Ratio>), Box<dyn Error>> {
    let mut tally = Tally::new();
    let mut ratios = Vec::new();
    for (subject, [answered, control, robust, rigid]) in SUBJECTS.into_iter().enumerate() {
        let [base, robustness, trap] = ["baseline_accuracy", "robust_accuracy", "bias_trap_rate"]
            .map(|name| tally.ratio(&format!("{subject} {name}")));
        ratios.extend([base, robustness, trap]);
        for pair in 0..PAIRS {
            // The stride shares no factor with 5,383 = 7 · 769, so every place is visited once.
            let place = pair * (7 * (14 + subject) + 1) % PAIRS;
            let (answered, control) = (f64::from(place < answered), f64::from(place < control));
            let family = pair.to_string();
            tally.push(&family, base, control, answered)?;
            tally.push(&family, robustness, f64::from(place < robust), answered)?;
            tally.push(&family, trap, f64::from((robust..robust + rigid).contains(&place)), control)?;
        }
    }
    Ok((tally, ratios))
}
