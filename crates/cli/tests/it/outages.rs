//! A model that cannot be asked for a while costs time and nothing else: what it was to say stays open, what was paid for is kept.

use crate::language_models::{KEY, run, study, written};
use crate::sample::{Desk, Ended, program};
use crate::{consult_models, parity_authors};
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use waterjar_core::Seed;
use waterjar_store::{Mode, Store};
use waterjar_testkit::clinician::{Clinician, Persona};
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings, Fault, Faults, Latency};

const FEW: &str = "--set suite.patients=1000 --set suite.pairs=3";

/// A port that nobody listens at.
fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

fn at(port: u16) -> EndpointSettings {
    EndpointSettings { port, ..writing() }
}

fn writing() -> EndpointSettings {
    let clinician = Clinician::new(Persona::CAREFUL, Seed(7)).writing_traps();
    EndpointSettings::with_clinician(clinician)
}

/// The study whose committee is somewhere else than its author.
fn written_and_judged(author: &str, judges: &str) -> String {
    let study = written(author);
    let (head, rest) = study.split_once("[models.\"sim/second\"]").unwrap();
    let (judge, rest) = rest.split_once("[retry]").unwrap();
    let head = head.replace("judges = [\"sim/clinician\", ", "judges = [");
    format!("{head}[models.\"sim/second\"]{}[retry]{rest}", judge.replace(author, judges))
}

fn lines(desk: &Desk, file: &str) -> usize {
    desk.read(file).lines().count()
}

fn check_stopped(ended: &Ended, model: &str) {
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(ended.stderr.contains(&format!("error: `{model}` gave no answer")), "{}", ended.stderr);
    assert!(ended.stderr.contains("start the same command again"), "{}", ended.stderr);
}

#[test]
fn an_author_that_is_away_costs_no_case() {
    let desk = Desk::new();
    let port = free_port();
    desk.write("study.toml", written(&format!("http://127.0.0.1:{port}")));
    let command = format!("run study.toml --out run {FEW}");
    check_stopped(&run(&desk, &command), "sim/clinician");
    check_stopped(&run(&desk, &command), "sim/clinician");
    let _endpoint = Endpoint::start_apart(at(port)).unwrap();
    let ended = run(&desk, &command);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(lines(&desk, "run/variants.jsonl"), 9);
    // The same families as if nothing had happened.
    assert_eq!(run(&desk, &format!("run study.toml --out calm {FEW}")).code, Some(0));
    assert_eq!(desk.read("run/variants.jsonl"), desk.read("calm/variants.jsonl"));
}

#[test]
fn a_judge_that_is_away_does_not_vote_no() {
    let desk = Desk::new();
    let author = Endpoint::start_apart(writing()).unwrap();
    let port = free_port();
    desk.write("study.toml", written_and_judged(&author.url(), &format!("http://127.0.0.1:{port}")));
    let command = format!("vary study.toml --out run --json {FEW}");
    check_stopped(&run(&desk, &command), "sim/second");
    let _judges = Endpoint::start_apart(at(port)).unwrap();
    let ended = run(&desk, &command);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let made = &ended.json()[0];
    assert_eq!(made["families"], 3);
    assert!(made["losses"].get("committee_rejected").is_none(), "{made}");
    assert_eq!(author.stats().asked_again(), 0, "what the author wrote is paid for");
}

#[test]
fn a_case_that_gets_no_answer_while_others_do_is_lost_until_it_is_asked_again() {
    let desk = Desk::new();
    let faults = Faults { most_per_request: Some(1), ..Faults::new(0.1, vec![Fault::status(500)], Seed(5)) };
    let endpoint = Endpoint::start_apart(EndpointSettings { faults, ..writing() }).unwrap();
    desk.write("study.toml", written(&endpoint.url()));
    let command = format!("run study.toml --out run {FEW} --set retry.attempts=1 --set limits.concurrency=4");
    let ended = run(&desk, &command);
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("cases were lost because a model that writes or votes gave no answer"),
        "{}",
        ended.stderr
    );
    assert!(ended.stderr.contains("hint: the same command with --retry-failed"), "{}", ended.stderr);
    assert_eq!(run(&desk, &command).code, Some(3), "left alone they stay lost");
    // What comes after a question that failed is new to the endpoint, and may fail once in its turn.
    let again = || run(&desk, &format!("{command} --retry-failed"));
    let ended = (0..5).map(|_| again()).find(|ended| ended.code != Some(3)).expect("each question fails once at most");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(
        ended.stderr.contains(" that a model gave no answer for ") && ended.stderr.contains(" tried again"),
        "{}",
        ended.stderr
    );
    assert_eq!(endpoint.stats().asked_again(), 0);
}

/// A subject that falls for traps and says why, and an auditor somewhere else.
fn audited(subject: &str, auditor: &str) -> String {
    let study = study("openai", &format!("{subject}/v1"), "");
    let table = format!("[models.\"sim/auditor\"]\nurl = \"{auditor}/v1\"\napi = \"openai\"\n\n[retry]");
    study
        .replace("patients = 3600\npairs = 20\n", "patients = 20000\npairs = 400\n")
        .replace("gap = 0.7\n", "gap = 0.7\nauditor = \"sim/auditor\"\n")
        .replace("[retry]", &table)
}

fn stubborn() -> Endpoint {
    let persona = Persona { heed: waterjar_simulation::Heed::Mentions, ..Persona::STUBBORN };
    let clinician = Clinician::new(persona, Seed(7));
    Endpoint::start_apart(EndpointSettings::with_clinician(clinician)).unwrap()
}

#[test]
fn an_auditor_that_is_away_leaves_its_audits_open() {
    let desk = Desk::new();
    let (subject, port) = (stubborn(), free_port());
    desk.write("study.toml", audited(&subject.url(), &format!("http://127.0.0.1:{port}")));
    check_stopped(&run(&desk, "run study.toml --out run"), "sim/auditor");
    let asked = subject.stats().requests;
    let auditor = Endpoint::start_apart(at(port)).unwrap();
    let ended = run(&desk, "run study.toml --out run --json");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(auditor.stats().requests > 0);
    assert_eq!(subject.stats().requests, asked);
    assert_eq!(ended.json()["results"][0]["metrics"]["failure_mode.unaudited"]["value"], 0.0);
}

#[test]
fn audits_that_get_no_answer_are_counted_and_asked_for_again_when_wanted() {
    let desk = Desk::new();
    let subject = stubborn();
    let faults = Faults { most_per_request: Some(1), ..Faults::new(0.4, vec![Fault::status(500)], Seed(5)) };
    let auditor = Endpoint::start_apart(EndpointSettings { faults, ..writing() }).unwrap();
    desk.write("study.toml", audited(&subject.url(), &auditor.url()));
    let command = "run study.toml --out run --set retry.attempts=1 --set limits.concurrency=1";
    let ended = run(&desk, command);
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(ended.stderr.contains(" unaudited: the auditor gave no usable word"), "{}", ended.stderr);
    let (asked, audits) = (subject.stats().requests, auditor.stats().requests);
    assert_eq!(run(&desk, "judge run").code, Some(3), "and nobody is asked again unasked");
    assert_eq!(auditor.stats().requests, audits);
    let ended = run(&desk, &format!("{command} --retry-failed"));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(
        ended.stderr.contains(" without a usable word ") && ended.stderr.contains(" asked for again"),
        "{}",
        ended.stderr
    );
    assert_eq!(subject.stats().requests, asked);
    assert_eq!(auditor.stats().asked_again(), 0);
}

/// Letters that a doctor of ours answers, and reasonings of a reader of ours: only the judge is asked over the network.
fn judged(judge: &str) -> [(&'static str, String); 2] {
    let url = format!("{judge}/v1");
    let parity = parity_authors::study("ablations = true\njudge = [\"sim/writer\"]", "openai", &url);
    [
        ("beta/judge", consult_models::study("items = 4\njudge = [\"beta/judge\"]", "careful", &url, "openai")),
        // Enough of them that some reasonings differ.
        ("sim/writer", parity.replace("items = 5", "items = 25")),
    ]
}

#[test]
fn a_judge_of_answers_that_is_away_leaves_its_verdicts_open() {
    let port = free_port();
    for (judge, study) in judged(&format!("http://127.0.0.1:{port}")) {
        let desk = Desk::new();
        desk.write("study.toml", study);
        check_stopped(&run(&desk, "run study.toml --out run --set retry.attempts=1"), judge);
        let endpoint = Endpoint::start_apart(at(port)).unwrap();
        let ended = run(&desk, "run study.toml --out run --set retry.attempts=1");
        assert_eq!(ended.code, Some(0), "{judge}: {}", ended.stderr);
        assert!(endpoint.stats().requests > 0);
        assert!(!desk.read("run/verdicts.jsonl").contains("\"silent\""), "{judge}");
    }
}

#[test]
fn words_of_judges_that_did_not_come_are_counted_and_asked_for_again_when_wanted() {
    for at in 0..2 {
        let faults = Faults { most_per_request: Some(1), ..Faults::new(0.5, vec![Fault::status(500)], Seed(5)) };
        let endpoint = Endpoint::start_apart(EndpointSettings { faults, ..writing() }).unwrap();
        let (judge, study) = judged(&endpoint.url())[at].clone();
        let desk = Desk::new();
        desk.write("study.toml", study);
        let ended = run(&desk, "run study.toml --out run --set retry.attempts=1 --set limits.concurrency=1");
        assert_eq!(ended.code, Some(3), "{judge}: {}", ended.stderr);
        assert!(ended.stderr.contains(" the word of a judge, who gave none"), "{judge}: {}", ended.stderr);
        assert!(!ended.stderr.contains("unaudited"), "{judge} audits nothing: {}", ended.stderr);
        let ended = run(&desk, "run study.toml --out run --retry-failed --set retry.attempts=4");
        assert_eq!(ended.code, Some(0), "{judge}: {}", ended.stderr);
        assert!(ended.stderr.contains(" without a usable word "), "{judge}: {}", ended.stderr);
    }
}

#[test]
fn failures_of_a_subject_that_was_taken_out_count_no_more() {
    let faults = Faults { most_per_request: None, ..Faults::new(1.0, vec![Fault::ContextLength], Seed(5)) };
    let endpoint = Endpoint::start_apart(EndpointSettings::with_faults(faults)).unwrap();
    let desk = Desk::new();
    let asked = study("openai", &format!("{}/v1", endpoint.url()), "");
    desk.write("study.toml", &asked);
    let few = "--out run --set suite.patients=400 --set suite.pairs=2";
    assert_eq!(run(&desk, &format!("run study.toml {few}")).code, Some(3));
    let subject = "[[subject]]\nagent = \"plain\"\nmodel = ";
    desk.write("study.toml", asked.replace(&format!("{subject}\"sim/clinician\""), &format!("{subject}\"prior\"")));
    let ended = run(&desk, &format!("answer study.toml {few} --json"));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let results = ended.json()["results"].clone();
    assert_eq!((results.as_array().unwrap().len(), &results[0]["subject"]), (1, &"plain@prior".into()), "{results}");
}

#[test]
fn a_key_that_is_not_taken_stops_the_run_and_leaves_the_rest_open() {
    let desk = Desk::new();
    let faults = Faults { most_per_request: None, ..Faults::new(1.0, vec![Fault::Unauthorized], Seed(5)) };
    let endpoint = Endpoint::start_apart(EndpointSettings::with_faults(faults)).unwrap();
    desk.write("study.toml", study("openai", &format!("{}/v1", endpoint.url()), ""));
    let ended = run(&desk, "run study.toml --out run --set limits.concurrency=2");
    check_stopped(&ended, "sim/clinician");
    assert!(ended.stderr.contains("status 401"), "{}", ended.stderr);
    // Of 60: how many go out before the first failures are counted is the scheduler's affair.
    assert!(endpoint.stats().requests < 40, "{}", endpoint.stats().requests);

    // The key is good now.
    let port = endpoint.addr().port();
    drop(endpoint);
    let good = Endpoint::start_apart(EndpointSettings { port, ..EndpointSettings::default() }).unwrap();
    let ended = run(&desk, "run study.toml --out run --json");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!((good.stats().requests, &ended.json()["results"][0]["missing"]), (60, &0.into()));
}

#[test]
fn what_is_missing_is_said_with_its_state_and_the_first_reason() {
    let desk = Desk::new();
    let faults = Faults { most_per_request: None, ..Faults::new(1.0, vec![Fault::ContextLength], Seed(5)) };
    let endpoint = Endpoint::start_apart(EndpointSettings::with_faults(faults)).unwrap();
    desk.write("study.toml", study("openai", &format!("{}/v1", endpoint.url()), ""));
    let ended = run(&desk, "run study.toml --out run --set suite.patients=400 --set suite.pairs=2");
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    let told = "warning: einstellung plain@sim/clinician: 6 without an answer (transport_error: the model could not be reached, or its server did not take the question), the first: the endpoint rejected";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
    assert!(ended.stderr.contains("hint: the same command with --retry-failed"), "{}", ended.stderr);
}

#[test]
fn an_answer_nobody_can_read_is_told_apart_from_none() {
    let clinician = Clinician::always("Final diagnosis: cannot be determined without an X-ray.");
    let endpoint = Endpoint::start_apart(EndpointSettings::with_clinician(clinician)).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", study("openai", &format!("{}/v1", endpoint.url()), ""));
    let ended = run(&desk, "run study.toml --out run --set suite.patients=400 --set suite.pairs=2");
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(ended.stderr.contains("6 answered, but nothing can be judged in it"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("--retry-failed"), "it would not help: {}", ended.stderr);
}

/// How many calls the run has on its books.
fn booked(desk: &Desk) -> u64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open(desk.path("run/run.sqlite"), Mode::Read).await.unwrap();
        let spent = store.spend().await.unwrap();
        spent.iter().map(|spend| spend.calls).sum()
    })
}

#[test]
fn a_budget_that_ends_while_pairs_are_written_loses_no_call() {
    let latency = Latency::Fixed(Duration::from_millis(30));
    let endpoint = Endpoint::start_apart(EndpointSettings { latency, ..writing() }).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", written(&endpoint.url()));
    let ended = run(&desk, "run study.toml --out run --set budget.tokens=100000");
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    assert!(ended.stderr.contains("budget"), "{}", ended.stderr);
    let asked = endpoint.stats().requests;
    assert!(asked > 20, "{asked}");
    assert_eq!(booked(&desk), asked, "every call is on the books");
    let ended = run(&desk, "run study.toml --out run --set budget.tokens=100000000");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(endpoint.stats().asked_again(), 0, "and none is paid for twice");
}

fn start(desk: &Desk, words: &str) -> Child {
    Command::new(program())
        .args(words.split_whitespace())
        .env("SIM_KEY", KEY)
        .current_dir(desk.path("."))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn interrupt(child: &Child) {
    // Without `unsafe` a signal is sent by another program.
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

fn until_asked(endpoint: &Endpoint, times: u64) {
    while endpoint.stats().requests < times {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// An interrupt while models are asked: the calls under way are the last.
fn check_interrupt(desk: &Desk, asked: &Endpoint) {
    let mut child = start(desk, "run study.toml --out run --set limits.concurrency=2");
    until_asked(asked, 4);
    interrupt(&child);
    let talk = BufReader::new(child.stderr.take().unwrap()).lines().map(|line| line.unwrap());
    let talk = talk.collect::<Vec<_>>().join("\n");
    assert_eq!(child.wait().unwrap().code(), Some(4), "{talk}");
    assert!(talk.contains("error: interrupted\nhint: start the same command again"), "{talk}");
    assert!(asked.stats().requests < 20, "{} calls went out", asked.stats().requests);
    let ended = run(desk, "run study.toml --out run");
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert_eq!(asked.stats().asked_again(), 0, "what was under way is kept");
}

fn slow() -> EndpointSettings {
    EndpointSettings { latency: Latency::Fixed(Duration::from_millis(100)), ..writing() }
}

#[test]
fn an_interrupt_is_heard_while_models_write() {
    let endpoint = Endpoint::start_apart(slow()).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", written(&endpoint.url()).replace("pairs = 20", "pairs = 3").replace("1500", "400"));
    check_interrupt(&desk, &endpoint);
}

#[test]
fn an_interrupt_is_heard_while_models_audit() {
    let (subject, auditor) = (stubborn(), Endpoint::start_apart(slow()).unwrap());
    let desk = Desk::new();
    desk.write("study.toml", audited(&subject.url(), &auditor.url()).replace("pairs = 20", "pairs = 60"));
    check_interrupt(&desk, &auditor);
}

#[test]
fn an_interrupt_is_heard_while_models_judge() {
    let endpoint = Endpoint::start_apart(slow()).unwrap();
    let [(_, study), _] = judged(&endpoint.url());
    let desk = Desk::new();
    desk.write("study.toml", study.replace("items = 4", "items = 20"));
    check_interrupt(&desk, &endpoint);
    assert!(!desk.read("run/verdicts.jsonl").contains("\"invalid\""), "nobody was asked in vain");
}

#[test]
fn a_second_interrupt_ends_the_program_at_once() {
    let stalling = Faults::new(1.0, vec![Fault::Stall(Duration::from_secs(3600))], Seed(5));
    let endpoint = Endpoint::start_apart(EndpointSettings { faults: stalling, ..writing() }).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", written(&endpoint.url()));
    let mut child = start(&desk, "run study.toml --out run --set limits.timeout=3600.0 --set retry.deadline=3600.0");
    until_asked(&endpoint, 1);
    interrupt(&child);
    let mut talk = BufReader::new(child.stderr.take().unwrap()).lines().map(|line| line.unwrap());
    assert!(talk.by_ref().any(|line| line.starts_with("stopping: ")));
    interrupt(&child);
    let rest = talk.collect::<Vec<_>>().join("\n");
    assert_eq!(child.wait().unwrap().code(), Some(4), "{rest}");
    assert!(!rest.contains("interrupted"), "nothing was waited for: {rest}");
}

#[test]
fn what_asks_nobody_needs_no_key() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", study("openai", &format!("{}/v1", endpoint.url()), ""));
    assert_eq!(run(&desk, &format!("run study.toml --out run {FEW}")).code, Some(0));
    for words in ["report run", "export run --failures f.csv", "measure run", "judge run", "show case run", "vary run"]
    {
        let ended = desk.waterjar(words);
        assert_eq!(ended.code, Some(0), "{words}: {}", ended.stderr);
    }
    let ended = desk.waterjar("answer run");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("run/study.toml, line ") && ended.stderr.contains("set SIM_KEY"), "{}", ended.stderr);
}

#[test]
fn pairs_of_one_benchmark_are_written_by_one_author() {
    let endpoint = Endpoint::start_apart(writing()).unwrap();
    let desk = Desk::new();
    let study = written(&endpoint.url()).replace("[models.\"sim/third\"]", "[models.\"sim/third\"]\nmodel = \"x\"");
    desk.write("study.toml", &study);
    assert_eq!(run(&desk, &format!("vary study.toml --out run {FEW}")).code, Some(0));
    desk.write("study.toml", study.replace("model = \"x\"", "model = \"y\""));
    let ended = run(&desk, &format!("run study.toml --out run {FEW}"));
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    let told = "holds another study: pairs were written with `sim/third` asked in another way, `model` is \"x\" there and \"y\" here";
    assert!(ended.stderr.contains(told), "{}", ended.stderr);
    // Who answers and who audits may change.
    desk.write("study.toml", study.replace("agent = \"plain\"", "agent = \"direct\""));
    let ended = run(&desk, &format!("run study.toml --out run {FEW} --set suite.auditor=sim/second"));
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
}
