//! The server that holds what they share.

use super::*;

/// A server of the test's own, which it may stop.
pub struct Server {
    dir: String,
    pub url: String,
}

impl Server {
    pub fn start(desk: &Desk) -> Self {
        // Not in the desk: its owner is another user.
        let dir = format!("{}-server", desk.path("").to_string_lossy().trim_end_matches('/'));
        let mut server = Self { dir, url: String::new() };
        server.url = server.tell("start").trim().to_owned();
        server
    }

    fn tell(&self, what: &str) -> String {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/postgres");
        let ended = Command::new(script).args([what, &self.dir]).output().unwrap();
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
        String::from_utf8(ended.stdout).unwrap()
    }

    pub fn ask(&self, sql: &str) -> String {
        let said = Command::new("psql").args([&self.url, "-Atc", sql]).output().unwrap();
        String::from_utf8(said.stdout).unwrap().trim().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.tell("stop");
        let _ = std::fs::remove_dir_all(&self.dir);
    }
}

#[test]
fn a_server_that_is_started_anew_in_the_middle_is_waited_for() {
    if std::env::var_os("WATERJAR_TEST_POSTGRES").is_none() {
        eprintln!("skipped: WATERJAR_TEST_POSTGRES names no server");
        return;
    }
    let desk = Desk::new();
    let own = Server::start(&desk);
    let team = Team { url: address(&own.url, &desk), desk };
    let endpoint = slow(150);
    team.desk.write("study.toml", study(&endpoint, 60, "concurrency = 4"));
    let mut planner = team.planner("run");
    let _workers: Vec<Process> = (0..2).map(|_| team.worker("")).collect();
    wait_for(&endpoint, 20, &mut planner);
    own.tell("restart");
    // The lock went with the server, and whoever plans takes it again as soon as the break is noticed.
    let planners = "SELECT COUNT(*) FROM pg_locks JOIN pg_namespace \
        ON ((classid::bigint << 32) | objid::bigint) = hashtextextended(nspname, 0) WHERE locktype = 'advisory' AND granted";
    while own.ask(planners) != "1" && planner.0.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let second = team.desk.waterjar(&format!("run study.toml --out run --store {}", team.url));
    assert_eq!(second.code, Some(2), "{}", second.stderr);
    assert!(second.stderr.contains("another process"), "{}", second.stderr);
    let (code, talk) = planner.ended();
    assert_eq!(code, Some(0), "{talk}");
    assert_eq!(team.desk.read("run/responses.jsonl").lines().count(), 60 * 3 * 2);
}

#[test]
fn a_run_moves_to_a_server_is_measured_there_and_comes_back() {
    let Some(team) = team() else { return };
    let endpoint = slow(1);
    team.desk.write("study.toml", study(&endpoint, 10, ""));
    team.desk.done("run study.toml --out run");
    let before = files(&team.desk.path("run"));
    let moved = team.desk.done(&format!("move run --store {}", team.url));
    assert!(moved.stderr.contains("rows moved to postgres://"), "{}", moved.stderr);
    assert!(!team.desk.path("run/run.sqlite").exists());
    team.desk.done("measure run");
    team.desk.done("report run");
    assert_same(&files(&team.desk.path("run")), &before);
    team.desk.done("move run");
    std::fs::remove_file(team.desk.path("run/metrics.json")).unwrap();
    let asked = endpoint.stats().requests;
    team.desk.done("run run");
    assert_same(&files(&team.desk.path("run")), &before);
    assert_eq!(endpoint.stats().requests, asked);
}

#[test]
fn what_cannot_be_shared_is_said() {
    let desk = Desk::new();
    desk.write("study.toml", "[study]\nname = \"s\"\n");
    let calm = slow(1);
    desk.write("study.toml", study(&calm, 5, ""));
    let ended = desk.waterjar("run study.toml --workers-only");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("workers find the run only on a server"), "{}", ended.stderr);
    let ended = desk.waterjar("run study.toml --out other --store postgres://a:s3cret@127.0.0.1:1/none");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("does not answer") && !ended.stderr.contains("s3cret"), "{}", ended.stderr);
    assert!(!desk.path("other").exists());
    let ended = desk.waterjar("worker --store postgres://127.0.0.1:1/none --take judges");
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("no part is ever labelled `judges`"), "{}", ended.stderr);
    for bad in ["mysql://x", "postgres://h/d?run=a/b", "nothing"] {
        let ended = desk.waterjar(&format!("worker --store {bad}"));
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(ended.stderr.contains("hint: "), "{}", ended.stderr);
    }
}
