//! What says how alike two texts are, where a suite asks: one of ours, or one at an address, which is looked at as models are.

use super::models::{Reached, cost, price, reach};
use super::{Check, vectors};
use crate::catalog::{Parts, policy_of, spec_of};
use crate::cli::DoctorArgs;
use crate::embedders::{self, AUTO, LEXICAL};
use std::collections::BTreeSet;
use std::path::Path;
use waterjar_core::Embedder;
use waterjar_engine::{Catalog, Plan, StudyFile};
use waterjar_models::{EmbeddingModel, Mode, OpenModelError};

pub async fn check(study: &StudyFile, plan: &Plan, args: &DoctorArgs) -> Vec<Check> {
    let remote: BTreeSet<&str> = plan.remote_embedders().map(|id| id.as_str()).collect();
    let named =
        plan.suites.iter().filter_map(|planned| Some((planned.id().to_string(), planned.suite().roles().embedder?)));
    let ours = named.filter(|(_, id)| !remote.contains(id.as_str())).map(|(suite, id)| one(study, suite, &id));
    let mut checks: Vec<Check> = ours.collect();
    checks.extend(futures::future::join_all(remote.into_iter().map(|id| visit(id, study, plan, args))).await.concat());
    checks.extend(embedders::left_behind().map(|it| forgotten(&it)));
    checks
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

/// One at an address.
async fn visit(id: &str, study: &StudyFile, plan: &Plan, args: &DoctorArgs) -> Vec<Check> {
    let fail = |found: String, todo: &str| Check::fail("embedder", id, found, todo);
    let wanted = study.wanted_embedder(id);
    let spec = match spec_of(wanted.table) {
        Ok(spec) => spec.unwrap_or_default(),
        Err(problem) => return vec![fail(problem, "correct its table in the study")],
    };
    let opened = EmbeddingModel::open(id, Some(&spec), policy_of(wanted.privacy), vectors::IMPATIENT);
    if let Err(error @ OpenModelError::NoEmbeddings { .. }) = &opened {
        return vec![fail(error.to_string(), "name a model that is asked in OpenAI's format, or \"minilm\"")];
    }
    let Reached { mut checks, may_be_asked } = match reach(id, &spec, study, args).await {
        Ok(reached) => reached,
        Err(check) => return vec![check],
    };
    match &opened {
        Ok(model) => checks.push(Check::ok("embedder", id, model.id())),
        // Key, privacy and endpoint have said so.
        Err(OpenModelError::MissingKey { .. } | OpenModelError::NotLocal { .. } | OpenModelError::NoAddress { .. }) => {
        }
        Err(error) => checks.push(fail(error.to_string(), "correct it in the study")),
    }
    checks.push(price(id, plan, Mode::Calls));
    if let Ok(model) = &opened
        && args.ask
        && may_be_asked
    {
        checks.push(vectors::asked(id, model, args, |usage| cost(id, Some(plan), usage)).await);
    }
    checks
}
