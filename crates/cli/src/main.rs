//! Waterjar asks a clinical AI the same question twice, with one fact changed, and measures whether the answer follows
//! the fact.

mod advisors;
mod asked_anew;
mod catalog;
mod cli;
mod clock;
mod commands;
mod embedders;
mod exit;
mod letters;
mod library;
mod lock;
mod makers;
mod outlet;
mod output;
mod private;
mod programs;
mod readers;
mod remote;
mod target;
mod version;
mod vignettes;

use clap::Parser;

#[cfg(not(target_env = "msvc"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> std::process::ExitCode {
    let runtime = runtime().expect("the machine has threads to give");
    let exit = runtime.block_on(commands::run(cli::Cli::parse()));
    // All that was to be kept is on the disk; nobody has to wait until every thread has tidied up.
    runtime.shutdown_background();
    exit.into()
}

/// A worker more than there are cores: some wait for a lock or the disk. With `TOKIO_WORKER_THREADS` at 3 in place of 2 on two cores, 20,000 calls
/// took 2 to 4 % less time in two comparisons; a later `benches/overhead` did not show it above its own spread.
/// `TOKIO_WORKER_THREADS` still decides.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    if std::env::var_os("TOKIO_WORKER_THREADS").is_none() {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        builder.worker_threads(cores + 1);
    }
    builder.enable_all().build()
}
