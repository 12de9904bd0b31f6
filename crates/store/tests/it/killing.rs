//! kill -9: what was acknowledged is there, and no family is half there.

use crate::sample::{family, family_id, new_place, response, suite};
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};
use waterjar_store::{Mode, Store};

const ROUNDS: i64 = 10;
const PATH: &str = "WATERJAR_TEST_VICTIM_PATH";
const FIRST: &str = "WATERJAR_TEST_VICTIM_FIRST";
const SUBJECT: &str = "plain@logit";

#[tokio::test]
async fn nothing_acknowledged_is_lost_and_no_family_is_half_there_after_kill_9() {
    let (_dir, path) = new_place();
    let mut acknowledged: HashSet<i64> = HashSet::new();
    for round in 0..ROUNDS {
        // Each round has its own numbers, so that a family is only there if its own round stored it.
        acknowledged.extend(kill_in_the_act(&path, 1 + round * 1_000_000));
        let store = Store::open(&path, Mode::Existing).await.unwrap();
        let found = families_with_answers(&store).await;
        assert!(
            acknowledged.is_subset(&found),
            "{} acknowledged families are gone",
            acknowledged.difference(&found).count()
        );
    }
    assert!(acknowledged.len() > 100, "{}", acknowledged.len());
}

#[tokio::test]
async fn a_killed_writer_leaves_no_lock_behind_and_a_living_one_holds_it() {
    let (_dir, path) = new_place();
    let mut victim = start(&path, 1);
    let mut first = String::new();
    let mut lines = BufReader::new(victim.stdout.take().unwrap());
    while !first.contains("ack ") {
        first.clear();
        assert_ne!(lines.read_line(&mut first).unwrap(), 0);
    }
    let Err(error) = Store::open(&path, Mode::Create).await else {
        panic!("two processes write one run");
    };
    let pid = format!("(process {})", victim.id());
    // On a server it may be a process of another machine.
    assert!(error.to_string().contains(&pid) || path.extension().is_some_and(|it| it == "postgres"), "{error}");
    let reader = Store::open(&path, Mode::Read).await.unwrap();
    assert!(reader.counts(&suite()).await.unwrap().kept > 0);

    victim.kill().unwrap();
    victim.wait().unwrap();
    assert!(Store::open(&path, Mode::Create).await.is_ok());
}

/// Not a test of its own: the process that gets killed. Without the variables it does nothing.
#[tokio::test]
async fn victim() {
    let (Ok(path), Ok(first)) = (std::env::var(PATH), std::env::var(FIRST)) else {
        return;
    };
    let first: i64 = first.parse().unwrap();
    let store = Store::open(path, Mode::Create).await.unwrap();
    let writer = store.writer();
    let mut out = std::io::stdout();
    let mut pending = Vec::new();
    for position in first.. {
        writer.family(&family(position)).await.unwrap();
        for role in ["control", "trap"] {
            let new = response(position, role, SUBJECT);
            writer.response(&new).await.unwrap();
        }
        pending.push(position);
        if position % 7 == 0 {
            writer.flush().await.unwrap();
            for position in pending.drain(..) {
                writeln!(out, "ack {position}").unwrap();
            }
            out.flush().unwrap();
        }
    }
}

fn start(path: &Path, first: i64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "killing::victim", "--nocapture"])
        .env(PATH, path)
        .env(FIRST, first.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Lets it work for up to a third of a second after its first acknowledgement, then SIGKILL.
fn kill_in_the_act(path: &Path, first: i64) -> Vec<i64> {
    let mut victim = start(path, first);
    let mut lines = BufReader::new(victim.stdout.take().unwrap());
    let mut told = String::new();
    while !told.contains("ack ") {
        assert_ne!(lines.read_line(&mut told).unwrap(), 0, "{told}");
    }
    // The pipe must not fill up, or the victim would be killed while it waits for us.
    let rest = std::thread::spawn(move || {
        let mut rest = String::new();
        lines.read_to_string(&mut rest).unwrap();
        rest
    });
    std::thread::sleep(some_time());
    victim.kill().unwrap();
    victim.wait().unwrap();
    told += &rest.join().unwrap();
    // The last line may be cut off; only whole lines are acknowledgements.
    told.split_inclusive('\n')
        .filter_map(|line| line.strip_suffix('\n')?.strip_prefix("ack "))
        .map(|position| position.parse().unwrap())
        .collect()
}

/// Chance from the clock: the moment of death should differ from run to run.
fn some_time() -> Duration {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    Duration::from_micros(u64::from(now.unwrap().subsec_nanos()) % 333_000)
}

/// Reads everything and checks that each family has both variants and both answers.
async fn families_with_answers(store: &Store) -> HashSet<i64> {
    let mut found = HashSet::new();
    let mut whole = 0;
    let mut after = Some(0);
    while let Some(position) = after {
        let page = store.families_page(&suite(), position, 500).await.unwrap();
        whole += page.items.len() as u64;
        for family in &page.items {
            assert_eq!(family.id, family_id(family.position));
            assert_eq!(family.variants.len(), 2, "{} is half there", family.id);
        }
        let answers = store.responses_page(&suite(), position, 500).await.unwrap();
        let mut answered: HashSet<(i64, String)> = HashSet::new();
        for answer in answers.items {
            answered.insert((answer.position, answer.response.variant.to_string()));
        }
        for family in page.items {
            let both =
                family.variants.iter().all(|variant| answered.contains(&(family.position, variant.id.to_string())));
            if both {
                found.insert(family.position);
            }
        }
        after = page.next;
    }
    // A page joins families with variants; this finds families without any.
    assert_eq!(whole, store.counts(&suite()).await.unwrap().kept);
    found
}
