//! Files and folders that are not as they should be.

use super::*;

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
