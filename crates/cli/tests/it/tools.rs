//! `waterjar completions`, `man`, `--help`

use crate::sample::Desk;

const VERBS: [&str; 11] =
    ["run", "vary", "answer", "judge", "measure", "report", "score", "agree", "compare", "import", "show"];

#[test]
fn completions_and_the_manual_know_every_verb() {
    let desk = Desk::new();
    let completions = desk.done("completions bash").stdout;
    let manual = desk.done("man").stdout;
    let help = desk.done("--help").stdout;
    assert!(completions.contains("complete -F _waterjar"));
    assert!(manual.starts_with(".ie") || manual.contains(".TH waterjar 1"), "{manual}");
    for verb in VERBS {
        assert!(completions.contains(verb), "completions: {verb}");
        assert!(manual.contains(&format!("waterjar\\-{verb}")), "man: {verb}");
        assert!(help.lines().any(|line| line.trim_start().starts_with(verb)), "help: {verb}");
    }
    assert!(help.contains("Exit codes: 0 done"), "{help}");
    assert_eq!(desk.names("."), Vec::<String>::new());
}

#[test]
fn every_command_has_a_manual_page_of_its_own() {
    let desk = Desk::new();
    assert_eq!(desk.done("man --out pages").stdout, "");
    let pages = desk.names("pages");
    for verb in VERBS {
        assert!(pages.contains(&format!("waterjar-{verb}.1")), "{verb}: {pages:?}");
    }
    assert!(
        pages.contains(&"waterjar.1".to_owned()) && pages.contains(&"waterjar-import-charts.1".to_owned()),
        "{pages:?}"
    );
    let page = std::fs::read_to_string(desk.path("pages/waterjar-run.1")).unwrap();
    assert!(page.contains("TARGET") && page.contains("resumes"), "{page}");
}

/// A release build names its commit: `scripts/package` looks.
#[test]
fn the_version_says_what_was_built() {
    let told = Desk::new().done("--version").stdout;
    let expected = concat!("waterjar ", env!("CARGO_PKG_VERSION"), " (debug)\n");
    assert!(told == expected || !cfg!(debug_assertions), "{told}");
}

#[test]
fn every_verb_explains_itself() {
    let desk = Desk::new();
    for verb in VERBS {
        assert!(desk.done(&format!("{verb} --help")).stdout.contains("Usage: waterjar"), "{verb}");
    }
}

#[test]
fn a_verb_that_does_not_exist_ends_with_2_and_a_suggestion() {
    let ended = Desk::new().waterjar("varry");
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.stderr.contains("unrecognized subcommand 'varry'") && ended.stderr.contains("'vary'"),
        "{}",
        ended.stderr
    );
}
