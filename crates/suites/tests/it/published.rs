//! Rows of pairs that somebody else made: which are read, and how a bad one is told.

use std::path::PathBuf;
use waterjar_core::{Case, CaseSource, Edit, Expectation, SourceError};
use waterjar_suites::einstellung::{PairRow, Published, sound};

fn open(rows: &str) -> Result<Vec<Case>, SourceError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    std::fs::write(&path, rows).unwrap();
    let source = Published::open("medeinst:rows.jsonl", &path)?;
    source.cases().collect()
}

/// The rows make one pair: croup becomes asthma where the cough becomes a wheeze.
fn check(rows: &str) {
    let cases = open(rows).unwrap_or_else(|error| panic!("{error}\n{rows}"));
    assert_eq!(cases.len(), 1, "{rows}");
    let row = PairRow::of(&cases[0]);
    assert_eq!(sound(&cases[0]), Ok("Croup".to_owned()), "{rows}");
    assert_eq!((row.id.as_str(), row.gt.as_str(), row.bias.as_str()), ("7", "Croup", "Asthma"), "{rows}");
    assert_eq!((row.control.as_str(), row.trap.as_str()), ("He coughs.", "He wheezes."), "{rows}");
}

#[test]
fn a_row_may_hold_one_text_or_the_whole_pair_under_any_known_name() {
    check(
        r#"{"case_id":"7","case_type":"control","narrative":"He coughs.","ground_truth":"Croup"}
           {"case_id":"7","case_type":"trap","narrative":"He wheezes.","ground_truth":"Asthma"}"#,
    );
    check(
        "\u{feff}\n{\"id\":7,\"role\":\"Counterfactual\",\"text\":\"He wheezes.\",\"label\":\" Asthma \"}\n\n{\"id\":7,\"role\":\"original\",\"text\":\"He coughs.\",\"label\":\"Croup\"}\n",
    );
    check(r#"{"pair":"7","gt":"Croup","bias":"Asthma","control":"He coughs.","trap":"He wheezes."}"#);
    check(
        r#"{"pair_id":"7","y_gt":"Croup","y_bias":"Asthma","control_narrative":"He coughs.","trap_narrative":"He wheezes."}"#,
    );
    check(
        r#"{"id":"7","distractor_disease":"Croup","truth_disease":"Asthma","control_case":"He coughs.","trap_case":"He wheezes."}"#,
    );
    check(
        r#"{"id":"7","control":{"text":"He coughs.","diagnosis":"Croup"},"trap":{"text":"He wheezes.","diagnosis":"Asthma"}}"#,
    );
}

#[test]
fn a_bad_row_is_told_with_its_line_and_its_field() {
    let good = r#"{"id":"1","gt":"Croup","bias":"Asthma","control":"He coughs.","trap":"He wheezes."}"#;
    let check = |bad: &str, why: &str| {
        let error = open(&format!("{good}\n{bad}\n")).unwrap_err().to_string();
        assert!(error.contains("rows.jsonl, line 2: ") && error.contains(why), "no `{why}` in: {error}");
    };
    check("{", "is not JSON");
    check("[1]", "is not an object");
    check(r#"{"gt":"Croup"}"#, "has no id: a field called case_id, pair_id, id, pair");
    check(
        r#"{"id":"2","bias":"Asthma","control":"a","trap":"b"}"#,
        "has no label: a field called gt, y_gt, ground_truth",
    );
    check(r#"{"id":"2","gt":"Croup","control":"a","trap":"b"}"#, "has no label: a field called bias, y_bias");
    check(
        r#"{"id":"2","gt":"Croup","bias":"Asthma","control":"a"}"#,
        "has no text: a field called trap, trap_narrative",
    );
    check(r#"{"id":"2","gt":"Croup","bias":"Asthma","control":" ","trap":"b"}"#, "has no text: a field called control");
    check(r#"{"id":"2","gt":"Croup","bias":null,"control":"a","trap":"b"}"#, "has no label");
    check(r#"{"id":"2","gt":["Croup"],"bias":"Asthma","control":"a","trap":"b"}"#, "`gt` is not a text");
    check(
        r#"{"id":"2","gt":"Croup","y_gt":"Flu","bias":"Asthma","control":"a","trap":"b"}"#,
        "`gt` and `y_gt` say different things",
    );
    check(
        r#"{"id":"2","case_type":"middle","text":"a","label":"Flu"}"#,
        "`middle` is neither control nor trap (in `case_type`)",
    );
    check(r#"{"id":"2","case_type":"trap","text":"a"}"#, "has no label: a field called ground_truth");
    check(r#"{"id":"2","control":{"text":"a"},"trap":{"text":"b","label":"Flu"}}"#, "in `control`: has no label");
    check(good, "the control of `1` is there twice, first in line 1");
}

#[test]
fn a_file_that_is_no_json_lines_is_told_what_to_do() {
    let array = open("[{\"id\":\"1\"}]").unwrap_err();
    assert!(array.to_string().contains("is a JSON array") && array.hint.unwrap().contains("pandas.read_json"));
    assert!(open("\n\n").unwrap_err().to_string().contains("holds no cases"));
    let hint = |name: &str| Published::open("x", &PathBuf::from(name)).unwrap_err().hint.unwrap();
    assert!(hint("pairs.csv").contains("rename it"));
}

#[test]
fn what_makes_no_pair_is_lost_with_its_reason() {
    let check = |rows: &str, reason: &str| {
        let lost = sound(&open(rows).unwrap()[0]).unwrap_err();
        assert_eq!(lost.reason, reason, "{rows}");
    };
    check(
        r#"{"id":"1","gt":"Croup","bias":"Asthma","control":"He coughs.","trap":" He  coughs.\n"}"#,
        "trap_says_the_same",
    );
    check(
        r#"{"id":"1","gt":"Croup","bias":"croup","control":"He coughs.","trap":"He wheezes."}"#,
        "labels_are_the_same",
    );
    check(r#"{"id":"1","case_type":"control","text":"He coughs.","label":"Croup"}"#, "no_trap");
    check(r#"{"id":"1","case_type":"trap","text":"He coughs.","label":"Croup"}"#, "no_control");
}

#[test]
fn sex_and_age_beside_the_text_are_told_and_the_changed_sentences_found() {
    let row = r#"{"id":"1","sex":"female","age":3,"gt":"Croup","bias":"Asthma","ward":"B","control":"She is ill. She barks. She drinks.","trap":"She is ill. She wheezes. She drinks. Her skin itches."}"#;
    let case = open(row).unwrap().remove(0);
    let trap = &case.made[1];
    assert_eq!(trap.text, "Sex: F, Age: 3\nShe is ill. She wheezes. She drinks. Her skin itches.");
    let edit = |removed: &str, inserted: &str| Edit { removed: removed.to_owned(), inserted: inserted.to_owned() };
    let edits = &trap.intervention.as_ref().unwrap().edits;
    assert_eq!(*edits, [edit("She barks.", "She wheezes."), edit("", "Her skin itches.")]);
    assert_eq!(trap.record["published"], serde_json::json!({"ward": "B"}), "nothing is dropped");
    assert_eq!(trap.expectation, Expectation::Flips { from: "Croup".into(), to: "Asthma".into() });
}

#[test]
fn labels_written_in_other_letters_are_one_condition() {
    let rows = r#"{"id":"1","gt":"Croup","bias":"Asthma","control":"a","trap":"b"}
{"id":"2","gt":"ASTHMA","bias":"croup","control":"c","trap":"d"}"#;
    let cases = open(rows).unwrap();
    assert_eq!(PairRow::of(&cases[1]).gt, "Asthma");
    assert_eq!(PairRow::of(&cases[1]).bias, "Croup");
}
