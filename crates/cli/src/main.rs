//! Waterjar asks a clinical AI the same question twice, with one fact changed, and measures whether the answer follows
//! the fact.

mod advisors;
mod catalog;
mod cli;
mod commands;
mod embedders;
mod exit;
mod library;
mod lock;
mod output;
mod readers;
mod reasoning;
mod target;
mod vignettes;

use clap::Parser;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    let runtime = tokio::runtime::Runtime::new().expect("the machine has threads to give");
    let exit = runtime.block_on(commands::run(cli::Cli::parse()));
    // All that was to be kept is on the disk; nobody has to wait until every thread has tidied up.
    runtime.shutdown_background();
    exit.into()
}
