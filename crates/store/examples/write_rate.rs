//! How fast responses are stored, beside a plain append of the same bytes to a file.
//!
//! `cargo run --release -p waterjar-store --example write_rate -- [responses] [directory]`

#![allow(clippy::print_stdout, reason = "an example is a program, and this is its output")]

use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;
use waterjar_core::{
    CaseId, Conclusion, ConditionId, Ending, Expectation, FamilyId, Response, SubjectId, SuiteId, Variant, VariantId,
};
use waterjar_store::{FamilyOutcome, Mode, NewFamily, NewResponse, NewVariant, Store};

const SUBJECTS: usize = 10;
const PIECE: usize = 20_000;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let n: usize = args.next().map_or(Ok(200_000), |n| n.parse())?;
    let dir = match args.next() {
        Some(dir) => tempfile::tempdir_in(PathBuf::from(dir))?,
        None => tempfile::tempdir()?,
    };
    let mut file = File::options().create(true).append(true).open(dir.path().join("responses.jsonl"))?;
    let store = Store::open(dir.path().join("run.sqlite"), Mode::Create).await?;

    let varied = vary(&store, n.div_ceil(SUBJECTS)).await?;
    let rows = 2 * n.div_ceil(SUBJECTS);
    println!(
        "families      {:>9.0} rows/s   {varied:.2} s (a family and its variant are two rows)",
        rows as f64 / varied
    );

    // In turns, so that both meet the same disk; in pieces, so that the memory below is the store's and not ours.
    let (mut appended, mut stored) = (0.0, 0.0);
    for first in (0..n).step_by(PIECE) {
        let piece: Vec<NewResponse> = (first..n.min(first + PIECE)).map(response).collect();
        appended += append(&mut file, &piece)?;
        stored += answer(&store, &piece).await?;
    }
    println!("file append   {:>9.0} rows/s   {appended:.2} s", n as f64 / appended);
    println!("responses     {:>9.0} rows/s   {stored:.2} s", n as f64 / stored);
    println!("ratio         {:>9.1} times the time of the append", stored / appended);

    let read = export(&store, n).await?;
    println!("export        {:>9.0} rows/s   {read:.2} s", n as f64 / read);
    let known = resume(&store, n).await?;
    println!("resume        {:>9.0} keys/s   {known:.2} s", n as f64 / known);
    println!("peak memory   {:>9} kB", peak_memory());
    store.close().await;
    Ok(())
}

/// The same text, one line each, handed to the system in pieces as large as a transaction, and on the disk at the end.
fn append(file: &mut File, responses: &[NewResponse]) -> Result<f64, Box<dyn Error>> {
    let begun = Instant::now();
    let mut text = Vec::new();
    for some in responses.chunks(64) {
        text.clear();
        for new in some {
            writeln!(text, "{} {}", new.key, serde_json::to_string(&new.response)?)?;
        }
        file.write_all(&text)?;
    }
    file.sync_data()?;
    Ok(begun.elapsed().as_secs_f64())
}

async fn vary(store: &Store, families: usize) -> Result<f64, Box<dyn Error>> {
    let begun = Instant::now();
    let writer = store.writer();
    for n in 0..families {
        writer.family(&family(n)).await?;
    }
    writer.flush().await?;
    Ok(begun.elapsed().as_secs_f64())
}

async fn answer(store: &Store, responses: &[NewResponse]) -> Result<f64, Box<dyn Error>> {
    let begun = Instant::now();
    let writer = store.writer();
    for new in responses {
        writer.response(new).await?;
    }
    writer.flush().await?;
    // The append was synced; so is this.
    File::open(store.path().with_extension("sqlite-wal"))?.sync_data()?;
    File::open(store.path())?.sync_data()?;
    Ok(begun.elapsed().as_secs_f64())
}

async fn export(store: &Store, expected: usize) -> Result<f64, Box<dyn Error>> {
    let begun = Instant::now();
    let mut read = 0;
    let mut after = Some(0);
    while let Some(position) = after {
        let page = store.responses_page(&suite(), position, 64).await?;
        read += page.items.len();
        after = page.next;
    }
    assert_eq!(read, expected);
    Ok(begun.elapsed().as_secs_f64())
}

/// Finding out what is answered, as a resumed run does.
async fn resume(store: &Store, expected: usize) -> Result<f64, Box<dyn Error>> {
    let begun = Instant::now();
    let mut known = 0;
    let mut after = Some(0);
    while let Some(position) = after {
        for n in 0..SUBJECTS {
            known += store.answered(&suite(), &subject(n), position, 64).await?.len();
        }
        after = store.families_page(&suite(), position, 64).await?.next;
    }
    assert_eq!(known, expected);
    Ok(begun.elapsed().as_secs_f64())
}

fn suite() -> SuiteId {
    SuiteId::from("einstellung")
}

fn family(n: usize) -> NewFamily {
    let case = CaseId::new(name(n));
    let id = FamilyId::new(case.as_str());
    let variant = Variant {
        id: VariantId::new(format!("{id}/control")),
        family: id.clone(),
        case: case.clone(),
        text: "I am 54 years old and my chest hurts when I breathe in. ".repeat(18),
        facts: None,
        intervention: None,
        expectation: Expectation::Names { condition: ConditionId::from("pulmonary_embolism") },
        strata: [].into(),
        record: serde_json::Value::Null,
    };
    NewFamily {
        suite: suite(),
        id,
        case,
        position: n as i64 + 1,
        group: "pulmonary_embolism".to_owned(),
        outcome: FamilyOutcome::Made(vec![NewVariant { variant, hash: key(n) }]),
    }
}

fn subject(n: usize) -> SubjectId {
    SubjectId::new(format!("plain@reader-{n}"))
}

/// Families come in an order drawn by chance, so their names are in none. The step shares no factor with any number of families we use.
fn name(position: usize) -> String {
    format!("starter-{:06}", position * 7_919 % 1_000_003)
}

/// About a kilobyte, like the answer of a built-in reader with its ranked list.
fn response(n: usize) -> NewResponse {
    let position = n / SUBJECTS;
    NewResponse {
        suite: suite(),
        position: position as i64 + 1,
        ord: 0,
        key: key(n),
        response: Response {
            variant: VariantId::new(format!("{}/control", name(position))),
            subject: subject(n % SUBJECTS),
            repeat: 0,
            ending: Ending::Ok(Conclusion {
                text: format!("{n}. Pulmonary embolism (0.61), pleurisy (0.12)\n").repeat(18),
                reasoning: None,
                record: None,
            }),
        },
    }
}

/// 64 hexadecimal digits in no order, as hashes are.
fn key(n: usize) -> String {
    let mut state = n as u64;
    let mut word = || {
        // SplitMix64, <https://prng.di.unimi.it/splitmix64.c>
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    format!("{:016x}{:016x}{:016x}{:016x}", word(), word(), word(), word())
}

/// Of this process; 0 where the system does not tell.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix("kB")?.trim().parse().ok())
        .unwrap_or(0)
}
