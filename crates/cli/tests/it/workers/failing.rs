//! Who is killed, goes away or may not costs nobody an answer.

use super::*;
use std::io::{BufRead, BufReader};

#[test]
fn workers_killed_in_the_act_lose_nothing_and_the_run_ends_as_one_process_would_end_it() {
    let Some(team) = team() else { return };
    let calm = slow(1);
    team.desk.write("study.toml", study(&calm, 150, ""));
    team.desk.done("run study.toml --out alone");
    let endpoint = slow(60);
    team.desk.write("study.toml", study(&endpoint, 150, "concurrency = 12"));
    // The address is no part of what was asked, the endpoint is the same clinician.
    let planner = team.planner("together");
    let mut workers: Vec<Process> = (0..3).map(|_| team.worker("--at-once 2")).collect();
    let mut kills = 0;
    let began = Instant::now();
    let mut planner = planner;
    while planner.0.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_secs(240), "it does not end");
        std::thread::sleep(Duration::from_millis(700));
        if kills < 6 && endpoint.stats().requests > 0 {
            // The drop is a kill -9.
            workers.remove(kills % workers.len());
            workers.push(team.worker("--at-once 2"));
            kills += 1;
        }
    }
    let (code, talk) = planner.ended();
    assert_eq!(code, Some(0), "{talk}");
    assert!(kills > 0, "nobody was killed in time");
    assert_same(&files(&team.desk.path("together")), &files(&team.desk.path("alone")));
    let stats = endpoint.stats();
    assert_eq!(stats.answered(), calm.stats().answered());
    // A kill costs the calls in flight: never more than may be under way at once, and what came in the moment before it was stored.
    assert!(stats.asked_again() <= 12 * 2 * kills as u64, "{} asked again after {kills} kills", stats.asked_again());
    assert!(stats.peak_running <= 12, "{} at once", stats.peak_running);
}

/// An endpoint that is gone for a while costs no answer, and the end says what it is.
#[test]
fn an_endpoint_that_goes_away_costs_workers_no_answer() {
    let Some(team) = team() else { return };
    let alone = slow(1);
    let quick = "concurrency = 4\n[retry]\nattempts = 2\nfirst_wait = 0.05\nlongest_wait = 0.1\ndeadline = 2\n";
    team.desk.write("study.toml", study(&alone, 40, quick));
    team.desk.done("run study.toml --out alone");
    let endpoint = slow(40);
    let port = endpoint.url().rsplit(':').next().unwrap().parse::<u16>().unwrap();
    team.desk.write("study.toml", study(&endpoint, 40, quick));
    let mut worker = team.worker("--at-once 2");
    let planner = team.start(&format!("run study.toml --out run --store {} --workers-only", team.url));
    let since = Instant::now();
    while endpoint.stats().requests < 20 {
        assert!(since.elapsed() < Duration::from_secs(60), "nothing is asked");
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(endpoint);
    std::thread::sleep(Duration::from_secs(6));
    let latency = Latency::Fixed(Duration::from_millis(1));
    let back = Endpoint::start_apart(EndpointSettings { latency, port, ..EndpointSettings::default() }).unwrap();
    let (code, told) = planner.ended();
    assert_eq!(code, Some(0), "{told}");
    drop(back);
    worker.0.kill().unwrap();
    worker.0.wait().unwrap();
    assert_same(&files(&team.desk.path("alone")), &files(&team.desk.path("run")));
}

#[test]
fn a_worker_without_the_key_keeps_nobody_else_waiting() {
    let Some(team) = team() else { return };
    let endpoint = slow(5);
    team.desk.write("study.toml", study(&endpoint, 60, "key_env = \"WORKERS_KEY\"\n"));
    let mut unable = team.worker("");
    let key = [("WORKERS_KEY", "secret-of-workers")];
    let words = format!("worker --store {} --lease 3", team.url);
    let mut able = team.start_with(&key, &words);
    let planner = team.start_with(&key, &format!("run study.toml --out run --store {} --workers-only", team.url));
    let (code, told) = planner.ended();
    assert_eq!(code, Some(0), "{told}");
    for worker in [&mut unable, &mut able] {
        worker.0.kill().unwrap();
        worker.0.wait().unwrap();
    }
}

#[test]
fn a_worker_starts_no_program_unless_it_is_told_to() {
    let Some(team) = team() else { return };
    let study = "[study]\nname = \"shared\"\nseed = 7\n[[suite]]\nkind = \"einstellung\"\npatients = 3600\npairs = 4\ngap = 0.7\n\
        [[subject]]\nagent = \"plain\"\nmodel = \"mine\"\n[models.mine]\ncommand = [\"sh\", \"-c\", \"touch started; exec cat\"]\n";
    team.desk.write("study.toml", study);
    let mut planner = team.start(&format!("run study.toml --out run --store {} --workers-only", team.url));
    let mut worker = team.worker("");
    let mut said = BufReader::new(worker.0.stderr.take().unwrap()).lines().map(Result::unwrap);
    let refused = said.find(|line| line.contains("cannot be worked on")).unwrap();
    assert!(refused.contains("`mine` is a program, and this worker starts none"), "{refused}");
    for process in [&mut worker, &mut planner] {
        process.0.kill().unwrap();
        process.0.wait().unwrap();
    }
    assert!(!team.desk.path("started").exists());
}

#[test]
fn a_planner_that_is_killed_and_started_again_has_nothing_asked_twice() {
    let Some(team) = team() else { return };
    let endpoint = slow(400);
    team.desk.write("study.toml", study(&endpoint, 30, "concurrency = 8"));
    let mut planner = team.planner("run");
    let _workers: Vec<Process> = (0..2).map(|_| team.worker("--at-once 2")).collect();
    wait_for(&endpoint, 10, &mut planner);
    drop(planner);
    let (code, talk) = team.planner("run").ended();
    assert_eq!(code, Some(0), "{talk}");
    assert_eq!(endpoint.stats().asked_again(), 0);
    assert_eq!(endpoint.stats().requests as usize, endpoint.stats().answered());
}
