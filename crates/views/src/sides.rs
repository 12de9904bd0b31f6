//! Who can be compared by a metric, and by which metrics a suite can be compared.

use crate::comparison::Side;
use crate::contenders::Contender;
use std::collections::BTreeSet;
use waterjar_core::{MetricColumn, SubjectId, SuiteId};
use waterjar_engine::EngineError;
use waterjar_store::Store;

/// The metrics that any of them can be compared by.
pub async fn metrics(
    store: &Store,
    suite: &SuiteId,
    contenders: &[Contender],
) -> Result<BTreeSet<String>, EngineError> {
    let mut metrics = BTreeSet::new();
    for it in contenders {
        metrics.extend(store.metrics_with_shares(suite, &it.subject).await?);
    }
    Ok(metrics)
}

/// What a suite is about or, where nobody can be compared by that, the first of its columns that somebody can be compared by.
pub fn headline<'a>(columns: &'a [MetricColumn], metrics: &BTreeSet<String>) -> Option<&'a MetricColumn> {
    let mut by_weight = columns.iter().filter(|it| it.primary).chain(columns);
    by_weight.find(|it| metrics.contains(&it.name))
}

/// One subject's side, or why it is left out.
pub async fn side(
    store: &Store,
    suite: &SuiteId,
    subject: &SubjectId,
    metric: &str,
) -> Result<Result<Side, String>, EngineError> {
    if let Some(shares) = store.shares(suite, subject, metric).await? {
        return Ok(Ok(Side { suite: suite.clone(), name: subject.to_string(), shares }));
    }
    // Not by its shares: some metrics are kept of families nobody answered too, as nothing of nothing.
    let results = store.results(suite).await?;
    let mut metrics = results.iter().filter(|it| it.subject == *subject).flat_map(|it| it.metrics.values());
    let has_others = metrics.any(|it| it.value.is_some());
    Ok(Err(if has_others { format!("it has no `{metric}`") } else { "it has no answers".to_owned() }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::Better;

    #[test]
    fn a_suite_is_compared_by_what_it_is_about_or_by_the_first_that_can_be() {
        let column = |name: &str| MetricColumn::share(name, name, Better::Higher, "");
        let columns = [column("first"), column("second"), MetricColumn { primary: true, ..column("about") }];
        let check = |metrics: &[&str], found: Option<&str>| {
            let metrics = metrics.iter().map(|it| (*it).to_owned()).collect();
            assert_eq!(headline(&columns, &metrics).map(|it| it.name.as_str()), found);
        };
        check(&["about", "first"], Some("about"));
        check(&["second", "unknown"], Some("second"));
        check(&[], None);
    }
}
