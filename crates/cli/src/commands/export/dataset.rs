//! `waterjar export --format inspect-dataset`, `lm-eval`, `promptfoo`: the questions of a suite, for somebody else's solver.

use super::{Chosen, PAGE, question};
use crate::outlet;
use crate::output::Output;
use anyhow::{Context, Result};
use serde_json::Value;
use std::path::Path;
use waterjar_core::{SuiteId, Variant, counted};
use waterjar_engine::{EngineError, export};
use waterjar_exchange::{LineFile, Question, lm_eval};
use waterjar_store::Store;

/// How a tool wants a question.
type Row = fn(&SuiteId, &Variant, &Question) -> Value;

pub async fn write(chosen: &Chosen<'_>, store: &Store, to: &Path, row: Row, out: &Output) -> Result<()> {
    let suite = chosen.one_suite()?.suite();
    outlet::check(to)?;
    let mut lines = LineFile::create(to)?;
    let mut after = Some(0);
    while let Some(position) = after {
        let page = store.families_page(suite.id(), position, PAGE).await.map_err(EngineError::from)?;
        for variant in page.items.iter().flat_map(|family| &family.variants) {
            lines.line(&row(suite.id(), variant, &question::of(suite, variant)))?;
        }
        after = page.next;
    }
    let n = lines.finish()?;
    out.say(&format!("{} of {} → {}", counted(n, "question", "questions"), suite.id(), to.display()));
    Ok(())
}

/// A folder: the questions, and the task that asks them.
pub async fn lm_eval(chosen: &Chosen<'_>, store: &Store, to: &Path, out: &Output) -> Result<()> {
    let suite = chosen.one_suite()?.id();
    std::fs::create_dir_all(to).with_context(|| format!("{} cannot be made", to.display()))?;
    let questions = to.join(format!("{suite}.jsonl"));
    let described = to.join(format!("waterjar_{suite}.yaml"));
    outlet::check(&described)?;
    write(chosen, store, &questions, lm_eval::row, out).await?;
    let task = lm_eval::task(suite, &questions.to_string_lossy(), chosen.target.plan.repeats);
    Ok(export::write_text(&described, &task)?)
}
