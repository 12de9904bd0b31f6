//! `waterjar run`: all passes, then the report.

use super::{passes::Passes, report};
use crate::cli::RunArgs;
use crate::exit::Exit;
use crate::output::Output;
use anyhow::Result;

pub async fn run(args: RunArgs, out: &Output) -> Result<Exit> {
    let passes = Passes::open(&args.pass, out).await?;
    passes.forget_failed(args.retry_failed, out).await?;
    let outcome = passes.with(out, async |run| run.all().await).await?;
    let report = report::write_html(&passes.target, &passes.store, args.families).await?;
    passes.show_outcome(&outcome, args.pass.json, out)?;
    passes.say_uses(out).await?;
    passes.say_notes(out).await?;
    out.say(&format!("report: {}", report.display()));
    let exit = passes.exit_of(&outcome, out);
    // Leaves one file behind that can be copied alone.
    passes.store.close().await;
    Ok(exit)
}
