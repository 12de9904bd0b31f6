//! Files of others and of yours; marks, phrases and suggestions.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use waterjar_vignettes::import::{BadRow, Kind, locate};
use waterjar_vignettes::{Import, ImportOptions, Vignette, suggest_spans, tagged};

#[test]
fn marks_that_do_not_fit_are_told_with_their_place() {
    let check = |text: &str, at: usize, says: &str| {
        let error = tagged::read(text).unwrap_err();
        assert_eq!(error.at, at);
        assert!(error.problem.contains(says), "{error}");
    };
    check("He has <CSC_start>fever.", 7, "never ends");
    check("He has fever<CSC_end>.", 12, "never began");
    check("<CSC_start>a <CSC_start>b<CSC_end>", 13, "inside another");
    check("Id: x\n\nHe has <CSC_start><CSC_end>.", 25, "nothing in it");
    check("Story.\n\nQuestion: Why?\nMore story.", 23, "goes on");
}

#[test]
fn a_table_is_read_by_its_mapping_and_bad_rows_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    };
    let table = write(
        "cases.csv",
        "case,story,a,b,right,marks\nx1,He has fever. What is it?,Flu,Cold,Flu,fever\nx2,He coughs.,Flu,Cold,Gout,coughs\nx3,He limps.,Flu,Cold,A,knee\n",
    );
    let mapping = write(
        "map.toml",
        "text = \"story\"\nid = \"case\"\noptions = [\"a\", \"b\"]\nanswer = \"right\"\n[spans]\nby = \"phrases\"\ncolumn = \"marks\"\n",
    );
    let options = ImportOptions { mapping: Some(mapping), ..ImportOptions::default() };
    let rows: Vec<_> = Import::open(Kind::Csv, &table, &options).unwrap().collect();
    let first = rows[0].as_ref().unwrap();
    assert_eq!((first.id.as_str(), first.question.as_str(), first.answer.as_deref()), ("x1", "What is it?", Some("A")));
    assert_eq!(first.spans[0].of(&first.text), "fever");
    assert_eq!(
        rows[1].as_ref().unwrap_err().to_string(),
        "cases.csv, line 3: the answer `Gout` is none of the options: correct the answer or the options"
    );
    assert!(rows[2].as_ref().unwrap_err().to_string().contains("`knee` does not stand in the text"));
}

#[test]
fn a_row_may_have_fewer_options_than_others_but_no_gap_between_them() {
    let folder = tempfile::tempdir().unwrap();
    let (table, mapping) = (folder.path().join("cases.csv"), folder.path().join("map.toml"));
    let rows = "He has fever.,Flu,Cold,Gout,Gout\nHe coughs.,Flu,Cold,,B\nHe limps.,Flu,Cold,,C\nHe aches.,Flu,,Gout,A\n\
                He sleeps.,Flu,,,A\nHe itches.,,,,A\n";
    std::fs::write(&table, format!("story,a,b,c,right\n{rows}")).unwrap();
    std::fs::write(&mapping, "text = \"story\"\noptions = [\"a\", \"b\", \"c\"]\nanswer = \"right\"\n").unwrap();
    let options = ImportOptions { mapping: Some(mapping), ..ImportOptions::default() };
    let rows: Vec<_> = Import::open(Kind::Csv, &table, &options).unwrap().collect();
    let read = |at: usize| rows[at].as_ref().map(|it| (it.options.len(), it.answer.clone().unwrap_or_default()));
    assert_eq!(read(0).unwrap(), (3, "C".to_owned()));
    assert_eq!(read(1).unwrap(), (2, "B".to_owned()));
    let told = |at: usize| rows[at].as_ref().unwrap_err().problem.clone();
    assert!(told(2).starts_with("the answer `C` is none of the options"), "{}", told(2));
    for (at, says) in [
        (3, "`b` is empty, and an option stands after it: "),
        (4, "`a` is its only option: "),
        (5, "`a`, `b`, `c`: all are empty: "),
    ] {
        assert!(told(at).starts_with(says) && told(at).contains("`options_list`"), "{}", told(at));
    }
}

#[test]
fn a_story_of_megabytes_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    };
    let told = |kind: Kind, file: &std::path::Path, options: &ImportOptions| -> Vec<Result<usize, String>> {
        let rows = Import::open(kind, file, options).unwrap();
        rows.map(|row| row.map(|it| it.text.len()).map_err(|error| error.to_string())).collect()
    };
    let story = "He coughs. ".repeat(100_000);
    let tagged = write("cases.txt", format!("He is well.\n----\n{story}\n"));
    let rows = told(Kind::Tagged, &tagged, &ImportOptions::default());
    let long = rows[1].as_ref().unwrap_err();
    assert!(
        long.starts_with("cases.txt, line 3: story, question and options have 1100000 bytes, and 1000000 are the most"),
        "{long}"
    );
    assert!(rows[0].is_ok() && long.ends_with("part it into several vignettes, or take it out"), "{long}");
    let mapping = Some(write("map.toml", "text = \"story\"\n".to_owned()));
    let options = ImportOptions { mapping, ..ImportOptions::default() };
    let coughs = "He coughs.\n".repeat(800_000);
    let table = write("cases.csv", format!("story\nHe is well.\n\"{coughs}\"\n"));
    let rows = told(Kind::Csv, &table, &options);
    let long = rows[1].as_ref().unwrap_err();
    assert!(long.starts_with("cases.csv, line 3: the row has 8800000 bytes") && long.contains("is a quote"), "{long}");
    let open = write("open.csv", format!("story\nHe is well.\n\"{coughs}"));
    let error = Import::open(Kind::Csv, &open, &options).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("open.csv, line 3: a quote is opened here and not closed"), "{error}");
    let lines = write("cases.jsonl", format!("{{\"question\": \"{}\"}}\n", "He coughs. ".repeat(90_000)));
    assert_eq!(
        told(Kind::MedQa, &lines, &ImportOptions::default()),
        [Ok::<usize, String>(989_999)],
        "nearly as much as there may be"
    );
}

#[test]
fn a_bad_row_of_a_table_from_windows_is_told_by_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.csv");
    let rows = "case,text\r\nx,\"He has fever.\r\nHe coughs.\"\r\n\r\nx,He limps.\r\ny,\r\n";
    std::fs::write(&table, rows).unwrap();
    let mapping = folder.path().join("m.toml");
    std::fs::write(&mapping, "text = \"text\"\nid = \"case\"\n").unwrap();
    let options = ImportOptions { mapping: Some(mapping), ..ImportOptions::default() };
    let rows: Vec<_> = Import::open(Kind::Csv, &table, &options).unwrap().collect();
    let told = |at: usize| rows[at].as_ref().unwrap_err().to_string();
    assert!(told(1).starts_with("t.csv, line 5: the id `x` is that of line 2 too"), "{}", told(1));
    assert!(told(2).starts_with("t.csv, line 6: `text` is empty"), "{}", told(2));
}

#[test]
fn offsets_count_characters_and_overlaps_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.csv");
    std::fs::write(&table, "text,spans\n\u{e9}t\u{e9} fever,4-9\nfever,0-3;2-5\nfever,3-99\nfever,1-4\n").unwrap();
    let mapping = folder.path().join("m.toml");
    std::fs::write(&mapping, "text = \"text\"\n[spans]\nby = \"offsets\"\ncolumn = \"spans\"\n").unwrap();
    let options = ImportOptions { mapping: Some(mapping), ..ImportOptions::default() };
    let rows: Vec<_> = Import::open(Kind::Csv, &table, &options).unwrap().collect();
    let first = rows[0].as_ref().unwrap();
    assert_eq!(first.spans[0].of(&first.text), "fever");
    assert!(rows[1].as_ref().unwrap_err().problem.contains("overlap"));
    assert!(rows[2].as_ref().unwrap_err().problem.contains("no span"));
    assert!(rows[3].as_ref().unwrap_err().problem.starts_with("`eve`: a mark begins or ends inside a word"));
}

#[test]
fn an_id_that_is_there_twice_is_refused_with_both_lines() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cases.txt");
    let block = "Id: one\n\nA man has a cough.\n\nQuestion: Why?\n";
    std::fs::write(&file, format!("{block}----\n{block}")).unwrap();
    let rows: Vec<_> = Import::open(Kind::Tagged, &file, &ImportOptions::default()).unwrap().collect();
    assert!(rows[0].is_ok());
    let told = rows[1].as_ref().unwrap_err().to_string();
    assert!(told.starts_with("cases.txt, line 7: the id `one` is that of line 1 too"), "{told}");
}

/// An id and a story, or what is wrong.
type Told = Result<(String, String), String>;

fn fine(id: &str, story: &str) -> Told {
    Ok((id.to_owned(), story.to_owned()))
}

/// A file in our text form.
fn read(content: &str) -> Vec<Told> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cases.txt");
    std::fs::write(&file, content).unwrap();
    let rows = Import::open(Kind::Tagged, &file, &ImportOptions::default()).unwrap();
    rows.map(|row| row.map(|it| (it.id, it.text)).map_err(|bad| bad.to_string())).collect()
}

#[test]
fn a_file_from_windows_is_read_as_any_other() {
    let plain =
        "Id: n\n\nA man has <CSC_start>a cough<CSC_end>.\nHe is ill.\n\nQuestion: What?\nA. Flu\nB. Gout\nAnswer: A\n";
    let plain = format!("{plain}----\n{}", plain.replace("Id: n", "Id: m"));
    let story = "A man has a cough.\nHe is ill.";
    let told = vec![fine("n", story), fine("m", story)];
    for saved in [plain.clone(), format!("\u{feff}{plain}"), plain.replace('\n', "\r\n"), plain.replace('\n', "\r")] {
        assert_eq!(read(&saved), told, "{saved:?}");
    }
}

#[test]
fn a_file_without_vignettes_holds_none_and_one_without_a_story_is_told() {
    for empty in ["", "\n", "\u{feff}", "----\n----\n", "# A remark.\n\n----"] {
        assert!(read(empty).is_empty(), "{empty:?}");
    }
    let rows = read("----\nHe limps.\n----\n\nId: n\n\nQuestion: What?\n----\n");
    assert_eq!(rows[0], fine("line-2", "He limps."));
    assert_eq!(rows[1], Err("cases.txt, line 5: the story is empty: write it, or take the vignette out".to_owned()));
    assert_eq!(rows.len(), 2);
}

#[test]
fn hyphens_inside_a_story_do_not_part_it() {
    let rows = read("Id: n\n\nLabs ----\n\\----\nSodium 140.\n----\nId: m\n\nHe limps.\n");
    assert_eq!(rows, vec![fine("n", "Labs ----\n----\nSodium 140."), fine("m", "He limps.")]);
}

#[test]
fn what_is_wrong_is_told_with_its_line_and_column_in_the_file() {
    let first = "# A remark.\nId: n\n\nHe limps.\n----\n";
    let check = |block: &str, says: &str| {
        let rows = read(&format!("{first}{block}"));
        let told = rows[1].as_ref().unwrap_err();
        assert!(told.starts_with(&format!("cases.txt, line {says}")), "{block}: {told}");
    };
    check("Id: m\n\nEin \u{e9}t\u{e9}.\nHe \u{e9} <CSC_start>limps.\n", "9: column 6: a mark begins and never ends");
    check("He limps.\n\nQuestion: Why?\nMore.\n", "9: column 1: the story goes on");
    check("He <CSC_start>  <CSC_end> limps.\n", "6: column 4: a mark without a letter or digit");
}

#[test]
fn a_mark_holds_words_and_whole_ones() {
    let check = |story: &str, says: Option<&str>| {
        let rows = read(&format!("{story}\n"));
        let problem = rows[0].as_ref().err();
        match says {
            Some(says) => assert!(problem.is_some_and(|it| it.contains(says)), "{story}: {problem:?}"),
            None => assert_eq!(problem, None, "{story}"),
        }
    };
    check("He has <CSC_start>,<CSC_end> a cough.", Some("without a letter or digit"));
    check("He has a co<CSC_start>ug<CSC_end>h.", Some("inside a word"));
    check("He has a <CSC_start>cou<CSC_end>gh.", Some("inside a word"));
    check("He weighs 1<CSC_start>20 kg<CSC_end>.", Some("inside a word"));
    check("He weighs 120<CSC_start>kg<CSC_end>, with a <CSC_start>T-wave<CSC_end>(<CSC_start>flat<CSC_end>).", None);
    check("\u{4ed6}<CSC_start>\u{53d1}\u{70e7}<CSC_end>\u{4e86}", None);
}

#[test]
fn a_phrase_after_a_blank_that_does_not_break_is_found() {
    let text = "He has\u{a0}fever\u{a0}(high) now.";
    let (spans, _) = locate(text, &["fever"]);
    assert_eq!(spans[0].of(text), "fever");
}

#[test]
fn a_column_of_spans_that_the_table_lacks_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.csv");
    std::fs::write(&table, "text,spans\nA man has a fever.,fever\n").unwrap();
    let mapping = folder.path().join("m.toml");
    std::fs::write(&mapping, "text = \"text\"\n[spans]\nby = \"phrases\"\ncolumn = \"nope\"\n").unwrap();
    let options = ImportOptions { mapping: Some(mapping), ..ImportOptions::default() };
    let rows: Vec<_> = Import::open(Kind::Csv, &table, &options).unwrap().collect();
    let told = rows[0].as_ref().unwrap_err().to_string();
    assert!(told.contains("has no column `nope`; the columns are text, spans"), "{told}");
}

#[test]
fn marks_written_otherwise_are_told_and_not_sent_to_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cases.txt");
    for mark in ["<csc_start>fever<csc_end>", "<CSC_start>fever</CSC_end>", "<Csc_Start>fever<CSC_end>"] {
        std::fs::write(&file, format!("Id: one\n\nA man has a {mark}.\n\nQuestion: Why?\n")).unwrap();
        let rows: Vec<_> = Import::open(Kind::Tagged, &file, &ImportOptions::default()).unwrap().collect();
        let told = rows[0].as_ref().unwrap_err().to_string();
        assert!(told.contains("write <CSC_start> and <CSC_end>"), "{mark}: {told}");
    }
}

#[test]
fn a_line_that_is_no_json_is_told_and_the_next_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("q.jsonl");
    std::fs::write(
        &file,
        "{\"question\": \"A man coughs. Why?\", \"options\": {\"A\": \"Flu\"}, \"answer_idx\": \"A\"}\nno\n{}\n",
    )
    .unwrap();
    let rows: Vec<_> = Import::open(Kind::MedQa, &file, &ImportOptions::default()).unwrap().collect();
    assert!(rows[0].is_ok());
    assert!(rows[1].as_ref().unwrap_err().to_string().starts_with("q.jsonl, line 2: is no MedQA item"));
    assert!(rows[2].as_ref().unwrap_err().to_string().contains("is no MedQA item"));
}

#[test]
fn options_are_called_by_letters_whatever_the_file_calls_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("q.jsonl");
    let named = |first: &str, second: &str, answer: &str| {
        format!(
            r#"{{"question": "A man {first} coughs. Why?", "options": {{"{first}": "Flu", "{second}": "Asthma"}}, "answer_idx": "{answer}"}}"#
        )
    };
    let rows = [named("1", "2", "2"), named("a", "b", "b"), named("A", "D", "D"), named("yes", "no", "Asthma")];
    std::fs::write(&file, rows.join("\n")).unwrap();
    let rows = Import::open(Kind::MedQa, &file, &ImportOptions::default()).unwrap();
    let rows: Vec<_> = rows.map(Result::unwrap).collect();
    let labels = |at: usize| -> Vec<&str> { rows[at].options.iter().map(|option| option.label.as_str()).collect() };
    for at in [0, 1, 3] {
        assert_eq!((labels(at), rows[at].answer.as_deref()), (vec!["A", "B"], Some("B")), "row {at}");
    }
    assert_eq!((labels(2), rows[2].answer.as_deref()), (vec!["A", "D"], Some("D")), "letters stay as they are");
}

#[test]
fn a_table_that_is_saved_otherwise_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (file, mapping) = (folder.path().join("q.csv"), folder.path().join("m.toml"));
    std::fs::write(&mapping, "text = 'text'\nanswer = 'right'\n").unwrap();
    let options = ImportOptions { mapping: Some(mapping), max_spans: None };
    for (table, told) in [
        ("\"text,right\"\n\"A man coughs. Why?,Flu\"\n", "line 1: the head is one cell: do its quotes stand around"),
        ("text,right\nA man coughs. Why?\n", "has 1 cell, and the head has 2"),
    ] {
        std::fs::write(&file, table).unwrap();
        let error = Import::open(Kind::Csv, &file, &options).unwrap().next().unwrap().unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn a_table_of_semicolons_or_tabs_is_the_one_of_commas() {
    let folder = tempfile::tempdir().unwrap();
    let (file, mapping) = (folder.path().join("q.csv"), folder.path().join("m.toml"));
    std::fs::write(&mapping, "id = 'case'\ntext = 'text'\nanswer = 'right'\n").unwrap();
    let options = ImportOptions { mapping: Some(mapping), max_spans: None };
    let read = |table: &str| -> Vec<_> {
        std::fs::write(&file, table).unwrap();
        Import::open(Kind::Csv, &file, &options).unwrap().collect()
    };
    let commas = read("case,text,right\nc1,\"A man coughs; he limps, too. Why?\",Flu\n");
    assert!(matches!(commas.as_slice(), [Ok(vignette)] if vignette.text.contains("limps")), "{commas:?}");
    let semicolons = read("\u{feff}case;text;right\r\nc1;\"A man coughs; he limps, too. Why?\";Flu\r\n");
    let tabs = read("case\ttext\tright\nc1\tA man coughs; he limps, too. Why?\tFlu\n");
    assert!(semicolons == commas && tabs == commas, "{semicolons:?} {tabs:?}");
}

#[test]
fn more_options_than_letters_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let (file, mapping) = (folder.path().join("q.csv"), folder.path().join("m.toml"));
    let many: Vec<String> = (0..27).map(|n| format!("'option {n}'")).collect();
    std::fs::write(&file, format!("text,choices\nA man coughs. Why?,\"[{}]\"\n", many.join(", "))).unwrap();
    std::fs::write(&mapping, "text = 'text'\noptions_list = 'choices'\n").unwrap();
    let options = ImportOptions { mapping: Some(mapping), max_spans: None };
    let told = Import::open(Kind::Csv, &file, &options).unwrap().next().unwrap().unwrap_err().to_string();
    assert!(told.contains("it has 27 options, more than there are letters"), "{told}");
}

#[test]
fn phrases_are_found_whatever_their_case_and_punctuation() {
    let text = "A 4-year-old boy has a rash. Severe itching, fever.";
    let (spans, missing) = locate(text, &["4 year old boy", "severe itching", "cough"]);
    let found: Vec<&str> = spans.iter().map(|span| span.of(text)).collect();
    assert_eq!((found, missing), (vec!["4-year-old boy", "Severe itching"], vec!["cough".to_owned()]));
}

#[test]
fn a_quotation_within_a_finding_keeps_both_its_quotes() {
    let check = |text: &str, phrase: &str, expected: &str| {
        let (spans, missing) = locate(text, &[phrase]);
        assert_eq!(missing, Vec::<String>::new());
        assert_eq!(spans[0].of(text), expected, "{text}");
    };
    check("The man said \"help\" and fell.", "said \"help\"", "said \"help\"");
    check("He said \"help.\" He fell.", "said \"help\"", "said \"help.\"");
    check("He said \u{201c}help\u{201d}.", "said \"help\"", "said \u{201c}help\u{201d}");
    check("He said 'help', and fell.", "said 'help'", "said 'help'");
    check("\"Help\" he said.", "\"help\" he said", "\"Help\" he said");
    // Around all of it, quotes are the story's.
    check("He complains of \"chest pain\".", "chest pain", "chest pain");
    check("He says: \"My chest hurts. I sweat.\"", "I sweat", "I sweat");
    check("The patient's chest hurts.", "patient's chest", "patient's chest");
}

#[test]
fn suggested_spans_come_with_their_reason() {
    let knowledge = waterjar_knowledge::starter::base().unwrap();
    let text = "A 60-year-old man has crushing chest pain that spreads to his left arm. He reads a book. His troponin is elevated.";
    let found = suggest_spans(text, &knowledge);
    let words: Vec<&str> = found.iter().map(|suggestion| suggestion.span.of(text)).collect();
    assert!(words.iter().any(|words| words.contains("left arm")), "{found:?}");
    assert!(words.iter().any(|words| words.contains("elevated")), "{found:?}");
    assert!(!words.iter().any(|words| words.contains("book")), "{found:?}");
}

#[test]
fn a_directory_is_refused_with_what_to_do_and_not_read_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    let mapping = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(mapping.path(), "text = \"story\"\n").unwrap();
    let options = ImportOptions { mapping: Some(mapping.path().to_owned()), ..ImportOptions::default() };
    for (name, kind) in Kind::ALL {
        let told = Import::open(kind, folder.path(), &options).unwrap_err().to_string();
        assert!(told.ends_with(": cannot be read: Is a directory; name the file in it"), "{name}: {told}");
    }
}

#[test]
fn a_row_without_a_story_is_no_medqa_item() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    let check = |row: &str, says: &str| {
        std::fs::write(&path, row).unwrap();
        let told = Import::open(Kind::MedQa, &path, &ImportOptions::default()).unwrap().next().unwrap();
        assert!(told.as_ref().is_err_and(|bad| bad.to_string().contains(says)), "{told:?}");
    };
    let asks = "Which of the following is the most likely diagnosis for the patient?";
    check(&format!(r#"{{"question": "{asks}", "context": ["A man coughs."], "options": {{}}}}"#), "import it as mediq");
    check(&format!(r#"{{"question": "{asks}", "options": {{}}}}"#), "tells no story");
}

/// The rows of a table of cases with four options and findings.
fn cases(rows: &str) -> Vec<Result<Vignette, BadRow>> {
    let folder = tempfile::tempdir().unwrap();
    let (table, mapping) = (folder.path().join("c.csv"), folder.path().join("m.toml"));
    std::fs::write(&table, format!("case,story,a,b,c,d,right,findings\n{rows}")).unwrap();
    let columns = "id = 'case'\ntext = 'story'\noptions = ['a', 'b', 'c', 'd']\nanswer = 'right'\n";
    std::fs::write(&mapping, format!("{columns}[spans]\nby = 'phrases'\ncolumn = 'findings'\n")).unwrap();
    let options = ImportOptions { mapping: Some(mapping), ..ImportOptions::default() };
    match Import::open(Kind::Csv, &table, &options) {
        Ok(import) => import.collect(),
        Err(error) => {
            vec![Err(BadRow { file: error.place, line: 0, problem: error.problem })]
        }
    }
}

#[test]
fn a_quote_that_is_not_closed_takes_in_no_other_case() {
    let rows = "c3,\"A 50-year-old man has pain.,w,x,y,z,A,pain\nc1,\"A 54-year-old man, a smoker, has pain.\",w,x,y,z,A,pain\n";
    let told = cases(rows)[0].as_ref().unwrap_err().to_string();
    assert!(told.contains("c.csv, line 2") && told.contains("closed in line 3 before `A 54-year-old man`"), "{told}");
    let told = cases("c1,\"A man \"who says\" hello has pain.\",w,x,y,z,A,pain\n")[0].as_ref().unwrap_err().to_string();
    assert!(told.contains("line 2") && told.contains("before `who says\" hello"), "{told}");
    let fine = cases("c1,\"A man \"\"who says\"\" hello,\nhas pain.\",w,x,y,z,A,pain\n");
    assert_eq!(fine[0].as_ref().unwrap().text, "A man \"who says\" hello,\nhas pain.");
}

#[test]
fn options_and_answers_that_could_mean_two_things_are_refused() {
    let check = |options: &str, problem: Option<&str>| {
        let rows = cases(&format!("c1,A man has pain.,{options},pain\n"));
        match problem {
            None => assert!(rows[0].is_ok(), "{rows:?}"),
            Some(problem) => assert!(rows[0].as_ref().unwrap_err().to_string().contains(problem), "{rows:?}"),
        }
    };
    check("Same,Same,c,d,A", Some("c.csv, line 2: options A and B are both `Same`"));
    check("B,A,c,d,B", Some("the answer `B` is the name of option B and the words of option A"));
    check("B,A,x,y,C", None);
    check("A,B,AB,0,B", None);
    check("Aa,AA,x,y,A", None);
}

#[test]
fn findings_that_overlap_are_refused() {
    let told = |findings: &str| cases(&format!("c1,A man has chest pain and pain.,w,x,y,z,A,{findings}\n"))[0].clone();
    let overlapping = told("chest pain;pain").unwrap_err().to_string();
    assert!(overlapping.contains("line 2: `pain` overlaps the finding `chest pain`: take one"), "{overlapping}");
    assert_eq!(told("chest pain").unwrap().spans.len(), 1);
}

#[test]
fn an_ablation_that_still_tells_its_finding_is_not_clean() {
    let rows =
        cases("c1,\"A man has pain, pain and pain.\",w,x,y,z,A,pain\nc2,A man has pain and fever.,w,x,y,z,A,fever\n");
    let unsure = |at: usize| waterjar_vignettes::ablate(rows[at].as_ref().unwrap(), 0).warnings;
    assert!(unsure(0).iter().any(|it| it.why.starts_with("`pain` is told elsewhere, too")), "{:?}", unsure(0));
    assert_eq!(unsure(1), []);
}
