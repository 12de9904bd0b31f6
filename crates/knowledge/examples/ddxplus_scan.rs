//! How fast is the DDXPlus import against a plain `csv` scan of the same file?
//!
//! ```text
//! ddxplus_scan KNOWLEDGE_DIR PATIENTS_CSV                   measure
//! ddxplus_scan make ROWS DIR [KNOWLEDGE_DIR PATIENTS_CSV]   write ROWS simulated patients first: of the starter base, or
//!                                                           of the base estimated from the files named
//! ```
#![expect(clippy::print_stdout, reason = "a bench speaks")]

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use waterjar_core::{Facts, Seed};
use waterjar_knowledge::simulate::Simulated;
use waterjar_knowledge::{Differential, KnowledgeBase, Reading, ddxplus, gap, starter};

/// MedEinst's hard candidates.
const HARD: f64 = 0.005;
/// Best of so many, because the machine is shared.
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["make", rows, dir] => make(starter::base()?.into(), rows.parse()?, Path::new(dir)),
        ["make", rows, dir, knowledge, patients] => {
            let source = ddxplus::open_files(Path::new(knowledge), Path::new(patients))?;
            make(source.base().clone(), rows.parse()?, Path::new(dir))
        }
        [knowledge, patients] => measure(Path::new(knowledge), Path::new(patients)),
        _ => Err("usage: ddxplus_scan KNOWLEDGE_DIR PATIENTS_CSV".into()),
    }
}

fn make(base: Arc<KnowledgeBase>, rows: u64, dir: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(dir)?;
    ddxplus::write_knowledge(&base, dir)?;
    let source = Simulated::for_test(base.clone(), Seed(7), rows);
    let patients = source.facts().map(|(_, facts)| with_differential(&base, facts));
    let file = BufWriter::new(File::create(dir.join("patients.csv"))?);
    let written = ddxplus::write_csv(&base, patients, file)?;
    println!("{written} patients in {}", dir.display());
    Ok(())
}

/// As long as those of the release: what is hardly possible is not listed.
fn with_differential(base: &KnowledgeBase, mut facts: Facts) -> Facts {
    facts.differential = Differential::of(base, &facts, &Reading::SYMPTOMS).candidates();
    let own = facts.condition.clone();
    facts.differential.retain(|it| it.probability >= 0.01 || it.condition == own);
    facts
}

fn measure(knowledge: &Path, patients: &Path) -> Result<(), Box<dyn Error>> {
    let opening = Instant::now();
    let source = ddxplus::open_files(knowledge, patients)?;
    let opened = opening.elapsed().as_secs_f64();
    let rows = source.count() as f64;
    let bytes = std::fs::metadata(patients)?.len() as f64;
    println!("{rows} rows, {:.1} MB; opened (one pass, base estimated) in {opened:.3} s", bytes / 1e6);
    let plain = best(|| scan(patients))?;
    println!("{:<22} {:>10.0} rows/s", "plain csv scan", rows / plain.1);
    let show = |name: &str, (found, seconds): (usize, f64)| {
        let ratio = seconds / plain.1;
        println!("{name:<22} {:>10.0} rows/s   {ratio:.2} x the scan   {found} hard", rows / seconds);
    };
    show("facts + gap filter", best(|| every(&source))?);
    show("hard candidates only", best(|| hard(&source))?);
    println!("peak memory {}", peak_memory());
    Ok(())
}

fn scan(path: &Path) -> Result<usize, Box<dyn Error>> {
    let mut reader = csv::ReaderBuilder::new().buffer_capacity(1 << 16).from_path(path)?;
    let mut record = csv::ByteRecord::new();
    let mut fields = 0;
    while reader.read_byte_record(&mut record)? {
        fields += record.len();
    }
    Ok(fields)
}

fn every(source: &ddxplus::Ddxplus) -> Result<usize, Box<dyn Error>> {
    let mut found = 0;
    for patient in source.facts() {
        let (_, facts) = patient?;
        let gap = gap(&facts.condition, &facts.differential);
        found += usize::from(gap.is_some_and(|it| it.gap < HARD));
    }
    Ok(found)
}

fn hard(source: &ddxplus::Ddxplus) -> Result<usize, Box<dyn Error>> {
    let mut found = 0;
    for patient in source.hard(HARD) {
        patient?;
        found += 1;
    }
    Ok(found)
}

fn best(run: impl Fn() -> Result<usize, Box<dyn Error>>) -> Result<(usize, f64), Box<dyn Error>> {
    let mut found = 0;
    let mut seconds = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        found = run()?;
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    Ok((found, seconds))
}

/// Linux tells the high-water mark; elsewhere there is nothing to say.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("unknown", str::trim).to_owned()
}
