//! What says how alike two texts are, where a suite asks.

use super::{Check, models};
use crate::catalog::Parts;
use crate::embedders::{self, AUTO, LEXICAL};
use std::collections::BTreeSet;
use std::path::Path;
use waterjar_engine::{Catalog, Plan, StudyFile};
use waterjar_models::Mode;

pub fn check(study: &StudyFile, plan: &Plan) -> Vec<Check> {
    let named =
        plan.suites.iter().filter_map(|planned| Some((planned.id().to_string(), planned.suite().roles().embedder?)));
    let remote: BTreeSet<&str> = plan.remote_embedders().map(|id| id.as_str()).collect();
    let prices = remote.into_iter().map(|id| models::price(id, plan, Mode::Calls));
    let left_behind = embedders::left_behind().map(|it| forgotten(&it));
    named.map(|(suite, id)| one(study, suite, &id)).chain(prices).chain(left_behind).collect()
}

fn forgotten(folder: &Path) -> Check {
    Check::warn(
        "vectors",
        folder.display().to_string(),
        "an earlier version kept vectors of patients' texts here; runs keep their own now, and nobody reads these",
        "delete the folder",
    )
}

fn one(study: &StudyFile, suite: String, id: &str) -> Check {
    let of = format!("{id} of {suite}");
    match Parts.embedder(&study.wanted_embedder(id)) {
        Ok(embedder) if id == AUTO && embedder.id().starts_with(LEXICAL) => Check::warn(
            "embedder",
            of,
            format!("{}: words are compared and not meaning, for no all-MiniLM-L6-v2 was found", embedder.id()),
            "`waterjar fetch-embedder` brings it",
        ),
        Ok(embedder) => Check::ok("embedder", of, embedder.id()),
        Err(problem) => {
            Check::fail("embedder", of, problem, "name another embedder, or put its files where they are looked for")
        }
    }
}
