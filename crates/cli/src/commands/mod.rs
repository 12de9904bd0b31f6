//! The verbs, a file each.

mod agree;
mod calls;
mod card;
mod check_table;
mod compare;
mod doctor;
mod evolve;
mod export;
mod fetch_embedder;
mod gate;
mod humans;
mod import;
mod move_run;
mod passes;
mod plan;
mod reference;
mod register;
mod rehearse;
mod report;
mod run;
mod score;
mod serve;
mod shortfall;
mod show;
mod sts;
mod suggest;
mod tools;
mod wishes;
mod worker;

pub use doctor::{Check, State};
pub use plan::Need;
pub use rehearse::{Calls, Figures};

use crate::cli::{Cli, Command};
use crate::exit::Exit;
use crate::output::{self, Output};

pub async fn run(cli: Cli) -> Exit {
    let out = Output::new(cli.quiet, cli.verbose);
    let done = match cli.command {
        Command::Run(args) => run::run(args, &out).await,
        Command::Vary(args) => passes::vary(args, &out).await,
        Command::Answer(args) => passes::answer(args, &out).await,
        Command::Judge(args) => passes::judge(args, &out).await,
        Command::Measure(args) if args.judge.is_some() => humans::measure(args.pass, &out).await,
        Command::Measure(args) => passes::measure(args, &out).await,
        Command::Report(args) => report::run(args, &out).await,
        Command::Register(args) => register::run(&args, &out),
        Command::Plan(args) => plan::run(args, &out).await,
        Command::Rehearse(args) => rehearse::run(args, &out).await,
        Command::Doctor(args) => doctor::run(args, &out).await,
        Command::Evolve(args) => evolve::run(args, &out).await,
        Command::Score(args) => score::run(&args, &out).await,
        Command::Agree(args) => agree::run(&args, &out).await,
        Command::CheckTable(args) => check_table::run(&args, &out),
        Command::Sts(args) => sts::run(&args, &out),
        Command::Suggest(args) => suggest::run(args, &out).await,
        Command::FetchEmbedder(args) => fetch_embedder::run(args, &out).await,
        Command::Compare(args) => compare::run(args, &out).await,
        Command::Serve(args) => serve::run(args, &out).await,
        Command::Worker(args) => worker::run(args, &out).await,
        Command::Move(args) => move_run::run(args, &out).await,
        Command::Import(args) => import::run(args, &out).await,
        Command::Export(args) => export::run(args, &out).await,
        Command::Show(args) => show::run(args, &out).await,
        Command::Completions { shell } => tools::completions(shell, &out),
        Command::Man(args) => tools::man(&args, &out),
        Command::Reference { what } => reference::run(what, &out),
    };
    match done {
        Ok(Exit::Done) if out.has_lost_data() => Exit::BadInput,
        Ok(exit) => exit,
        Err(error) => output::error::tell(&error),
    }
}
