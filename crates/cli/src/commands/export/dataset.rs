//! `waterjar export --format inspect-dataset`: the questions of a suite, for somebody else's solver.

use super::{Chosen, PAGE, question};
use crate::output::Output;
use anyhow::Result;
use std::path::Path;
use waterjar_engine::EngineError;
use waterjar_exchange::{Lines, inspect};
use waterjar_store::Store;

pub async fn write(chosen: &Chosen<'_>, store: &Store, to: &Path, out: &Output) -> Result<()> {
    let suite = chosen.one_suite()?.suite();
    let mut lines = Lines::create(to)?;
    let mut after = Some(0);
    while let Some(position) = after {
        let page = store.families_page(suite.id(), position, PAGE).await.map_err(EngineError::from)?;
        for variant in page.items.iter().flat_map(|family| &family.variants) {
            lines.line(&inspect::row(suite.id(), variant, &question::of(suite, variant)))?;
        }
        after = page.next;
    }
    let n = lines.finish()?;
    out.say(&format!("{n} questions of {} → {}", suite.id(), to.display()));
    Ok(())
}
