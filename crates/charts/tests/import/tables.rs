//! Folders of tables.

use super::{failure, folder, import, told};
use waterjar_charts::import::{Kind, detect};
use waterjar_charts::{Import, ImportOptions, Section};

#[test]
fn omop_tables_are_read_with_the_names_of_their_concepts() {
    let folder = folder(&[
        (
            "PERSON.csv",
            "person_id,gender_concept_id,year_of_birth,month_of_birth,day_of_birth,gender_source_value\n1,8532,1958,3,,F\n",
        ),
        (
            "visit_occurrence.csv",
            "person_id,visit_concept_id,visit_start_date,visit_end_date\n1,9202,2024-02-01,2024-02-01\n",
        ),
        (
            "condition_occurrence.csv",
            "person_id,condition_concept_id,condition_start_date,condition_source_value\n1,443388,2024-01-04,C34.9\n1,0,2024-01-05,I10\n",
        ),
        (
            "drug_exposure.csv",
            "person_id,drug_concept_id,drug_exposure_start_date,drug_exposure_end_date,quantity\n1,1397141,2024-02-02,2024-03-02,\n",
        ),
        ("procedure_occurrence.csv", "person_id,procedure_concept_id,procedure_date\n1,4324190,2024-01-10\n"),
        (
            "measurement.csv",
            "person_id,measurement_concept_id,measurement_date,value_as_number,unit_source_value\n1,3000963,2024-02-01,11.4,g/dL\n",
        ),
        (
            "note.csv",
            "person_id,note_date,note_title,note_text\n1,2024-02-03,Oncology clinic,\"Doing well.\nSees ___ in May.\"\n",
        ),
        // As the vocabulary is delivered: tabs, no quoting.
        (
            "CONCEPT.csv",
            "concept_id\tconcept_name\tdomain_id\n8532\tFEMALE\tGender\n443388\tMalignant tumor of \"lung\tCondition\n9202\tOutpatient Visit\tVisit\n1397141\tPemetrexed\tDrug\n4324190\tLobectomy of lung\tProcedure\n3000963\tHemoglobin\tMeasurement\n99\tunused\tx\n",
        ),
        ("cost.csv", "cost_id\n1\n"),
        ("surprise.csv", "a\n1\n"),
    ]);
    assert_eq!(detect(folder.path()).unwrap(), Kind::Omop);
    let (charts, summary) = import(folder.path());
    assert_eq!(
        told(&charts[0]),
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
fn tables_with_faults_are_told_by_file_and_line() {
    let check = |text: &str, problem: &str| {
        let file = "conditions.csv";
        let folder = folder(&[
            ("patients.csv", "Id,FIRST,LAST\n1,A,B\n"),
            ("encounters.csv", "Id,START,PATIENT,DESCRIPTION\n"),
            (file, text),
        ]);
        let error = failure(folder.path(), &ImportOptions::default());
        assert!(error.to_string().contains(problem) && error.place.contains(file) && error.hint.is_some(), "{error}");
    };
    check("START,PATIENT\n2024-01-01,1\n", "line 1: has no column `DESCRIPTION`; its columns are: START, PATIENT");
    check("START,PATIENT,DESCRIPTION\n2024-01-01,1,x\n2024,1\n", "line 3: has 2 fields where the header has 3");
    check("START,PATIENT,DESCRIPTION\r\n2024-01-01,1,x\r\n2024,1\r\n", "line 3: has 2 fields where the header has 3");
    let unclosed = "START,PATIENT,DESCRIPTION\n2024-01-01,1,x\n2024-01-02,1,\"y\n2024-01-03,2,z\n";
    check(unclosed, "line 3: a quote is opened here and not closed");
    check(&unclosed.replace('\n', "\r\n"), "line 3: a quote is opened here and not closed");
    check(&unclosed.replace("z", "\"z\""), "line 3: a quote is opened here and closed in line 4 before `z");
}

#[test]
fn inches_are_no_open_quote() {
    let rows = "START,PATIENT,DESCRIPTION\n2024-01-01,1,a 5\" scar\n2024-01-02,1,y\n";
    for rows in [rows.to_owned(), rows.replace('\n', "\r\n")] {
        let folder = folder(&[("patients.csv", "Id,FIRST,LAST\n1,A,B\n"), ("conditions.csv", rows.as_str())]);
        assert_eq!(told(&import(folder.path()).0[0]), ["Condition a 5\" scar", "Condition y"]);
    }
}

#[test]
fn rows_without_a_patient_or_a_text_are_counted() {
    let rows = "START,PATIENT,DESCRIPTION\n2024-01-01,,x\n2024-01-02,1,y\n2024-01-03,1,\n";
    let folder = folder(&[("patients.csv", "Id,FIRST,LAST\n1,A,B\n"), ("conditions.csv", rows)]);
    let (charts, summary) = import(folder.path());
    assert_eq!(told(&charts[0]), ["Condition y"]);
    assert_eq!(summary.skipped["conditions.csv"]["no patient id"], 1);
    assert_eq!(summary.skipped["conditions.csv"]["no text"], 1);
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
    assert_eq!(told(&charts[0]), ["Biomarker HER2: positive", "Biomarker ER"]);
    assert!(failure(&data, &options("bad.toml")).problem.contains("bad template"));
    assert!(failure(&data, &options("lost.toml")).problem.contains("`nowhere`"));
    let without = ImportOptions { kind: Some(Kind::Tables), mapping: None };
    assert!(failure(&data, &without).problem.contains("needs a layout"));
}
