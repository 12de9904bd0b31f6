//! Bad input: exit 2, a message that says what and where, and nothing written.

use crate::import::ddxplus_folder;
use crate::sample::{Desk, SMALL, run_quickstart};

/// A study that is refused: nothing is on stdout, the message has these parts, and no directory is made.
fn check(study: impl AsRef<[u8]>, says: &[&str]) {
    let desk = Desk::new();
    desk.write("small.toml", study);
    refused(&desk, "run small.toml --out out", says);
}

fn refused(desk: &Desk, words: &str, says: &[&str]) {
    let before = desk.names(".");
    let ended = desk.waterjar(words);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
    for part in says {
        assert!(ended.stderr.contains(part), "no `{part}` in\n{}", ended.stderr);
    }
    assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
    assert_eq!(desk.names("."), before, "something was written");
}

#[test]
fn an_unknown_key() {
    let line = "error: small.toml, line 9: there is no key `pears`";
    check(SMALL.replace("pairs", "pears"), &[line, "hint: did you mean `pairs`?"]);
    check(SMALL.replace("seed", "sede"), &["error: small.toml, line 4: there is no key `sede`", "`seed`?"]);
    let desk = Desk::with_study(&SMALL.replace("pairs", "pears"));
    refused(&desk, "run small.toml --out out --set suite.gap=0.3", &[line]);
}

#[test]
fn a_value_of_the_wrong_type() {
    check(
        SMALL.replace("pairs = 40", "pairs = \"many\""),
        &["error: small.toml, line 9: pairs: invalid type: string \"many\", expected a whole number, 0 or more"],
    );
    check(SMALL.replace("\"gestalt\"", "“gestalt”"), &["error: small.toml, line 15: a text stands in straight quotes"]);
    check(SMALL.replace("gap = 0.7", "gap = true"), &["error: small.toml, line 10: gap: invalid type"]);
    check(SMALL.replace("seed = 7", "seed = 7.5"), &["error: small.toml, line 4: invalid type"]);
    check(SMALL.replace("\"gestalt\"", "3"), &["error: small.toml, line 15: invalid type"]);
}

#[test]
fn a_value_that_makes_no_sense() {
    check(
        SMALL.replace("gap = 0.7", "gap = 3.0"),
        &["error: small.toml, line 10: gap: 3 is not above 0 and at most 1"],
    );
    check(SMALL.replace("max_edits = 2", "max_edits = 9"), &["error: small.toml, line 11: max_edits: 9 is not 1 to 5"]);
    check(SMALL.replace("pairs = 40", "pairs = 0"), &["error: small.toml, line 9: pairs: 0"]);
}

#[test]
fn an_unknown_suite_reader_agent_or_source() {
    check(
        SMALL.replace("einstellung", "einstelung"),
        &["error: small.toml, line 7: no suite is called `einstelung`", "`einstellung`?"],
    );
    check(
        SMALL.replace("symptoms-only", "symptom-only"),
        &["error: small.toml, line 19: no model is called", "`symptoms-only`?"],
    );
    check(SMALL.replacen("plain", "plian", 1), &["error: small.toml, line 14: no agent is called `plian`", "`plain`?"]);
    let source = SMALL.replace("patients = 3600", "source = \"startre\"");
    check(source, &["error: small.toml, line 8: source: `startre` is not a source"]);
}

#[test]
fn a_file_that_cannot_be_read() {
    refused(
        &Desk::new(),
        "run nowhere.toml --out out",
        &["error: nowhere.toml: cannot be read", "hint: name a study file, such as studies/quickstart.toml\n"],
    );
    // What is no study file may be a run that is not there.
    let either = "hint: name a study file, such as studies/quickstart.toml, or the directory of a run, such as runs/quickstart\n";
    for verb in ["report", "measure"] {
        refused(&Desk::new(), &format!("{verb} runs/nothere"), &["error: runs/nothere: cannot be read", either]);
    }
    check(b"[study]\nname = \"\xff\"\n", &["error: small.toml: is not written in UTF-8", "hint: save it as UTF-8"]);
    check("[study\nname=", &["error: small.toml, line 1: "]);
    check("", &["error: small.toml", "missing field `study`"]);
}

/// A study on a source that is refused.
fn check_source(desk: &Desk, source: &str, says: &[&str]) {
    desk.write("small.toml", SMALL.replace("patients = 3600", &format!("source = \"{source}\"")));
    refused(desk, "run small.toml --out out", says);
}

#[test]
fn a_ddxplus_file_that_is_cut_off_or_empty() {
    let desk = Desk::new();
    ddxplus_folder(&desk, 60);
    let whole = desk.read("ddxplus/patients.csv");
    let rows: Vec<&str> = whole.lines().collect();
    // Cut in the middle of the row on line 31.
    let cut = rows[..30].join("\n") + "\n" + &rows[30][..rows[30].len() / 2];
    desk.write("ddxplus/patients.csv", cut);
    check_source(&desk, "ddxplus:ddxplus", &["ddxplus/patients.csv, line 31: ", "hint: "]);
    desk.write("ddxplus/patients.csv", [whole.as_bytes(), b"30,[],F,\xc9,[],\n"].concat());
    check_source(&desk, "ddxplus:ddxplus", &["ddxplus/patients.csv, line 62: ", "UTF-8"]);
    desk.write("ddxplus/patients.csv", rows[0]);
    check_source(&desk, "ddxplus:ddxplus", &["ddxplus/patients.csv: holds no patients", "hint: "]);
    desk.write("ddxplus/patients.csv", "");
    check_source(&desk, "ddxplus:ddxplus", &["ddxplus/patients.csv: is empty", "hint: "]);
    check_source(&desk, "ddxplus:nowhere", &["nowhere", "hint: "]);
}

#[test]
fn json_lines_that_are_cut_off_repeated_or_empty() {
    let desk = Desk::new();
    ddxplus_folder(&desk, 3);
    let cases = desk.done("import ddxplus ddxplus").stdout;
    desk.write("cases.jsonl", &cases[..cases.len() - 10]);
    check_source(&desk, "jsonl:cases.jsonl", &["cases.jsonl, line 3: EOF while parsing"]);
    desk.write("cases.jsonl", format!("{cases}{}", cases.lines().next().unwrap()));
    check_source(&desk, "jsonl:cases.jsonl", &["cases.jsonl, line 4: the case id `ddxplus-1` is there twice"]);
    desk.write("cases.jsonl", "\n");
    check_source(&desk, "jsonl:cases.jsonl", &["cases.jsonl: holds no cases"]);
    check_source(&desk, "jsonl:nowhere.jsonl", &["nowhere.jsonl: cannot be read"]);
}

#[test]
fn a_directory_that_holds_another_study() {
    let desk = Desk::with_shared_run();
    let before: Vec<String> = crate::sample::FILES.iter().map(|name| desk.read(&format!("run/{name}"))).collect();
    let study = desk.read("run/study.toml");
    refused(
        &desk,
        &run_quickstart("run --set study.seed=8"),
        &[
            "run/run.sqlite holds another study: `study.seed` is 6 there and 8 here",
            "hint: choose another output directory with --out, or resume",
        ],
    );
    let after: Vec<String> = crate::sample::FILES.iter().map(|name| desk.read(&format!("run/{name}"))).collect();
    assert!(before == after && study == desk.read("run/study.toml"));
}

#[test]
fn a_run_whose_database_is_empty_is_no_run() {
    let desk = Desk::with_shared_run();
    desk.write("run/run.sqlite", "");
    refused(&desk, &run_quickstart("run"), &["run: holds files but no run", "hint: choose another directory"]);
    assert_eq!(std::fs::metadata(desk.path("run/run.sqlite")).unwrap().len(), 0, "it is left as it was");
}

#[test]
fn a_directory_that_holds_something_else() {
    let desk = Desk::with_study(SMALL);
    std::fs::create_dir(desk.path("out")).unwrap();
    desk.write("out/thesis.tex", "ten years of work");
    refused(
        &desk,
        "run small.toml --out out",
        &["error: out: holds files but no run", "hint: choose another directory"],
    );
    assert_eq!(
        (desk.names("out"), desk.read("out/thesis.tex").as_str()),
        (vec!["thesis.tex".to_owned()], "ten years of work")
    );
    refused(&desk, "run small.toml --out small.toml", &["error: small.toml: is a file, not a directory"]);
    assert_eq!(desk.read("small.toml"), SMALL);
}

#[test]
fn a_directory_that_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::with_study(SMALL);
    std::fs::create_dir(desk.path("locked")).unwrap();
    std::fs::set_permissions(desk.path("locked"), std::fs::Permissions::from_mode(0o555)).unwrap();
    if std::fs::write(desk.path("locked/probe"), "").is_ok() {
        eprintln!("skipped: this user may write everywhere");
        return;
    }
    refused(
        &desk,
        "run small.toml --out locked/run",
        &["error: locked/run: cannot be made", "hint: choose another --out"],
    );
    refused(&desk, "run small.toml --out locked", &["error: locked", "cannot be written", "hint: "]);
}

#[test]
fn a_setting_that_does_not_exist() {
    let desk = Desk::with_study(SMALL);
    let set = |set: &str| format!("run small.toml --out out --set {set}");
    refused(&desk, &set("suite.pears=3"), &["there is no key `pears`", "did you mean `pairs`?"]);
    // What one suite has and another has not is told of the other.
    let quickstart = crate::sample::quickstart();
    let says = [
        "error: --set suite.pairs=50: there is no key `pairs` in suite `parity`\nhint: the keys of `parity` are: kind, ",
        "hint: `suite.pairs` is of every suite; to change one alone, write --set suite.NAME.pairs=50\n",
    ];
    refused(&desk, &format!("run {} --out out --set suite.pairs=50", quickstart.display()), &says);
    refused(&desk, &set("pairs=3"), &["error: --set pairs=3: ", "hint: write --set study.seed=8"]);
    refused(&desk, &set("pairs"), &["error: --set pairs: there is no `=`"]);
    refused(&desk, &set("study.seed=many"), &["--set study.seed=many", "invalid type: string \"many\""]);
}

#[test]
fn a_run_that_is_none() {
    let desk = Desk::new();
    std::fs::create_dir(desk.path("empty")).unwrap();
    for verb in ["run", "vary", "answer", "judge", "measure", "report", "compare"] {
        refused(&desk, &format!("{verb} empty"), &["there is no run at empty/run.sqlite", "hint: "]);
        assert_eq!(desk.names("empty"), Vec::<String>::new());
    }
}

#[test]
fn an_agent_on_a_model_it_cannot_think_with() {
    let with = |agent: &str, model: &str| {
        let subject = |agent: &str, model: &str| format!("agent = \"{agent}\"\nmodel = \"{model}\"");
        SMALL.replace(&subject("plain", "symptoms-only"), &subject(agent, model))
    };
    for agent in ["dylan", "mdagents", "medagents"] {
        let told = format!(
            "error: small.toml, line 19: subject `{agent}@logit`: model: `{agent}` gives instructions to its model, and the built-in reader `logit` takes none"
        );
        check(with(agent, "logit"), &[&told, "name a language model: \"vendor/model\""]);
        check(with(agent, "rules"), &["`", "has no rules of its own; name a language model"]);
    }
    check(with("ecr", "gestalt"), &["line 19: subject `ecr@gestalt`: model: `ecr` gives instructions", "or \"rules\""]);
    check(with("plain", "rules"), &["`plain` has no rules of its own; name a model"]);
    let desk = Desk::with_study(&with("ecr", "gestalt"));
    refused(&desk, "evolve small.toml --out memory", &["line 19: model: `ecr` gives instructions"]);
}
