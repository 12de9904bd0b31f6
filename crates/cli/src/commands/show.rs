//! `waterjar show`: what there is, and one case with its variants as a diff.

use crate::cli::{ShowArgs, ShowWhat};
use crate::exit::Exit;
use crate::output::{Output, diff, table, verdicts};
use crate::target::Target;
use crate::{advisors, readers};
use anyhow::Result;
use std::path::Path;
use waterjar_engine::{EngineError, PlannedSuite};
use waterjar_store::{Mode, Store, StoredFamily};

pub async fn run(args: ShowArgs, out: &Output) -> Result<Exit> {
    match args.what {
        ShowWhat::Suites => {
            let rows = waterjar_suites::all().iter().map(|it| (it.kind, it.about.to_owned())).collect::<Vec<_>>();
            out.print(&table::list(&rows));
        }
        ShowWhat::Agents => {
            let rows = waterjar_agents::all().iter().map(|it| (it.id, it.about.to_owned())).collect::<Vec<_>>();
            out.print(&table::list(&rows));
        }
        ShowWhat::Models => out.print(&table::list(&[readers::table(), advisors::table()].concat())),
        ShowWhat::Case { run, case } => show_case(&run, case.as_deref(), out).await?,
    }
    Ok(Exit::Done)
}

async fn show_case(run: &Path, case: Option<&str>, out: &Output) -> Result<()> {
    let target = Target::resolve(run, None, &[]).await?;
    let store = Store::open(target.dir.database(), Mode::Read).await.map_err(EngineError::from)?;
    for planned in &target.plan.suites {
        let mut after = 0;
        loop {
            let page = store.families_page(planned.id(), after, 64).await.map_err(EngineError::from)?;
            let found = page.items.iter().find(|family| case.is_none_or(|case| family.id.as_str() == case));
            if let Some(StoredFamily { id, variants, position }) = found {
                let shown = diff::family(id.as_str(), &planned.suite().title_of(variants), variants);
                out.print(&format!("{shown}{}", answers(&store, planned, *position).await?));
                return Ok(());
            }
            match page.next {
                Some(next) => after = next,
                None => break,
            }
        }
    }
    let problem = format!("no family of the run is called `{}`", case.unwrap_or_default());
    Err(EngineError::file(run, problem)
        .with_hint("the ids are in variants.jsonl; without one, the first is shown")
        .into())
}

/// What the subjects made of the family, as far as it was judged.
async fn answers(store: &Store, planned: &PlannedSuite, position: i64) -> Result<String> {
    let judged = store.verdicts_page(planned.id(), position - 1, 1).await.map_err(EngineError::from)?.items;
    let judge = planned.suite().judge_id();
    let verdicts: Vec<_> = judged.iter().map(|it| &it.verdict).filter(|it| it.judge == judge).collect();
    Ok(if verdicts.is_empty() { String::new() } else { format!("\n== answers\n{}", verdicts::answers(&verdicts)) })
}
