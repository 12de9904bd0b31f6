//! `waterjar score`

use crate::sample::Desk;

const ROWS: &str = r#"{"pair":"1","subject":"mine","gt":"Angina","bias":"GERD","control":"Angina","trap":"GERD"}
{"pair":"2","subject":"mine","gt":"Angina","bias":"GERD","control":"Angina","trap":"Angina"}
{"pair":"3","subject":"mine","gt":"Angina","bias":"GERD","control":"GERD","trap":"GERD"}
"#;

#[test]
fn outputs_made_elsewhere_are_measured() {
    let desk = Desk::new();
    desk.write("mine.jsonl", ROWS);
    let metrics = desk.done("score einstellung mine.jsonl --json").json();
    assert_eq!((&metrics["schema"], &metrics["study"]), (&"waterjar.metrics/1".into(), &"score".into()));
    let result = &metrics["results"][0];
    assert_eq!((&result["suite"], &result["subject"]), (&"einstellung".into(), &"mine".into()));
    assert_eq!((&result["n"], &result["missing"]), (&3.into(), &0.into()));
    let trap = &result["metrics"]["bias_trap_rate"];
    assert_eq!((&trap["value"], &trap["n"]), (&0.5.into(), &2.into()));
    let table = desk.done("score einstellung mine.jsonl").stdout;
    assert!(table.contains("50.0 ±") && table.contains("All figures: --json."), "{table}");
    assert!(!table.contains("report.html"), "no report is written: {table}");
}

#[test]
fn a_missing_answer_ends_with_3() {
    let desk = Desk::new();
    desk.write(
        "mine.jsonl",
        format!("{ROWS}{}", ROWS.lines().next().unwrap().replace("\"1\"", "\"4\"").replace("\"GERD\"}", "null}")),
    );
    let ended = desk.waterjar("score einstellung mine.jsonl --json");
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(ended.stderr.contains("1 family has a missing answer"), "{}", ended.stderr);
    let result = &ended.json()["results"][0];
    assert_eq!((&result["n"], &result["missing"]), (&4.into(), &1.into()));
    assert_eq!(result["metrics"]["bias_trap_rate"]["n"], 2);
}

#[test]
fn a_third_diagnosis_and_a_column_that_is_not_read_are_told() {
    let desk = Desk::new();
    desk.write("e.csv", "pair;age;gt;bias;control;trap\n1;3;Croup;Bronchiolitis;Croup;Croup.\n2;4;Croup;Bronchiolitis;Croup;acute croup\n");
    let ended = desk.done("score einstellung e.csv --json");
    let told = ended.json();
    assert_eq!(told["results"][0]["metrics"]["bias_trap_rate"]["value"], 0.5);
    for note in ["1 answer names neither diagnosis of its pair", "columns that are not read here are ignored: `age`"] {
        assert!(ended.stderr.contains(&format!("warning: {note}")), "{}", ended.stderr);
        let notes = told["notes"].as_array().unwrap();
        assert!(notes.iter().any(|it| it.as_str().unwrap().starts_with(note)), "{told}");
    }
}

/// Exit 2, and the message names file and line.
fn check(name: &str, content: impl AsRef<[u8]>, says: &str) {
    let desk = Desk::new();
    desk.write(name, content);
    let ended = desk.waterjar(&format!("score einstellung {name} --json"));
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
    assert!(ended.stderr.contains(says), "{}", ended.stderr);
    assert_eq!(desk.names("."), [name]);
}

#[test]
fn bad_rows_are_named_by_their_line() {
    check("x.jsonl", &ROWS[..ROWS.len() - 20], "error: x.jsonl, line 3: EOF while parsing");
    check("x.jsonl", format!("{ROWS}{ROWS}"), "error: x.jsonl, line 4: pair `1` of `mine` is there twice");
    check("x.csv", "pair,gt,bias,control,trap\n1,A,B,A,B\n2,A,", "error: x.csv, line 3: ");
    check("x.csv", b"pair,gt,bias,control,trap\n1,A,B,A,\xff\n", "error: x.csv, line 2: ");
    check("x.jsonl", "", "error: x.jsonl: no rows");
    check("x.txt", ROWS, "error: x.txt: is neither .jsonl nor .csv nor .parquet");
}

#[test]
fn an_unknown_suite_or_file_is_told() {
    let desk = Desk::new();
    let ended = desk.waterjar("score einstelung x.jsonl");
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.stderr.contains("no suite is called `einstelung`\nhint: did you mean `einstellung`?"),
        "{}",
        ended.stderr
    );
    let ended = desk.waterjar("score einstellung nowhere.jsonl");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("error: nowhere.jsonl: cannot be read"), "{}", ended.stderr);
}
