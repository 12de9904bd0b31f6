//! `waterjar export --format hf`: a run as a data set.

use super::{Chosen, PAGE, question};
use crate::commands::card::{self, Card};
use crate::output::Output;
use anyhow::Result;
use std::collections::HashMap;
use std::path::Path;
use waterjar_core::{VariantId, counted};
use waterjar_engine::{EngineError, PlannedSuite};
use waterjar_exchange::hf::{About, Folder, License};
use waterjar_store::Store;

pub async fn write(chosen: &Chosen<'_>, store: &Store, to: &Path, out: &Output) -> Result<()> {
    let target = chosen.target;
    let card = card::last(target, store).await?;
    let mut folder = Folder::create(to)?;
    for planned in &chosen.suites {
        if let Err(error) = tables(store, planned, &mut folder).await {
            folder.discard();
            return Err(error);
        }
    }
    let told = card.told();
    // Under a heading of its own.
    let mut told = told.split_once('\n').map_or("", |(_, rest)| rest).replace("\n## ", "\n### ");
    for source in card.sources() {
        told = told.replace(source, &named(source));
    }
    let made = format!("## How it was made\n{told}");
    let about = About { name: target.plan.name.clone(), license: license(&card), made };
    let [benchmark, responses, verdicts] = folder.finish(&about)?;
    out.say(&format!(
        "{}, {}, {} → {}",
        counted(benchmark.rows, "variant", "variants"),
        counted(responses.rows, "answer", "answers"),
        counted(verdicts.rows, "ruling", "rulings"),
        to.display()
    ));
    Ok(())
}

/// A page at a time, so that memory does not grow with the run.
async fn tables(store: &Store, planned: &PlannedSuite, folder: &mut Folder) -> Result<()> {
    let suite = planned.suite();
    let mut after = Some(0);
    while let Some(position) = after {
        let page = store.families_page(suite.id(), position, PAGE).await.map_err(EngineError::from)?;
        let mut roles: HashMap<&VariantId, &str> = HashMap::new();
        for variant in page.items.iter().flat_map(|family| &family.variants) {
            folder.variant(suite.id(), variant, &question::of(suite, variant))?;
            roles.insert(&variant.id, variant.role());
        }
        for it in store.responses_page(suite.id(), position, PAGE).await.map_err(EngineError::from)?.items {
            let role = roles.get(&it.response.variant).copied().unwrap_or_default();
            folder.response(suite.id(), &it.family, role, &it.response)?;
        }
        for it in store.verdicts_page(suite.id(), position, PAGE).await.map_err(EngineError::from)?.items {
            folder.verdict(suite.id(), &it.verdict)?;
        }
        after = page.next;
    }
    Ok(())
}

/// Whoever reads the card has no use for where a file lay, and it may name people: `ddxplus:/home/ann/ddx/test.csv` → `ddxplus:test.csv`.
fn named(source: &str) -> String {
    let (kind, path) = source.split_once(':').unwrap_or(("", source));
    let name = Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy());
    if kind.is_empty() { source.to_owned() } else { format!("{kind}:{name}") }
}

/// As far as all sources say the same.
fn license(card: &Card) -> License {
    let of = |source: &str| match source.split_once(':').map_or(source, |(kind, _)| kind) {
        "starter" | "boards" => License::Apache2,
        "ddxplus" => License::CcBy4,
        _ => License::OfSources,
    };
    let mut all = card.sources().map(of);
    let first = all.next().unwrap_or(License::OfSources);
    if all.all(|it| it == first) { first } else { License::OfSources }
}
