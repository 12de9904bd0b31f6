//! The DDXPlus import: on real rows where they are at hand, and on a tiny release of our own.
#![expect(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and says when it is skipped")]

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use waterjar_core::{CaseSource, ConditionId, Facts, FindingId, FindingState, Observation, Sex, SourceError};
use waterjar_knowledge::ddxplus::{self, Ddxplus};
use waterjar_knowledge::lint::is_first_person;
use waterjar_knowledge::narrative::{Reader, tell};
use waterjar_knowledge::{Detail, Kind, Place, ValueChance, gap};

// ---------------------------------------------------------------------------------------------------- real rows

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

// ---------------------------------------------------------------------------------------------------- a tiny release

const CONDITIONS: &str = r#"{
  "Hay ache": {"cond-name-eng": "Hay ache", "cond-name-fr": "Mal de foin", "icd10-id": "j30", "severity": 4,
    "symptoms": {"E_1": {}, "E_2": {}, "E_3": {}, "E_4": {}}, "antecedents": {"E_6": {}, "E_8": {}}},
  "Moon fever": {"cond-name-eng": "Moon fever", "cond-name-fr": "Fièvre de lune", "icd10-id": "A99", "severity": 2,
    "symptoms": {"E_1": {}, "E_5": {}}, "antecedents": {"E_7": {}, "E_8": {}}},
  "Étoile": {"cond-name-eng": "Star's itch", "cond-name-fr": "Étoile", "icd10-id": "L20", "severity": 5,
    "symptoms": {"E_1": {}, "E_2": {}, "E_3": {}}, "antecedents": {"E_8": {}}}
}"#;

const EVIDENCES: &str = r#"{
  "E_1": {"code_question": "E_1", "question_en": "Do you hum at night?", "is_antecedent": false, "data_type": "B"},
  "E_2": {"code_question": "E_2", "question_en": "Do you have any ache in your hay?", "is_antecedent": false, "data_type": "B"},
  "E_3": {"code_question": "E_2", "question_en": "Where is the ache?", "is_antecedent": false, "data_type": "M",
    "default_value": "V_0", "possible-values": ["V_0", "V_1", "V_2"],
    "value_meaning": {"V_0": {"en": "nowhere"}, "V_1": {"en": "barn(L)"}, "V_2": {"en": "barn(R)"}}},
  "E_4": {"code_question": "E_2", "question_en": "How strong is the ache?", "is_antecedent": false, "data_type": "C",
    "default_value": 0, "possible-values": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]},
  "E_5": {"code_question": "E_99", "question_en": "Are you silver?", "is_antecedent": false, "data_type": "B"},
  "E_6": {"code_question": "E_6", "question_en": "Do any members of your family hum?", "is_antecedent": true, "data_type": "B"},
  "E_7": {"code_question": "E_7", "question_en": "Have you ever been to the moon?", "is_antecedent": true, "data_type": "B"},
  "E_8": {"code_question": "E_8", "question_en": "What is the season?", "is_antecedent": true, "data_type": "C",
    "default_value": "V_3", "possible-values": ["V_3", "V_4"], "value_meaning": {"V_3": {"en": "spring"}, "V_4": {"en": "fall"}}}
}"#;

const HEADER: &str = "AGE,DIFFERENTIAL_DIAGNOSIS,SEX,PATHOLOGY,EVIDENCES,INITIAL_EVIDENCE";

const ROWS: [&str; 4] = [
    r#"30,"[['Hay ache', 0.4], ['Moon fever', 0.39]]",F,Hay ache,"['E_1', 'E_2', 'E_3_@_V_1', 'E_3_@_V_2', 'E_4_@_7', 'E_8_@_V_3']",E_1"#,
    r#"70,"[['Moon fever', 1.0]]",M,Moon fever,"['E_5', 'E_7', 'E_8_@_V_4']",E_5"#,
    r#"5,"[[""Star's itch"", 0.5], ('Moon fever', 0.5)]",M,Étoile,"['E_2', 'E_3_@_V_0', 'E_8_@_V_3']",E_2"#,
    r#"31,,F,Mal de foin,"['E_3_@_V_1', 'E_2', 'E_3_@_V_2']",E_2"#,
];

/// A folder of this test run's own, empty.
fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ddxplus").join(name);
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

fn tiny(name: &str) -> PathBuf {
    let dir = folder(name);
    std::fs::write(dir.join("release_conditions.json"), CONDITIONS).unwrap();
    std::fs::write(dir.join("release_evidences.json"), EVIDENCES).unwrap();
    dir
}

fn write_rows(path: &Path, rows: &[&str]) {
    std::fs::write(path, format!("{HEADER}\n{}\n", rows.join("\n"))).unwrap();
}

fn tiny_source(name: &str) -> Ddxplus {
    let dir = tiny(name);
    write_rows(&dir.join("patients.csv"), &ROWS);
    ddxplus::open(&dir).unwrap()
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

fn check_error(error: &SourceError, says: &str, hints: &str) {
    let text = error.to_string();
    assert!(text.contains(says), "`{says}` is not in: {text}");
    let hint = error.hint.as_deref().unwrap_or_default();
    assert!(hint.contains(hints), "`{hints}` is not in the hint of: {text}: {hint}");
}

#[test]
fn a_row_becomes_facts() {
    let source = tiny_source("row");
    let (id, facts) = source.facts().next().unwrap().unwrap();
    let seen = |finding: &str, values: &[&str]| Observation {
        finding: FindingId::from(finding),
        state: FindingState::Present,
        values: values.iter().map(|&value| value.to_owned()).collect(),
    };
    assert_eq!(id.as_str(), "ddxplus-1");
    assert_eq!((facts.sex, facts.age, facts.condition.as_str()), (Sex::F, 30, "hay_ache"));
    let expected =
        [seen("E_1", &[]), seen("E_2", &[]), seen("E_3", &["V_1", "V_2"]), seen("E_4", &["7"]), seen("E_8", &["V_3"])];
    assert_eq!(facts.findings, expected);
    let gap = gap(&facts.condition, &facts.differential).unwrap();
    assert_eq!(gap.rival.as_str(), "moon_fever");
    assert!((gap.gap - 0.01).abs() < 1e-12);
}

#[test]
fn values_of_one_evidence_belong_together_and_nowhere_is_not_said() {
    let source = tiny_source("together");
    let all: Vec<_> = source.facts().map(|patient| patient.unwrap().1).collect();
    let sites =
        |facts: &Facts| facts.findings.iter().filter(|it| it.finding.as_str() == "E_3").cloned().collect::<Vec<_>>();
    assert_eq!(sites(&all[2]), []);
    assert_eq!(sites(&all[3])[0].values, ["V_1", "V_2"]);
    assert_eq!(all[3].differential, []);
}

#[test]
fn the_base_is_estimated_from_the_rows() {
    let source = tiny_source("estimate");
    let base = source.base();
    let hay = base.condition(&ConditionId::from("hay_ache")).unwrap();
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} is not {b}");
    // Two patients, half an observation of each outcome.
    close(hay.findings[&FindingId::from("E_1")].p, 1.5 / 3.0);
    close(hay.findings[&FindingId::from("E_2")].p, 2.5 / 3.0);
    close(hay.findings[&FindingId::from("E_6")].p, 0.5 / 3.0);
    assert_eq!(hay.values[&FindingId::from("E_4")], ValueChance::Scale { mean: 7.0, sd: 1.0 });
    assert!(hay.prior.weight(Sex::F, 30) > hay.prior.weight(Sex::M, 30));
    assert_eq!(hay.icd10, "J30");
    assert_eq!(hay.synonyms, ["Mal de foin"]);
    let kinds = |id: &str| base.finding(&FindingId::from(id)).map(|it| (it.kind, it.parent.clone())).unwrap();
    assert_eq!(kinds("E_6"), (Kind::FamilyHistory, None));
    assert_eq!(kinds("E_3"), (Kind::Symptom, Some(FindingId::from("E_2"))));
    assert_eq!(kinds("E_5").1, None, "its parent does not exist");
    assert_eq!(base.finding(&FindingId::from("E_4")).unwrap().detail, Detail::Scale);
}

#[test]
fn a_told_row_reads_as_the_patient_speaking() {
    let source = tiny_source("told");
    let case = source.cases().next().unwrap().unwrap();
    let expected = "Sex: F, Age: 30\nSymptoms:\n- I hum at night.\n- I have ache in my hay.\n  \
        - My answers to \"Where is the ache?\" are:\n    * barn(L)\n    * barn(R)\n  \
        - On a scale of 0-10, my answer to \"How strong is the ache?\" is 7.\n\
        Antecedents:\n- My answer to \"What is the season?\" is: spring.\n";
    assert_eq!(case.text, expected);
}

#[test]
fn answers_in_words_are_the_same_patients() {
    let dir = tiny("words");
    let text = r#"{"patients": {"7": {"patient_id": "p7", "age": "30", "sex": "F", "diagnosis": "Hay ache",
        "condition": [{"question": "Do you hum at night?", "value": "Yes"}, {"question": "Where is the ache?", "value": "barn(L)"},
                      {"question": "Are you silver?", "value": "No"}],
        "differential_diagnosis": {"Moon fever": 0.2, "Hay ache": 0.8}}}}"#;
    std::fs::write(dir.join("patients.json"), text).unwrap();
    let (id, facts) = ddxplus::open(&dir).unwrap().facts().next().unwrap().unwrap();
    assert_eq!(id.as_str(), "ddxplus-p7");
    assert_eq!(facts.findings[1].values, ["V_1"]);
    assert_eq!(facts.findings[2].state, FindingState::Denied);
    assert_eq!(facts.differential[0].condition, facts.condition);
    // Wherever the file is cut off, it is refused and never panics.
    for end in (0..text.len()).step_by(7) {
        std::fs::write(dir.join("patients.json"), &text[..end]).unwrap();
        let error = ddxplus::open(&dir).unwrap_err();
        assert!(error.place.contains("patients.json, line "), "{error}");
    }
}

#[test]
fn what_was_written_reads_back_the_same() {
    let source = tiny_source("export-from");
    let dir = folder("export-to");
    let facts: Vec<Facts> = source.facts().map(|patient| patient.unwrap().1).collect();
    ddxplus::write_knowledge(source.base(), &dir).unwrap();
    let file = std::fs::File::create(dir.join("patients.csv")).unwrap();
    assert_eq!(ddxplus::write_csv(source.base(), facts.clone(), file).unwrap(), 4);
    let again = ddxplus::open(&dir).unwrap();
    let read: Vec<Facts> = again.facts().map(|patient| patient.unwrap().1).collect();
    assert_eq!(read, facts);
    assert_eq!(again.base().findings(), source.base().findings());
    assert_eq!(tell(again.base(), &facts[0]), tell(source.base(), &facts[0]));
}

// ---------------------------------------------------------------------------------------------------- bad input

/// One good row, then the bad one, on line 3.
fn check_bad_row(name: &str, row: &str, says: &str, hints: &str) {
    let dir = tiny(name);
    write_rows(&dir.join("patients.csv"), &[ROWS[0], row]);
    check_error(&ddxplus::open(&dir).unwrap_err(), &format!("patients.csv, line 3: {says}"), hints);
}

#[test]
fn a_bad_row_is_named_by_its_line() {
    let check = check_bad_row;
    check("age", r#"300,"[]",F,Hay ache,"[]","#, "AGE: age `300` is not a whole number from 0 to 120", "");
    check("sex", r#"30,"[]",X,Hay ache,"[]","#, "SEX: sex `X` is neither F nor M", "");
    check("condition", r#"30,"[]",F,Hay acke,"[]","#, "PATHOLOGY: unknown condition `Hay acke`", "`Hay ache`");
    check("code", r#"30,"[]",F,Hay ache,"['e_1']","#, "EVIDENCES: unknown evidence `e_1`", "`E_1`");
    check(
        "value",
        r#"30,"[]",F,Hay ache,"['E_3_@_V_9']","#,
        "EVIDENCES: evidence `E_3` has no value `V_9`",
        "did you mean",
    );
    check("bare", r#"30,"[]",F,Hay ache,"['E_3']","#, "EVIDENCES: evidence `E_3` needs a value", "");
    check(
        "twice",
        r#"30,"[]",F,Hay ache,"['E_4_@_1', 'E_4_@_2']","#,
        "EVIDENCES: evidence `E_4` has two different",
        "",
    );
    check("list", r#"30,"[]",F,Hay ache,"['E_1'","#, "EVIDENCES: expected `,` or the end of the list", "Python");
    check(
        "chance",
        r#"30,"[['Hay ache', 1.5]]",F,Hay ache,"[]","#,
        "DIFFERENTIAL_DIAGNOSIS: `Hay ache` has probability",
        "",
    );
    check("initial", r#"30,"[]",F,Hay ache,"[]",E_"#, "INITIAL_EVIDENCE: unknown evidence `E_`", "");
    check("fields", r#"30,"[]",F"#, "this row has 3 fields and the header 6", "cut off");
    check("quote", r#"30,"[]",F,Hay ache,"['E_1'"#, "this row has 5 fields and the header 6", "never closed");
}

#[test]
fn lines_that_end_as_windows_ends_them_are_counted_as_others_are() {
    let dir = tiny("windows");
    let path = dir.join("patients.csv");
    for (row, says) in [(r#"300,"[]",F,Hay ache,"[]","#, "AGE: age `300`"), (r#"30,"[]",F"#, "this row has 3 fields")] {
        write_rows(&path, &[ROWS[0], row]);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace('\n', "\r\n")).unwrap();
        check_error(&ddxplus::open(&dir).unwrap_err(), &format!("patients.csv, line 3: {says}"), "");
    }
}

#[test]
fn a_bad_file_says_what_it_lacks() {
    let dir = tiny("bad-file");
    let path = dir.join("patients.csv");
    let fails = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        ddxplus::open(&dir).unwrap_err()
    };
    check_error(&fails(b""), "no patients", "column names");
    check_error(&fails(HEADER.as_bytes()), "holds no patients", "at least one row");
    check_error(&fails(b"AGE,SEX\n1,F\n"), "line 1: there is no column `PATHOLOGY`", "`AGE`, `SEX`");
    let mut latin = format!("{HEADER}\n").into_bytes();
    latin.extend(b"30,[],F,\xc9toile,[],\n");
    check_error(&fails(&latin), "line 2: PATHOLOGY: is not valid UTF-8 at byte 0", "");
}

#[test]
fn a_bad_folder_says_what_it_lacks() {
    let dir = tiny("bad-folder");
    check_error(&ddxplus::open(&dir).unwrap_err(), "holds no patients file", "put a DDXPlus patients file");
    write_rows(&dir.join("a.csv"), &ROWS);
    write_rows(&dir.join("b.csv"), &ROWS);
    check_error(&ddxplus::open(&dir).unwrap_err(), "several patients files: a.csv, b.csv", "name the one");
    assert_eq!(ddxplus::open_files(&dir, &dir.join("a.csv")).unwrap().count(), 4);
    check_error(&ddxplus::open(&dir.join("a.csv")).unwrap_err(), "cannot be read", "name the folder");
    check_error(&ddxplus::open_files(&dir, &dir.join("c.csv")).unwrap_err(), "c.csv: cannot be read", "");
    std::fs::write(dir.join("release_evidences.json"), &EVIDENCES[..200]).unwrap();
    check_error(&ddxplus::open_files(&dir, &dir.join("a.csv")).unwrap_err(), "line 3 column", "cut off");
    std::fs::remove_file(dir.join("release_evidences.json")).unwrap();
    check_error(&ddxplus::open(&dir).unwrap_err(), "but no release_evidences.json", "belong together");
    std::fs::remove_file(dir.join("release_conditions.json")).unwrap();
    check_error(&ddxplus::open(&dir).unwrap_err(), "neither release_conditions.json", "put release_conditions.json");
}

#[test]
fn two_patients_of_one_name_are_refused() {
    let dir = tiny("same-id");
    let patient = r#"{"patient_id": "p", "age": 3, "sex": "F", "diagnosis": "Hay ache", "condition": []}"#;
    std::fs::write(dir.join("p.json"), format!("{{\"patients\": {{\"1\": {patient},\n\"2\": {patient}}}}}")).unwrap();
    check_error(&ddxplus::open(&dir).unwrap_err(), "line 2: a second patient is called `p`", "");
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_literal_parser_panic(text in r#"[\[\]()'",\\xuUne0-9. é\-]{0,40}|\PC{0,40}"#) {
        use ddxplus::literal::{LiteralError, pairs, strings};
        let _: Result<(), LiteralError> = strings(&text, |_| Ok(()));
        let _: Result<(), LiteralError> = pairs(&text, |_, _| Ok(()));
    }

    #[test]
    fn no_bytes_make_the_import_panic(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..200), header: bool, json: bool) {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ddxplus-bytes");
        if !dir.exists() {
            std::fs::create_dir_all(&dir).unwrap();
            std::fs::write(dir.join("release_conditions.json"), CONDITIONS).unwrap();
            std::fs::write(dir.join("release_evidences.json"), EVIDENCES).unwrap();
        }
        let path = dir.join(if json { "bytes.json" } else { "bytes.csv" });
        let mut text = if header && !json { format!("{HEADER}\n").into_bytes() } else { Vec::new() };
        text.extend(bytes);
        std::fs::write(&path, text).unwrap();
        let _ = ddxplus::open_files(&dir, &path);
    }
}
