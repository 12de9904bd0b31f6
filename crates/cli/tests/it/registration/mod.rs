//! `waterjar register`: who says when a study was declared, and what was changed since.

mod commits;
mod tokens;

use crate::sample::{Desk, quick};
use std::process::Command;

fn system(desk: &Desk, words: &[&str]) {
    let ended = Command::new(words[0]).args(&words[1..]).current_dir(desk.path("")).output().unwrap();
    assert!(ended.status.success(), "{words:?}: {}", String::from_utf8_lossy(&ended.stderr));
}

/// With spaces folded, so that a line of the page is a line here.
fn page(desk: &Desk) -> String {
    desk.read("run/report.html").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_study_declared_first_is_registered_before_the_first_question() {
    let desk = Desk::with_study(&quick());
    desk.done("register small.toml");
    desk.done("run small.toml --out run");
    assert!(page(&desk).contains("yes: declared before the first question, and run as declared"));
    assert!(page(&desk).contains("by the clock of the machine that declared it"));
    assert_eq!(desk.json("run/metrics.json")["registered"], true);
}

#[test]
fn a_study_declared_afterwards_is_not_registered() {
    let desk = Desk::with_study(&quick());
    desk.done("run small.toml --out run");
    // The clock tells seconds.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    desk.done("register small.toml");
    desk.done("run small.toml --out run");
    assert!(page(&desk).contains("no: declared after the first question"));
    assert_eq!(desk.json("run/metrics.json")["registered"], false);
}

#[test]
fn every_deviation_is_listed() {
    let desk = Desk::with_study(&quick());
    desk.done("register small.toml");
    desk.done("run small.toml --out run --set suite.gap=0.25");
    let page = page(&desk);
    assert!(page.contains("declared before the first question, and deviated from"), "{page}");
    assert!(page.contains("changed since it was declared: einstellung.settings"), "{page}");
    assert_eq!(desk.json("run/metrics.json")["registered"], false);
}

/// Exit 2, with these words.
fn refused(desk: &Desk, words: &str, told: &str) {
    let ended = desk.waterjar(words);
    assert_eq!(ended.code, Some(2), "waterjar {words}\n{}", ended.stderr);
    assert!(ended.stderr.contains(told), "waterjar {words}\n{}", ended.stderr);
}

/// What is run with these words is not what was declared, and the report says why.
fn deviates(words: &str, told: &str) {
    let desk = Desk::with_study(&quick());
    desk.done("register small.toml");
    let ended = desk.done(&format!("run small.toml --out run {words}"));
    assert!(ended.stderr.contains("lock: broken"), "{words}: {}", ended.stderr);
    assert!(page(&desk).contains(&format!("changed since it was declared: {told}")), "{words}: {}", page(&desk));
    assert_eq!(desk.json("run/metrics.json")["registered"], false, "{words}");
}

#[test]
fn the_names_that_answers_are_read_by_are_declared() {
    let desk = Desk::with_study(&quick());
    desk.done("register small.toml");
    let lock = desk.read("small.lock");
    let umbrellas = lock.lines().find(|line| line.starts_with("\"einstellung.umbrellas\" = ")).expect("declared");
    desk.write("small.lock", lock.replace(umbrellas, "\"einstellung.umbrellas\" = \"others\""));
    desk.done("run small.toml --out run");
    assert!(page(&desk).contains("changed since it was declared: einstellung.umbrellas"));
}

#[test]
fn asking_more_often_than_declared_is_a_deviation() {
    deviates("--set study.repeats=3", "repeats");
}

#[test]
fn a_limit_is_a_deviation() {
    deviates("--limit 5", "number of families (--limit 5)");
}

#[test]
fn a_limit_that_cuts_nothing_is_none() {
    let desk = Desk::with_study(&quick());
    desk.done("register small.toml");
    desk.done("run small.toml --out run --limit 40");
    assert_eq!(desk.json("run/metrics.json")["registered"], true);
}

#[test]
fn a_limit_of_one_pass_counts_for_those_after_it() {
    let desk = Desk::with_study(&quick());
    desk.done("register small.toml");
    desk.done("vary small.toml --out run --limit 5");
    for pass in ["answer", "judge", "measure"] {
        desk.done(&format!("{pass} small.toml --out run"));
    }
    assert_eq!(desk.json("run/metrics.json")["registered"], false);
    desk.done("measure run");
    assert_eq!(desk.json("run/metrics.json")["registered"], false, "nor where the run is named");
    desk.done("report run");
    assert!(page(&desk).contains("changed since it was declared: number of families (--limit 5)"), "{}", page(&desk));
}

#[test]
fn a_lock_of_an_earlier_version_says_nothing_about_repeats() {
    let desk = Desk::with_study(&quick());
    desk.done("register small.toml");
    let lock = desk.read("small.lock");
    assert!(lock.contains("repeats = \"1\"\n"), "{lock}");
    desk.write("small.lock", lock.replace("repeats = \"1\"\n", ""));
    desk.done("run small.toml --out run --set study.repeats=2");
    assert_eq!(desk.json("run/metrics.json")["registered"], true);
}

/// A run of what was declared, then of another study of the same name: the report lists what is another thing now.
fn is_told(change: impl Fn(String) -> String, told: &[&str]) {
    let desk = Desk::with_study(&quick());
    desk.done("register small.toml");
    desk.done("run small.toml --out run");
    desk.write("small.toml", change(quick()));
    let ended = desk.done("run small.toml --out run");
    assert!(ended.stderr.contains("lock: broken"), "{}", ended.stderr);
    let page = page(&desk);
    assert!(page.contains("declared before the first question, and deviated from"), "{page}");
    for told in told {
        assert!(page.contains(&format!("changed since it was declared: {told}")), "{told}: {page}");
    }
    assert_eq!(desk.json("run/metrics.json")["registered"], false);
}

#[test]
fn a_subject_that_was_taken_out_is_a_deviation() {
    let without_last = |study: String| study.rsplit_once("[[subject]]").unwrap().0.to_owned();
    is_told(without_last, &["subject plain@reference (removed)"]);
}

#[test]
fn a_subject_with_another_agent_is_a_deviation() {
    let prior = "agent = \"plain\"\nmodel = \"prior\"";
    let warned = |study: String| study.replace(prior, "agent = \"warned\"\nmodel = \"prior\"");
    is_told(warned, &["subject plain@prior (removed)", "subject warned@prior (added)"]);
    let renamed = |study: String| study.replace(prior, "agent = \"warned\"\nmodel = \"prior\"\nname = \"plain@prior\"");
    is_told(renamed, &["subject plain@prior"]);
}

#[test]
fn how_a_model_is_asked_is_declared_and_where_it_is_is_not() {
    let model = "\n[models.\"local/m\"]\nurl = \"http://127.0.0.1:9/v1\"\napi = \"openai\"\n";
    let desk = Desk::with_study(&(quick() + model));
    desk.done("register small.toml");
    desk.write("small.toml", quick() + &model.replace(":9/", ":10/"));
    refused(&desk, "register small.toml", "declares the same");
    desk.write("small.toml", quick() + model + "temperature = 1.0\n");
    refused(&desk, "register small.toml", "changed since: model local/m");
}

#[test]
fn a_lock_of_an_earlier_version_is_told_as_not_holding_subjects() {
    let desk = Desk::with_study(&quick());
    desk.done("register small.toml");
    let lock = desk.read("small.lock");
    let earlier: Vec<&str> = lock.lines().filter(|line| !line.starts_with("\"subject ")).collect();
    assert!(earlier.len() + 2 == lock.lines().count(), "{lock}");
    desk.write("small.lock", earlier.join("\n") + "\n");
    let ended = desk.done("run small.toml --out run");
    assert!(ended.stderr.contains("it holds no subjects and models"), "{}", ended.stderr);
    let page = page(&desk);
    assert!(!page.contains("and run as declared</"), "{page}");
    assert!(page.contains("run as declared as far as the lock goes"), "{page}");
    assert!(page.contains("so perhaps changed: subjects and models"), "{page}");
    assert_eq!(desk.json("run/metrics.json")["registered"], true);
}

#[test]
fn a_lock_that_cannot_be_read_is_not_taken_for_none() {
    let desk = Desk::with_study(&quick());
    let run = "run small.toml --out run";
    desk.write("small.lock", b"schema = \"\xff\"");
    refused(&desk, run, "small.lock: the lock cannot be read");
    desk.write("small.lock", "not a lock");
    refused(&desk, run, "small.lock: is no lock");
    desk.write("small.lock", "");
    refused(&desk, run, "names no schema");
    std::fs::remove_file(desk.path("small.lock")).unwrap();
    std::fs::create_dir(desk.path("small.lock")).unwrap();
    refused(&desk, run, "small.lock: the lock cannot be read");
    assert!(!desk.path("run").exists(), "nothing is begun");
}

#[cfg(unix)]
#[test]
fn a_lock_that_leads_nowhere_is_not_taken_for_none() {
    let desk = Desk::with_study(&quick());
    std::os::unix::fs::symlink("lost.lock", desk.path("small.lock")).unwrap();
    refused(&desk, "run small.toml --out run", "small.lock: the lock cannot be read");
}

#[test]
fn a_lock_of_a_later_version_is_refused() {
    let desk = Desk::with_study(&quick());
    desk.done("register small.toml");
    let lock = desk.read("small.lock");
    desk.write("small.lock", lock.replace("waterjar.lock/1", "waterjar.lock/99"));
    refused(&desk, "run small.toml --out run", "is a lock of schema `waterjar.lock/99`");
}

#[test]
fn a_study_is_not_overwritten_by_its_own_lock() {
    let desk = Desk::new();
    for name in ["small.lock", "small.LOCK", "small.tsr"] {
        desk.write(name, quick());
        for words in ["", " --again"] {
            refused(&desk, &format!("register {name}{words}"), "is the place of the study's own lock or token");
        }
        assert_eq!(desk.read(name), quick(), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn nor_by_way_of_a_link() {
    let desk = Desk::with_study(&quick());
    std::os::unix::fs::symlink("small.toml", desk.path("small.lock")).unwrap();
    refused(&desk, "register small.toml --again", "is the place of the study's own lock or token");
    assert_eq!(desk.read("small.toml"), quick());
}
