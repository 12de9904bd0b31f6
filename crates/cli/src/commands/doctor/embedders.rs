//! What says how alike two texts are, where a suite asks.

use super::Check;
use crate::catalog::spec_of;
use crate::embedders::{self, AUTO, LEXICAL};
use waterjar_engine::{Plan, StudyFile};

pub fn check(study: &StudyFile, plan: &Plan) -> Vec<Check> {
    let named =
        plan.suites.iter().filter_map(|planned| Some((planned.id().to_string(), planned.suite().roles().embedder?)));
    named.map(|(suite, id)| one(study, suite, &id)).collect()
}

fn one(study: &StudyFile, suite: String, id: &str) -> Check {
    let of = format!("{id} of {suite}");
    let table = study.models.get(id).map(toml::Spanned::get_ref);
    let opened = spec_of(table).and_then(|spec| embedders::open(id, spec.as_ref(), study.privacy));
    match opened {
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
