//! `waterjar import`

use crate::sample::Desk;
use std::sync::Arc;
use waterjar_core::Seed;
use waterjar_knowledge::{ddxplus, simulate::Simulated, starter};

/// A folder in the layout of DDXPlus, made of our own patients.
pub fn ddxplus_folder(desk: &Desk, patients: u64) {
    let base = Arc::new(starter::base().unwrap());
    let folder = desk.path("ddxplus");
    std::fs::create_dir(&folder).unwrap();
    ddxplus::write_knowledge(&base, &folder).unwrap();
    let source = Simulated::for_test(Arc::clone(&base), Seed(7), patients);
    let file = std::fs::File::create(folder.join("patients.csv")).unwrap();
    ddxplus::write_csv(&base, source.facts().map(|(_, facts)| facts), file).unwrap();
}

#[test]
fn patients_become_cases_a_line_each() {
    let desk = Desk::new();
    ddxplus_folder(&desk, 120);
    let ended = desk.done("import ddxplus ddxplus");
    assert_eq!((ended.stdout.lines().count(), ended.stderr.trim()), (120, "120 cases"));
    let case: serde_json::Value = serde_json::from_str(ended.stdout.lines().next().unwrap()).unwrap();
    assert!(case["text"].as_str().unwrap().starts_with("Sex: ") && case["facts"]["condition"].is_string(), "{case}");
    desk.done("import ddxplus ddxplus/patients.csv --knowledge ddxplus --out cases.jsonl");
    assert_eq!(desk.read("cases.jsonl"), ended.stdout);
    assert_eq!(desk.names("."), ["cases.jsonl", "ddxplus"]);
}

#[test]
fn a_broken_file_leaves_nothing_behind() {
    let desk = Desk::new();
    ddxplus_folder(&desk, 50);
    let whole = desk.read("ddxplus/patients.csv");
    desk.write("ddxplus/patients.csv", &whole[..whole.len() * 2 / 3]);
    desk.write("cases.jsonl", "");
    let ended = desk.waterjar("import ddxplus ddxplus --out cases.jsonl");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("patients.csv, line ") && ended.stderr.contains("hint: "), "{}", ended.stderr);
    assert_eq!(
        (desk.names("."), desk.read("cases.jsonl")),
        (vec!["cases.jsonl".to_owned(), "ddxplus".to_owned()], String::new())
    );
}

#[test]
fn nothing_that_is_there_is_written_over() {
    let desk = Desk::new();
    ddxplus_folder(&desk, 5);
    desk.write("study.toml", "[study]\n");
    let ended = desk.waterjar("import ddxplus ddxplus --out study.toml");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("study.toml: is there already"), "{}", ended.stderr);
    assert_eq!(desk.read("study.toml"), "[study]\n");
}

#[test]
fn a_place_that_cannot_be_written_is_told() {
    let desk = Desk::new();
    ddxplus_folder(&desk, 5);
    let ended = desk.waterjar("import ddxplus ddxplus --out nowhere/cases.jsonl");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("nowhere/cases") && ended.stderr.contains("cannot be written"), "{}", ended.stderr);
}

const ITEMS: &str = "{\"question\": \"A 40-year-old man has a hot red toe. What is it?\", \"options\": {\"A\": \"Gout\", \"B\": \"Asthma\"}, \
                     \"answer_idx\": \"A\", \"metamap_phrases\": [\"hot red toe\"]}\n";

#[test]
fn vignettes_become_text_that_a_study_can_ask() {
    let desk = Desk::new();
    desk.write("items.jsonl", ITEMS);
    let ended = desk.done("import vignettes medqa items.jsonl");
    assert_eq!(ended.stderr.trim(), "1 vignette, 1 finding");
    assert!(ended.stdout.contains("has a <CSC_start>hot red toe<CSC_end>."), "{}", ended.stdout);
    desk.done("import vignettes medqa items.jsonl --out marked.txt");
    assert_eq!(desk.read("marked.txt"), ended.stdout);
    let again = desk.done("import vignettes tagged marked.txt");
    assert_eq!(again.stdout, ended.stdout, "what is written reads back");
    let study = "[study]\nname = \"x\"\nseed = 7\n[[suite]]\nkind = \"parity\"\nsource = \"tagged:marked.txt\"\nablations = true\n\
                 [[subject]]\nagent = \"plain\"\nmodel = \"reference\"\n";
    desk.write("study.toml", study);
    assert_eq!(desk.done("vary study.toml --out run --json").json()[0]["families"], 2);
}

#[test]
fn bad_rows_of_a_table_are_told_together() {
    let desk = Desk::new();
    desk.write("cases.csv", "story,right\nHe coughs.,Flu\n,Flu\nHe limps.,\n,Gout\n");
    desk.write("columns.toml", "text = \"story\"\nanswer = \"right\"\n");
    let ended = desk.waterjar("import vignettes csv cases.csv --mapping columns.toml");
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
    let told = "error: cases.csv, line 3: `story` is empty: fill it in or take the row out (also line 5)\n  \
                line 4: `right` is empty: fill it in or take the row out\n";
    assert!(ended.stderr.starts_with(told), "{}", ended.stderr);
}

#[test]
fn what_is_wrong_with_a_whole_table_is_told_once() {
    let desk = Desk::new();
    desk.write("columns.toml", "text = \"story\"\nanswer = \"right\"\n");
    let check = |table: &str, says: &str| {
        desk.write("cases.csv", table);
        let ended = desk.waterjar("import vignettes csv cases.csv --mapping columns.toml");
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{table}");
        assert!(ended.stderr.starts_with(&format!("error: cases.csv{says}\n")), "{table}: {}", ended.stderr);
    };
    check("", ": holds no rows, and so no vignettes");
    check("story,right\n", ": holds no rows, and so no vignettes");
    check("story,right\n,\n , \n", ": holds no rows, and so no vignettes");
    check(
        "stroy,right\nHe coughs.,Flu\nHe limps.,Gout\n",
        ", line 1: has no column `story` (did you mean `stroy`?); the columns are stroy, right",
    );
    check(
        "\"story,right\"\n\"He coughs.,Flu\"\n",
        ", line 1: the head is one cell: do its quotes stand around the whole row? They belong around a cell",
    );
    let ended = desk.waterjar("import vignettes csv nope.csv --mapping columns.toml");
    assert!(ended.stderr.starts_with("error: nope.csv: cannot be read: "), "{}", ended.stderr);
}

#[test]
fn a_text_without_vignettes_is_refused_as_a_table_is() {
    let desk = Desk::new();
    for text in ["", "----\n----\n"] {
        desk.write("cases.txt", text);
        let ended = desk.waterjar("import vignettes tagged cases.txt");
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{text:?}");
        let told = "error: cases.txt: holds no rows, and so no vignettes\n";
        assert!(ended.stderr.starts_with(told), "{text:?}: {}", ended.stderr);
    }
}

#[test]
fn a_table_gives_the_same_vignettes_wherever_it_was_saved() {
    let desk = Desk::new();
    desk.write("columns.toml", "text = \"story\"\nanswer = \"right\"\n");
    let table = "story,right\n\"He coughs.\nHe is hot.\",Flu\n,\nHe limps.,Gout\n";
    let read = |table: &str| {
        desk.write("cases.csv", table);
        desk.done("import vignettes csv cases.csv --mapping columns.toml").stdout
    };
    let here = read(table);
    assert!(here.contains("He coughs.\nHe is hot.") && here.contains("He limps."), "{here}");
    let elsewhere = read(&table.replace('\n', "\r\n"));
    assert!(!elsewhere.contains('\r'), "{elsewhere:?}");
    assert!(elsewhere.contains("He coughs.\nHe is hot."), "{elsewhere}");
}

#[test]
fn vignettes_that_cannot_be_read_are_told_with_their_line() {
    let desk = Desk::new();
    desk.write("items.jsonl", format!("{ITEMS}no\n"));
    let check = |words: &str, says: &str| {
        let ended = desk.waterjar(words);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{words}");
        assert!(ended.stderr.contains(says), "{words}: {}", ended.stderr);
    };
    check("import vignettes medqa items.jsonl", "items.jsonl, line 2: is no MedQA item");
    check("import vignettes medqa nowhere.jsonl", "error: nowhere.jsonl: cannot be read: No such file");
    check("import vignettes tagged .", "error: .: cannot be read: Is a directory; name the file in it");
    check("import vignettes csv items.jsonl", "error: items.jsonl: a table needs a mapping file");
    check("import vignettes medqa items.jsonl --out items.jsonl", "would be overwritten");
    check("import vignettes medq items.jsonl", "[possible values: medqa, equityguard, diversity-medqa");
}

#[test]
fn what_is_odd_about_vignettes_is_told_at_import_and_before_anybody_answers() {
    let desk = Desk::new();
    let rows =
        "c1,\"A man has pain, pain and cough.\",Flu,Gout,A,pain\nc2,\"A man has  pain, pain and cough.\",Flu,Gout,A,\n";
    desk.write("cases.csv", format!("case,story,a,b,right,findings\n{rows}"));
    let columns = "id = 'case'\ntext = 'story'\noptions = ['a', 'b']\nanswer = 'right'\n";
    desk.write("columns.toml", format!("{columns}[spans]\nby = 'phrases'\ncolumn = 'findings'\n"));
    let ended = desk.done("import vignettes csv cases.csv --mapping columns.toml");
    for told in ["1 vignette tells the story of another", "`c2` that of `c1`", "“pain” of `c1` (2 times)"] {
        assert!(ended.stderr.contains(told), "{told}: {}", ended.stderr);
    }
    let study = "[study]\nname = \"x\"\nseed = 7\n[[suite]]\nkind = \"parity\"\nsource = \"csv:cases.csv\"\nmapping = \"columns.toml\"\n\
                 ablations = true\n[[subject]]\nagent = \"plain\"\nmodel = \"reference\"\n";
    desk.write("study.toml", study);
    let ended = desk.done("vary study.toml --out run");
    for told in ["warning: suite `parity`: 1 of 2 vignettes has no finding marked", "`c2` that of `c1`"] {
        assert!(ended.stderr.contains(told), "{told}: {}", ended.stderr);
    }
    desk.write("columns.toml", columns);
    let ended = desk.done("vary study.toml --out other");
    assert!(ended.stderr.contains("`ablations = true`, but no vignette has a finding marked"), "{}", ended.stderr);
}

#[test]
fn a_table_or_study_in_another_encoding_is_told_how_to_save_it() {
    let desk = Desk::new();
    let in_16 = |text: &str| -> Vec<u8> {
        [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect()
    };
    desk.write("cases.csv", in_16("story,right\nHe coughs.,Flu\n"));
    desk.write("columns.toml", "text = \"story\"\nanswer = \"right\"\n");
    desk.write("study.toml", in_16("[study]\n"));
    for (command, told) in [
        (
            "import vignettes csv cases.csv --mapping columns.toml",
            "error: cases.csv: is written in UTF-16\nhint: save it as UTF-8",
        ),
        ("run study.toml", "error: study.toml: is not written in UTF-8\nhint: save it as UTF-8"),
    ] {
        let ended = desk.waterjar(command);
        assert_eq!(ended.code, Some(2), "{command}");
        assert!(ended.stderr.contains(told), "{command}: {}", ended.stderr);
    }
}

#[test]
fn patients_in_one_folder_and_knowledge_in_another_are_found() {
    let desk = Desk::new();
    ddxplus_folder(&desk, 5);
    let all = desk.done("import ddxplus ddxplus").stdout;
    assert_eq!(desk.done("import ddxplus ddxplus --knowledge ddxplus").stdout, all);
}
