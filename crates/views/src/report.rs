//! What the whole report, and the page of a run, are made from.

use crate::{OpenRun, contrasts, families, leads, notes, reasonings, spending};
use waterjar_core::{BoundCheck, SubjectResult};
use waterjar_engine::run::{FIRST_ASKED, REGISTRATION};
use waterjar_engine::{EngineError, PlannedSubject, PlannedSuite, RunDir};
use waterjar_report::{ReportData, StudySummary, SuiteSection};
use waterjar_store::Store;

/// `families`: how many of each suite are shown in full.
pub async fn report(run: OpenRun<'_>, families: usize) -> Result<ReportData, EngineError> {
    let mut suites: Vec<SuiteSection> = Vec::new();
    for planned in &run.plan.suites {
        suites.push(section(run, planned, families).await?);
    }
    let study = StudySummary { bounds: bounds(run).await?, ..study(run).await? };
    Ok(ReportData { study, variants_hash: variants_hash(run.dir)?, suites })
}

/// All suites of a run share the file, so it has one hash.
fn variants_hash(dir: &RunDir) -> Result<String, EngineError> {
    let mut hasher = blake3::Hasher::new();
    let file = dir.file("variants.jsonl");
    std::fs::File::open(&file).and_then(|it| hasher.update_reader(it).map(drop)).map_err(|error| {
        EngineError::file(&file, format!("cannot be read: {error}")).with_hint("run `waterjar vary` again")
    })?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// What the study demands of the figures that are there so far, and whether they keep to it.
pub async fn bounds(run: OpenRun<'_>) -> Result<Vec<BoundCheck>, EngineError> {
    let mut results = Vec::new();
    if !run.plan.bounds.is_empty() {
        for planned in &run.plan.suites {
            results.extend(measured(run.store, planned).await?);
        }
    }
    Ok(waterjar_engine::bounds::check(&run.plan.bounds, &results))
}

pub async fn study(run: OpenRun<'_>) -> Result<StudySummary, EngineError> {
    let plan = run.plan;
    Ok(StudySummary {
        name: plan.name.clone(),
        seed: plan.seed.0,
        study_hash: plan.identity.clone(),
        program_version: env!("CARGO_PKG_VERSION").to_owned(),
        own_cases: plan.suites.iter().any(|planned| !is_ours(planned.opened.source.name())),
        registered: plan.registered,
        registration: run.store.meta(REGISTRATION).await?.and_then(|it| serde_json::from_str(&it).ok()),
        first_asked: run.store.meta(FIRST_ASKED).await?,
        bounds: Vec::new(),
        study_toml: plan.text.clone(),
        uses: spending::uses(&plan.prices, run.store).await?,
    })
}

/// What we wrote, or what is drawn from it; whatever else a study names may have been a patient. Of a base of one's own nobody knows what its
/// words were taken from.
fn is_ours(source: &str) -> bool {
    matches!(source, "starter" | "boards" | "vignettes:starter")
}

/// A study may have two suites of a kind: then the name tells them apart.
fn titled(title: &str, id: &str, kind: &str) -> String {
    if id == kind { title.to_owned() } else { format!("{title} ({id})") }
}

pub async fn section(run: OpenRun<'_>, planned: &PlannedSuite, shown: usize) -> Result<SuiteSection, EngineError> {
    let store = run.store;
    let suite = planned.suite();
    let card = suite.card();
    let results = results(store, planned).await?;
    let checks = store.checks(suite.id()).await?;
    let benchmark = waterjar_engine::passes::vary::summary(store, planned).await?;
    let notes = notes::lines(run.plan, store, planned).await?.into_iter().chain(suite.notes(&results)).collect();
    let (reasonings, reasonings_chosen) = reasonings::examples(store, planned, &results).await?;
    Ok(SuiteSection {
        id: suite.id().clone(),
        kind: card.kind.to_owned(),
        title: titled(card.title, suite.id().as_str(), card.kind),
        about: card.about.to_owned(),
        families_total: benchmark.families,
        benchmark,
        divides_by: suite.divides_by(),
        figures: suite.figures(&results, &checks),
        checks,
        notes,
        leads: leads(store, &results, &card.columns).await?,
        results,
        headline: card.columns,
        contrasts: contrasts::worst(store, planned).await?,
        reasonings,
        reasonings_chosen,
        failing: suite.failing().to_owned(),
        families: families::views(store, planned, shown).await?,
    })
}

/// In the order of the study; nothing where nothing is measured yet.
async fn measured(store: &Store, planned: &PlannedSuite) -> Result<Vec<SubjectResult>, EngineError> {
    let stored = store.results(planned.id()).await?;
    let of = |subject: &PlannedSubject| stored.iter().find(|it| it.subject == subject.id).cloned();
    Ok(planned.subjects.iter().filter_map(of).collect())
}

/// The same where there are some.
pub async fn results(store: &Store, planned: &PlannedSuite) -> Result<Vec<SubjectResult>, EngineError> {
    let results = measured(store, planned).await?;
    if results.is_empty() {
        let error = EngineError::file(store.path(), format!("holds no figures of `{}` yet", planned.id()));
        return Err(error.with_hint("finish the run with `waterjar run`, or measure with `waterjar measure`"));
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::is_ours;

    #[test]
    fn only_what_is_built_in_is_ours() {
        for ours in ["starter", "boards", "vignettes:starter"] {
            assert!(is_ours(ours), "{ours}");
        }
        for theirs in
            ["base:FOLDER", "base:starter", "jsonl:starter", "vignettes:tagged:mine.txt", "ddxplus:FOLDER", ""]
        {
            assert!(!is_ours(theirs), "{theirs}");
        }
    }
}
