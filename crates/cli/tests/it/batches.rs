//! Models that are asked in batches, over real HTTP at a simulated endpoint: sent once, found again, paid by half.

use crate::language_models::{KEY, done, run};
use crate::sample::{Desk, program};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use waterjar_store::{Mode, Store};
use waterjar_testkit::endpoint::{BatchEnd, BatchManner, Endpoint, EndpointSettings};

const BATCH: &str = "mode = \"batch\"\nbatch_wait_seconds = 0.4\npoll_seconds = 0.05\n";
const APIS: [(&str, &str); 2] = [("openai", "/v1"), ("anthropic", "")];

/// Twenty families, sixty questions.
fn study(api: &str, url: &str, mode: &str, more: &str) -> String {
    crate::language_models::study(api, url, &format!("\n[prices]\n\"sim/*\" = {{ input = 1.0, output = 2.0 }}\n{more}"))
        .replace("key_env = \"SIM_KEY\"\n", &format!("key_env = \"SIM_KEY\"\n{mode}"))
}

fn endpoint(batches: BatchManner) -> Endpoint {
    Endpoint::start_apart(EndpointSettings { batches, ..EndpointSettings::default() }).unwrap()
}

fn calls(endpoint: &Endpoint) -> u64 {
    endpoint.stats().requests
}

fn picodollars(desk: &Desk, dir: &str) -> u64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open(desk.path(dir).join("run.sqlite"), Mode::Read).await.unwrap();
        let spent = store.spend().await.unwrap();
        spent.iter().map(|spend| spend.picodollars).sum()
    })
}

#[test]
fn a_study_in_batches_says_the_same_for_half_the_price() {
    for (api, path) in APIS {
        let desk = Desk::new();
        let endpoint = endpoint(BatchManner { looks: 2, ..BatchManner::default() });
        let url = format!("{}{path}", endpoint.url());
        desk.write("study.toml", study(api, &url, "", ""));
        done(&desk, "run study.toml --out calls");
        let before = calls(&endpoint);
        desk.write("study.toml", study(api, &url, BATCH, ""));
        let ended = done(&desk, "run study.toml --out batch");
        let stats = endpoint.stats();
        assert_eq!((stats.requests - before, stats.batched.len(), stats.batched_again()), (0, 60, 0), "{api}");
        assert_eq!(stats.batches, 1, "{api}");
        assert!(ended.stderr.contains("sim/clinician: 60 questions are sent as batch_1"), "{}", ended.stderr);
        assert_eq!(desk.read("calls/verdicts.jsonl"), desk.read("batch/verdicts.jsonl"));
        assert_eq!(picodollars(&desk, "calls"), 2 * picodollars(&desk, "batch"), "{api}");
        assert!(endpoint.seen_key(KEY));
        // Started again, nothing is sent.
        done(&desk, "run study.toml --out batch");
        assert_eq!(endpoint.stats().batches, 1);
    }
}

#[test]
fn what_a_batch_does_not_answer_is_asked_by_itself_or_sent_once_more() {
    for (api, path) in APIS {
        let desk = Desk::new();
        let manner = BatchManner { looks: 1, failed: 0.2, expired: 0.2, broken_looks: 3, ..BatchManner::default() };
        let endpoint = endpoint(manner);
        desk.write("study.toml", study(api, &format!("{}{path}", endpoint.url()), BATCH, ""));
        let ended = done(&desk, "run study.toml --out run --json");
        assert_eq!(ended.json()["results"][0]["missing"], 0);
        let stats = endpoint.stats();
        let again = stats.batched_again();
        assert!(stats.batches == 2 && (4..25).contains(&again), "{api}: {} batches, {again}", stats.batches);
        assert!((4..25).contains(&stats.requests), "{api}: {} by themselves", stats.requests);
        assert_eq!((stats.asked_again(), stats.answered()), (0, 60), "{api}: nothing that was answered is asked again");
    }
}

fn start(desk: &Desk) -> Child {
    Command::new(program())
        .args(["run", "study.toml", "--out", "run"])
        .current_dir(desk.path("."))
        .env("SIM_KEY", KEY)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn killed_when(desk: &Desk, is_so: impl Fn() -> bool) {
    let mut child = start(desk);
    let waited = Instant::now();
    while !is_so() {
        assert!(waited.elapsed() < Duration::from_secs(60), "it never came to be");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn killed_between_sending_and_the_results_nothing_is_sent_again() {
    for (api, path) in APIS {
        let desk = Desk::new();
        let endpoint = endpoint(BatchManner { looks: 40, ..BatchManner::default() });
        desk.write("study.toml", study(api, &format!("{}{path}", endpoint.url()), BATCH, ""));
        killed_when(&desk, || endpoint.stats().batches > 0);
        killed_when(&desk, || endpoint.stats().batch_looks > 5);
        done(&desk, "run study.toml --out run");
        let stats = endpoint.stats();
        assert_eq!((stats.batches, stats.batched.len(), stats.batched_again(), stats.requests), (1, 60, 0, 0), "{api}");
    }
}

#[test]
fn killed_before_the_name_of_the_batch_is_known_it_is_found_again() {
    for (api, path) in APIS {
        let desk = Desk::new();
        let endpoint = endpoint(BatchManner { looks: 3, lost_replies: 1, ..BatchManner::default() });
        // The answer to sending is lost, and the wait before it is looked for is long.
        let study = study(api, &format!("{}{path}", endpoint.url()), BATCH, "");
        desk.write(
            "study.toml",
            study.replace("first_wait = 0.02\nlongest_wait = 0.1", "first_wait = 30.0\nlongest_wait = 30.0"),
        );
        killed_when(&desk, || endpoint.stats().batches > 0);
        done(&desk, "run study.toml --out run");
        let stats = endpoint.stats();
        assert_eq!((stats.batches, stats.batched_again(), stats.requests), (1, 0, 0), "{api}");
    }
}

#[test]
fn an_answer_that_is_lost_does_not_send_the_batch_twice() {
    for (api, path) in APIS {
        let desk = Desk::new();
        let endpoint = endpoint(BatchManner { lost_replies: 1, ..BatchManner::default() });
        desk.write("study.toml", study(api, &format!("{}{path}", endpoint.url()), BATCH, ""));
        done(&desk, "run study.toml --out run");
        let stats = endpoint.stats();
        assert_eq!((stats.batches, stats.batched_again(), stats.requests), (1, 0, 0), "{api}");
    }
}

/// Anthropic keeps no name of ours, so two of the same size sent in the same second look the same until their results are there.
#[test]
fn a_batch_whose_answer_was_lost_is_not_mistaken_for_anothers() {
    for (api, path) in APIS {
        let endpoint = endpoint(BatchManner { lost_replies: 3, looks: 5, ..BatchManner::default() });
        let desks = [7, 8, 9].map(|seed| {
            let desk = Desk::new();
            let study = study(api, &format!("{}{path}", endpoint.url()), BATCH, "");
            desk.write("study.toml", study.replace("seed = 7", &format!("seed = {seed}")));
            desk
        });
        let children = desks.each_ref().map(start);
        for mut child in children {
            assert_eq!(child.wait().unwrap().code(), Some(0), "{api}");
        }
        let stats = endpoint.stats();
        assert_eq!((stats.batches, stats.batched_again(), stats.requests), (3, 0, 0), "{api}");
    }
}

#[test]
fn a_batch_that_is_cancelled_or_not_taken_stops_the_run_which_can_go_on() {
    let ends = [
        ("openai", "/v1", BatchEnd::Cancelled, "somebody cancelled the batch"),
        ("anthropic", "", BatchEnd::Cancelled, "somebody cancelled the batch"),
        ("openai", "/v1", BatchEnd::Failed, "Enqueued token limit"),
    ];
    for (api, path, end, told) in ends {
        let desk = Desk::new();
        let ill = endpoint(BatchManner { end, ..BatchManner::default() });
        desk.write("study.toml", study(api, &format!("{}{path}", ill.url()), BATCH, ""));
        let ended = run(&desk, "run study.toml --out run");
        assert_eq!(ended.code, Some(4), "{api}: {}", ended.stderr);
        assert!(ended.stderr.contains(told), "{api}: {}", ended.stderr);
        assert_eq!(calls(&ill), 0);
        done(&desk, "run study.toml --out run");
        let stats = ill.stats();
        assert_eq!((stats.batches, stats.requests), (2, 0), "{api}");
        if end == BatchEnd::Cancelled {
            assert_eq!((stats.asked_again(), stats.answered()), (0, 60), "{api}: what was answered is kept");
        }
    }
}

#[test]
fn batches_are_as_large_as_the_study_allows() {
    let desk = Desk::new();
    let endpoint = endpoint(BatchManner::default());
    let mode = format!("{BATCH}batch_size = 16\n");
    desk.write("study.toml", study("openai", &format!("{}/v1", endpoint.url()), &mode, ""));
    done(&desk, "run study.toml --out run");
    assert_eq!((endpoint.stats().batches, endpoint.stats().batched_again()), (4, 0));
}

#[test]
fn an_agent_of_several_turns_takes_several_rounds() {
    let desk = Desk::new();
    let endpoint = endpoint(BatchManner::default());
    let study = study("openai", &format!("{}/v1", endpoint.url()), BATCH, "").replace("\"plain\"", "\"medagents\"");
    desk.write("study.toml", study.replace("pairs = 20", "pairs = 2"));
    let ended = done(&desk, "run study.toml --out run --json");
    assert_eq!(ended.json()["results"][0]["missing"], 0);
    let stats = endpoint.stats();
    assert!((3..30).contains(&stats.batches) && stats.requests == 0, "{} batches", stats.batches);
}

#[test]
fn half_the_money_is_enough() {
    let desk = Desk::new();
    let endpoint = endpoint(BatchManner::default());
    let url = format!("{}/v1", endpoint.url());
    desk.write("study.toml", study("openai", &url, "max_tokens = 2000\n", ""));
    done(&desk, "run study.toml --out calls");
    let budget = picodollars(&desk, "calls") as f64 / 1e12 * 0.75;
    let budget = format!("[budget]\nusd = {budget}\n");
    desk.write("study.toml", study("openai", &url, "max_tokens = 2000\n", &budget));
    assert_eq!(run(&desk, "run study.toml --out too-little").code, Some(4));
    desk.write("study.toml", study("openai", &url, &format!("max_tokens = 2000\n{BATCH}"), &budget));
    done(&desk, "run study.toml --out batch");
}

#[test]
fn a_format_without_batches_is_refused_with_its_line() {
    let desk = Desk::new();
    desk.write("study.toml", study("gemini", "http://127.0.0.1:9/v1beta", BATCH, ""));
    for command in ["run study.toml --out run", "rehearse study.toml"] {
        let ended = run(&desk, command);
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(
            ended.stderr.contains("study.toml, line") && ended.stderr.contains("has no batches"),
            "{}",
            ended.stderr
        );
    }
}

#[test]
fn a_rehearsal_counts_the_price_of_batches() {
    let desk = Desk::new();
    let cost = ["", BATCH].map(|mode| {
        desk.write("study.toml", study("openai", "http://127.0.0.1:9/v1", mode, ""));
        let ended = done(&desk, "rehearse study.toml --json");
        assert_eq!(ended.stderr.contains("asked in batches"), !mode.is_empty(), "{}", ended.stderr);
        ended.json()["total"]["usd"].as_f64().unwrap()
    });
    assert!((cost[0] - 2.0 * cost[1]).abs() < 1e-9, "{cost:?}");
}
