//! What a study file may say, and what is told where it says something else.

use crate::lab::{Lab, STUDY};
use crate::parts::Parts;
use std::path::Path;
use std::sync::Arc;
use waterjar_engine::{Asks, EngineError, Plan, StudyFile};

fn resolve(study: &str, sets: &[&str]) -> Result<Plan, EngineError> {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    StudyFile::parse(Path::new("lab.toml"), study.to_owned(), &sets)?.resolve(&Parts(Arc::default()))
}

/// The error and its hint.
fn check(study: &str, says: &str, hints: &str) {
    check_error(&resolve(study, &[]).err().unwrap(), says, hints);
}

fn check_error(error: &EngineError, says: &str, hints: &str) {
    assert!(error.to_string().starts_with(says), "{error}");
    let hint = error.hint().unwrap_or_default();
    assert!(hint.contains(hints), "{error}\nhint: {hint}");
}

#[test]
fn an_unknown_key_is_told_with_its_line_and_the_nearest_one() {
    check(&STUDY.replace("seed = 7", "sede = 7"), "lab.toml, line 4: there is no key `sede`", "did you mean `seed`?");
    check(&STUDY.replace("[study]", "[stduy]"), "lab.toml, line 2: there is no key `stduy`", "did you mean `study`?");
    let suite = STUDY.replace("kind = \"tiny\"", "kind = \"tiny\"\ngruops = 3");
    check(&suite, "lab.toml, line 8: there is no key `gruops`", "did you mean `groups`?");
    let subject = STUDY.replacen("model = \"echo\"", "model = \"echo\"\ntemperature = 1", 1);
    let told = "lab.toml, line 12: subject `plain@echo`: there is no key `temperature`";
    check(&subject, told, "the keys here are: agent, model, name, suites, mood");
}

#[test]
fn an_unknown_name_is_told_with_its_line_and_the_nearest_one() {
    check(
        &STUDY.replace("\"tiny\"", "\"tniy\""),
        "lab.toml, line 7: no suite is called `tniy`",
        "did you mean `tiny`?",
    );
    check(
        &STUDY.replace("\"tiny\"", "\"oncology\""),
        "lab.toml, line 7: no suite is called",
        "the suites are: tiny, other",
    );
    check(&STUDY.replace("\"mumble\"", "\"mumbel\""), "lab.toml, line 15: no model is called `mumbel`", "`mumble`");
    check(&STUDY.replacen("\"plain\"", "\"plan\"", 1), "lab.toml, line 10: no agent is called `plan`", "`plain`");
}

#[test]
fn a_value_of_the_wrong_type_is_told_with_its_line() {
    check(&STUDY.replace("seed = 7", "seed = \"seven\""), "lab.toml, line 4: invalid type: string \"seven\"", "");
    check(&STUDY.replace("seed = 7", "seed = -1"), "lab.toml, line 4: invalid value: integer `-1`", "");
    check(&STUDY.replace("kind = \"tiny\"", "kind = 3"), "lab.toml, line 7: `kind` is not a string", "");
    check(
        &STUDY.replace("kind = \"tiny\"", "groups = 2"),
        "lab.toml, line 6: a suite without a `kind`",
        "the suites are",
    );
    check(
        &STUDY.replace("kind = \"tiny\"", "kind = \"tiny\"\ngroups = 0"),
        "lab.toml, line 8: groups: 0 is too few",
        "",
    );
    check("[study\n", "lab.toml, line 1: ", "");
}

#[test]
fn what_is_missing_is_told_with_an_example() {
    let head = "[study]\nname = \"lab\"\nseed = 1\n";
    check("", "lab.toml, line 1: missing field `study`", "");
    check("[study]\nname = \"lab\"\n", "lab.toml, line 1: missing field `seed`", "");
    check(head, "lab.toml: there is no suite", "[[suite]]");
    check(&format!("{head}[[suite]]\nkind = \"tiny\"\n"), "lab.toml: there is no subject", "[[subject]]");
    check(&STUDY.replace("\"lab\"", "\" \""), "lab.toml: the study has an empty name", "");
    check(&STUDY.replace("seed = 7", "seed = 7\nrepeats = 0"), "lab.toml: repeats is 0", "");
}

#[test]
fn what_is_there_twice_is_refused() {
    let twice = "kind = \"tiny\"\n[[suite]]\nkind = \"tiny\"";
    check(&STUDY.replace("kind = \"tiny\"", twice), "lab.toml, line 8: two suites are called `tiny`", "`name`");
    check(
        &STUDY.replace("\"mumble\"", "\"echo\""),
        "lab.toml, line 13: the subject `plain@echo` is there twice",
        "`name`",
    );
}

#[test]
fn an_agent_may_be_there_twice_under_two_names_and_with_two_settings() {
    let study = STUDY.replace("model = \"mumble\"", "model = \"echo\"\nname = \"calm echo\"\nmood = \"calm\"");
    let plan = resolve(&study, &[]).unwrap();
    let subjects = &plan.suites[0].subjects;
    assert_eq!(subjects[1].id.as_str(), "calm echo");
    assert_ne!(subjects[0].agent.fingerprint(), subjects[1].agent.fingerprint());
    check(&study.replace("calm echo", " "), "lab.toml, line 16: a subject's name is a line of text", "");
}

#[test]
fn a_bound_is_checked_before_anything_is_asked() {
    let bound = |line: &str| format!("{STUDY}\n[bounds]\n{line}\n");
    assert!(resolve(&bound(r#""tiny.right" = { max = 0.4, subject = "plain@echo" }"#), &[]).is_ok());
    assert!(resolve(&bound(r#""tiny.right.group_1" = { min = 0.4 }"#), &[]).is_ok());
    let checks = [
        (r#"right = { max = 0.4 }"#, "bound `right`: it is written \"suite.metric\"", "write \"tiny.right\""),
        (
            r#""right.group_1" = { max = 0.4 }"#,
            "bound `right.group_1`: the study has no suite `right`",
            "write \"tiny.right.group_1\"",
        ),
        // Without quotes it is a table in a table.
        (r#"tiny.right = { max = 0.4 }"#, "there is no key `right`", "put the name in quotes: \"tiny.right\""),
        (
            r#"tiny.right.group_1 = { max = 0.4 }"#,
            "there is no key `right`",
            "put the name in quotes: \"tiny.right.group_1\"",
        ),
        (r#""tny.right" = { max = 0.4 }"#, "bound `tny.right`: the study has no suite `tny`", "`tiny`"),
        (r#""tiny.rihgt" = { max = 0.4 }"#, "bound `tiny.rihgt`: `tiny` has no metric `rihgt`", "`right`"),
        (
            r#""tiny.right.gruop_1" = { max = 0.4 }"#,
            "bound `tiny.right.gruop_1`: `right` has no stratum `gruop_1`",
            "did you mean `group_1`?",
        ),
        (
            r#""tiny.right.women" = { max = 0.4 }"#,
            "bound `tiny.right.women`: `right` has no stratum `women`",
            "the strata of `right` are: group_…",
        ),
        (r#""tiny.right" = {}"#, "bound `tiny.right`: it has neither `max` nor `min`", ""),
        (
            r#""tiny.right" = { max = 1.0, subject = "plain@eco" }"#,
            "bound `tiny.right`: the study has no subject",
            "`plain@echo`",
        ),
        // Every comparison with it is false: it would open the gate.
        (r#""tiny.right" = { max = nan }"#, "bound `tiny.right`: `nan` is not a number", ""),
        (r#""tiny.right" = { maxi = 1.0 }"#, "there is no key `maxi`", "`max`"),
    ];
    for (line, says, hints) in checks {
        check(&bound(line), &format!("lab.toml, line 18: {says}"), hints);
    }
}

#[test]
fn a_rule_of_stopping_is_checked_before_anything_is_asked() {
    let rule = |line: &str| format!("{STUDY}\n[stopping]\n{line}\n");
    assert!(resolve(&rule(r#""tiny.right" = { half_width = 0.03 }"#), &[]).is_ok());
    let checks = [
        (
            r#""tiny.right" = { half_width = 3 }"#,
            "stopping `tiny.right`: every share is known to ±0.5 before anybody is asked",
            "3 percent are 0.03",
        ),
        (r#""tiny.right" = { half_width = 0.5 }"#, "stopping `tiny.right`: every share is known", "percent are"),
        (r#"tiny.right = { half_width = 0.1 }"#, "there is no key `right`", "put the name in quotes"),
        (r#""right" = { half_width = 0.1 }"#, "stopping `right`: it is written", "write \"tiny.right\""),
    ];
    for (line, says, hints) in checks {
        check(&rule(line), &format!("lab.toml, line 18: {says}"), hints);
    }
    let study = StudyFile::parse(Path::new("lab.toml"), rule(r#""tiny.right" = { half_width = 3 }"#), &[]).unwrap();
    assert!(study.resolve_for(&Parts(Arc::default()), Asks::Nobody).is_ok(), "what was run so is still readable");
}

#[test]
fn a_subject_of_another_suite_is_told_with_those_who_answer() {
    let two = STUDY
        .replace("kind = \"tiny\"", "kind = \"tiny\"\n[[suite]]\nkind = \"other\"")
        .replace("model = \"mumble\"", "model = \"mumble\"\nsuites = [\"other\"]");
    for (section, rule) in [("bounds", "max = 0.4"), ("stopping", "half_width = 0.1")] {
        let study = format!("{two}\n[{section}]\n\"tiny.right\" = {{ {rule}, subject = \"plain@mumble\" }}\n");
        let error = resolve(&study, &[]).err().unwrap();
        assert!(error.to_string().ends_with("`plain@mumble` does not answer `tiny`"), "{error}");
        assert_eq!(error.hint().as_deref(), Some("those who do are: plain@echo"));
    }
}

#[test]
fn a_run_that_is_made_is_measured_whatever_stratum_its_bounds_name() {
    let study = format!("{STUDY}\n[bounds]\n\"tiny.right.women\" = {{ max = 0.4 }}\n");
    let study = StudyFile::parse(Path::new("lab.toml"), study, &[]).unwrap();
    let parts = Parts(Arc::default());
    assert!(study.resolve_for(&parts, Asks::Nobody).is_ok());
    assert!(study.resolve_for(&parts, Asks::Subjects).is_err());
}

#[test]
fn a_setting_can_be_changed_from_outside() {
    let plan = resolve(STUDY, &["study.seed=8", "study.name=other", "suite.families=3", "study.repeats=2"]).unwrap();
    assert_eq!((plan.seed.0, plan.name.as_str(), plan.repeats), (8, "other", 2));
    assert_eq!(plan.suites[0].suite().quota().families, Some(3));
    assert!(plan.text.contains("seed = 8"), "what is recorded is what is run: {}", plan.text);

    let two = STUDY.replace("kind = \"tiny\"", "kind = \"tiny\"\n[[suite]]\nkind = \"other\"\nname = \"b\"");
    let families = |sets: &[&str]| {
        let plan = resolve(&two, sets).unwrap();
        let of = |at: usize| plan.suites[at].suite().quota().families;
        (of(0), of(1))
    };
    assert_eq!(families(&["suite.families=3"]), (Some(3), Some(3)));
    assert_eq!(families(&["suite.b.families=3"]), (None, Some(3)));
    assert_eq!(families(&["suite.tiny.families=3", "suite.tiny.families=4"]), (Some(4), None));
    let plan = resolve(STUDY, &["bounds.x=1"]).err().unwrap();
    assert!(plan.to_string().contains("invalid type"), "{plan}");
}

#[test]
fn a_setting_that_cannot_be_changed_says_why() {
    let check = |set: &str, says: &str| {
        let error = resolve(STUDY, &[set]).err().unwrap();
        check_error(&error, &format!("--set {set}: {says}"), "--set study.seed=8");
    };
    check("seed", "there is no `=`");
    check("seed=8", "the key has the wrong number of parts");
    check("suite.nobody.families=3", "no suite is called `nobody`");
    check("subject.model=echo", "that is not a table of single values");
    let error = resolve(STUDY, &["suite.familes=3"]).err().unwrap();
    assert_eq!(error.to_string(), "--set suite.familes=3: there is no key `familes` in suite `tiny`");
    assert_eq!(error.hint().as_deref(), Some("did you mean `families`?"));
}

#[test]
fn what_was_set_wrongly_is_told_as_it_was_set() {
    let bounded = format!("{STUDY}\n[bounds]\n\"tiny.right\" = {{ max = 0.4 }}\n");
    let checks = [
        (STUDY, "bounds.\"tiny.right\".max=40", "bound `tiny.right`: 40 is no share"),
        (STUDY, "bounds.\"tny.right\".max=0.4", "bound `tny.right`: the study has no suite `tny`"),
        (STUDY, "stopping.\"tiny.right\"={ half_width = 3 }", "stopping `tiny.right`: every share"),
        (bounded.as_str(), "bounds.\"tiny.right\".max=40", "bound `tiny.right`: 40 is no share"),
        (STUDY, "suite.tiny.groups=0", "groups: 0 is too few"),
        (STUDY, "study.repeats=0", "repeats is 0"),
        (STUDY, "budget.usd=-1", "budget.usd"),
    ];
    for (study, set, says) in checks {
        check_error(&resolve(study, &["study.seed=8", set]).err().unwrap(), &format!("--set {set}: {says}"), "");
    }
    // What was not set is where it stands.
    let wrong = bounded.replace("max = 0.4", "max = 40");
    let error = resolve(&wrong, &["bounds.\"tiny.right\".min=0.1"]).err().unwrap();
    check_error(&error, "lab.toml, line 18: bound `tiny.right`: 40 is no share", "40 percent are 0.4");
}

#[test]
fn a_line_is_that_of_the_file_also_when_a_setting_was_changed() {
    let wrong = STUDY.replace("kind = \"tiny\"", "kind = \"tiny\"\ngruops = 3");
    let error = resolve(&wrong, &["study.seed=8"]).err().unwrap();
    check_error(&error, "lab.toml, line 8: there is no key `gruops`", "`groups`");
    let error = resolve(&STUDY.replace("\"mumble\"", "\"mumbel\""), &["study.seed=8"]).err().unwrap();
    check_error(&error, "lab.toml, line 15: no model is called `mumbel`", "`mumble`");
}

#[test]
fn a_study_that_is_whole_only_with_what_was_set_has_its_own_lines_too() {
    let seedless = STUDY.replace("seed = 7", "# which seed?");
    let check = |study: &str, says: &str| check_error(&resolve(study, &["study.seed=8"]).err().unwrap(), says, "");
    check(&seedless.replace("\"mumble\"", "\"mumbel\""), "lab.toml, line 15: no model is called `mumbel`");
    let wrong = seedless.replace("kind = \"tiny\"", "kind = \"tiny\"\ngruops = 3");
    check(&wrong, "lab.toml, line 8: there is no key `gruops`");
    let wrong = format!("{seedless}\n[bounds]\n\"tiny.right\" = {{ max = 40 }}\n");
    check(&wrong, "lab.toml, line 18: bound `tiny.right`: 40 is no share");
}

#[test]
fn what_cannot_be_read_is_told_where_it_stands_or_as_it_was_set() {
    let check = |study: &str, sets: &[&str], says: &str| check_error(&resolve(study, sets).err().unwrap(), says, "");
    let seedless = STUDY.replace("seed = 7", "# which seed?");
    check(&seedless, &["study.repeats=2"], "lab.toml, line 2: missing field `seed`");
    // What one set mends is mended, and the fault is where it is.
    let dollars = "--set budget.dollars=3: there is no key `dollars`";
    check(&seedless, &["study.seed=8", "budget.dollars=3"], dollars);
    check(&seedless, &["budget.dollars=3", "study.seed=8"], dollars);
    let slow = format!("{seedless}\n[limits]\ntimeout = \"long\"\n");
    check(&slow, &["study.seed=8"], "lab.toml, line 18: invalid type: string \"long\"");
    check(&slow, &["study.seed=8", "limits.timeout=late"], "--set limits.timeout=late: invalid type: string \"late\"");
    // What stands nowhere in the file was set.
    check(STUDY, &["study.seed=8", "bugdet.usd=1"], "--set bugdet.usd=1: there is no key `bugdet`");
    let rule = "stopping.\"tiny.right\".every=5";
    check(STUDY, &[rule, "study.seed=8"], &format!("--set {rule}: missing field `half_width`"));
    // What the whole lacks is told of the file.
    let headless =
        STUDY.replace("[study]", "[prices.\"a/b\"]").replace("name = \"lab\"\nseed = 7", "input = 1.0\noutput = 1.0");
    check(&headless, &["budget.tokens=9"], "lab.toml, line 1: missing field `study`");
}

#[test]
fn what_is_asked_decides_which_runs_are_the_same() {
    let lab = Lab::new();
    let identity = |study: &str| lab.plan(study).unwrap().identity;
    let same = identity(STUDY);
    let subject = format!(
        "{STUDY}\n[[subject]]\nagent = \"plain\"\nmodel = \"late\"\n[bounds]\n\"tiny.right\" = {{ min = 0.5 }}\n"
    );
    assert_eq!(identity(&subject), same, "subjects and bounds may change");
    assert_eq!(identity(&format!("# a comment\n{STUDY}")), same);
    assert_ne!(identity(&STUDY.replace("seed = 7", "seed = 8")), same);
    assert_ne!(identity(&STUDY.replace("kind = \"tiny\"", "kind = \"tiny\"\ncases = 41")), same);
    assert_ne!(identity(&STUDY.replace("kind = \"tiny\"", "kind = \"tiny\"\nversion = 2")), same);
}
