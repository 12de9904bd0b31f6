//! Real rows, where they are at hand.

use super::*;
use std::collections::HashSet;
use waterjar_core::CaseSource;
use waterjar_knowledge::Place;
use waterjar_knowledge::lint::is_first_person;
use waterjar_knowledge::narrative::Reader;

const FILES: [(&str, usize, usize); 4] = [
    ("raw_patients_200.json", 200, 11),
    ("patients_balanced_392_fr.csv", 392, 41),
    ("patients_balanced_98_fr.csv", 98, 5),
    ("patients_bulk_fr.csv", 6745, 35),
];

fn data() -> Option<PathBuf> {
    let dir = std::env::var_os("WATERJAR_TEST_DATA").map(PathBuf::from);
    if dir.is_none() {
        eprintln!("skipped: WATERJAR_TEST_DATA is not set");
    }
    dir
}

fn real(data: &Path, file: &str) -> Ddxplus {
    ddxplus::open_files(&data.join("ddxplus-kb"), &data.join("ddxplus-patients").join(file)).unwrap()
}

#[test]
fn every_real_row_loads_and_the_hard_candidates_are_those_of_the_paper() {
    let Some(data) = data() else { return };
    for (file, rows, hard) in FILES {
        let source = real(&data, file);
        let all: Vec<_> = source.facts().collect::<Result<_, _>>().unwrap();
        let ids: HashSet<_> = all.iter().map(|(id, _)| id).collect();
        assert_eq!((all.len(), ids.len(), source.count()), (rows, rows, rows as u64), "{file}");
        let close = |facts: &Facts| gap(&facts.condition, &facts.differential).is_some_and(|it| it.gap < 0.005);
        let filtered: Vec<_> = all.iter().filter(|(_, facts)| close(facts)).cloned().collect();
        assert_eq!(filtered.len(), hard, "{file}");
        let at_once: Vec<_> = source.hard(0.005).collect::<Result<_, _>>().unwrap();
        assert_eq!(at_once, filtered, "{file}");
    }
}

#[test]
fn every_evidence_becomes_a_finding_with_sentences_of_its_own() {
    let Some(data) = data() else { return };
    let source = real(&data, "patients_balanced_392_fr.csv");
    let base = source.base();
    assert_eq!((base.conditions().len(), base.findings().len()), (49, 223));
    let mut said = HashSet::new();
    for finding in base.findings() {
        for sentence in [Some(&finding.present), finding.denied.as_ref()].into_iter().flatten() {
            assert!(said.insert(sentence), "twice: {sentence}");
            assert!(!sentence.contains("My answer"), "by no rule: {} {sentence}", finding.id);
            assert!(!format!(" {sentence}").contains(" you"), "{} {sentence}", finding.id);
            if finding.carries_detail() {
                continue;
            }
            assert!(is_first_person(sentence) && sentence.ends_with('.'), "{} {sentence}", finding.id);
        }
    }
    let symptoms = base.findings().iter().filter(|it| it.kind.place() == Place::Symptoms).count();
    assert_eq!(symptoms, 110);
    let pairs: usize = base.conditions().iter().map(|it| it.findings.len()).sum();
    assert_eq!(pairs, 888);
    let likelihoods = base.conditions().iter().flat_map(|it| it.findings.values());
    assert!(likelihoods.into_iter().all(|it| it.p > 0.0 && it.p < 1.0));
}

#[test]
fn the_imported_base_is_consistent_but_for_the_rivals_the_source_does_not_name() {
    let Some(data) = data() else { return };
    // The bulk file has patients of 19 conditions only; the others must still be possible.
    for file in ["patients_balanced_392_fr.csv", "patients_bulk_fr.csv"] {
        let complaints = waterjar_knowledge::lint::lint(real(&data, file).base());
        let others: Vec<_> = complaints.iter().filter(|it| !it.contains("rivals")).collect();
        assert!(others.is_empty(), "{file}: {others:#?}");
    }
}

#[test]
fn a_real_patient_is_told_in_the_papers_layout_and_reads_back_exactly() {
    let Some(data) = data() else { return };
    for (file, ..) in FILES {
        let source = real(&data, file);
        let reader = Reader::new(source.base());
        for case in source.cases().take(400) {
            let case = case.unwrap();
            let facts = case.facts.unwrap();
            let header = format!("Sex: {:?}, Age: {}\nSymptoms:\n- ", facts.sex, facts.age);
            assert!(case.text.starts_with(&header), "{file} {}\n{}", case.id, case.text);
            let read = reader.read(&case.text);
            assert_eq!(read.unread, Vec::<String>::new(), "{file} {}", case.id);
            assert_eq!(sorted(read.findings), sorted(facts.findings), "{file} {}", case.id);
        }
    }
}

#[test]
fn whoever_did_not_travel_says_so() {
    let Some(data) = data() else { return };
    let source = real(&data, "patients_balanced_98_fr.csv");
    let first = source.cases().next().unwrap().unwrap();
    assert!(first.text.contains("- I have not traveled out of the country in the last 4 weeks.\n"), "{}", first.text);
}

/// The same rows, once through the code map, once by alignment, once with the French release alone.
#[test]
fn both_code_systems_tell_the_same_patients() {
    let Some(data) = data() else { return };
    let kb = data.join("ddxplus-kb");
    let patients = data.join("ddxplus-patients/patients_balanced_98_fr.csv");
    let texts = |source: &Ddxplus| -> Vec<String> {
        source.cases().map(|case| case.unwrap().text.lines().map(str::trim).collect::<Vec<_>>().join("\n")).collect()
    };
    let mapped = ddxplus::open_files(&kb, &patients).unwrap();
    let both = copy(&kb, "aligned", &ENGLISH.iter().chain(&FRENCH).copied().collect::<Vec<_>>());
    let aligned = ddxplus::open_files(&both, &patients).unwrap();
    let facts = |source: &Ddxplus| source.facts().collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!(facts(&mapped), facts(&aligned));
    let french = ddxplus::open_files(&copy(&kb, "french", &FRENCH), &patients).unwrap();
    assert_eq!(texts(&mapped), texts(&french));
    assert!(french.base().finding(&FindingId::from("fievre")).is_some());
    assert!(mapped.base().finding(&FindingId::from("E_91")).is_some());
}

#[test]
fn the_table_of_the_training_split_is_used_where_it_is_there() {
    let Some(data) = data() else { return };
    let kb = copy(&data.join("ddxplus-kb"), "with-table", &ENGLISH);
    let table = "symptom_condition_probs.json";
    std::fs::copy(data.join("ddxplus-stats").join(table), kb.join(table)).unwrap();
    let source = ddxplus::open_files(&kb, &data.join("ddxplus-patients/raw_patients_200.json")).unwrap();
    let chance = |condition: &str, finding: &str| {
        let condition = source.base().condition(&ConditionId::from(condition)).unwrap();
        condition.findings[&FindingId::from(finding)].p
    };
    // The table says 0.8262 of 17,661 patients.
    assert!((chance("acute_copd_exacerbation_infection", "E_123") - 0.8262).abs() < 1e-3);
    // Listed, and never seen in 1.03 million patients.
    let rare = chance("chagas", "E_151");
    assert!(rare > 0.0 && rare < 1e-3, "{rare}");
}

#[test]
fn english_patients_against_french_knowledge_are_told_what_is_missing() {
    let Some(data) = data() else { return };
    let french = copy(&data.join("ddxplus-kb"), "french-only", &FRENCH);
    let patients = folder("english-row").join("p.csv");
    write_rows(&patients, &["30,\"[['GERD', 1.0]]\",F,GERD,\"['E_201']\",E_201"]);
    let error = ddxplus::open_files(&french, &patients).unwrap_err();
    check_error(&error, "line 2: EVIDENCES: unknown evidence `E_201`", "same release");
}

const ENGLISH: [&str; 2] = ["release_conditions.json", "release_evidences.json"];
const FRENCH: [&str; 2] = ["release_conditions_fr.json", "release_evidences_fr.json"];

fn copy(from: &Path, name: &str, files: &[&str]) -> PathBuf {
    let dir = folder(name);
    for file in files {
        std::fs::copy(from.join(file), dir.join(file)).unwrap();
    }
    dir
}

fn sorted(mut findings: Vec<Observation>) -> Vec<Observation> {
    findings.sort();
    findings
}
