//! Charts from every kind of source, on small sources of our own.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use base64::Engine;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use waterjar_charts::import::{Kind, Summary, detect};
use waterjar_charts::{Chart, Import, ImportOptions, Section, read, render};
use waterjar_core::SourceError;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn import(path: &Path) -> (Vec<Chart>, Summary) {
    let mut import = Import::open(path, &ImportOptions::default()).unwrap();
    let charts: Vec<_> = import.by_ref().collect::<Result<_, _>>().unwrap();
    for chart in &charts {
        assert_eq!(&read(&render(chart).text).unwrap().0, chart, "{}", chart.id);
    }
    (charts, import.summary().clone())
}

fn failure(path: &Path, options: &ImportOptions) -> SourceError {
    match Import::open(path, options) {
        Err(error) => error,
        Ok(mut import) => import.find_map(Result::err).unwrap(),
    }
}

fn texts(chart: &Chart) -> Vec<String> {
    chart.entries.iter().map(|entry| format!("{} {}", entry.tag, entry.text)).collect()
}

fn base64(text: &str) -> String {
    base64::engine::general_purpose::STANDARD.encode(text)
}

fn bundle() -> String {
    let note = base64("Seen by ___ on [**2151-7-16**].\nPlan unchanged.");
    let html = base64("<p>Adenocarcinoma &amp; necrosis</p><br/>Margins clear");
    let resources = [
        r#"{"resourceType":"Patient","id":"p1","name":[{"family":"Doe","given":["Jane"]}],"gender":"female","birthDate":"1960-05"}"#.to_owned(),
        r#"{"resourceType":"Condition","subject":{"reference":"Patient/p1"},"code":{"text":"Colon cancer"},"onsetDateTime":"2024-01-05","stage":[{"summary":{"text":"Stage IIIB"}}]}"#.to_owned(),
        r#"{"resourceType":"Condition","verificationStatus":{"coding":[{"code":"entered-in-error"}]},"subject":{"reference":"Patient/p1"},"code":{"text":"Gout"}}"#.to_owned(),
        r#"{"resourceType":"MedicationRequest","subject":{"reference":"urn:uuid:p1"},"medicationReference":{"reference":"Medication/m1"},"authoredOn":"2024-02-01","status":"stopped"}"#.to_owned(),
        r#"{"resourceType":"Medication","id":"m1","code":{"text":"Capecitabine"}}"#.to_owned(),
        format!(r#"{{"resourceType":"DocumentReference","id":"d1","subject":{{"reference":"https://x/Patient/p1"}},"date":"2024-03-01T10:00:00Z","type":{{"text":"Progress note"}},"content":[{{"attachment":{{"contentType":"text/plain","data":"{note}"}}}}]}}"#),
        r#"{"resourceType":"DocumentReference","subject":{"reference":"Patient/p1"},"content":[{"attachment":{"contentType":"application/pdf","data":"AAAA"}}]}"#.to_owned(),
        format!(r#"{{"resourceType":"DiagnosticReport","subject":{{"reference":"Patient/p1"}},"effectiveDateTime":"2024-01-20","category":[{{"text":"Pathology"}}],"code":{{"text":"Surgical pathology"}},"presentedForm":[{{"contentType":"text/html","data":"{html}"}}]}}"#),
        r#"{"resourceType":"Observation","subject":{"reference":"Patient/p1"},"code":{"text":"KRAS"},"valueCodeableConcept":{"text":"G12C detected"},"effectiveDateTime":"2024-01"}"#.to_owned(),
        r#"{"resourceType":"Observation","subject":{"reference":"Patient/p1"},"code":{"text":"Blood pressure"},"category":[{"coding":[{"code":"vital-signs"}]}],"component":[{"code":{"text":"systolic"},"valueQuantity":{"value":128.0,"unit":"mm[Hg]"}}],"effectiveDateTime":"2024-02-03T08:00:00-05:00"}"#.to_owned(),
        r#"{"resourceType":"AllergyIntolerance","patient":{"reference":"Patient/p1"},"code":{"text":"Penicillin"},"reaction":[{"manifestation":[{"text":"Anaphylaxis"}],"severity":"severe"}]}"#.to_owned(),
        r#"{"resourceType":"Claim","patient":{"reference":"Patient/p1"}}"#.to_owned(),
        r#"{"resourceType":"Coverage","beneficiary":{"reference":"Patient/p1"}}"#.to_owned(),
        r#"{"resourceType":"Telepathy","subject":{"reference":"Patient/p1"}}"#.to_owned(),
    ];
    let entries: Vec<_> = resources.iter().map(|each| format!(r#"{{"resource":{each}}}"#)).collect();
    format!(r#"{{"entry":[{}],"resourceType":"Bundle","type":"collection"}}"#, entries.join(","))
}

#[test]
fn a_bundle_becomes_a_dated_chart_and_billing_is_counted_not_read() {
    let folder = folder(&[("one.json", &bundle())]);
    assert_eq!(detect(folder.path()).unwrap(), Kind::Fhir);
    let (charts, summary) = import(folder.path());
    assert_eq!(charts.len(), 1);
    let chart = &charts[0];
    assert_eq!(chart.id.as_str(), "p1");
    assert_eq!(
        texts(chart),
        [
            "Observation KRAS: G12C detected",
            "Condition Colon cancer",
            "Stage Stage IIIB; of Colon cancer",
            "Pathology Surgical pathology\nAdenocarcinoma & necrosis\nMargins clear",
            "Medication Capecitabine; stopped",
            "Observation Blood pressure: systolic 128 mm[Hg]",
            "Progress note Seen by ___ on [**2151-7-16**].\nPlan unchanged.",
            "Allergy Penicillin; Anaphylaxis (severe)",
        ]
    );
    assert_eq!(chart.entries[0].section, Section::Biomarkers);
    assert_eq!(chart.entries[0].date.unwrap().to_string(), "2024-01", "a month stays a month");
    assert_eq!(chart.entries[5].section, Section::Vitals);
    assert_eq!(chart.blocks[&Section::Demographics], "Name: Jane Doe\nSex: female\nBorn: 1960-05");
    assert_eq!(chart.blocks[&Section::Allergies], "Penicillin; Anaphylaxis (severe)");
    assert!(chart.blocks[&Section::Overview].starts_with("63-year-old female."));
    let skipped = |what: &str| summary.skipped[what].clone().into_iter().collect::<Vec<_>>();
    assert_eq!(skipped("Claim"), [("billing".to_owned(), 1)]);
    assert_eq!(skipped("Coverage"), [("billing".to_owned(), 1)]);
    assert_eq!(skipped("Condition"), [("entered in error".to_owned(), 1)]);
    assert_eq!(skipped("DocumentReference"), [("an attachment of type application/pdf".to_owned(), 1)]);
    assert_eq!(skipped("Telepathy"), [("not read".to_owned(), 1)]);
}

#[test]
fn a_bulk_export_gives_the_same_chart_as_the_bundle() {
    let bundle: serde_json::Value = serde_json::from_str(&bundle()).unwrap();
    let lines: Vec<_> = bundle["entry"].as_array().unwrap().iter().map(|entry| entry["resource"].to_string()).collect();
    // The patient comes last, as it may.
    let mut reversed = lines.clone();
    reversed.rotate_left(1);
    let folder = folder(&[("export.ndjson", &reversed.join("\n"))]);
    assert_eq!(detect(folder.path()).unwrap(), Kind::FhirNdjson);
    let one = self::folder(&[("one.json", &self::bundle())]);
    assert_eq!(import(folder.path()).0, import(one.path()).0);
}

#[test]
fn a_broken_bundle_is_told_with_its_place() {
    let whole = bundle();
    let folder = folder(&[
        ("cut.json", &whole[..whole.len() - 300]),
        ("alone.json", r#"{"resourceType":"Patient","id":"x"}"#),
        ("bad.json", &whole.replace("AAAA", "AA").replace("application/pdf", "text/plain")),
    ]);
    let check = |file: &str, place: &str, problem: &str| {
        let error = failure(&folder.path().join(file), &ImportOptions::default());
        assert!(error.place.contains(place) && error.problem.contains(problem), "{error}");
        assert!(error.place.contains(file), "{error}");
    };
    check("cut.json", "after entry", "breaks off");
    check("alone.json", "alone.json", "is a Patient, not a Bundle");
    check("bad.json", "entry 7, DocumentReference", "no base64");
}

#[test]
fn omop_tables_are_read_with_the_names_of_their_concepts() {
    let folder = folder(&[
        ("PERSON.csv", "person_id,gender_concept_id,year_of_birth,month_of_birth,day_of_birth,gender_source_value\n1,8532,1958,3,,F\n"),
        ("visit_occurrence.csv", "person_id,visit_concept_id,visit_start_date,visit_end_date\n1,9202,2024-02-01,2024-02-01\n"),
        ("condition_occurrence.csv", "person_id,condition_concept_id,condition_start_date,condition_source_value\n1,443388,2024-01-04,C34.9\n1,0,2024-01-05,I10\n"),
        ("drug_exposure.csv", "person_id,drug_concept_id,drug_exposure_start_date,drug_exposure_end_date,quantity\n1,1397141,2024-02-02,2024-03-02,\n"),
        ("procedure_occurrence.csv", "person_id,procedure_concept_id,procedure_date\n1,4324190,2024-01-10\n"),
        ("measurement.csv", "person_id,measurement_concept_id,measurement_date,value_as_number,unit_source_value\n1,3000963,2024-02-01,11.4,g/dL\n"),
        ("note.csv", "person_id,note_date,note_title,note_text\n1,2024-02-03,Oncology clinic,\"Doing well.\nSees ___ in May.\"\n"),
        // As the vocabulary is delivered: tabs, no quoting.
        ("CONCEPT.csv", "concept_id\tconcept_name\tdomain_id\n8532\tFEMALE\tGender\n443388\tMalignant tumor of \"lung\tCondition\n9202\tOutpatient Visit\tVisit\n1397141\tPemetrexed\tDrug\n4324190\tLobectomy of lung\tProcedure\n3000963\tHemoglobin\tMeasurement\n99\tunused\tx\n"),
        ("cost.csv", "cost_id\n1\n"),
        ("surprise.csv", "a\n1\n"),
    ]);
    assert_eq!(detect(folder.path()).unwrap(), Kind::Omop);
    let (charts, summary) = import(folder.path());
    assert_eq!(
        texts(&charts[0]),
        [
            "Condition Malignant tumor of \"lung",
            "Condition I10",
            "Procedure Lobectomy of lung",
            "Encounter Outpatient Visit; until 2024-02-01",
            "Observation Hemoglobin: 11.4 g/dL",
            "Medication Pemetrexed; until 2024-03-02",
            "Oncology clinic Doing well.\nSees ___ in May.",
        ]
    );
    assert_eq!(charts[0].blocks[&Section::Demographics], "Sex: FEMALE\nBorn: 1958-03\nRecord number: 1");
    assert_eq!(summary.skipped["cost.csv"]["billing"], 1);
    assert_eq!(summary.skipped["surprise.csv"]["not in the layout"], 1);
}

#[test]
fn notes_are_read_from_csv_and_json_lines_alike_with_their_marks() {
    let rows = [("7", "2180-05-06 22:23:00", "Radiology", "Mass. [**Hospital 4**]"), ("9", "2180-05-07", "Nursing", "Seen ___, \"ok\"")];
    let csv: String = rows.iter().map(|(s, t, c, x)| format!("{s},{t},{c},\"{}\"\n", x.replace('"', "\"\""))).collect();
    let json: Vec<_> = rows
        .iter()
        .map(|(s, t, c, x)| serde_json::json!({"subject_id": s, "charttime": t, "category": c, "text": x}).to_string())
        .collect();
    let as_csv = folder(&[("notes.csv", &format!("subject_id,charttime,category,text\n{csv}"))]);
    let as_lines = folder(&[("notes.jsonl", &json.join("\n"))]);
    let as_array = folder(&[("notes.json", &format!("[{}]", json.join(",")))]);
    let (charts, _) = import(as_csv.path());
    assert_eq!(charts.iter().map(|chart| chart.id.as_str()).collect::<Vec<_>>(), ["7", "9"]);
    assert_eq!(texts(&charts[0]), ["Imaging Mass. [**Hospital 4**]"]);
    assert_eq!(texts(&charts[1]), ["Nursing Seen ___, \"ok\""]);
    assert_eq!(import(as_lines.path()).0, charts);
    assert_eq!(import(as_array.path()).0, charts);
}

#[test]
fn a_mapping_file_names_foreign_columns() {
    let folder = folder(&[
        ("data/export.csv", "Patientennummer,Datum,Befund\n1,09.03.2024,Stabil\n2,31.02.2024,Besser\n"),
        ("map.toml", "subject = \"Patientennummer\"\ndate = \"Datum\"\ntext = \"Befund\"\n"),
        ("wrong.toml", "text = \"Bericht\"\n"),
        ("typo.toml", "txt = \"Befund\"\n"),
    ]);
    let data = folder.path().join("data");
    let options = |file: &str| ImportOptions { kind: Some(Kind::Notes), mapping: Some(folder.path().join(file)) };
    let mut import = Import::open(&data, &options("map.toml")).unwrap();
    let charts: Vec<_> = import.by_ref().collect::<Result<_, _>>().unwrap();
    assert_eq!(charts[0].entries[0].date.unwrap().to_string(), "2024-03-09");
    assert_eq!(texts(&charts[1]), ["Note Besser (date as written: 31.02.2024)"], "a date nobody can read stays visible");
    assert_eq!(import.summary().unread_dates, 1);
    let error = failure(&data, &options("wrong.toml"));
    assert!(error.problem.contains("no column `Bericht`; its columns are: Patientennummer, Datum, Befund"), "{error}");
    assert!(failure(&data, &options("typo.toml")).problem.contains("txt"));
    let error = failure(&data, &ImportOptions { kind: Some(Kind::Omop), ..options("map.toml") });
    assert!(error.problem.contains("whose columns are known"), "{error}");
}

#[test]
fn a_folder_of_text_is_a_chart_per_file_or_per_sub_folder() {
    let packet = render(&import(folder(&[("one.json", &bundle())]).path()).0[0]).text;
    let folder = folder(&[
        ("a.txt", "72-year-old man.\n\nSeen by [**Name**]."),
        ("b.md", "---\nid: case-b\nborn: 1950-02-03\nsex: male\n---\n# Medications\nApixaban 5 mg\n# Results\nkept in the text\n## 2024-03-09 Oncology clinic\nFit.\n## 2024-01-02: CT chest\nMass.\n"),
        ("c/2024-02-01 letter.txt", "Second."),
        ("c/2023-02-01.txt", "First."),
        ("c/scan.pdf", "x"),
        ("own.txt", &packet),
        ("README.md", "not a chart"),
    ]);
    assert_eq!(detect(folder.path()).unwrap(), Kind::Text);
    let (charts, summary) = import(folder.path());
    assert_eq!(charts.iter().map(|chart| chart.id.as_str()).collect::<Vec<_>>(), ["a", "case-b", "p1", "c"]);
    assert_eq!(texts(&charts[0]), ["Note 72-year-old man.\n\nSeen by [**Name**]."]);
    assert_eq!(charts[1].blocks[&Section::Medications], "Apixaban 5 mg\n# Results\nkept in the text");
    assert_eq!(charts[1].blocks[&Section::Demographics], "Born: 1950-02-03\nSex: male");
    assert_eq!(texts(&charts[1]), ["Imaging Mass.", "Oncology clinic Fit."]);
    assert_eq!(texts(&charts[3]), ["Note First.", "Note Second."]);
    assert_eq!(summary.skipped["scan.pdf"]["no text"], 1);
}

#[test]
fn tables_with_faults_are_told_by_file_and_line() {
    let check = |file: &str, text: &str, problem: &str| {
        let folder = folder(&[("patients.csv", "Id,FIRST,LAST\n1,A,B\n"), ("encounters.csv", "Id,START,PATIENT,DESCRIPTION\n"), (file, text)]);
        let error = failure(folder.path(), &ImportOptions::default());
        assert!(error.to_string().contains(problem) && error.place.contains(file), "{error}");
    };
    check("conditions.csv", "START,PATIENT\n2024-01-01,1\n", "line 1: has no column `DESCRIPTION`; its columns are: START, PATIENT");
    check("conditions.csv", "START,PATIENT,DESCRIPTION\n2024-01-01,1,x\n2024,1\n", "line 3: has 2 fields where the header has 3");
}

#[test]
fn rows_without_a_patient_are_counted() {
    let folder = folder(&[("patients.csv", "Id,FIRST,LAST\n1,A,B\n"), ("conditions.csv", "START,PATIENT,DESCRIPTION\n2024-01-01,,x\n2024-01-02,1,y\n2024-01-03,1,\n")]);
    let (charts, summary) = import(folder.path());
    assert_eq!(texts(&charts[0]), ["Condition y"]);
    assert_eq!(summary.skipped["conditions.csv"]["no patient id"], 1);
    assert_eq!(summary.skipped["conditions.csv"]["no text"], 1);
}

#[test]
fn ids_that_come_twice_are_told_apart() {
    let folder = folder(&[("1/one.json", &bundle()), ("2/two.json", &bundle())]);
    assert_eq!(detect(folder.path()).unwrap(), Kind::Folders);
    let (charts, summary) = import(folder.path());
    assert_eq!(charts.iter().map(|chart| chart.id.as_str()).collect::<Vec<_>>(), ["p1", "p1~2"]);
    assert_eq!(summary.renamed, 1);
}

#[test]
fn a_path_with_nothing_we_know_says_what_there_could_be() {
    let folder = folder(&[("holiday.jpg", "x")]);
    let error = failure(folder.path(), &ImportOptions::default());
    assert!(error.hint.unwrap().contains("synthea-csv"));
    assert!(failure(&folder.path().join("gone"), &ImportOptions::default()).problem.contains("not there"));
    assert!("ccda".parse::<Kind>().unwrap_err().to_string().contains("fhir-ndjson"));
    for kind in Kind::ALL {
        assert_eq!(kind.name().parse(), Ok(kind));
    }
}

#[test]
fn a_layout_of_ones_own_reads_any_folder_of_tables() {
    let layout = "[[patient]]\nfile = \"who.csv\"\npatient = \"{nr}\"\ndemographics = [[\"Name\", \"{name}\"]]\n\n[codes]\nP = \"positive\"\n\n[[table]]\nfile = \"events.csv\"\npatient = \"{nr}\"\ndate = \"{day:at}\"\ntag = \"Biomarker\"\ntext = \"{what}[: {codes:result}]\"\n";
    let folder = folder(&[
        ("data/who.csv", "nr;name\n5;Ann\n"),
        ("data/events.csv", "nr;at;what;result\n5;2024-01-02 10:00;HER2;P\n5;2024-01-03 10:00;ER;?\n"),
        ("layout.toml", layout),
        ("bad.toml", &layout.replace("{what}", "{what")),
        ("lost.toml", &layout.replace("codes:", "nowhere:")),
    ]);
    let data = folder.path().join("data");
    let options = |file: &str| ImportOptions { kind: Some(Kind::Tables), mapping: Some(folder.path().join(file)) };
    let charts: Vec<_> = Import::open(&data, &options("layout.toml")).unwrap().collect::<Result<_, _>>().unwrap();
    assert_eq!(texts(&charts[0]), ["Biomarker HER2: positive", "Biomarker ER"]);
    assert!(failure(&data, &options("bad.toml")).problem.contains("bad template"));
    assert!(failure(&data, &options("lost.toml")).problem.contains("`nowhere`"));
    assert!(failure(&data, &ImportOptions { kind: Some(Kind::Tables), mapping: None }).problem.contains("needs a layout"));
}
