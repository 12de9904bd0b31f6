//! `waterjar run`: all passes, then the report.

use super::{card, gate, passes::Passes, report};
use crate::cli::RunArgs;
use crate::exit::Exit;
use crate::output::Output;
use anyhow::Result;
use waterjar_engine::Asks;

pub async fn run(args: RunArgs, out: &Output) -> Result<Exit> {
    let mut passes = Passes::open(&args.pass, Asks::Everybody, out).await?;
    gate::check_place(args.junit.as_deref(), &args.pass.target, passes.target.dir.path())?;
    if args.workers_only {
        passes = passes.leave_to_workers()?;
    }
    if args.retry_failed {
        passes.forget_unanswered(out).await?;
        passes.forget_failed(out).await?;
        passes.forget_unheard(out).await?;
    }
    let outcome = passes.with(out, async |run| run.all().await).await?;
    card::write_last(&passes.target, &passes.store).await?;
    let report = report::write_html(&passes.target, &passes.store, args.families).await?;
    passes.show_outcome(&outcome, args.pass.json, out)?;
    passes.say_uses(out).await?;
    passes.say_notes(out).await?;
    out.say(&format!("report: {}", report.display()));
    gate::write(&outcome, args.junit.as_deref(), out)?;
    let exit = passes.exit_of(&outcome, out).await?;
    // Leaves one file behind that can be copied alone.
    passes.store.close().await;
    Ok(exit)
}
