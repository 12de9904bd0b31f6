//! Runs that go to a server and back, and the pages of a team there. Needs a PostgreSQL: `WATERJAR_TEST_POSTGRES`, which `scripts/test` sets.

use crate::charts::{study as chart_study, subject};
use crate::sample::{Desk, quick};
use crate::served::Served;
use crate::workers::{Server, address, slow, study, team, wait_for};
use waterjar_store::{Mode, Store};

#[test]
fn a_run_is_not_moved_away_from_workers_who_are_at_it() {
    let Some(team) = team() else { return };
    let endpoint = slow(300);
    team.desk.write("study.toml", study(&endpoint, 60, "concurrency = 4"));
    let mut planner = team.planner("run");
    let mut worker = team.worker("--at-once 2");
    wait_for(&endpoint, 8, &mut planner);
    planner.0.kill().unwrap();
    planner.0.wait().unwrap();
    let refused = team.desk.waterjar("move run");
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("workers have") && refused.stderr.contains("parts of it"), "{}", refused.stderr);
    // Nothing more is given out: soon there is nobody at it any more.
    let since = std::time::Instant::now();
    while team.desk.waterjar("move run").code != Some(0) {
        assert!(since.elapsed().as_secs() < 60, "it never ends");
        std::thread::sleep(std::time::Duration::from_millis(300));
    }
    let asked = endpoint.stats().requests;
    worker.0.kill().unwrap();
    let responses = |path: &str| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let store = Store::open(team.desk.path(path), Mode::Read).await.unwrap();
            let all = store.subjects(&"einstellung".into()).await.unwrap();
            all.iter().find(|(subject, _)| subject.as_str() == "plain@sim/one").map_or(0, |(_, it)| it.responses)
        })
    };
    assert_eq!(responses("run/run.sqlite"), asked, "what was asked came along");
}

/// As after a move that a lock on the ratings stopped, or a kill.
#[test]
fn a_move_that_was_stopped_can_be_done_again_and_takes_the_files_of_the_run_along() {
    let Some(team) = team() else { return };
    let catalog = include_str!("../../../suites/tests/fixtures/published.yaml");
    team.desk.write("catalog.yaml", catalog);
    team.desk.write("study.toml", chart_study("catalog = \"catalog.yaml\"", &subject("plain", "guideline", ""), None));
    team.desk.done("run study.toml --out run");
    // The run has arrived, and it is not written down yet where it is.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let there = format!("{}&run=run", team.url);
    runtime.block_on(waterjar_store::copy_run(&team.desk.path("run/run.sqlite"), there.as_ref())).unwrap();
    team.desk.done(&format!("move run --store {}", team.url));
    let names = runtime.block_on(async {
        let store = Store::open(&there, Mode::Read).await.unwrap();
        store.file_names().await.unwrap()
    });
    assert!(names.iter().any(|name| name.starts_with("inputs/sensitivity/")), "{names:?}");
    let again = team.desk.waterjar(&format!("move run --store {}", team.url));
    assert_eq!(again.code, Some(2), "{}", again.stderr);
}

/// PostgreSQL has a hundred connections for everybody.
#[test]
fn pages_of_a_team_take_few_connections_make_nothing_and_see_new_runs() {
    if std::env::var_os("WATERJAR_TEST_POSTGRES").is_none() {
        eprintln!("skipped: WATERJAR_TEST_POSTGRES names no server");
        return;
    }
    let desk = Desk::new();
    let own = Server::start(&desk);
    let url = address(&own.url, &desk);
    desk.write("study.toml", quick().replace("pairs = 40", "pairs = 4"));
    for run in 0..6 {
        desk.done(&format!("run study.toml --out r{run} --store {url}&run=r{run}"));
    }
    let served = Served::with(&[], &["--store", &url]);
    let page = served.page("/");
    assert!((0..6).all(|run| page.contains(&format!("r{run}"))), "{page}");
    assert_eq!(served.get("/r/no-such-link").status, 404);
    let open: u32 =
        own.ask("SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = 'waterjar'").parse().unwrap();
    assert!(open <= 8, "{open} connections for six runs");
    assert_eq!(
        own.ask("SELECT COUNT(*) FROM pg_namespace WHERE nspname LIKE '%:ratings'"),
        "0",
        "looking makes nothing"
    );
    desk.done(&format!("run study.toml --out late --store {url}&run=late"));
    std::thread::sleep(std::time::Duration::from_secs(16));
    assert!(served.page("/").contains("late"));
    // Those nobody used are given back.
    let open: u32 =
        own.ask("SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = 'waterjar'").parse().unwrap();
    assert!(open <= 8, "{open} connections after a while");
}
