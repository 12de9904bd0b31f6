//! Real charts: what applies, what is edited, what is left; and why the published entries do not apply.
#![expect(clippy::print_stderr, reason = "a skipped test says so, and a run one what it found")]

use std::path::{Path, PathBuf};
use waterjar_charts::advice::cancer_of;
use waterjar_charts::{Import, ImportOptions, render};
use waterjar_suites::sensitivity::audit::{Auditor, no_op};
use waterjar_suites::sensitivity::catalog::Catalog;
use waterjar_suites::sensitivity::mutate::Applies;

const BROAD: &str = include_str!("../../fixtures/broad.yaml");

/// The charts of the test data, or nothing and a word about it.
fn charts() -> Vec<(String, String)> {
    let Some(data) = std::env::var_os("WATERJAR_TEST_DATA").map(PathBuf::from) else {
        eprintln!("skipped: WATERJAR_TEST_DATA does not name the folder of real charts");
        return Vec::new();
    };
    let read = |folder: &Path| -> Vec<(String, String)> {
        let import = Import::open(folder, &ImportOptions::default()).unwrap();
        import.map(|chart| chart.unwrap()).map(|chart| (chart.id.to_string(), render(&chart).text)).collect()
    };
    ["oncology-packets", "oncology-fhir"].iter().flat_map(|folder| read(&data.join(folder))).collect()
}

#[test]
fn broad_edits_of_real_charts_are_audited() {
    let charts = charts();
    let catalog = Catalog::parse("broad", BROAD).unwrap();
    let auditor = Auditor::new(&catalog);
    let (mut edited, mut residue) = (0, 0);
    for (id, text) in &charts {
        let cancer = cancer_of(text);
        for entry in &catalog.entries {
            if entry.applies(cancer.map(|it| it.name()), text) != Applies::Yes {
                continue;
            }
            let made = entry.mutate(text).unwrap();
            if let Some(none) = no_op(text, &made) {
                eprintln!("{id:28} {:22} {}", entry.id, none.reason());
                continue;
            }
            let found = auditor.audit(entry, &made, &[]).unwrap();
            eprintln!("{id:28} {:22} edited {:3}, left {:3}", entry.id, found.edited, found.residue.len());
            (edited, residue) = (edited + found.edited, residue + found.residue.len());
        }
    }
    assert!(charts.is_empty() || (edited >= 40 && residue >= 13), "{edited} edited, {residue} left");
}

#[test]
fn our_catalog_changes_the_markers_of_real_charts_and_tells_what_it_missed() {
    let catalog = Catalog::ours();
    let auditor = Auditor::new(&catalog);
    let mut found = Vec::new();
    for (_, text) in &charts() {
        let cancer = cancer_of(text).map(|it| it.name());
        for entry in catalog.entries.iter().filter(|entry| entry.applies(cancer, text) == Applies::Yes) {
            let audit = auditor.audit(entry, &entry.mutate(text).unwrap(), &[]).unwrap();
            found.push((entry.id.as_str(), audit.edited, audit.residue.len()));
        }
    }
    let expected = [("kras-lost", 1, 3), ("brca-lost", 8, 6), ("brca-stripped", 8, 6)];
    let has_data = std::env::var_os("WATERJAR_TEST_DATA").is_some();
    assert!(!has_data || found == expected, "{found:?}");
}

#[test]
fn the_published_entries_say_why_they_do_not_apply_to_real_charts() {
    let catalog = Catalog::parse("published", super::catalogs::PUBLISHED).unwrap();
    for (id, text) in charts() {
        let cancer = cancer_of(&text).map(|it| it.name());
        for entry in &catalog.entries {
            let applies = entry.applies(cancer, &text);
            eprintln!("{id:28} {:30} {}", entry.id, applies.reason());
            assert!(
                matches!(applies, Applies::OtherCancer | Applies::NotFound(_) | Applies::Excluded(_)),
                "{id}: {applies:?}"
            );
        }
    }
}
