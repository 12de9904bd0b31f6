//! The suite `sensitivity`: offline, and with language models at a simulated endpoint over real HTTP.

use crate::language_models::{done, run};
use crate::sample::{Desk, Ended};
use waterjar_core::Seed;
use waterjar_testkit::clinician::{Clinician, Persona, ToolPolicy};
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings, Fault, Script};

pub fn study(suite: &str, subjects: &str, endpoint: Option<(&str, &str)>) -> String {
    let model = |name: &str| {
        endpoint.map_or_else(String::new, |(api, url)| {
            format!("[models.\"{name}\"]\nurl = \"{url}\"\napi = \"{api}\"\nkey_env = \"SIM_KEY\"\n")
        })
    };
    format!(
        "[study]\nname = \"charts\"\nseed = 7\n\n[[suite]]\nkind = \"sensitivity\"\ncases = 8\n{suite}\n{subjects}\n{}{}\n",
        model("sim/clinician"),
        model("other/judge")
    )
}

pub fn subject(agent: &str, model: &str, more: &str) -> String {
    format!("[[subject]]\nagent = \"{agent}\"\nmodel = \"{model}\"\n{more}\n")
}

const ROUTES: [(&str, &str); 3] = [("openai", "/v1"), ("anthropic", ""), ("gemini", "/v1beta")];

#[test]
fn offline_the_blind_reader_follows_nothing_and_the_accounts_are_told() {
    let desk = Desk::new();
    desk.write(
        "study.toml",
        study("", &(subject("plain", "protocolist", "") + &subject("plain", "guideline", "")), None),
    );
    let ended = done(&desk, "run study.toml --out run --json");
    assert_eq!(ended.value(0, "css"), Some(0.0));
    assert!(ended.value(1, "css_clean").unwrap() > 0.8);
    let told: Vec<&str> = ended.stderr.lines().filter(|line| line.contains("interventions: ")).collect();
    assert!(matches!(told.as_slice(), [one] if one.contains(" eligible, ")), "told once, in a line: {}", ended.stderr);
    let again = done(&desk, "run study.toml --out again --json");
    assert_eq!(desk.read("run/metrics.json"), desk.read("again/metrics.json"));
    assert_eq!(ended.stdout, again.stdout);
    let made = done(&desk, "vary study.toml --out made --json").json();
    let accounts = made[0]["accounts"].as_array().or(made["accounts"].as_array()).unwrap().clone();
    let eligible: u64 = accounts.iter().map(|it| it["eligible"].as_u64().unwrap()).sum();
    assert!(eligible > 5, "{made}");
}

#[test]
fn a_catalog_with_faults_stops_the_run_with_all_of_them() {
    let desk = Desk::new();
    desk.write("bad.yaml", "- id: x\n  family: Q\n  applicability: { positive: ['(a'] }\n  mutation: { type: cut }\n  expected_change: { must_drop: [a] }\n");
    desk.write("study.toml", study("catalog = \"bad.yaml\"", &subject("plain", "guideline", ""), None));
    let ended = run(&desk, "run study.toml --out run");
    assert_eq!(ended.code, Some(2));
    for told in ["line 2: no family is called `Q`", "line 3:", "line 4: no mutation", "has no `scoring_rule`"] {
        assert!(ended.stderr.contains(told), "{told}: {}", ended.stderr);
    }
    assert!(!desk.path("run").exists());
}

#[test]
fn a_misspelt_drug_in_a_catalog_is_warned_of_before_anybody_is_asked() {
    let desk = Desk::new();
    desk.write(
        "mine.yaml",
        "- id: lost\n  family: A\n  applicability: { cancer_types: [breast], positive: ['(?i)HER2'] }\n  mutation: [{ replace: 'HER2', with: 'HER3' }]\n  \
         expected_change: { must_drop: [trastuzumb] }\n  scoring_rule: x\n",
    );
    desk.write("study.toml", study("catalog = \"mine.yaml\"", &subject("plain", "guideline", ""), None));
    let told = "suite `sensitivity`: the catalog, line 1: `trastuzumb` in `must_drop` of `lost` is no treatment that is known here";
    let warned = run(&desk, "vary study.toml --out run").stderr;
    assert!(warned.contains(told) && warned.contains("Did you mean `trastuzumab`?"), "{warned}");
    assert!(run(&desk, "doctor study.toml").stdout.contains("Did you mean `trastuzumab`?"), "doctor");
}

#[test]
fn a_language_model_is_asked_in_two_stages_and_judged_the_same_in_all_three_formats() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let desk = Desk::new();
    let verdicts = ROUTES.map(|(api, path)| {
        let url = format!("{}{path}", endpoint.url());
        desk.write("study.toml", study("", &subject("plain", "sim/clinician", ""), Some((api, &url))));
        let ended = done(&desk, &format!("run study.toml --out {api} --json"));
        assert!(ended.value(0, "css_clean").unwrap() > 0.8);
        desk.read(&format!("{api}/verdicts.jsonl"))
    });
    assert_eq!(verdicts[0], verdicts[1]);
    assert_eq!(verdicts[0], verdicts[2]);
    let answer = &desk.lines("openai/responses.jsonl")[0];
    assert!(answer.to_string().contains("summary"), "the first stage is kept: {answer}");
}

#[test]
fn a_model_grades_beside_the_rule_and_never_its_own_maker() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let url = format!("{}/v1", endpoint.url());
    let desk = Desk::new();
    let asked = |judge: &str| {
        study(&format!("judge = [\"{judge}\"]"), &subject("plain", "sim/clinician", ""), Some(("openai", &url)))
    };
    desk.write("study.toml", study("", &subject("plain", "sim/clinician", ""), Some(("openai", &url))));
    let by_rule = done(&desk, "run study.toml --out run --json");
    // A finished run may be judged again by another.
    desk.write("study.toml", asked("other/judge"));
    let by_model = done(&desk, "run study.toml --out run --json");
    let graded = |ended: &Ended| ended.value(0, "css").unwrap();
    assert!((graded(&by_model) - graded(&by_rule)).abs() < 0.4, "{} {}", graded(&by_model), graded(&by_rule));
    let metrics = &by_model.json()["results"][0]["metrics"];
    assert!(metrics["judge_kappa"]["n"].as_u64().unwrap() > 5, "{metrics}");
    assert!(metrics["css_refusal_credit"]["value"].is_number());
    let verdict = &desk.lines("run/verdicts.jsonl")[0];
    assert_eq!(verdict["judge"], "other/judge");
    // Both judges' verdicts are kept, and held against each other: the same kappa as the rule beside the model has.
    let agree = done(&desk, "agree run --json");
    let between = &agree.json()["results"][0]["metrics"]["cohen_kappa"];
    assert_eq!(between["value"], metrics["judge_kappa"]["value"], "{between}");
    assert_eq!(between["n"], metrics["judge_kappa"]["n"]);
    assert!(agree.stderr.contains("the raters are the judges other/judge, rules"), "{}", agree.stderr);
    let nobody = run(&desk, "agree run --suite parity");
    assert_eq!(nobody.code, Some(2));
    assert!(nobody.stderr.contains("no two judges have judged `parity`"), "{}", nobody.stderr);
    // A judge of the subject's own maker grades nothing, and nothing becomes a zero.
    desk.write("study.toml", asked("sim/clinician"));
    let own = run(&desk, "run study.toml --out own --json");
    assert_eq!(own.code, Some(3), "{}", own.stderr);
    assert!(own.value(0, "css").is_none());
    assert!(desk.read("own/verdicts.jsonl").contains("own maker"));
}

#[test]
fn a_tool_using_agent_reads_sections_and_another_is_given_the_same_ones() {
    let clinician = Clinician::new(Persona::default(), Seed(1)).tools(ToolPolicy::Times(5));
    let endpoint = Endpoint::start_apart(EndpointSettings::with_clinician(clinician)).unwrap();
    let desk = Desk::new();
    let answers = ROUTES.map(|(api, path)| {
        let url = format!("{}{path}", endpoint.url());
        desk.write("study.toml", study("", &subject("react", "sim/clinician", ""), Some((api, &url))));
        done(&desk, &format!("run study.toml --out {api}"));
        let responses = desk.lines(&format!("{api}/responses.jsonl"));
        let record = &responses[0]["ending"]["ok"]["record"];
        let steps = record["trajectory"].as_array().unwrap();
        assert_eq!((steps.len(), record["calling"].as_str()), (5, Some("native")), "{record}");
        assert_eq!(steps[0]["section"], "overview");
        assert!(steps.iter().all(|step| step["bytes"].as_u64().unwrap() <= 8 * 1024));
        desk.read(&format!("{api}/verdicts.jsonl"))
    });
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);

    let url = format!("{}/v1", endpoint.url());
    let retrieved = subject("retrieved", "sim/clinician", "from = \"openai\"");
    desk.write("study.toml", study("", &retrieved, Some(("openai", &url))));
    let ended = done(&desk, "run study.toml --out retrieved --json");
    assert!(ended.value(0, "css").unwrap() > 0.3);
}

#[test]
fn without_tools_the_agent_reads_by_lines_of_text() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let url = format!("{}/v1", endpoint.url());
    let desk = Desk::new();
    let react = subject("react", "sim/clinician", "tools = \"text\"\ncalls = 6");
    desk.write("study.toml", study("", &react, Some(("openai", &url))));
    done(&desk, "run study.toml --out run");
    let record = &desk.lines("run/responses.jsonl")[0]["ending"]["ok"]["record"];
    let steps: Vec<&str> =
        record["trajectory"].as_array().unwrap().iter().map(|it| it["section"].as_str().unwrap()).collect();
    assert_eq!(record["calling"], "text");
    assert_eq!(steps[..2], ["overview", "diagnoses"], "{record}");
    assert!(steps.len() <= 6);
}

#[test]
fn readers_and_agents_of_the_other_suite_are_refused_by_name() {
    let desk = Desk::new();
    for (subject, told) in [
        (subject("plain", "gestalt", ""), "reads no charts"),
        (subject("ecr", "guideline", ""), "cannot be asked about a chart"),
        (subject("react", "guideline", ""), "calls no tool"),
    ] {
        desk.write("study.toml", study("", &subject, None));
        let ended = run(&desk, "run study.toml --out run");
        assert_eq!(ended.code, Some(2));
        assert!(ended.stderr.contains(told), "{told}: {}", ended.stderr);
    }
}

#[test]
fn a_registered_study_says_whether_its_lock_held() {
    let desk = Desk::new();
    let catalog = include_str!("../../../suites/tests/fixtures/published.yaml");
    desk.write("catalog.yaml", catalog);
    desk.write("study.toml", study("catalog = \"catalog.yaml\"", &subject("plain", "guideline", ""), None));
    let declared = done(&desk, "register study.toml");
    assert!(declared.stdout.contains("sensitivity.catalog"), "{}", declared.stdout);
    assert_eq!(run(&desk, "register study.toml").code, Some(2), "what was declared should stay");
    let held = done(&desk, "run study.toml --out held --json");
    assert!(held.stderr.contains("lock: held"), "{}", held.stderr);
    assert_eq!(held.json()["registered"], true);
    assert!(desk.path("held").join("study.lock").is_file());
    desk.write("catalog.yaml", catalog.replace("must_drop: [TCHP, THP]", "must_drop: [TCHP]"));
    let broken = run(&desk, "run study.toml --out broken --json");
    assert!(
        broken.stderr.contains("lock: broken") && broken.stderr.contains("sensitivity.catalog"),
        "{}",
        broken.stderr
    );
    assert_eq!(broken.json()["registered"], false);
}

/// Two judges, of which one is at another endpoint.
fn two_judges(good: &Endpoint, other: &Endpoint) -> String {
    let judges = "judge = [\"other/judge\", \"third/judge\"]";
    let study = study(judges, &subject("plain", "guideline", ""), Some(("openai", &format!("{}/v1", good.url()))));
    format!("{study}[models.\"third/judge\"]\nurl = \"{}/v1\"\napi = \"openai\"\nkey_env = \"SIM_KEY\"\n", other.url())
}

#[test]
fn a_judge_who_never_has_a_usable_word_is_told_and_named() {
    let good = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let bad = Endpoint::start_apart(EndpointSettings::with_script(Script::always(Fault::WrongSchema))).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", two_judges(&good, &bad));
    let ended = run(&desk, "run study.toml --out run --json");
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(ended.stderr.contains(" the word of a judge, who gave none"), "{}", ended.stderr);
    let metrics = &ended.json()["results"][0]["metrics"];
    assert_eq!(metrics["graded.third/judge"]["value"], 0.0, "{metrics}");
    assert_eq!(metrics["graded.other/judge"]["value"], 1.0, "{metrics}");
    done(&desk, "report run");
    let report = desk.read("run/report.html");
    assert!(report.contains("graded by other/judge (") && report.contains("third/judge (0 of"), "who graded");
    assert!(report.contains("kappa with the rule") && report.contains("called incoherent"), "kappa and credit");
}

#[test]
fn a_judge_who_cannot_be_reached_ends_the_pass_and_the_run_goes_on_when_he_can() {
    let good = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let desk = Desk::new();
    {
        let bad = Endpoint::start_apart(EndpointSettings::with_script(Script::always(Fault::Unauthorized))).unwrap();
        desk.write("study.toml", two_judges(&good, &bad));
        let ended = run(&desk, "run study.toml --out run");
        assert!(matches!(ended.code, Some(2 | 4)), "{:?} {}", ended.code, ended.stderr);
        assert!(ended.stderr.contains("third/judge") && ended.stderr.contains("401"), "{}", ended.stderr);
    }
    desk.write("study.toml", two_judges(&good, &good));
    let ended = done(&desk, "run study.toml --out run2 --json");
    assert_eq!(ended.json()["results"][0]["metrics"]["graded.third/judge"]["value"], 1.0);
}

#[test]
fn what_another_judge_owes_is_neither_told_nor_forgotten() {
    let good = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let bad = Endpoint::start_apart(EndpointSettings::with_script(Script::always(Fault::WrongSchema))).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", two_judges(&good, &bad));
    assert_eq!(run(&desk, "run study.toml --out run").code, Some(3));
    let by_models = desk.lines("run/verdicts.jsonl").len();
    let rules = "judge run --set suite.judge=[\"rules\"] --json";
    let judged = done(&desk, rules).json();
    assert_eq!((&judged["unaudited"], &judged["results"][0]["verdicts"]), (&0.into(), &by_models.into()), "{judged}");
    let asked = bad.stats().requests;
    done(&desk, &format!("{rules} --retry-failed"));
    assert_eq!((desk.lines("run/verdicts.jsonl").len(), bad.stats().requests), (2 * by_models, asked));
}

#[test]
fn how_many_verdicts_a_model_is_to_make_is_told_before_it_is_asked() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let url = format!("{}/v1", endpoint.url());
    let desk = Desk::new();
    let judged = study("judge = [\"other/judge\"]", &subject("plain", "guideline", ""), Some(("openai", &url)));
    desk.write("study.toml", &judged);
    done(&desk, "vary study.toml --out run");
    done(&desk, "answer run");
    let first = done(&desk, "judge run -vv");
    let all = desk.lines("run/verdicts.jsonl").len();
    let told = format!("sensitivity: {all} verdicts to be made by other/judge; 0 stored already\n");
    let (line, call) = (first.stderr.find(&told), first.stderr.find("other/judge asked"));
    assert!(line.is_some() && line < call, "{}", first.stderr);
    assert_eq!(first.stderr.matches("to be made by").count(), 1, "{}", first.stderr);
    // Nothing is open any more, and what programs read is as it was.
    let asked = endpoint.stats().requests;
    let again = done(&desk, "judge run --json");
    let told = format!("sensitivity: 0 verdicts to be made by other/judge; {all} stored already\n");
    assert!(again.stderr.contains(&told), "{}", again.stderr);
    assert_eq!((&again.json()["results"][0]["verdicts"], endpoint.stats().requests), (&all.into(), asked));
    // Whoever is asked in another way judges anew.
    desk.write("study.toml", judged.trim_end().to_owned() + "\ntemperature = 0.5\n");
    let anew = done(&desk, "run study.toml --out run");
    let told = format!("sensitivity: {all} verdicts to be made by other/judge, {all} of them anew (");
    assert!(anew.stderr.contains(&told), "{}", anew.stderr);
    // Rules cost nothing, and who wants to hear nothing does not.
    for quiet in ["judge run --set suite.judge=[\"rules\"]", "judge run --quiet"] {
        assert!(!done(&desk, quiet).stderr.contains("to be made"), "{quiet}");
    }
}

#[test]
fn several_judges_make_each_verdict_together_and_nobody_reads_it_as_so_many_each() {
    let good = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", two_judges(&good, &good));
    let told = done(&desk, "run study.toml --out run").stderr;
    let all = desk.lines("run/verdicts.jsonl").len();
    let by =
        format!("{all} verdicts to be made by other/judge and third/judge together ({all} in all, not {all} each)");
    assert!(told.contains(&by), "{told}");
}

#[test]
fn where_the_study_may_stop_early_the_most_there_can_be_is_told_once() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let url = format!("{}/v1", endpoint.url());
    let desk = Desk::new();
    let judged = study("judge = [\"other/judge\"]", &subject("plain", "guideline", ""), Some(("openai", &url)));
    desk.write(
        "study.toml",
        format!("{judged}\n[stopping]\n\"sensitivity.css\" = {{ half_width = 0.001, every = 3 }}\n"),
    );
    let told = done(&desk, "run study.toml --out run").stderr;
    let all = desk.lines("run/verdicts.jsonl").len();
    let most = format!(
        "sensitivity: at most {all} verdicts to be made by other/judge; 0 stored already; the study's [stopping] may"
    );
    assert!(told.contains(&most), "{told}");
    assert_eq!(told.matches("to be made by").count(), 1, "{told}");
}

#[test]
fn a_judge_at_a_closed_port_is_waited_for_with_a_word() {
    let good = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let desk = Desk::new();
    let study = two_judges(&good, &good) + "\n[retry]\nfirst_wait = 0.05\nattempts = 3\n";
    let away = "http://127.0.0.1:9/v1";
    let (head, judge) = study.split_once("[models.\"third/judge\"]").unwrap();
    let judge = judge.replacen(&format!("{}/v1", good.url()), away, 1);
    desk.write("study.toml", format!("{head}[models.\"third/judge\"]{judge}"));
    let told = run(&desk, "run study.toml --out run").stderr;
    let waited = "waiting for third/judge at http://127.0.0.1:9: the model could not be reached: no connection to";
    assert_eq!(told.matches(waited).count(), 1, "{told}");
    assert!(told.contains("Each question is tried 3 times") && told.contains("never more than 15 min"), "{told}");
    assert!(told.find(waited) < told.find("error: `third/judge` gave no answer"), "{told}");
    let quiet = run(&desk, "judge run --quiet").stderr;
    assert!(!quiet.contains("waiting for"), "{quiet}");
}

#[test]
fn a_judge_may_be_asked_in_another_way_on_a_finished_run() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let url = format!("{}/v1", endpoint.url());
    let desk = Desk::new();
    let judged = study("judge = [\"other/judge\"]", &subject("plain", "guideline", ""), Some(("openai", &url)));
    desk.write("study.toml", &judged);
    done(&desk, "run study.toml --out run");
    let asked = endpoint.stats().requests;
    done(&desk, "run study.toml --out run");
    assert_eq!(endpoint.stats().requests, asked, "nothing has changed");
    // The last table is the judge's.
    desk.write("study.toml", judged.trim_end().to_owned() + "\ntemperature = 0.5\n");
    done(&desk, "run study.toml --out run");
    assert!(endpoint.stats().requests > asked, "another way of asking may give another verdict");
}
