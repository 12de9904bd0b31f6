//! What a catalog does to charts, before anybody is asked:
//! `cargo run -p waterjar-suites --example mutate -- CATALOG.yaml PATH` (`ours` and `boards` are built in).
#![expect(clippy::print_stdout, reason = "an example speaks")]

use std::path::Path;
use waterjar_charts::advice::cancer_of;
use waterjar_charts::{Import, ImportOptions, boards::boards, render};
use waterjar_core::Seed;
use waterjar_suites::sensitivity::audit::{Auditor, no_op};
use waterjar_suites::sensitivity::catalog::{Catalog, OURS};
use waterjar_suites::sensitivity::mutate::Applies;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (catalog, path) = (arguments.next().ok_or("name a catalog")?, arguments.next().ok_or("name a path")?);
    let catalog = if catalog == OURS { Catalog::ours() } else { Catalog::open(Path::new(&catalog))? };
    let auditor = Auditor::new(&catalog);
    let charts: Vec<(String, String)> = match path.as_str() {
        "boards" => boards(Seed(7))?.flatten().map(|it| (it.id, render(&it.chart).text)).collect(),
        path => Import::open(Path::new(path), &ImportOptions::default())?
            .map(|chart| chart.map(|chart| (chart.id.to_string(), render(&chart).text)))
            .collect::<Result<_, _>>()?,
    };
    for (id, text) in charts {
        let cancer = cancer_of(&text).map(|it| it.name());
        println!("{id}: {} characters, {}", text.chars().count(), cancer.unwrap_or("cancer unknown"));
        for entry in &catalog.entries {
            let applies = entry.applies(cancer, &text);
            if applies != Applies::Yes {
                println!("  {:32} {}", entry.id, applies.reason());
                continue;
            }
            let made = entry.mutate(&text)?;
            if let Some(none) = no_op(&text, &made) {
                println!("  {:32} {}", entry.id, none.reason());
                continue;
            }
            let found = auditor.audit(entry, &made, &[])?;
            println!(
                "  {:32} edited {}, left {}, {}",
                entry.id,
                found.edited,
                found.residue.len(),
                found.incoherent.join("; ")
            );
            for left in &found.residue {
                println!("    line {}: {}", left.line, left.said);
            }
        }
    }
    Ok(())
}
