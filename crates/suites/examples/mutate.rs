//! What a catalog does to charts, before anybody is asked, one row per intervention:
//! `cargo run -p waterjar-suites --example mutate -- CATALOG.yaml PATH…` (`ours` and `boards` are built in).
//! With `--each` before the catalog, every chart by itself with the places that were missed.
#![expect(clippy::print_stdout, reason = "an example speaks")]

use std::collections::BTreeMap;
use std::path::Path;
use waterjar_charts::advice::cancer_of;
use waterjar_charts::{Import, ImportOptions, boards::boards, render};
use waterjar_core::Seed;
use waterjar_suites::sensitivity::audit::{Auditor, VariantAudit, no_op};
use waterjar_suites::sensitivity::catalog::{Catalog, Entry, OURS};
use waterjar_suites::sensitivity::mutate::Applies;

type Failure = Box<dyn std::error::Error>;

struct Source {
    id: String,
    text: String,
    cancer: Option<&'static str>,
}

fn main() -> Result<(), Failure> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let each = arguments.first().is_some_and(|it| it == "--each");
    arguments.drain(..usize::from(each));
    let [catalog, paths @ ..] = arguments.as_slice() else { return Err("name a catalog and one path or more".into()) };
    let catalog = if catalog == OURS { Catalog::ours() } else { Catalog::open(Path::new(catalog))? };
    let auditor = Auditor::new(&catalog);
    for path in paths {
        let charts = charts(path)?;
        let mut cancers: BTreeMap<&str, usize> = BTreeMap::new();
        for chart in &charts {
            *cancers.entry(chart.cancer.unwrap_or("unknown")).or_default() += 1;
        }
        let name = Path::new(path).file_name().map_or(path.as_str().into(), |it| it.to_string_lossy());
        println!("{name}: {} charts ({})", charts.len(), counted(&cancers));
        if each {
            by_chart(&catalog, &auditor, &charts)?;
        } else {
            by_intervention(&catalog, &auditor, &charts)?;
        }
    }
    Ok(())
}

fn charts(path: &str) -> Result<Vec<Source>, Failure> {
    let source = |id: String, text: String| Source { cancer: cancer_of(&text).map(|it| it.name()), id, text };
    if path == "boards" {
        return Ok(boards(Seed(7))?.flatten().map(|it| source(it.id, render(&it.chart).text)).collect());
    }
    let import = Import::open(Path::new(path), &ImportOptions::default())?;
    import.map(|chart| chart.map(|it| source(it.id.to_string(), render(&it).text)).map_err(Into::into)).collect()
}

/// What became of one intervention on one chart: its audit, or why there is none.
fn tried(entry: &Entry, auditor: &Auditor, chart: &Source) -> Result<Result<VariantAudit, &'static str>, Failure> {
    let applies = entry.applies(chart.cancer, &chart.text);
    if applies != Applies::Yes {
        return Ok(Err(applies.reason()));
    }
    let made = entry.mutate(&chart.text)?;
    match no_op(&chart.text, &made) {
        Some(none) => Ok(Err(none.reason())),
        None => Ok(Ok(auditor.audit(entry, &made, &[])?)),
    }
}

fn by_intervention(catalog: &Catalog, auditor: &Auditor, charts: &[Source]) -> Result<(), Failure> {
    println!(
        "  {:34} {:>6} {:>6} {:>5} {:>10}  not on the others",
        "intervention", "charts", "edited", "left", "incoherent"
    );
    for entry in &catalog.entries {
        let (mut changed, mut edited, mut left, mut incoherent) = (0, 0, 0, 0);
        let mut why: BTreeMap<&str, usize> = BTreeMap::new();
        for chart in charts {
            match tried(entry, auditor, chart)? {
                Ok(audit) => {
                    changed += 1;
                    edited += audit.edited;
                    left += audit.residue.len();
                    incoherent += usize::from(!audit.incoherent.is_empty());
                }
                Err(reason) => *why.entry(reason).or_default() += 1,
            }
        }
        println!("  {:34} {changed:>6} {edited:>6} {left:>5} {incoherent:>10}  {}", entry.id, counted(&why));
    }
    Ok(())
}

fn by_chart(catalog: &Catalog, auditor: &Auditor, charts: &[Source]) -> Result<(), Failure> {
    for chart in charts {
        let cancer = chart.cancer.unwrap_or("cancer unknown");
        println!("{}: {} characters, {cancer}", chart.id, chart.text.chars().count());
        for entry in &catalog.entries {
            match tried(entry, auditor, chart)? {
                Err(reason) => println!("  {:34} {reason}", entry.id),
                Ok(audit) => {
                    let why = audit.incoherent.join("; ");
                    println!("  {:34} edited {}, left {}, {why}", entry.id, audit.edited, audit.residue.len());
                    for left in &audit.residue {
                        println!("    line {}: {}", left.line, left.said);
                    }
                }
            }
        }
    }
    Ok(())
}

/// `other_cancer 3, pattern_not_found 1`, the most frequent first.
fn counted(counts: &BTreeMap<&str, usize>) -> String {
    let mut counts: Vec<_> = counts.iter().collect();
    counts.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), **name));
    counts.iter().map(|(name, n)| format!("{name} {n}")).collect::<Vec<_>>().join(", ")
}
