//! What the queue itself costs: parts that nobody works on, taken and ended. `queue_floor postgres://… 2000`

#![allow(clippy::print_stdout, reason = "a program for people who measure")]

use std::time::{Duration, Instant};
use tokio::sync::{mpsc, watch};
use waterjar_store::{Queue, Server, Shard, WorkSettings};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let (url, n) = (words.next().ok_or("an address")?, words.next().ok_or("how many")?.parse::<i64>()?);
    let queue = Queue::open(&Server::parse(&url)?).await?;
    let shard = |after| Shard {
        run: "floor".to_owned(),
        study: String::new(),
        pass: "answer".to_owned(),
        suite: "s".to_owned(),
        subject: "s".to_owned(),
        after,
        families: 16,
        labels: vec!["answer".to_owned()],
    };
    let began = Instant::now();
    for some in (0..n).map(shard).collect::<Vec<_>>().chunks(500) {
        queue.add(some).await?;
    }
    let put = began.elapsed();
    let (taken, mut waiting) = mpsc::channel(64);
    let (stop, told) = watch::channel(false);
    let began = Instant::now();
    let settings = WorkSettings { take: Vec::new(), at_once: 8, lease: Duration::from_secs(30) };
    let taking = queue.work(settings, taken, told);
    for _ in 0..n {
        waiting.recv().await.ok_or("the worker stopped")?.done();
    }
    while queue.left("floor").await?.taken > 0 {}
    let took = began.elapsed();
    stop.send(true)?;
    taking.join().map_err(|_| "the worker panicked")??;
    let each = |all: Duration| 1e3 * all.as_secs_f64() / n as f64;
    println!(
        "{n} parts that do nothing: {:.2} ms each to put there, {:.2} ms each to take and end, 8 at once",
        each(put),
        each(took)
    );
    Ok(())
}
