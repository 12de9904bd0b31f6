//! Which section an observation belongs to.

use crate::Section;

/// Names of receptors, genes and signatures that decide treatment. Matched as whole words, in their own case, because EGFR is a
/// gene and eGFR is the kidney.
const MARKERS: &[&str] = &[
    "HER2", "HER-2", "ERBB2", "EGFR", "ALK", "ROS1", "RET", "MET", "KRAS", "NRAS", "BRAF", "NTRK", "NTRK1", "NTRK2",
    "NTRK3", "PIK3CA", "ESR1", "BRCA", "BRCA1", "BRCA2", "PALB2", "PD-L1", "PDL1", "MSI", "MMR", "MLH1", "MSH2",
    "MSH6", "PMS2", "TMB", "Ki-67", "Ki67", "p16", "HPV", "EBV", "FGFR2", "FGFR3", "IDH1", "IDH2", "TP53", "IGHV",
    "CD20", "MYC", "BCL2", "BCL6", "CLDN18.2", "HRD", "AR-V7", "PTEN", "FLT3", "NPM1", "JAK2", "BCR-ABL1", "BTK",
    "KIT",
];

const MARKER_PHRASES: &[&str] = &[
    "estrogen receptor",
    "oestrogen receptor",
    "progesterone receptor",
    "microsatellite",
    "mismatch repair",
    "gene mutation",
    "genetic variant",
    "tumor mutation burden",
    "programmed cell death ligand",
];

/// LOINC of stage groups and of T, N and M, clinical, pathological and other.
const STAGE_CODES: &[&str] = &[
    "21908-9", "21902-2", "21914-7", "21905-5", "21906-3", "21907-1", "21899-0", "21900-6", "21901-4", "21909-7",
    "21910-5", "21911-3",
];

const VITAL_PHRASES: &[&str] = &[
    "blood pressure",
    "heart rate",
    "respiratory rate",
    "body height",
    "body weight",
    "body mass index",
    "body temperature",
    "oxygen saturation",
    "pain severity",
    "ecog",
    "karnofsky",
    "performance status",
];

/// Where an observation goes, and under which tag.
pub(super) fn observation(name: &str, category: &str, code: &str) -> (Section, &'static str) {
    let lower = name.to_lowercase();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| lower.contains(phrase));
    let category = category.to_lowercase();
    if STAGE_CODES.contains(&code) || lower.starts_with("stage group") || lower.starts_with("tnm ") {
        (Section::Diagnoses, "Stage")
    } else if is_marker(name) || says(MARKER_PHRASES) || category.contains("genomic") {
        (Section::Biomarkers, "Observation")
    } else if category.contains("vital") || says(VITAL_PHRASES) {
        (Section::Vitals, "Observation")
    } else if category.contains("lab") || category.is_empty() {
        (Section::Labs, "Observation")
    } else if category.contains("imaging") || category.contains("procedure") {
        (Section::Procedures, "Observation")
    } else if category.contains("therapy") {
        (Section::Diagnoses, "Observation")
    } else {
        // Surveys and social history are what was said at a visit.
        (Section::Encounters, "Observation")
    }
}

fn is_marker(name: &str) -> bool {
    name.split(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '-' | '.')))
        .any(|word| MARKERS.contains(&word))
}

/// Where a note of this category goes, and under which tag.
pub(super) fn note(category: &str) -> (Section, &str) {
    let lower = category.to_lowercase();
    let says = |parts: &[&str]| parts.iter().any(|part| lower.contains(part));
    let has_word =
        |words: &[&str]| lower.split(|letter: char| !letter.is_alphanumeric()).any(|word| words.contains(&word));
    if says(&["patholog", "cytolog", "histolog"]) {
        (Section::Procedures, "Pathology")
    } else if says(&["radiolog", "imaging", "x-ray", "ultrasound", "mammogra"]) || has_word(&["ct", "mri", "pet", "mr"])
    {
        (Section::Procedures, "Imaging")
    } else if says(&["molecular", "genomic", "biomarker"]) {
        (Section::Biomarkers, "Biomarker")
    } else if says(&["operative", "procedure", "endoscop", "surgery report"]) {
        (Section::Procedures, "Procedure")
    } else {
        (Section::Encounters, if category.trim().is_empty() { "Note" } else { category })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gene_and_the_kidney_are_told_apart() {
        assert_eq!(observation("EGFR exon 19 deletion", "laboratory", "").0, Section::Biomarkers);
        assert_eq!(observation("eGFR (CKD-EPI)", "laboratory", "").0, Section::Labs);
    }

    #[test]
    fn receptors_stages_vitals_and_labs_find_their_sections() {
        let check = |name, category, code, section| assert_eq!(observation(name, category, code).0, section, "{name}");
        check("HER2 [Presence] in Breast cancer specimen by FISH", "laboratory", "85318-4", Section::Biomarkers);
        check("Estrogen receptor Ag [Presence]", "laboratory", "85337-4", Section::Biomarkers);
        check("Stage group.clinical Cancer", "laboratory", "21908-9", Section::Diagnoses);
        check("Body Weight", "", "29463-7", Section::Vitals);
        check("Hemoglobin", "laboratory", "718-7", Section::Labs);
        check("Tobacco smoking status NHIS", "survey", "72166-2", Section::Encounters);
        check("Metabolic panel", "", "", Section::Labs);
    }

    #[test]
    fn notes_are_sorted_by_what_their_category_says() {
        assert_eq!(note("Radiology Report"), (Section::Procedures, "Imaging"));
        assert_eq!(note("CT"), (Section::Procedures, "Imaging"));
        assert_eq!(note("Petition"), (Section::Encounters, "Petition"));
        assert_eq!(note("Surgical pathology"), (Section::Procedures, "Pathology"));
        assert_eq!(note("Progress Notes"), (Section::Encounters, "Progress Notes"));
        assert_eq!(note(""), (Section::Encounters, "Note"));
    }
}
