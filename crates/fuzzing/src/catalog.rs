//! Catalogs of interventions.

use crate::{text, told};
use std::collections::BTreeSet;
use waterjar_suites::sensitivity::catalog::Catalog;

const CHART: &str = "PACKET x\n\n== Diagnoses ==\nInvasive ductal carcinoma of the left breast, stage IIA\n\n== Chronology ==\n\
    2024-03-09 [Procedure] Left mastectomy with sentinel node biopsy.\n2024-03-12 [Observation] HER2: positive (IHC 3+)\n\
    2024-04-01 [Note] ER negative. Metformin 500 mg, eGFR 62; no known allergies.\n";

pub fn check(data: &[u8]) {
    let Some(text) = text(data) else { return };
    // A carriage return alone ends a line too, as YAML has it.
    let lines = text.split(['\n', '\r']).count() as u64;
    let catalog = match Catalog::parse("catalog.yaml", text) {
        Ok(catalog) => catalog,
        Err(faults) => {
            assert!(!faults.faults.is_empty(), "refused without a fault");
            assert!(faults.faults.is_sorted(), "in the order of the file");
            assert!(faults.faults.iter().all(|(line, _)| *line >= 1 && *line <= lines), "{faults} in {lines} lines");
            return told(&faults);
        }
    };
    let ids: BTreeSet<&str> = catalog.entries.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids.len(), catalog.entries.len(), "ids tell interventions apart");
    for entry in catalog.entries.iter().take(4) {
        assert!(catalog.entry(&entry.id).is_some());
        let _ = entry.applies(Some("breast"), CHART);
        // A pattern may give up on a chart, and never hangs.
        let Ok(made) = entry.mutate(CHART) else { continue };
        assert!(!made.edits.is_empty() || made.text == CHART, "what is changed is told");
        assert!(made.text.get(made.past.clone()).is_some(), "{:?} lies in the text", made.past);
    }
}
