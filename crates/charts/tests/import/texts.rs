//! Note sets, folders of text, and paths that hold neither.

use super::fhir::bundle;
use super::{failure, folder, import, told};
use waterjar_charts::import::{Kind, detect};
use waterjar_charts::{Import, ImportOptions, Section, render};

#[test]
fn notes_are_read_from_csv_and_json_lines_alike_with_their_marks() {
    let rows = [
        ("7", "2180-05-06 22:23:00", "Radiology", "Mass. [**Hospital 4**]"),
        ("9", "2180-05-07", "Nursing", "Seen ___, \"ok\""),
    ];
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
    assert_eq!(told(&charts[0]), ["Imaging Mass. [**Hospital 4**]"]);
    assert_eq!(told(&charts[1]), ["Nursing Seen ___, \"ok\""]);
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
    assert_eq!(told(&charts[1]), ["Note Besser (date as written: 31.02.2024)"], "a date nobody can read stays visible");
    assert_eq!(import.summary().unread_dates, 1);
    let error = failure(&data, &options("wrong.toml"));
    assert!(error.problem.contains("no column `Bericht`; its columns are: Patientennummer, Datum, Befund"), "{error}");
    assert!(failure(&data, &options("typo.toml")).problem.contains("txt"));
    let error = failure(&data, &ImportOptions { kind: Some(Kind::Omop), ..options("map.toml") });
    assert!(error.problem.contains("whose columns are known"), "{error}");
}

#[test]
fn a_heading_with_an_impossible_date_begins_an_entry_and_is_counted() {
    let text = "## 2024-03-09 Clinic\nFit.\n## 2024-13-45 Clinic\nTired.\n## 1.2.3 Plan\nRest.\n";
    let (charts, summary) = import(folder(&[("a.md", text)]).path());
    let dates: Vec<_> = charts[0].entries.iter().map(|entry| entry.date.map(|date| date.to_string())).collect();
    assert_eq!(dates, [Some("2024-03-09".to_owned()), None], "a numbered heading is no date");
    assert_eq!(summary.unread_dates, 1);
}

#[test]
fn a_folder_of_text_is_a_chart_per_file_or_per_sub_folder() {
    let packet = render(&import(folder(&[("one.json", &bundle())]).path()).0[0]).text;
    let markdown = "---\nid: case-b\nborn: 1950-02-03\nsex: male\n---\n# Medications\nApixaban 5 mg\n# Results\nkept in the text\n## 2024-03-09 Oncology clinic\nFit.\n## 2024-01-02: CT chest\nMass.\n";
    let folder = folder(&[
        ("a.txt", "72-year-old man.\n\nSeen by [**Name**]."),
        ("b.md", markdown),
        ("c/2024-02-01 letter.txt", "Second."),
        ("c/2023-02-01.txt", "First."),
        ("c/scan.pdf", "x"),
        ("own.txt", &packet),
        ("README.md", "not a chart"),
    ]);
    assert_eq!(detect(folder.path()).unwrap(), Kind::Text);
    let (charts, summary) = import(folder.path());
    assert_eq!(charts.iter().map(|chart| chart.id.as_str()).collect::<Vec<_>>(), ["a", "case-b", "p1", "c"]);
    assert_eq!(told(&charts[0]), ["Note 72-year-old man.\n\nSeen by [**Name**]."]);
    assert_eq!(charts[1].blocks[&Section::Medications], "Apixaban 5 mg\n# Results\nkept in the text");
    assert_eq!(charts[1].blocks[&Section::Demographics], "Born: 1950-02-03\nSex: male");
    assert_eq!(told(&charts[1]), ["Imaging Mass.", "Oncology clinic Fit."]);
    assert_eq!(told(&charts[3]), ["Note First.", "Note Second."]);
    assert_eq!(summary.skipped["scan.pdf"]["no text"], 1);
}

#[test]
fn a_packet_that_was_spoilt_is_told_with_its_line() {
    let folder = folder(&[("own.txt", "PACKET x\n\n== Labs ==\na\n\n== Horoscope ==\nb\n")]);
    let error = failure(folder.path(), &ImportOptions::default());
    assert!(error.place.ends_with("own.txt, line 6"), "{error}");
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
