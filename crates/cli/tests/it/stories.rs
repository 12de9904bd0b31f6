//! Is the key right? `waterjar export RUN --stories`, `waterjar agree FILE --key RUN`.

use crate::sample::{Desk, Ended, result};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use waterjar_core::ConditionId;
use waterjar_knowledge::starter;

/// A story as the run has it. Diagnoses are named as people name them.
#[derive(Clone, Debug)]
struct Known {
    id: String,
    family: String,
    role: String,
    right: String,
    /// What was right for the control.
    old: String,
}

/// The stories of the run, by text.
fn known(desk: &Desk, run: &str) -> BTreeMap<String, Known> {
    let base = starter::base().unwrap();
    let name = |id: &Value| {
        let id = id.as_str().unwrap();
        base.condition(&ConditionId::from(id)).map_or_else(|| id.to_owned(), |it| it.name.clone())
    };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let variants = desk.lines(&format!("{run}/variants.jsonl"));
    let flips = |it: &&Value| it["expectation"]["kind"] == "flips";
    let pairs: BTreeMap<String, (String, String)> = variants
        .iter()
        .filter(flips)
        .map(|it| (text(&it["family"]), (name(&it["expectation"]["from"]), name(&it["expectation"]["to"]))))
        .collect();
    let known = |it: &Value| {
        let (old, new) = pairs.get(&text(&it["family"])).filter(|_| it["suite"] == "einstellung")?.clone();
        let role = it["intervention"]["name"].as_str().unwrap_or("control").to_owned();
        let right = if role == "trap" { new } else { old.clone() };
        Some((text(&it["text"]), Known { id: text(&it["id"]), family: text(&it["family"]), role, right, old }))
    };
    variants.iter().filter_map(known).collect()
}

/// A row of the sheet: item, story, the two diagnoses.
type Row = [String; 4];

fn rows(desk: &Desk, sheet: &str) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(desk.path(sheet)).unwrap();
    let head: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    assert_eq!(head, ["item", "story", "diagnosis_a", "diagnosis_b", "rater_1"]);
    let row = |record: csv::StringRecord| -> Row {
        assert_eq!(&record[4], "", "nobody has written yet");
        [0_usize, 1, 2, 3].map(|at| record[at].to_owned())
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

/// `a` or `b`
fn letter(row: &Row, diagnosis: &str) -> String {
    assert!(row[2] == diagnosis || row[3] == diagnosis, "{diagnosis} is none of {row:?}");
    let letter = if row[2] == diagnosis { "a" } else { "b" };
    letter.to_owned()
}

/// Who writes what into a row.
type Rater<'a> = (&'a str, &'a dyn Fn(&Row, &Known) -> String);

fn fill(desk: &Desk, sheet: &str, run: &str, raters: &[Rater<'_>]) {
    let known = known(desk, run);
    let mut to = csv::Writer::from_path(desk.path("filled.csv")).unwrap();
    let about = ["item", "story", "diagnosis_a", "diagnosis_b"];
    to.write_record(about.into_iter().chain(raters.iter().map(|it| it.0))).unwrap();
    for row in rows(desk, sheet) {
        let said = raters.iter().map(|(_, says)| says(&row, &known[&row[1]]));
        to.write_record(row.iter().cloned().chain(said)).unwrap();
    }
    to.flush().unwrap();
}

fn follows_the_key(row: &Row, story: &Known) -> String {
    letter(row, &story.right)
}

fn says_the_old_one(row: &Row, story: &Known) -> String {
    letter(row, &story.old).to_uppercase()
}

/// The finished run with a sheet of all its stories.
fn desk() -> Desk {
    let desk = Desk::with_shared_run();
    desk.done("export run --stories stories.csv");
    desk
}

/// Pairs that come finished, as `run`; nobody is asked.
fn of_source(source: &str, content: &str, seed: u64) -> Desk {
    let desk = Desk::new();
    desk.write("source.jsonl", content);
    desk.write(
        "study.toml",
        format!(
            "[study]\nname = \"finished\"\nseed = {seed}\n\n[[suite]]\nkind = \"einstellung\"\nsource = \"{source}:source.jsonl\"\n\n\
             [[subject]]\nagent = \"plain\"\nmodel = \"sim/x\"\n\n\
             [models.\"sim/x\"]\nurl = \"http://127.0.0.1:9/v1\"\napi = \"openai\"\n"
        ),
    );
    desk.done("vary study.toml --out run");
    desk
}

const PAIRS: &str = include_str!("../../../suites/tests/fixtures/pairs.jsonl");

fn check(found: &Value, metric: &str, value: f64, n: usize) {
    let found = &found["metrics"][metric];
    assert_eq!((found["value"].as_f64(), found["n"].as_u64()), (Some(value), Some(n as u64)), "{metric}: {found}");
    // In all, versions of a patient are not independent, and a full sheet has no interval.
    let (low, high) = (found["low"].as_f64(), found["high"].as_f64());
    let is_of_all = metric == "key_agreement";
    assert!(is_of_all || low.is_some_and(|it| it <= value) && high.is_some_and(|it| it >= value), "{metric}: {found}");
}

fn refused(ended: &Ended, why: &str) {
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
    assert!(ended.stderr.contains(why) && ended.stderr.contains("\nhint: "), "no `{why}` in {}", ended.stderr);
}

#[test]
fn a_sheet_has_every_story_and_tells_neither_role_nor_family() {
    let desk = desk();
    let (known, rows) = (known(&desk, "run"), rows(&desk, "stories.csv"));
    assert_eq!(rows.len(), known.len());
    assert_eq!(rows.iter().map(|row| &row[0]).collect::<BTreeSet<_>>().len(), rows.len(), "a code each");
    for row in &rows {
        let Known { id, family, role, .. } = &known[&row[1]];
        let [item, _, a, b] = row;
        for cell in [item, a, b] {
            assert!([id, family, role].into_iter().all(|it| !cell.contains(it.as_str())), "{row:?}");
        }
        assert!(item.starts_with('s') && item.len() == 16, "{item}: no spreadsheet takes it for a number");
    }
    let first = rows.iter().filter(|row| row[2] == known[&row[1]].right).count();
    assert!(first * 4 > rows.len() && first * 4 < 3 * rows.len(), "{first} of {} are a", rows.len());
}

#[test]
fn the_versions_of_a_family_come_in_rounds() {
    let desk = desk();
    let known = known(&desk, "run");
    let families: Vec<String> = rows(&desk, "stories.csv").iter().map(|row| known[&row[1]].family.clone()).collect();
    let all: BTreeSet<&String> = families.iter().collect();
    let in_first_round: BTreeSet<&String> = families[..all.len()].iter().collect();
    assert_eq!(in_first_round, all);
    let neighbours = families.windows(2).filter(|two| two[0] == two[1]).count();
    assert!(neighbours <= 2, "only where a round ends: {neighbours}");
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let desk = desk();
    desk.done("export run --stories again.csv");
    assert!(desk.read("stories.csv") == desk.read("again.csv"));
    assert_eq!(desk.names("."), ["again.csv", "run", "stories.csv"]);
}

#[test]
fn who_follows_the_key_agrees_and_who_keeps_the_old_diagnosis_misses_the_traps() {
    let desk = desk();
    let known = known(&desk, "run");
    let of = |role: &str| known.values().filter(|it| it.role == role).count();
    let (controls, traps, shams) = (of("control"), of("trap"), of("sham"));
    assert!(controls == traps && traps == shams && traps > 10, "{controls} {traps} {shams}");
    let in_words: &dyn Fn(&Row, &Known) -> String = &|_, story| format!(" {} ", story.right.to_lowercase());
    fill(&desk, "stories.csv", "run", &[("anna", &follows_the_key), ("ben", in_words), ("carl", &says_the_old_one)]);

    let metrics = desk.done("agree filled.csv --key run --json").json();
    assert_eq!((&metrics["schema"], &metrics["study"]), (&"waterjar.metrics/1".into(), &"agree".into()));
    for rater in ["anna", "ben"] {
        let found = result(&metrics, rater);
        assert_eq!((found["n"].as_u64(), &found["missing"]), (Some(known.len() as u64), &0.into()));
        check(found, "key_agreement", 1.0, known.len());
        check(found, "key_agreement.trap", 1.0, traps);
    }
    let carl = result(&metrics, "carl");
    check(carl, "key_agreement.control", 1.0, controls);
    check(carl, "key_agreement.sham", 1.0, shams);
    check(carl, "key_agreement.trap", 0.0, traps);
    for by in ["purity", "place"] {
        let strata = carl["metrics"].as_object().unwrap().iter();
        let strata = strata.filter(|(name, _)| name.starts_with(&format!("key_agreement.{by}_")));
        let counted: u64 = strata.map(|(_, metric)| metric["n"].as_u64().unwrap()).sum();
        assert_eq!(counted, traps as u64, "every trap has a {by}");
    }
    // As letters they differ on the traps: anna and ben agree on all, each with carl on two of three.
    let between = &result(&metrics, "raters")["metrics"]["raw_agreement"];
    assert!((between["value"].as_f64().unwrap() - 7.0 / 9.0).abs() < 1e-5, "{between}");

    let without_key = desk.done("agree filled.csv").stdout;
    assert!(without_key.starts_with(&format!("{} items, 3 raters,", known.len())), "{without_key}");
    let told = desk.done("agree filled.csv --key run").stdout;
    assert!(told.starts_with("chose what the key says  "), "{told}");
    for part in
        ["\nall stories  ", "\ntrap, purity ", "\nunanswered  ", "\nIn percent.", " 3 raters, 0 ratings missing"]
    {
        assert!(told.contains(part), "no `{part}` in\n{told}");
    }
}

#[test]
fn what_is_not_answered_is_not_wrong() {
    let desk = desk();
    let rows = rows(&desk, "stories.csv");
    let (first, second) = (rows[0][0].clone(), rows[1][0].clone());
    let hesitant = |row: &Row, story: &Known| match &row[0] {
        item if *item == first => String::new(),
        item if *item == second => "unsure".to_owned(),
        _ => follows_the_key(row, story),
    };
    let silent = |_: &Row, _: &Known| String::new();
    fill(&desk, "stories.csv", "run", &[("rater_1", &silent), ("anna", &hesitant), ("note", &|_, _| "hm".to_owned())]);
    let ended = desk.done("agree filled.csv --key run --json");
    let metrics = ended.json();
    assert_eq!(metrics["results"].as_array().unwrap().len(), 1, "one rater has nobody to agree with: {metrics}");
    let anna = result(&metrics, "anna");
    assert_eq!((anna["n"].as_u64(), &anna["missing"]), (Some(rows.len() as u64), &2.into()));
    check(anna, "key_agreement", 1.0, rows.len() - 2);
    assert!(ended.stderr.contains("warning: row 3: anna says `unsure`, which is neither a ("), "{}", ended.stderr);
    assert!(ended.stderr.contains("nothing stands in the column `rater_1`"), "{}", ended.stderr);
    let told = desk.done("agree filled.csv --key run").stdout;
    let unanswered = told.lines().find(|line| line.starts_with("unanswered")).unwrap();
    assert!(unanswered.ends_with(" 2"), "{told}");
}

#[test]
fn a_sample_has_of_each_kind_its_share() {
    let desk = desk();
    let ended = desk.done("export run --stories few.csv --sample 12");
    assert!(ended.stderr.contains("12 stories → few.csv\n"), "{}", ended.stderr);
    let (known, few) = (known(&desk, "run"), rows(&desk, "few.csv"));
    let of = |role: &str| few.iter().filter(|row| known[&row[1]].role == role).count();
    assert_eq!((of("control"), of("trap"), of("sham")), (4, 4, 4));
    let families: BTreeSet<&str> = few.iter().map(|row| known[&row[1]].family.as_str()).collect();
    assert_eq!(families.len(), 12, "nobody is read twice");
    let all = rows(&desk, "stories.csv");
    assert!(few.iter().all(|row| all.contains(row)), "the same codes and the same order of diagnoses");
    assert!(!ended.stderr.contains("warning: "), "{}", ended.stderr);
    let ended = desk.done("export run --stories many.csv --sample 100000");
    assert!(desk.read("many.csv") == desk.read("stories.csv"), "there are no more");
    assert!(!ended.stderr.contains("warning: "), "{}", ended.stderr);

    fill(&desk, "few.csv", "run", &[("anna", &follows_the_key)]);
    let told = desk.done("agree filled.csv --key run --json").json();
    check(result(&told, "anna"), "key_agreement", 1.0, 12);
    assert!(result(&told, "anna")["metrics"]["key_agreement"]["low"].is_number(), "nobody is there twice: {told}");
    // Of the whole sheet ben answers the first round, in which every patient is read once.
    let patients = known.values().map(|it| &it.family).collect::<BTreeSet<_>>().len();
    let first: BTreeSet<&String> = all[..patients].iter().map(|row| &row[0]).collect();
    let in_part = |row: &Row, story: &Known| match first.contains(&row[0]) {
        true => follows_the_key(row, story),
        false => String::new(),
    };
    fill(&desk, "stories.csv", "run", &[("anna", &follows_the_key), ("ben", &in_part)]);
    let told = desk.done("agree filled.csv --key run --json").json();
    assert!(result(&told, "anna")["metrics"]["key_agreement"]["low"].is_null(), "{told}");
    assert!(result(&told, "ben")["metrics"]["key_agreement"]["low"].is_number(), "{told}");
    assert_eq!(desk.waterjar("export run --stories none.csv --sample 0").code, Some(2));
}

fn families<'a>(of: impl Iterator<Item = &'a Known>) -> usize {
    of.map(|it| &it.family).collect::<BTreeSet<_>>().len()
}

/// More stories than there are patients cannot be read without one of them twice.
#[test]
fn a_sample_tells_how_many_of_its_stories_are_of_patients_who_are_there_already() {
    let desk = desk();
    let known = known(&desk, "run");
    let wanted = families(known.values()) + 1;
    let ended = desk.done(&format!("export run --stories few.csv --sample {wanted}"));
    let few = rows(&desk, "few.csv");
    let twice = wanted - families(few.iter().map(|row| &known[&row[1]]));
    let told = ended.stderr.lines().find_map(|line| line.strip_prefix("warning: ")).unwrap();
    assert!(few.len() == wanted && told.starts_with(&format!("{twice} stor")), "{wanted}, {twice}: {told}");
    assert!(told.contains(" on the sheet already: too few have such stories ("), "{told}");
}

#[test]
fn finished_pairs_are_checked_too_and_have_no_shams() {
    let desk = of_source("medeinst", PAIRS, 7);
    desk.done("export run --stories stories.csv");
    fill(&desk, "stories.csv", "run", &[("anna", &follows_the_key), ("carl", &says_the_old_one)]);
    let metrics = desk.done("agree filled.csv --key run --json").json();
    check(result(&metrics, "anna"), "key_agreement", 1.0, 20);
    check(result(&metrics, "carl"), "key_agreement.trap", 0.0, 10);
    let names: Vec<&String> = result(&metrics, "carl")["metrics"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["key_agreement", "key_agreement.control", "key_agreement.trap"]);
}

#[test]
fn no_story_is_a_formula_and_it_is_the_same_when_it_comes_back() {
    let told = "\"age\": 34, \"sex\": \"M\", \"narrative\": \"For two hours";
    let desk = of_source("medeinst", &PAIRS.replace(told, "\"narrative\": \"=1+1 For two hours"), 7);
    desk.done("export run --stories stories.csv");
    let sheet = desk.read("stories.csv");
    assert_eq!((sheet.matches("=1+1").count(), sheet.matches("'=1+1 For two hours").count()), (2, 2), "{sheet}");
    desk.write("filled.csv", sheet.replace(",\n", ",a\n"));
    let metrics = desk.done("agree filled.csv --key run --json").json();
    assert_eq!(result(&metrics, "rater_1")["missing"], 0);
    // Whoever opens it in a spreadsheet may save it without the apostrophe.
    desk.write("filled.csv", desk.read("filled.csv").replace("'=1+1", "=1+1"));
    assert!(desk.done("agree filled.csv --key run --json").json() == metrics);
}

#[test]
fn stories_of_another_run_are_refused_with_what_to_do() {
    let desk = of_source("medeinst", PAIRS, 7);
    desk.done("export run --stories stories.csv");
    fill(&desk, "stories.csv", "run", &[("anna", &follows_the_key)]);
    desk.write("study.toml", desk.read("study.toml").replace("seed = 7", "seed = 8"));
    desk.done("vary study.toml --out other");
    let ended = desk.waterjar("agree filled.csv --key other");
    refused(&ended, "filled.csv, row 2: other has no story `s");
    assert!(
        ended.stderr.contains(", nor of 19 further rows") && ended.stderr.contains("another seed"),
        "{}",
        ended.stderr
    );
    assert_eq!(desk.waterjar("agree filled.csv --key nowhere").code, Some(2));
}

/// A filled sheet as a spreadsheet saves it.
fn saved(desk: &Desk, parts: u8, left_out: usize) -> Vec<u8> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(desk.path("filled.csv")).unwrap();
    let mut csv = csv::WriterBuilder::new()
        .delimiter(parts)
        .terminator(csv::Terminator::CRLF)
        .flexible(true)
        .from_writer("\u{feff}".as_bytes().to_vec());
    for row in reader.records() {
        let row = row.unwrap();
        let is_empty = row.iter().next_back() == Some("");
        csv.write_record(row.iter().take(row.len() - if is_empty { left_out } else { 0 })).unwrap();
    }
    csv.into_inner().unwrap()
}

#[test]
fn a_sheet_is_read_however_a_spreadsheet_has_saved_it() {
    let desk = of_source("medeinst", PAIRS, 7);
    desk.done("export run --stories stories.csv");
    assert!(
        desk.read("stories.csv").starts_with("\u{feff}item,story,"),
        "spreadsheets know by the mark that it is UTF-8"
    );
    let hesitant = |row: &Row, story: &Known| match story.role.as_str() {
        "trap" => String::new(),
        _ => follows_the_key(row, story),
    };
    fill(&desk, "stories.csv", "run", &[("Åsa 李", &follows_the_key), ("ben", &hesitant)]);
    let told = desk.done("agree filled.csv --key run --json").stdout;
    assert!(told.contains("Åsa 李"), "{told}");
    for parts in [b',', b';', b'\t'] {
        for left_out in [0, 1] {
            desk.write("saved.csv", saved(&desk, parts, left_out));
            assert_eq!(desk.done("agree saved.csv --key run --json").stdout, told, "{parts} {left_out}");
        }
    }
    desk.write("saved.csv", saved(&desk, b';', 0));
    refused(&desk.waterjar("export run --stories saved.csv"), "holds what raters have said");
    assert_eq!(desk.done("agree saved.csv --json").stdout, desk.done("agree filled.csv --json").stdout);
    let mut latin = saved(&desk, b';', 0);
    latin.truncate(latin.len() - 2);
    latin.extend(b"\xe9\r\n");
    desk.write("saved.csv", latin);
    let ended = desk.waterjar("agree saved.csv --key run");
    refused(&ended, " is not written in UTF-8");
    assert!(ended.stderr.contains("“CSV UTF-8”"), "{}", ended.stderr);
}

#[test]
fn three_stories_that_a_rater_agrees_on_are_not_known_to_the_last_digit() {
    let desk = of_source("medeinst", PAIRS, 7);
    desk.done("export run --stories stories.csv");
    fill(&desk, "stories.csv", "run", &[("anna", &follows_the_key), ("ben", &follows_the_key)]);
    let mut reader = csv::Reader::from_path(desk.path("filled.csv")).unwrap();
    let mut few = csv::Writer::from_path(desk.path("few.csv")).unwrap();
    few.write_record(reader.headers().unwrap()).unwrap();
    reader.records().take(3).for_each(|row| few.write_record(&row.unwrap()).unwrap());
    few.flush().unwrap();
    let ended = desk.done("agree few.csv --key run");
    let all = ended.stdout.lines().find(|line| line.starts_with("all stories")).unwrap();
    assert_eq!(all.split_whitespace().skip(2).collect::<Vec<_>>(), ["100.0", "(≥43.9)", "3", "100.0", "(≥43.9)", "3"]);
    let raw = ended.stdout.lines().find(|line| line.starts_with("raw_agreement")).unwrap();
    assert_eq!(raw.split_whitespace().collect::<Vec<_>>(), ["raw_agreement", "1.0000"], "three say little");
    assert!(ended.stderr.contains("3 items were rated by two or more: no intervals"), "{}", ended.stderr);
    let told = desk.done("agree few.csv --key run --json").json();
    assert!(result(&told, "raters")["metrics"]["raw_agreement"]["low"].is_null(), "{told}");
}

#[test]
fn a_sheet_that_fell_apart_is_refused_with_its_row() {
    let desk = of_source("medeinst", PAIRS, 7);
    desk.done("export run --stories stories.csv");
    let rows = rows(&desk, "stories.csv");
    let refuse = |head: &str, rows: &[[&str; 4]], why: &str| {
        let mut to = csv::Writer::from_path(desk.path("sheet.csv")).unwrap();
        to.write_record(head.split(',')).unwrap();
        rows.iter().for_each(|row| to.write_record(row).unwrap());
        to.flush().unwrap();
        refused(&desk.waterjar("agree sheet.csv --key run"), why);
    };
    let [item, _, a, b] = &rows[0];
    let head = "item,diagnosis_a,diagnosis_b,anna";
    refuse(head, &[[item, b, a, "a"]], &format!("row 2: says that a is `{b}`, where the run says `{a}`"));
    refuse(head, &[[item, a, b, "a"], [item, a, b, "b"]], &format!("row 3: `{item}` is there twice, first in row 2"));
    refuse(head, &[[item, a, b, "a"], ["", a, b, "b"]], "row 3: has no `item`");
    refuse(head, &[[item, a, b, ""]], "sheet.csv: nobody has answered yet");
    refuse(head, &[], "sheet.csv: holds no stories");
    refuse("item,diagnosis_a,diagnosis_b,note", &[[item, a, b, "a"]], "sheet.csv: no column is a rater");
    refuse("item,diagnosis_a,anna,Anna", &[[item, a, "a", "b"]], "sheet.csv: two columns are called `anna`");
    refuse("item,diagnosis_a,anna,", &[[item, a, "a", "b"]], "sheet.csv: column 4 has no name, and answers in row 2");
    let moved = format!("row 2: has another story than `{item}` in the run");
    refuse("item,story,diagnosis_a,anna", &[[item, "I cough.", a, "a"]], &moved);
    refuse("code,diagnosis_a,diagnosis_b,anna", &[[item, a, b, "a"]], "sheet.csv: has no column `item`");
}

#[test]
fn a_run_in_which_nothing_flips_is_refused() {
    let staged = include_str!("../../../suites/tests/fixtures/staged.jsonl");
    let desk = of_source("staged", staged, 7);
    refused(&desk.waterjar("export run --stories stories.csv"), "run: has no families whose diagnosis flips");
    assert!(!desk.path("stories.csv").exists());
    desk.write("sheet.csv", "item,anna\ns0,a\n");
    refused(&desk.waterjar("agree sheet.csv --key run"), "run: has no families whose diagnosis flips");
}

#[test]
fn a_sheet_that_cannot_be_written_leaves_nothing_behind() {
    let desk = Desk::with_shared_run();
    let ended = desk.waterjar("export run --stories nowhere/stories.csv");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("nowhere/stories.csv cannot be written"), "{}", ended.stderr);
    assert_eq!(desk.names("."), ["run"]);
}

#[test]
fn nothing_but_an_older_sheet_is_written_over() {
    let desk = of_source("medeinst", PAIRS, 7);
    let variants = desk.read("run/variants.jsonl");
    refused(
        &desk.waterjar("export run --stories run/variants.jsonl"),
        "is there already, and is no sheet of this kind",
    );
    refused(
        &desk.waterjar("export run --failures run/variants.jsonl"),
        "is there already, and is no sheet of this kind",
    );
    assert!(desk.read("run/variants.jsonl") == variants);
    desk.done("export run --stories stories.csv");
    desk.done("export run --stories stories.csv");
    fill(&desk, "stories.csv", "run", &[("anna", &follows_the_key)]);
    let said = desk.read("filled.csv");
    refused(&desk.waterjar("export run --stories filled.csv"), "holds what raters have said");
    refused(&desk.waterjar("export run --failures filled.csv"), "is no sheet of this kind");
    assert!(desk.read("filled.csv") == said);
    // Nor is it a sheet because it begins as one.
    refused(&desk.waterjar("export run --failures stories.csv"), "is there already, and is no sheet of this kind");
    desk.write("rows.csv", "item,variant,reasoning\np1,original,The chest hurts.\n");
    for kind in ["--stories", "--failures"] {
        refused(
            &desk.waterjar(&format!("export run {kind} rows.csv")),
            "is there already, and is no sheet of this kind",
        );
    }
}

/// Whose labels the columns behind ours are depends on the study, and whoever rates writes behind them.
#[test]
fn labels_of_people_are_not_written_over_where_the_study_has_more_auditors_now() {
    let desk = Desk::with_shared_run();
    desk.done("export run --failures failures.csv");
    desk.done("export run --failures failures.csv");
    let sheet = desk.read("failures.csv");
    let (head, rows) = sheet.split_once('\n').unwrap();
    assert!(head.ends_with(",rules") && !rows.is_empty(), "{head}");
    // As it was before the study had that auditor: anna's column stands where ours is now.
    let rated = format!("{}\n{rows}", head.replace(",rules", ",anna")).replace(",\n", ",blindness\n");
    assert!(rated.contains(",blindness\n"), "{rated}");
    desk.write("failures.csv", &rated);
    refused(&desk.waterjar("export run --failures failures.csv"), "holds what raters have said");
    assert!(desk.read("failures.csv") == rated);
}
