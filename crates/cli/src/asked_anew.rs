//! Before anybody is asked: whose answers will be paid for once more, and why.

use std::collections::BTreeMap;
use waterjar_core::{SubjectId, counted};
use waterjar_engine::passes::asked_anew;
use waterjar_engine::{EngineError, Plan, PlannedSuite, RunDir};
use waterjar_store::{Mode, Store};

/// The addresses that the study of a run gave its models when it was last started.
/// Nothing where it cannot be opened: whoever opens it for writing is told why.
pub async fn addresses_before(dir: &RunDir) -> BTreeMap<String, String> {
    let database = dir.database();
    if !database.exists() {
        return BTreeMap::new();
    }
    let Ok(store) = Store::open(database, Mode::Read).await else { return BTreeMap::new() };
    let identity = store.identity().await.ok().flatten();
    store.close().await;
    identity.map(|it| addresses(&it.study_text)).unwrap_or_default()
}

/// What is to be said of each subject whose answers were given to something else than is asked now.
pub async fn told(before: &BTreeMap<String, String>, plan: &Plan, store: &Store) -> Result<Vec<String>, EngineError> {
    let now = addresses(&plan.text);
    let moved = |model: &str| {
        let (old, new) = (before.get(model)?, now.get(model)?);
        (old != new).then(|| format!("the `url` of its model is {new} now, and was {old} at the last start"))
    };
    let told = |(subject, answers): (SubjectId, u64)| {
        let asked = plan.suites.iter().flat_map(PlannedSuite::asked).find(|it| it.id == subject);
        let why = asked.and_then(|it| moved(&it.model));
        let why = why.unwrap_or_else(|| "they were given to other questions or settings than those of now".to_owned());
        let answers = counted(answers, "answer", "answers");
        format!("{answers} of `{subject}` will be asked for again: {why}")
    };
    Ok(asked_anew(plan, store).await?.into_iter().map(told).collect())
}

/// By model, as a study writes them.
fn addresses(study: &str) -> BTreeMap<String, String> {
    let study: toml::Table = toml::from_str(study).unwrap_or_default();
    let models = study.get("models").and_then(toml::Value::as_table).into_iter().flatten();
    let url = |table: &toml::Value| Some(table.get("url")?.as_str()?.trim_end_matches('/').to_owned());
    models.filter_map(|(model, table)| Some((model.clone(), url(table)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_that_are_written() {
        let study = "[models.\"a/b\"]\nurl = \"http://127.0.0.1:1/v1/\"\n[models.\"a/c\"]\nseed = 1\n";
        let wanted = BTreeMap::from([("a/b".to_owned(), "http://127.0.0.1:1/v1".to_owned())]);
        assert_eq!(addresses(study), wanted);
        assert_eq!(addresses(""), BTreeMap::new());
    }
}
