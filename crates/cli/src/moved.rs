//! Models that a study reaches at another address than when it was last started: what they said there is asked again.

use std::collections::BTreeMap;
use waterjar_core::counted;
use waterjar_engine::{EngineError, Plan, RunDir};
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

/// What is to be said of each model that has moved and has answered.
pub async fn told(before: &BTreeMap<String, String>, plan: &Plan, store: &Store) -> Result<Vec<String>, EngineError> {
    let mut told = Vec::new();
    for (model, url) in addresses(&plan.text) {
        let Some(old) = before.get(&model).filter(|old| **old != url) else { continue };
        let mut answers = 0;
        for planned in &plan.suites {
            let counts = store.subjects(planned.id()).await?;
            let of_model = planned.asked().filter(|it| it.model == model);
            answers += of_model.filter_map(|it| counts.get(&it.id)).map(|it| it.responses).sum::<u64>();
        }
        if answers > 0 {
            let answers = counted(answers, "answer is", "answers are");
            let again = format!("{answers} of {old} and will be asked for again at {url}");
            told.push(format!("`{model}` has another `url` now, so it counts as another model: {again}"));
        }
    }
    Ok(told)
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
