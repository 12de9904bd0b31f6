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
