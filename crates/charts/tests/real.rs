//! Every real file loads, is read back exactly, and gives its identifiers up to the scrubber.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may panic, and says what it saw or that it was skipped"
)]

use std::path::PathBuf;
use waterjar_charts::import::{Kind, Summary};
use waterjar_charts::{Chart, Import, ImportOptions, ScrubOptions, Section, read, render, scrub};
use waterjar_core::Seed;

fn data() -> Option<PathBuf> {
    let dir = std::env::var_os("WATERJAR_TEST_DATA").map(PathBuf::from);
    if dir.is_none() {
        eprintln!("skipped: WATERJAR_TEST_DATA is not set");
    }
    dir
}

fn load(data: &std::path::Path, folder: &str, kind: Kind) -> (Vec<Chart>, Summary) {
    let mut import = Import::open(&data.join(folder), &ImportOptions::default()).unwrap();
    assert_eq!(import.kind(), kind, "{folder}");
    let charts: Vec<_> = import.by_ref().collect::<Result<_, _>>().unwrap();
    for chart in &charts {
        let packet = render(chart);
        let (again, located) = read(&packet.text).unwrap();
        assert_eq!((&again, &located), (chart, &packet), "{}", chart.id);
    }
    let characters: usize = charts.iter().map(|chart| render(chart).text.chars().count()).sum();
    eprintln!("{folder}: {characters} characters; {}", import.summary());
    (charts, import.summary().clone())
}

fn counts(summary: &Summary) -> (u64, u64, u64) {
    (summary.charts, summary.entries, summary.skipped_total())
}

#[test]
fn fhir_bundles_with_cancer_load_and_billing_is_counted() {
    let Some(data) = data() else { return };
    let (charts, summary) = load(&data, "oncology-fhir", Kind::Fhir);
    assert_eq!(counts(&summary), (4, 924, 629));
    assert_eq!(summary.skipped["Claim"]["billing"], 317);
    assert_eq!(summary.skipped["ExplanationOfBenefit"]["billing"], 293);
    assert_eq!((summary.read["Observation"], summary.read["Procedure"], summary.unread_dates), (309, 122, 0));
    let breast = charts.iter().find(|chart| chart.blocks.contains_key(&Section::Biomarkers)).unwrap();
    assert!(
        breast.blocks[&Section::Biomarkers]
            .contains("HER2 [Presence] in Breast cancer specimen by Immune stain: Negative")
    );
    let packet = render(breast);
    assert!(packet.text.contains("\n2014-11-06 [Procedure] Biopsy of breast (procedure)"));
    assert!(packet.text.contains("[Stage] Stage group.clinical Cancer: Stage 3"));
}

#[test]
fn tumor_board_folders_load_whatever_each_holds() {
    let Some(data) = data() else { return };
    let (charts, summary) = load(&data, "oncology-packets", Kind::Folders);
    assert_eq!(counts(&summary), (4, 205, 0));
    assert_eq!(summary.read["note"], 16);
    let ids: Vec<_> = charts.iter().map(|chart| chart.id.as_str()).collect();
    assert_eq!(ids, ["azure_patient_4", "patient_gyn_001", "patient_gyn_002", "patient_gyn_cerv_001"]);
    let lengths: Vec<_> = charts.iter().map(|chart| render(chart).text.chars().count()).collect();
    assert!(lengths.iter().all(|length| (15_000..60_000).contains(length)), "{lengths:?}");
    assert!(charts[1].blocks[&Section::Diagnoses].contains("Stage IIIC"));
}

#[test]
fn synthea_tables_load() {
    let Some(data) = data() else { return };
    let (_, summary) = load(&data, "synthea-csv", Kind::SyntheaCsv);
    assert_eq!(counts(&summary), (18, 1920, 0));
    assert_eq!((summary.read["observations.csv"], summary.read["medications.csv"], summary.undescribed), (637, 423, 0));
}

#[test]
fn mcode_tables_load() {
    let Some(data) = data() else { return };
    let (charts, summary) = load(&data, "mcode-csv", Kind::McodeCsv);
    assert_eq!(counts(&summary), (3, 42, 1));
    assert!(charts[0].blocks[&Section::Diagnoses].contains("Stage 3C: cT3 cN3 cM0"));
}

/// Values of the demographics that must be nowhere afterwards.
fn identifiers(chart: &Chart) -> Vec<String> {
    let block = chart.blocks.get(&Section::Demographics).map_or("", String::as_str);
    let of_line = |line: &str| {
        let (label, value) = line.split_once(": ")?;
        let words = matches!(label, "Name" | "Former name" | "Mother's maiden name");
        let whole = matches!(label, "Address" | "Phone")
            || label.contains("umber")
            || label.contains("icen")
            || label.contains("assport");
        let name = |word: &&str| word.len() > 3 && !word.ends_with('.');
        if words {
            Some(value.split_whitespace().filter(name).map(str::to_owned).collect())
        } else {
            (whole && value.len() > 4).then(|| vec![value.to_owned()])
        }
    };
    block.lines().filter_map(of_line).flatten().collect()
}

#[test]
fn the_scrubber_leaves_no_known_identifier_in_real_charts() {
    let Some(data) = data() else { return };
    let mut looked_for = 0;
    for folder in ["oncology-fhir", "oncology-packets", "synthea-csv", "mcode-csv"] {
        let mut kinds = std::collections::BTreeMap::new();
        for chart in Import::open(&data.join(folder), &ImportOptions::default()).unwrap() {
            let chart = chart.unwrap();
            let scrubbed = scrub(&chart, &ScrubOptions::new(Seed(7)));
            let text = render(&scrubbed.chart).text;
            for identifier in identifiers(&chart) {
                assert!(
                    !text.contains(&identifier),
                    "{folder}: an identifier of a synthetic patient is still there: {identifier}"
                );
                looked_for += 1;
            }
            assert_eq!(scrubbed.chart.entries.len(), chart.entries.len());
            for replacement in &scrubbed.replaced {
                *kinds.entry(replacement.kind).or_insert(0) += 1;
            }
        }
        eprintln!("{folder}: replaced {kinds:?}");
    }
    assert!(looked_for > 100, "{looked_for}");
}

#[test]
fn names_in_real_notes_go_and_findings_stay() {
    let Some(data) = data() else { return };
    let mut import = Import::open(&data.join("oncology-packets/azure_patient_4"), &ImportOptions::default()).unwrap();
    let chart = import.next().unwrap().unwrap();
    let text = render(&scrub(&chart, &ScrubOptions::new(Seed(7))).chart).text;
    for gone in ["Jane M. Doe", "Dr. Miller", "0001024407", "Olivia Davis", "Brian Michael Harrison"] {
        assert!(render(&chart).text.contains(gone), "{gone}");
        assert!(!text.contains(gone), "{gone}");
    }
    for kept in ["T4N3M1a", "pembrolizumab", "Keytruda", "levothyroxine 25 mcg"] {
        assert!(text.contains(kept), "{kept}");
    }
}
