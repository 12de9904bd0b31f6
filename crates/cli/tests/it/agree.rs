//! `waterjar agree`

use crate::sample::Desk;

/// Two raters: 20 times both yes, 15 times both no, 5 and 10 times apart (specs.md 10.4: κ = 0.4).
fn ratings() -> Vec<(&'static str, &'static str)> {
    let times = [(20, ("yes", "yes")), (5, ("yes", "no")), (10, ("no", "yes")), (15, ("no", "no"))];
    times.into_iter().flat_map(|(n, pair)| std::iter::repeat_n(pair, n)).collect()
}

fn csv() -> String {
    let rows = ratings().into_iter().enumerate().map(|(at, (a, b))| format!("{at},{a},{b}\n"));
    "item,anna,ben\n".to_owned() + &rows.collect::<String>()
}

#[test]
fn agreement_has_the_shape_of_metrics() {
    let desk = Desk::new();
    desk.write("ratings.csv", csv());
    let metrics = desk.done("agree ratings.csv --json").json();
    assert_eq!((&metrics["schema"], &metrics["study"]), (&"waterjar.metrics/1".into(), &"agree".into()));
    let result = &metrics["results"][0];
    assert_eq!((&result["suite"], &result["n"], &result["missing"]), (&"agreement".into(), &50.into(), &0.into()));
    let kappa = &result["metrics"]["cohen_kappa"];
    assert_eq!((&kappa["value"], &kappa["n"]), (&0.4.into(), &50.into()), "{}", result["metrics"]);
    assert!(kappa["low"].as_f64() < Some(0.4) && kappa["high"].as_f64() > Some(0.4), "{kappa}");
    let table = desk.done("agree ratings.csv").stdout;
    assert!(table.starts_with("50 items, 2 raters, 0 ratings missing"), "{table}");
}

#[test]
fn json_lines_say_the_same_as_csv() {
    let desk = Desk::new();
    desk.write("ratings.csv", csv());
    let line = |at: usize, rater: &str, rating: &str| {
        format!("{{\"item\":\"{at:02}\",\"rater\":\"{rater}\",\"rating\":\"{rating}\"}}\n")
    };
    let lines = ratings().into_iter().enumerate().map(|(at, (a, b))| line(at, "anna", a) + &line(at, "ben", b));
    desk.write("ratings.jsonl", lines.collect::<String>());
    assert_eq!(desk.done("agree ratings.csv --json").stdout, desk.done("agree ratings.jsonl --json").stdout);
}

#[test]
fn a_table_is_read_however_a_spreadsheet_has_saved_it() {
    let desk = Desk::new();
    desk.write("ratings.csv", csv());
    let told = desk.done("agree ratings.csv --json").stdout;
    for parts in [",", ";", "\t"] {
        desk.write("saved.csv", format!("\u{feff}{}", csv().replace(',', parts).replace('\n', "\r\n")));
        assert_eq!(desk.done("agree saved.csv --json").stdout, told, "{parts:?}");
    }
    let line = |at: usize| format!("{{\"item\":{at:?},\"rater\":\"anna\",\"rating\":1}}\n", at = at.to_string());
    let other = line(1).replace("anna", "ben");
    desk.write("ratings.jsonl", format!("\u{feff}{}{other}", line(1)));
    desk.done("agree ratings.jsonl");
}

#[test]
fn raters_who_always_agree_are_not_known_to_agree_always() {
    let desk = Desk::new();
    let rows = |n: usize| (0..n).map(|at| format!("{at},{0},{0}\n", at % 2)).collect::<String>();
    desk.write("few.csv", format!("item,anna,ben\n{}", rows(19)));
    desk.write("many.csv", format!("item,anna,ben\n{}", rows(40)));
    let ended = desk.done("agree few.csv --json");
    let metrics = ended.json();
    for (name, metric) in metrics["results"][0]["metrics"].as_object().unwrap() {
        assert!(metric["low"].is_null() && metric["value"] == 1.0, "{name}: {metric}");
    }
    assert!(ended.stderr.contains("19 items were rated by two or more: no intervals"), "{}", ended.stderr);
    let ended = desk.done("agree many.csv --json");
    let metrics = ended.json();
    for (name, metric) in metrics["results"][0]["metrics"].as_object().unwrap() {
        assert!(metric["low"].is_null() || name == "raw_agreement", "{name}: {metric}");
    }
    // Wilson's interval of 40 of 40.
    let raw = &metrics["results"][0]["metrics"]["raw_agreement"];
    assert!((raw["low"].as_f64().unwrap() - 0.912377).abs() < 1e-4 && raw["high"] == 1.0, "{raw}");
    assert!(!ended.stderr.contains("no intervals"), "{}", ended.stderr);
}

#[test]
fn raters_and_categories_are_named_and_a_column_that_is_no_rater_is_told() {
    let desk = Desk::new();
    desk.write("ages.csv", "item,anna,ben,age\n1,Yes,yes,63\n2,yes ,yes,41\n3,no,No,55\n");
    let ended = desk.done("agree ages.csv");
    assert!(ended.stdout.contains("\nraters: anna, ben, age\n"), "{}", ended.stdout);
    assert!(ended.stderr.contains("`age` counts as a rater and looks like none"), "{}", ended.stderr);
    assert!(ended.stderr.contains("--items 'item,age'"), "{}", ended.stderr);
    let told = desk.done("agree ages.csv --json").json();
    assert_eq!(told["raters"], serde_json::json!(["anna", "ben", "age"]));
    assert_eq!(told["notes"].as_array().map(Vec::len), Some(1), "{told}");
    let ended = desk.done("agree ages.csv --items item,age --json");
    let told = ended.json();
    assert_eq!(told["raters"], serde_json::json!(["anna", "ben"]));
    assert_eq!(told["categories"], serde_json::json!(["no", "yes"]), "neither case nor white space is a category");
    assert_eq!(told["results"][0]["metrics"]["gwet_ac1"]["value"], 1.0);
    assert!(told["notes"].is_null() && !ended.stderr.contains("looks like none"), "{}", ended.stderr);
}

#[test]
fn items_may_be_numbered_and_are_there_once() {
    let line = |rater: &str, item: &str| format!("{{\"item\":{item},\"rater\":\"{rater}\",\"rating\":1}}\n");
    let desk = Desk::new();
    desk.write("ratings.jsonl", line("anna", "7") + &line("ben", "\"7\""));
    assert_eq!(desk.done("agree ratings.jsonl --json").json()["results"][0]["missing"], 0);
    check("x.csv", "item,anna,ben\n1,a,a\n\n1,b,a\n", "error: x.csv, line 4: item `1` is there twice, first in line 2");
    desk.write("parts.csv", "case,subject,anna,ben\n1,one,a,a\n1,two,b,b\n2,one,a,b\n");
    desk.done("agree parts.csv");
    desk.write("variants.csv", "case,variant,anna,ben\n1,control,a,a\n1,trap,b,b\n");
    desk.done("agree variants.csv --items case,variant");
}

fn check(name: &str, content: impl AsRef<[u8]>, says: &str) {
    let desk = Desk::new();
    desk.write(name, content);
    let ended = desk.waterjar(&format!("agree {name} --json"));
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
    assert!(ended.stderr.contains(says), "{}", ended.stderr);
}

#[test]
fn a_bad_table_is_told_with_its_line() {
    check("x.csv", "item,anna,ben\n1,yes,no\n2,yes\n", "error: x.csv, line 3: ");
    check("x.csv", "item,anna,ben\r\n1,yes,no\r\n2,yes\r\n", "error: x.csv, line 3: has 2 cells, where the head has 3");
    check("x.csv", "item,anna\n1,yes\n", "error: x.csv: fewer than two columns are raters");
    check(
        "x.jsonl",
        "{\"item\":\"1\",\"rater\":\"a\",\"rating\":1}\n{\"item\":\"1\",\"rat",
        "error: x.jsonl, line 2: EOF",
    );
    let twice = "{\"item\":\"1\",\"rater\":\"a\",\"rating\":1}\n".repeat(2);
    check("x.jsonl", twice, "error: x.jsonl, line 2: `a` rated `1` twice");
    check("x.txt", "", "error: x.txt: is neither .csv nor .jsonl");
}

#[test]
fn a_table_without_ratings_is_refused() {
    check("x.csv", "item,anna,ben\n", "error: x.csv: ");
    check("x.jsonl", "", "error: x.jsonl: ");
}

#[test]
fn a_rating_outside_the_declared_scale_is_refused() {
    let desk = Desk::new();
    desk.write("ratings.csv", csv());
    let ended = desk.waterjar("agree ratings.csv --categories yes,perhaps");
    assert_eq!(ended.code, Some(2), "{}", ended.stdout);
    assert!(ended.stderr.contains("ratings.csv") && ended.stderr.contains("no"), "{}", ended.stderr);
}

#[test]
fn words_have_no_order_until_it_is_declared() {
    let desk = Desk::new();
    desk.write("words.csv", "item,a,b\n1,low,low\n2,high,medium\n3,medium,medium\n");
    let ended = desk.waterjar("agree words.csv --scale ordinal");
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.stderr.contains("`low` is not a number") && ended.stderr.contains("--categories"),
        "{}",
        ended.stderr
    );
    desk.done("agree words.csv --scale ordinal --categories low,medium,high");
}

#[test]
fn one_and_one_point_nought_are_the_same_rating() {
    let desk = Desk::new();
    desk.write("numbers.csv", "item,a,b\n1,1,1.0\n2,2.0,2\n3,3,3\n");
    let table = desk.done("agree numbers.csv --scale ordinal").stdout;
    assert!(table.contains("categories: 1, 2, 3"), "{table}");
}
