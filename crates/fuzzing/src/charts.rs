//! Charts from hospitals: FHIR, tables, notes, packets.

use crate::file::{parts, with_file, with_files};
use crate::{text, told};
use std::path::Path;
use waterjar_charts::import::Kind;
use waterjar_charts::{Chart, Import, ImportOptions, Packet, ScrubOptions, read, render, scrub};
use waterjar_core::Seed;

pub fn notes(data: &[u8]) {
    for name in ["notes.csv", "notes.tsv", "notes.json", "notes.jsonl"] {
        with_file(name, data, |path| import(path, Kind::Notes));
    }
}

/// Synthea's tables: patients, conditions, observations.
pub fn tables(data: &[u8]) {
    let names = ["patients.csv", "conditions.csv", "observations.csv", "medications.csv"];
    let files: Vec<(&str, &[u8])> = names.into_iter().zip(parts(data)).collect();
    with_files(&files, |folder| import(folder, Kind::SyntheaCsv));
}

pub fn fhir(data: &[u8]) {
    with_file("bundle.json", data, |path| import(path, Kind::Fhir));
    with_file("export.ndjson", data, |path| import(path, Kind::FhirNdjson));
}

pub fn packet(data: &[u8]) {
    with_file("chart.txt", data, |path| import(path, Kind::Text));
    let Some(text) = text(data) else { return };
    match read(text) {
        Err(error) => {
            told(&error);
            assert!(error.line >= 1 && error.line <= text.matches('\n').count() + 1);
        }
        Ok((chart, found)) => {
            assert_eq!(found.text, text, "places are places in this very text");
            lies_in_order(&found);
            reads_back(&chart);
        }
    }
}

fn import(path: &Path, kind: Kind) {
    let options = ImportOptions { kind: Some(kind), ..ImportOptions::default() };
    let import = match Import::open(path, &options) {
        Ok(import) => import,
        Err(error) => return told(&error),
    };
    for chart in import {
        match chart {
            Ok(chart) => reads_back(&chart),
            Err(error) => told(&error),
        }
    }
}

/// As a packet and back, and without what tells who it is.
fn reads_back(chart: &Chart) {
    let packet = render(chart);
    lies_in_order(&packet);
    let (again, _) = read(&packet.text).expect("what we write we read");
    assert_eq!(again, *chart);
    let options = ScrubOptions::new(Seed(7));
    let scrubbed = scrub(chart, &options);
    assert_eq!(scrubbed, scrub(chart, &options), "the same seed moves the same days");
    assert_eq!(scrubbed.chart.entries.len(), chart.entries.len());
}

fn lies_in_order(packet: &Packet) {
    let mut end = 0;
    for span in &packet.spans {
        assert!(span.whole.start >= end && span.whole.end >= span.body.end && span.body.start >= span.whole.start);
        assert!(packet.text.get(span.whole.clone()).is_some() && packet.text.get(span.body.clone()).is_some());
        end = span.whole.end;
    }
}
