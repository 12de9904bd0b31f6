//! What only a run on a server can do. Needs one: `WATERJAR_TEST_POSTGRES`, which `scripts/test` sets.

use crate::sample::{EVERYTHING, family, response, suite, verdict};
use std::time::Duration;
use tempfile::TempDir;
use waterjar_core::ModelId;
use waterjar_store::{
    Calls, Identity, Mode, Queue, Server, Shard, Spend, Store, StoreError, Wanted, WorkSettings, copy_run, settle_run,
};

/// A team of its own, or `None` and a word about it.
fn server() -> Option<(TempDir, Server)> {
    let dir = tempfile::tempdir().unwrap();
    let Ok(url) = std::env::var("WATERJAR_TEST_POSTGRES") else {
        eprintln!("skipped: WATERJAR_TEST_POSTGRES names no server");
        return None;
    };
    let team = dir.path().file_name().unwrap().to_string_lossy().replace('.', "t");
    Some((dir, Server::parse(&format!("{url}?team={team}")).unwrap()))
}

async fn run_on(server: &Server, mode: Mode) -> Result<Store, StoreError> {
    Store::open(server.clone().with_run("r").unwrap().address(), mode).await
}

fn shard(after: i64, label: &str) -> Shard {
    Shard {
        run: "r".to_owned(),
        study: "h".to_owned(),
        pass: "answer".to_owned(),
        suite: "einstellung".to_owned(),
        subject: "plain@logit".to_owned(),
        after,
        families: 16,
        labels: vec![label.to_owned()],
    }
}

#[tokio::test]
async fn many_write_at_once_and_the_first_answer_stays() {
    let Some((_dir, server)) = server() else { return };
    let planner = run_on(&server, Mode::Create).await.unwrap();
    let writer = planner.writer();
    for position in 1..=40 {
        writer.family(&family(position)).await.unwrap();
    }
    writer.flush().await.unwrap();
    planner.settle(&suite(), EVERYTHING).await.unwrap();
    assert!(matches!(run_on(&server, Mode::Existing).await, Err(StoreError::InUse { .. })));

    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..4 {
        let worker = run_on(&server, Mode::Shared).await.unwrap();
        tasks.spawn(async move {
            let writer = worker.writer();
            // In different orders, so that they meet half-way.
            let positions: Vec<i64> = if n % 2 == 0 { (1..=40).collect() } else { (1..=40).rev().collect() };
            for position in positions {
                writer.response(&response(position, "control", "plain@logit")).await.unwrap();
                writer.verdict(&verdict(position, "plain@logit", "rules")).await.unwrap();
                let more = Spend { calls: 1, input: 10, output: 1, picodollars: 7, ..Spend::none(ModelId::from("m")) };
                writer.spend(more).await.unwrap();
            }
            writer.flush().await.unwrap();
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    let counts = planner.counts(&suite()).await.unwrap();
    assert_eq!(counts.subjects.values().map(|it| it.responses).sum::<u64>(), 40);
    let spent = planner.spend().await.unwrap();
    assert_eq!((spent[0].calls, spent[0].picodollars), (160, 1120));
}

#[tokio::test]
async fn a_file_has_no_room_for_workers() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.sqlite");
    Store::open(&path, Mode::Create).await.unwrap().close().await;
    let error = Store::open(&path, Mode::Shared).await.err().unwrap();
    assert!(matches!(error, StoreError::NotShared { .. }));
    assert!(error.hint().unwrap().contains("waterjar move"));
}

#[tokio::test]
async fn a_run_moves_to_a_server_and_back_and_loses_nothing() {
    let Some((dir, server)) = server() else { return };
    let file = dir.path().join("run.sqlite");
    let store = Store::open(&file, Mode::Create).await.unwrap();
    let identity =
        Identity { study_hash: "h".to_owned(), study_text: "t\n\"é\\u0000\"".to_owned(), program: "p".to_owned() };
    store.claim(&identity).await.unwrap();
    let writer = store.writer();
    for position in 1..=1_300 {
        writer.family(&family(position)).await.unwrap();
        writer.response(&response(position, "control", "plain@logit")).await.unwrap();
    }
    writer.flush().await.unwrap();
    store.settle(&suite(), EVERYTHING).await.unwrap();
    let before = all(&store).await;
    store.close().await;

    let address = server.clone().with_run("moved").unwrap().address();
    let rows = copy_run(&file, address.as_ref()).await.unwrap();
    assert_eq!(rows, 4 + 1_300 * 4);
    let there = Store::open(&address, Mode::Read).await.unwrap();
    assert_eq!(all(&there).await, before);
    assert_eq!(there.identity().await.unwrap(), Some(identity));
    there.close().await;
    // Until both sides know that it is done, it can be done again.
    assert_eq!(copy_run(&file, address.as_ref()).await.unwrap(), rows);
    for place in [file.as_path(), address.as_ref()] {
        settle_run(place).await.unwrap();
    }
    assert!(matches!(copy_run(&file, address.as_ref()).await, Err(StoreError::Taken { .. })));

    let back = dir.path().join("back.sqlite");
    assert_eq!(copy_run(address.as_ref(), &back).await.unwrap(), rows);
    assert_eq!(all(&Store::open(&back, Mode::Read).await.unwrap()).await, before);
}

#[tokio::test]
async fn a_move_that_was_broken_off_is_done_again_with_what_the_run_holds_now() {
    let Some((dir, server)) = server() else { return };
    let file = dir.path().join("run.sqlite");
    let store = Store::open(&file, Mode::Create).await.unwrap();
    store.put_meta("study_text", "old").await.unwrap();
    // As a kill before the last statement leaves both sides.
    store.put_meta("moving_to", "token").await.unwrap();
    store.close().await;
    let address = server.with_run("r").unwrap().address();
    let target = Store::open(&address, Mode::Create).await.unwrap();
    for (key, value) in [("moving_from", "token"), ("study_text", "older"), ("gone", "x")] {
        target.put_meta(key, value).await.unwrap();
    }
    target.close().await;
    copy_run(&file, address.as_ref()).await.unwrap();
    settle_run(&file).await.unwrap();
    settle_run(address.as_ref()).await.unwrap();
    let target = Store::open(&address, Mode::Read).await.unwrap();
    assert_eq!(target.meta("study_text").await.unwrap().as_deref(), Some("old"));
    for key in ["gone", "moving_from", "moving_to"] {
        assert_eq!(target.meta(key).await.unwrap(), None, "{key}");
    }
    assert_eq!(Store::open(&file, Mode::Read).await.unwrap().meta("moving_to").await.unwrap(), None);
}

async fn all(store: &Store) -> Vec<String> {
    let mut lines = Vec::new();
    let mut after = Some(0);
    while let Some(position) = after {
        let page = store.response_lines(&suite(), position, 500).await.unwrap();
        lines.extend(page.items);
        after = page.next;
    }
    lines
}

#[tokio::test]
async fn what_waits_is_put_into_the_queue_once_and_can_be_taken_out() {
    let Some((_dir, server)) = server() else { return };
    let queue = Queue::open(&server).await.unwrap();
    for _ in 0..2 {
        queue.add(&[shard(0, "answer"), shard(16, "answer")]).await.unwrap();
    }
    queue.add(&[Shard { run: "other".to_owned(), ..shard(0, "answer") }]).await.unwrap();
    let left = queue.left("r").await.unwrap();
    assert_eq!((left.waiting, left.taken), (2, 0));
    queue.clear("r").await.unwrap();
    assert_eq!(queue.left("r").await.unwrap().waiting, 0);
    assert_eq!(queue.left("other").await.unwrap().waiting, 1);
}

/// A worker that cannot do a part must not make it wait for those who can; a part that failed waits.
#[tokio::test]
async fn a_part_that_is_given_back_is_there_at_once_and_one_that_failed_is_not() {
    let Some((_dir, server)) = server() else { return };
    let queue = Queue::open(&server).await.unwrap();
    queue.add(&[shard(0, "answer")]).await.unwrap();
    let (taken, mut waiting) = tokio::sync::mpsc::channel(1);
    let (stop, told) = tokio::sync::watch::channel(false);
    let settings = WorkSettings { take: Vec::new(), at_once: 1, lease: Duration::from_secs(30) };
    let taking = queue.work(settings, taken, told);
    for _ in 0..4 {
        waiting.recv().await.unwrap().give_back();
    }
    waiting.recv().await.unwrap().failed("it cannot be done".to_owned());
    let since = std::time::Instant::now();
    let left = loop {
        let left = queue.left("r").await.unwrap();
        if left.later > 0 {
            break left;
        }
        assert!(since.elapsed() < Duration::from_secs(20), "{left:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    // The library waits e seconds after the first attempt that counts, and would wait 148 after the fifth.
    assert!((left.waiting, left.taken, left.later) == (1, 0, 1) && left.within <= 3, "{left:?}");
    stop.send(true).unwrap();
    drop(waiting);
    tokio::task::spawn_blocking(move || taking.join()).await.unwrap().unwrap().unwrap();
}

#[tokio::test]
async fn a_rate_holds_for_all_who_share_it() {
    let Some((_dir, server)) = server() else { return };
    let wanted = Wanted { requests: 10, tokens: 0, requests_per_minute: Some(600), tokens_per_minute: None };
    let (first, second) = (Queue::open(&server).await.unwrap(), Queue::open(&server).await.unwrap());
    let mut waits = Vec::new();
    for queue in [&first, &second, &first, &second] {
        waits.push(queue.reserve("e", wanted).await.unwrap());
    }
    // Ten requests of 600 a minute take a second: each has to wait for all who came before.
    for (n, wait) in (0..).zip(&waits) {
        let all = Duration::from_secs(n);
        assert!(*wait <= all && *wait + Duration::from_millis(900) > all, "{waits:?}");
    }
    assert!(first.reserve("another", wanted).await.unwrap() < Duration::from_millis(10));
}

#[tokio::test]
async fn slots_are_shared_and_never_given_twice() {
    let Some((_dir, server)) = server() else { return };
    let queue = Queue::open(&server).await.unwrap();
    let lease = Duration::from_secs(60);
    let hold = |who: &'static str, under_way, wanted| {
        let queue = queue.clone();
        async move { queue.hold("e", who, 10, Calls { under_way, wanted }, lease).await.unwrap().held }
    };
    assert_eq!(hold("a", 0, 50).await, 10);
    // All are taken, and their calls are under way.
    assert_eq!(hold("b", 0, 50).await, 0);
    assert_eq!(hold("a", 10, 50).await, 10);
    // Some of them ended: their slots go to the other, up to its half.
    assert_eq!(hold("a", 7, 50).await, 7);
    assert_eq!(hold("b", 0, 50).await, 3);
    assert_eq!(hold("a", 2, 50).await, 5);
    assert_eq!(hold("b", 3, 50).await, 5);
    // Who wants none has none, and the other all.
    assert_eq!(hold("a", 0, 0).await, 0);
    assert_eq!(hold("b", 5, 50).await, 10);
    queue.release("b").await.unwrap();
    assert_eq!(hold("a", 0, 3).await, 3);
}

#[tokio::test]
async fn a_part_that_is_begun_again_and_again_is_counted() {
    let Some((_dir, server)) = server() else { return };
    let store = run_on(&server, Mode::Create).await.unwrap();
    let now = Duration::ZERO;
    let begin = async |lease| store.begin_shard("s", "w", lease).await.unwrap();
    assert_eq!(begin(now).await.unwrap().times, 1);
    let begun = begin(now).await.unwrap();
    assert_eq!((begun.times, begun.suspect), (2, None));
    store.suspect("s", "q1").await.unwrap();
    store.suspect("s", "q1").await.unwrap();
    assert_eq!(begin(now).await.unwrap().suspect, Some(("q1".to_owned(), 2)));
    store.suspect("s", "q2").await.unwrap();
    assert_eq!(begin(now).await.unwrap().suspect, Some(("q2".to_owned(), 1)));
    store.end_shard("s", "w").await.unwrap();
    // While somebody is at it nobody else begins, and nobody else can end it.
    let minute = Duration::from_secs(60);
    assert_eq!(begin(minute).await.unwrap().times, 1);
    assert_eq!(store.begin_shard("s", "other", minute).await.unwrap(), None);
    store.end_shard("s", "other").await.unwrap();
    assert_eq!(begin(minute).await, None);
    store.keep_shard("s", "w", Duration::ZERO).await.unwrap();
    assert_eq!(store.begin_shard("s", "other", minute).await.unwrap().unwrap().times, 2);
}

#[tokio::test]
async fn an_address_that_leads_nowhere_is_told_without_the_password() {
    let url = "postgres://ana:s3cret@127.0.0.1:1/none?run=r";
    let error = Store::open(url, Mode::Read).await.err().unwrap();
    assert!(matches!(error, StoreError::Away { .. }), "{error:?}");
    assert!(!error.to_string().contains("s3cret") && error.to_string().contains("127.0.0.1:1"), "{error}");
}
