//! How much many workers do together, and how long.

use super::*;

#[test]
fn one_call_at_once_is_enough_for_two_workers() {
    let Some(team) = team() else { return };
    let endpoint = slow(1);
    team.desk.write("study.toml", study(&endpoint, 10, "concurrency = 1"));
    let planner = team.planner("run");
    let _workers: Vec<Process> = (0..2).map(|_| team.worker("")).collect();
    let (code, talk) = planner.ended();
    assert_eq!(code, Some(0), "{talk}");
    assert_eq!(endpoint.stats().peak_running, 1);
}

#[test]
fn the_script_for_slurm_works_until_there_is_nothing_to_do() {
    let Some(team) = team() else { return };
    let endpoint = slow(1);
    team.desk.write("study.toml", study(&endpoint, 10, ""));
    let planner = team.planner("run");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/slurm/workers.sbatch");
    let child = Command::new("bash")
        .arg(script)
        .envs([("WATERJAR_STORE", team.url.as_str()), ("WATERJAR_UNTIL_IDLE", "3")])
        .env("WATERJAR", program())
        .stderr(Stdio::piped())
        .spawn();
    let (code, talk) = Process(child.unwrap()).ended();
    assert_eq!(code, Some(0), "{talk}");
    let (code, talk) = planner.ended();
    assert_eq!(code, Some(0), "{talk}");
}

#[test]
fn workers_together_stay_within_what_an_endpoint_takes_in_a_minute() {
    let Some(team) = team() else { return };
    let endpoint = slow(5);
    team.desk.write("study.toml", study(&endpoint, 30, "requests_per_minute = 900"));
    let mut planner = team.planner("run");
    let workers: Vec<Process> = (0..3).map(|_| team.worker("")).collect();
    wait_for(&endpoint, 1, &mut planner);
    let began = Instant::now();
    let (code, talk) = planner.ended();
    let (took, asked) = (began.elapsed(), endpoint.stats().requests);
    drop(workers);
    assert_eq!(code, Some(0), "{talk}");
    // 15 a second; a worker alone would be three times as fast in three of them.
    let most = 2.0 + 15.0 * took.as_secs_f64();
    assert!(asked as f64 <= most, "{asked} in {took:?}, at most {most}");
}

#[test]
fn an_empty_purse_stops_all_of_them() {
    let Some(team) = team() else { return };
    let endpoint = slow(5);
    let budget = "\n[budget]\ntokens = 2000\n";
    team.desk.write("study.toml", study(&endpoint, 40, budget));
    let planner = team.planner("run");
    let _workers: Vec<Process> = (0..2).map(|_| team.worker("")).collect();
    let (code, talk) = planner.ended();
    assert_eq!(code, Some(4), "{talk}");
    assert!(talk.contains("stopped by the budget"), "{talk}");
}
