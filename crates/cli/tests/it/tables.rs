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
