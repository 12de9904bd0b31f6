//! `waterjar check-table`: finds again what it found in published tables (specs 10.4).

use crate::sample::Desk;
use std::path::Path;

fn printed(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/tables").join(name).display().to_string()
}

#[test]
fn medeinst_had_5379_pairs() {
    let ended = Desk::new().waterjar(&format!("check-table {} --n 5383 --within 80 --json", printed("medeinst.csv")));
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    let told = ended.json();
    assert_eq!(told["together"]["rows_that_fit"], 1, "{told}");
    assert_eq!((&told["together"]["best"], &told["together"]["rows_that_fit_best"]), (&5379.into(), &15.into()));
    let fits = |n: u64| Desk::new().waterjar(&format!("check-table {} --n {n}", printed("medeinst.csv")));
    let right = fits(5379);
    assert_eq!(right.code, Some(0), "{}", right.stdout);
    assert!(right.stdout.contains("5379 fits 15 of 15 rows"), "{}", right.stdout);
}

#[test]
fn opus_answered_782_of_789_tuples() {
    let ended = Desk::new().waterjar(&format!("check-table {} --within 7", printed("css.csv")));
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stdout.contains("not possible with 789: css; 782 would do"), "{}", ended.stdout);
}

#[test]
fn dxy_had_103_patients() {
    let ended = Desk::new().waterjar(&format!("check-table {} --within 3", printed("dxy.csv")));
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert_eq!(ended.stdout.matches("challenge; 103 would do").count(), 2, "{}", ended.stdout);
}

#[test]
fn a_table_of_ours_is_possible() {
    let desk = Desk::with_shared_run();
    let metrics = desk.json("run/metrics.json");
    let mut table = "subject,n,base,trap: of base\n".to_owned();
    for result in metrics["results"].as_array().unwrap().iter().filter(|it| it["suite"] == "einstellung") {
        let share = |name: &str| result["metrics"][name]["value"].as_f64();
        let shown = |name: &str| share(name).map_or_else(|| "–".to_owned(), |it| format!("{:.1}", 100.0 * it));
        table += &format!(
            "{},{},{},{}\n",
            result["subject"].as_str().unwrap(),
            result["n"],
            shown("baseline_accuracy"),
            shown("bias_trap_rate")
        );
    }
    desk.write("table.csv", table);
    desk.done("check-table table.csv");
}

#[test]
fn a_table_of_another_layout_is_told_which_it_wants() {
    let desk = Desk::with_shared_run();
    desk.done("report run --format csv");
    let ended = desk.waterjar("check-table run/einstellung.csv");
    assert_eq!(ended.code, Some(2), "{}", ended.stdout);
    let stderr = ended.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    for told in ["has a row for each figure", "a row for each subject", "`model,n,base,trap: of base`"] {
        assert!(stderr.contains(told), "{told}: {stderr}");
    }
}

#[test]
fn heads_and_cells_that_cannot_be_read_are_named() {
    let desk = Desk::new();
    for (table, words, told) in [
        ("model,a\nx,50\n", "", "does not say of how many cases"),
        ("model,a: of b\nx,50\n", "--n 10", "neither a number nor a column"),
        ("model,a: of a\nx,50\n", "--n 10", "share of itself"),
        ("model,a: in sevenths\nx,50\n", "--n 10", "not a head this reads"),
        ("model,a: part worth 0.3\nx,50\n", "--n 10", "counted in halves"),
        ("model,a\nx,fifty\n", "--n 10", "`fifty` is no percentage"),
        ("model,a,n\nx,50,many\n", "", "`many` is no number of cases"),
        ("model\nx\n", "--n 10", "holds no figures"),
        ("model,a\n", "--n 10", "holds no figures"),
    ] {
        desk.write("table.csv", table);
        let ended = desk.waterjar(&format!("check-table table.csv {words}"));
        assert_eq!(ended.code, Some(2), "{table}: {}", ended.stdout);
        assert!(ended.stderr.contains(told), "{table}: {}", ended.stderr);
    }
}

/// The standard output of a table that can be read.
fn told(table: &str, words: &str) -> String {
    let desk = Desk::new();
    desk.write("table.csv", table);
    let ended = desk.waterjar(&format!("check-table table.csv {words}"));
    assert!(matches!(ended.code, Some(0 | 1)), "{table}: {}", ended.stderr);
    ended.stdout
}

/// With exit 0: "not possible" holds the word too.
fn possible(table: &str, words: &str) {
    let desk = Desk::new();
    desk.write("table.csv", table);
    let out = desk.done(&format!("check-table table.csv {words}")).stdout;
    assert!(out.contains("x  possible with "), "{table}: {out}");
}

/// The standard error of a table that cannot.
fn refused(table: impl AsRef<[u8]>, words: &str) -> String {
    let desk = Desk::new();
    desk.write("table.csv", &table);
    let ended = desk.waterjar(&format!("check-table table.csv {words}"));
    assert_eq!(ended.code, Some(2), "{}: {}", String::from_utf8_lossy(table.as_ref()), ended.stdout);
    ended.stderr
}

#[test]
fn a_share_of_one_decimal_is_possible() {
    possible("model,css: share\nx,.4\n", "--n 7");
    assert!(told("model,css: share\nx,.4\n", "--n 2").contains("not possible with 2: css; 5, 7, 8, 9, 10 and "));
}

#[test]
fn large_numbers_of_cases_are_soon_looked_at() {
    let started = std::time::Instant::now();
    possible("model,p: part\nx,100\n", "--n 3000000");
    let parts = "model,wrong: part,right: part worth 1,css: score\nx,30,70,70\ny,30,60,60\n";
    let out = told(parts, "--n 1000000 --within 1000");
    assert!(out.contains("not possible with 1000000: css; no number nearby would do"), "{out}");
    assert!(out.contains("1000000 fits 1 of 2 rows\n"), "no other fits more: {out}");
    possible("model,A: group of 1000000\nx,50\n", "--n 10");
    let groups = "model,A: group of 2000,B: group of 2000,css: score\nx,50.0,50.0,51.1\n";
    let out = told(groups, "--n 2000");
    assert!(out.contains("not possible with 2000: css; no number nearby would do"), "{out}");
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn a_column_n_is_what_the_option_takes() {
    possible("model,n,a\nx,\"1,500\",50\n", "");
    possible("model,n,a\nx,10000000,50\n", "");
    for n in ["0", "10000001", "18446744073709551615", "\"1,5\"", "\"1,50,000\"", "\",500\"", "+5", "-5", "1.5"] {
        let error = refused(format!("model,n,a\nx,{n},50\n"), "");
        assert!(error.contains("is no number of cases"), "{n}: {error}");
        assert!(error.contains("hint: it is from 1 to 10000000; commas only part thousands"), "{n}: {error}");
        assert!(!error.contains("leave a cell empty"), "{n}: {error}");
    }
    for head in ["a: of 0", "a: of 18446744073709551615", "\"a: of 1,5\"", "a: group of 0"] {
        let error = refused(format!("model,{head}\nx,50\n"), "--n 10");
        assert!(error.contains("is no number of cases; it is from 1 to 10000000"), "{head}: {error}");
    }
}

#[test]
fn the_line_of_a_bad_cell_is_where_an_editor_shows_it() {
    for (end, mark) in [("\n", ""), ("\r\n", ""), ("\r", ""), ("\n", "\u{feff}"), ("\r\n", "\u{feff}")] {
        for (table, line) in [
            ("model,a|x,50|y,fifty|", 3),
            ("model,a|x,fifty|", 2),
            ("|model,a||x,50|||y,fifty|", 7),
            ("model,a|\"x|and more\",50|y,fifty", 4),
            ("model,a|x,50|y,50,50|", 3),
        ] {
            let error = refused(format!("{mark}{}", table.replace('|', end)), "--n 10");
            assert!(error.contains(&format!("table.csv, line {line}: ")), "{table} {end:?} {mark:?}: {error}");
        }
    }
    assert!(refused("model,n,a\r\nx,10,50\r\ny,,50\r\n", "").contains("table.csv, line 3: does not say"));
}

#[test]
fn a_table_is_read_however_a_spreadsheet_has_saved_it() {
    for table in ["model;a\nx;50\n", "model;a\nx;47,8\n", "model\ta\nx\t50 %\n", "model,a\nx,\"47,8\"\n"] {
        possible(table, "--n 46");
    }
    possible("model;a;b: part worth 0,5\nx;50,0;100,0\n", "--n 10");
    let error = refused(b"model,a\r\nx,50\r\nM\xfcller,50\r\n", "--n 10");
    assert!(error.contains("table.csv, line 3: cell 1 is not written in UTF-8"), "{error}");
    assert!(error.contains("hint: save it as UTF-8"), "{error}");
    let in_16: Vec<u8> = "model,a\nx,50\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let error = refused([&[0xff, 0xfe], &in_16[..]].concat(), "--n 10");
    assert!(error.contains("table.csv: is written in UTF-16\nhint: save it as UTF-8"), "{error}");
    let error = refused("model,a\n\"the \"new\" one\",50\n", "--n 10");
    assert!(error.contains("table.csv, line 2: a quote is opened here and closed before `new\" one\"`"), "{error}");
}

#[test]
fn more_than_all_is_told_as_such() {
    let out = told("model,a,b\nx,120,50\ny,120,130\nz,50,33.3\n", "--n 10");
    assert!(out.contains("not possible with 10: a; a is more than 100 %"), "{out}");
    assert!(out.contains("not possible with 10: a, b; a, b are more than 100 %"), "{out}");
    assert!(out.contains("not possible with 10: b; 12, 6, 18"), "{out}");
    assert!(told("model,css: score\nx,120\n", "--n 10").contains("css is more than 100 %"));
}

#[test]
fn a_row_without_figures_is_neither_possible_nor_not() {
    let table = "model,a,b\nx,50,\ny,,–\nz,60,–\n";
    let out = told(table, "--n 10");
    assert_eq!(out.matches("nothing printed").count(), 1, "{out}");
    assert!(out.contains("10 fits 2 of 2 rows"), "{out}");
    let desk = Desk::new();
    desk.write("table.csv", table);
    let json = desk.done("check-table table.csv --n 10 --json").json();
    assert_eq!(json["rows"][0]["possible"], true, "{json}");
    assert!(json["rows"][1]["possible"].is_null(), "{json}");
    assert_eq!(json["together"]["rows"], 2, "{json}");
}

#[test]
fn what_could_mean_two_things_is_refused() {
    let error = refused("model,n,a\nx,10,50\n", "--n 20");
    assert!(error.contains("has a column `n`, and --n says"), "{error}");
    for (table, name) in [
        ("model,a,a: of 7\nx,50,50\n", "a"),
        ("model,n,a,N\nx,10,50,10\n", "N"),
        ("model,a,b: of a,a\nx,50,50,50\n", "a"),
    ] {
        let error = refused(table, "");
        assert!(error.contains(&format!("has two columns called `{name}`")), "{table}: {error}");
    }
    // Spreadsheets leave columns without a name behind.
    possible("model,a,,\nx,50,,\n", "--n 10");
}
