//! Outputs made elsewhere: which answers count, and what is refused.

use std::path::PathBuf;
use waterjar_core::{Measured, Seed, SourceError};
use waterjar_suites::einstellung::score;

fn scored(name: &str, text: &str) -> Result<Vec<(String, Measured)>, SourceError> {
    let dir = tempfile::tempdir().unwrap();
    let path: PathBuf = dir.path().join(name);
    std::fs::write(&path, text).unwrap();
    score(Seed(0), &[&path]).map(|scored| scored.subjects)
}

fn one(name: &str, text: &str) -> Measured {
    let mut subjects = scored(name, text).unwrap();
    assert_eq!(subjects.len(), 1);
    subjects.remove(0).1
}

/// A metric as (value, n).
fn metric(of: &Measured, name: &str) -> (Option<f64>, u64) {
    let metric = &of.metrics[name];
    (metric.value, metric.n)
}

/// Control right and trap right; control right and trapped; no answer to the trap; no answer to the control; neither.
const JSONL: &str = r#"{"pair":"1","gt":"Angina","bias":"GERD","control":"Angina","trap":"GERD","sham":"Angina"}
{"pair":"2","gt":"Angina","bias":"GERD","control":" angina ","trap":"ANGINA","sham":"GERD"}
{"pair":"3","gt":"Angina","bias":"GERD","control":"Angina","trap":null,"sham":null}

{"pair":"4","gt":"Angina","bias":"GERD","control":null,"trap":"Angina"}
{"pair":"5","gt":"Angina","bias":"GERD","control":null,"trap":null}
"#;
const CSV: &str = "pair,subject,gt,bias,control,trap,sham\n1,,Angina,GERD,Angina,GERD,Angina\n\
    2,,Angina,GERD, angina ,ANGINA,GERD\n3,,Angina,GERD,Angina,,\n4,,Angina,GERD,,Angina,\n5,,Angina,GERD,,,\n";

#[test]
fn a_missing_answer_is_counted_as_missing_and_never_as_wrong() {
    let of = one("rows.jsonl", JSONL);
    assert_eq!((of.n, of.missing), (5, 3));
    // Three controls were answered, all rightly; two of them have a trap that was answered.
    assert_eq!(metric(&of, "baseline_accuracy"), (Some(1.0), 3));
    assert_eq!(metric(&of, "robust_accuracy"), (Some(0.5), 2));
    assert_eq!(metric(&of, "bias_trap_rate"), (Some(0.5), 2));
    assert_eq!(metric(&of, "stochastic_error_rate"), (Some(0.0), 2));
    assert_eq!(metric(&of, "rigidity_ratio"), (Some(1.0), 1));
    assert_eq!(metric(&of, "sham_kept"), (Some(0.5), 2));
}

#[test]
fn a_figure_without_cases_has_no_value() {
    let of = one("rows.jsonl", r#"{"pair":"1","gt":"Angina","bias":"GERD","control":null,"trap":null}"#);
    assert_eq!((of.n, of.missing), (1, 1));
    for (name, metric) in &of.metrics {
        assert_eq!((metric.value, metric.low, metric.high, metric.n), (None, None, None, 0), "{name}");
    }
    // A single label is no ranking and has no confidence.
    let of = one("rows.jsonl", JSONL);
    assert_eq!(metric(&of, "rank_drop"), (None, 0));
    assert_eq!(metric(&of, "reverted_confidence"), (None, 0));
}

#[test]
fn csv_and_json_lines_say_the_same() {
    assert_eq!(one("rows.csv", CSV), one("rows.jsonl", JSONL));
}

#[test]
fn rows_of_a_spreadsheet_of_another_country_say_the_same() {
    let saved = format!("\u{feff}{}", CSV.replace(',', ";").replace('\n', "\r\n"));
    assert_eq!(one("rows.csv", &saved), one("rows.csv", CSV));
}

#[test]
fn rows_are_told_apart_by_subject_and_may_come_in_several_files() {
    let dir = tempfile::tempdir().unwrap();
    let row =
        |subject: &str| format!(r#"{{"pair":"1","subject":"{subject}","gt":"A","bias":"B","control":"A","trap":"B"}}"#);
    let paths = ["one", "two"].map(|subject| {
        let path = dir.path().join(format!("{subject}.jsonl"));
        std::fs::write(&path, row(subject)).unwrap();
        path
    });
    let subjects = score(Seed(0), &[&paths[0], &paths[1]]).unwrap().subjects;
    assert_eq!(subjects.iter().map(|(subject, _)| subject.as_str()).collect::<Vec<_>>(), ["one", "two"]);
    let error = score(Seed(0), &[&paths[0], &paths[0]]).unwrap_err();
    assert!(error.to_string().contains("one.jsonl, line 1: pair `1` of `one` is there twice"), "{error}");
}

#[test]
fn the_interval_does_not_depend_on_the_order_of_rows() {
    let rows: Vec<String> = (0..60)
        .map(|at| {
            let trap = if at % 3 == 0 { "A" } else { "B" };
            format!(r#"{{"pair":"{at}","gt":"A","bias":"B","control":"A","trap":"{trap}"}}"#)
        })
        .collect();
    let there = one("rows.jsonl", &rows.join("\n"));
    let back = one("rows.jsonl", &rows.iter().rev().cloned().collect::<Vec<_>>().join("\n"));
    assert_eq!(there.metrics, back.metrics);
}

/// Figures, and what is told of the rows.
fn noted(name: &str, text: &str) -> (Measured, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    std::fs::write(&path, text).unwrap();
    let mut scored = score(Seed(0), &[&path]).unwrap();
    assert_eq!(scored.subjects.len(), 1);
    (scored.subjects.remove(0).1, scored.notes)
}

#[test]
fn labels_are_known_by_what_stands_around_them_and_a_third_one_is_told() {
    let rows = "pair,gt,bias,control,trap\n1,Croup,Bronchiolitis,Croup,Croup.\n2,Croup,Bronchiolitis,**croup**,1. Croup\n\
                3,Croup,Bronchiolitis,Croup,Bronchiolitis\n4,Croup,Bronchiolitis,Croup,acute croup\n";
    let (of, notes) = noted("rows.csv", rows);
    assert_eq!(metric(&of, "bias_trap_rate"), (Some(0.5), 4));
    assert_eq!(metric(&of, "stochastic_error_rate"), (Some(0.25), 4));
    let [note] = notes.as_slice() else { panic!("{notes:?}") };
    assert!(note.starts_with("1 answer names neither diagnosis of its pair"), "{note}");
    assert!(note.contains("`acute croup` (1);"), "{note}");
    assert!(noted("rows.jsonl", JSONL).1.is_empty());
}

#[test]
fn pairs_may_be_numbers_and_other_columns_are_ignored_and_told_once() {
    let numbered = JSONL.replace("\"pair\":\"", "\"pair\":").replace("\",\"gt\"", ",\"gt\"");
    assert!(numbered.starts_with("{\"pair\":1,\"gt\""), "{numbered}");
    assert_eq!(one("rows.jsonl", &numbered), one("rows.jsonl", JSONL));
    let wider = JSONL.replace("{\"pair\"", "{\"age\":3,\"subjct\":\"x\",\"pair\"");
    let (of, notes) = noted("rows.jsonl", &wider);
    assert_eq!(of, one("rows.jsonl", JSONL));
    let told = "columns that are not read here are ignored: `age`, `subjct` (did you mean `subject`?)";
    assert_eq!(notes, [told]);
    let (of, notes) = noted("rows.csv", "pair,age,gt,bias,control,trap\n007,3,A,B,A,B\n7,4,A,B,A,A\n");
    assert_eq!((of.n, notes), (2, vec!["columns that are not read here are ignored: `age`".to_owned()]));
    check_refused("x.csv", "pair,gt,bias,controll,trap\n1,A,B,A,B\n", "x.csv: there is no column `controll`: did you");
    check_refused("x.jsonl", r#"{"pair":"1","pair":"2","gt":"A","bias":"B"}"#, "line 1: duplicate field `pair`");
}

fn check_refused(name: &str, text: &str, says: &str) {
    let error = scored(name, text).unwrap_err();
    assert!(error.to_string().contains(says), "{error}");
}

#[test]
fn a_bad_row_is_named_by_its_line() {
    let good = r#"{"pair":"1","gt":"A","bias":"B","control":"A","trap":"B"}"#;
    let after = |bad: &str| format!("{good}\n\n{bad}");
    check_refused("x.jsonl", &after(r#"{"pair":"2","gt":"A","bi"#), "x.jsonl, line 3: EOF while parsing");
    check_refused("x.jsonl", &after(good), "x.jsonl, line 3: pair `1` of `outputs` is there twice");
    check_refused("x.jsonl", &after(&good.replace("\"1\"", "true")), "x.jsonl, line 3: invalid type: boolean");
    check_refused(
        "x.jsonl",
        &after(r#"{"pair":"2","gt":"A","bias":" a ","control":"A","trap":"B"}"#),
        "line 3: pair `2`: gt and bias must be two different",
    );
    check_refused(
        "x.jsonl",
        &after(r#"{"pair":"2","gt":"A","bias":"B","controll":"A","trap":"B"}"#),
        "line 3: there is no column `controll`: did you mean `control`?",
    );
    let header = "pair,gt,bias,control,trap\n1,A,B,A,B\n";
    check_refused("x.csv", &format!("{header}2,A,B"), "x.csv, line 3: ");
    check_refused("x.csv", &format!("{header}1,A,B,A,A\n"), "x.csv, line 3: pair `1` of `outputs` is there twice");
    check_refused("x.csv", "pair,gt,bias,control,trap\n1,A,A,A,B\n", "x.csv, line 2: pair `1`: gt and bias");
    for (gt, bias) in [("Croup", "1. Croup"), ("1. Croup", "Croup")] {
        let text = format!("pair,gt,bias,control,trap\n1,{gt},{bias},Croup,Croup\n");
        check_refused("x.csv", &text, "x.csv, line 2: pair `1`: gt and bias");
    }
    check_refused("x.csv", "pair,gt,control,trap\n1,A,A,B\n", "x.csv, line 2: ");
    let header = "pair,gt,bias,control,trap\r\n1,A,B,A,\"B\r\n\"\r\n\r\n";
    check_refused("x.csv", &format!("{header}2,A,B\r\n"), "x.csv, line 5: has 3 cells, where the head has 5");
    check_refused("x.csv", &format!("{header}1,A,B,A,A\r\n"), "x.csv, line 5: pair `1` of `outputs` is there twice");
}

#[test]
fn a_bad_file_says_what_is_wrong_with_it() {
    check_refused("x.jsonl", "\n", "no rows");
    check_refused("x.csv", "pair,gt,bias,control,trap\n", "no rows");
    check_refused("x.txt", "", "is neither .jsonl nor .csv");
    let error = score(Seed(0), &[std::path::Path::new("/nowhere/x.jsonl")]).unwrap_err();
    assert!(error.to_string().starts_with("/nowhere/x.jsonl: cannot be read"), "{error}");
}

#[test]
fn text_that_is_not_utf_8_is_refused_with_its_line() {
    let dir = tempfile::tempdir().unwrap();
    for (name, says) in [("x.jsonl", "line 2"), ("x.csv", "line 2")] {
        let path = dir.path().join(name);
        std::fs::write(
            &path,
            if name == "x.csv" { b"pair,gt,bias,control,trap\n1,\xff,B,A,B\n".to_vec() } else { b"\n\xff\n".to_vec() },
        )
        .unwrap();
        let error = score(Seed(0), &[&path]).unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
    }
}
