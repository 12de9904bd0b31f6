//! Whether the figures keep to what the study demands.

use crate::plan::Demanded;
use crate::run::LIMIT;
use crate::study::Bound;
use crate::{EngineError, PlannedSuite, Run};
use std::collections::{BTreeMap, BTreeSet};
use waterjar_core::{BoundCheck, SubjectResult, slip};

pub fn check(bounds: &BTreeMap<String, Bound>, results: &[SubjectResult]) -> Vec<BoundCheck> {
    let mut checks = Vec::new();
    for (key, bound) in bounds {
        let Some((suite, metric)) = key.split_once('.') else { continue };
        let concerned =
            results.iter().filter(|result| result.suite.as_str() == suite).filter(|result| match &bound.subject {
                Some(subject) => result.subject.as_str() == subject,
                None => !result.reference,
            });
        for result in concerned {
            checks.push(BoundCheck {
                figure: key.clone(),
                subject: result.subject.clone(),
                demand: demand(bound),
                broken: broken(key, metric, bound, result),
            });
        }
    }
    checks
}

fn demand(bound: &Bound) -> String {
    let sides = [bound.min.map(|min| format!("at least {min}")), bound.max.map(|max| format!("at most {max}"))];
    sides.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn broken(key: &str, metric: &str, bound: &Bound, result: &SubjectResult) -> Option<String> {
    let subject = &result.subject;
    // A figure that does not exist keeps no bound: silence must not pass a gate.
    let Some(figure) = result.metrics.get(metric) else {
        return Some(format!("{key} of {subject} has no value: {}", unknown(metric, result)));
    };
    let Some(value) = figure.value else {
        let why = figure.absent.as_ref().map(|why| format!(": {why}"));
        let why = why.or_else(|| is_unanswered(result).then(|| format!(": {UNANSWERED}")));
        return Some(format!("{key} of {subject} has no value{}", why.unwrap_or_default()));
    };
    let above = bound.max.filter(|max| value > *max).map(|max| format!("above {max}"));
    let below = bound.min.filter(|min| value < *min).map(|min| format!("below {min}"));
    above.or(below).map(|how| format!("{key} of {subject} is {value:.3}, {how}"))
}

const UNANSWERED: &str = "it has no answers";

/// Nothing of it counts in any figure.
fn is_unanswered(result: &SubjectResult) -> bool {
    result.n == 0 || result.metrics.values().all(|metric| metric.n == 0)
}

/// What is after the first dot is known only when there are figures: the groups a suite found, or names.
fn unknown(metric: &str, result: &SubjectResult) -> String {
    if is_unanswered(result) {
        return UNANSWERED.to_owned();
    }
    let stem = metric.split('.').next().unwrap_or(metric);
    let of_stem = |name: &&String| name.split('.').next() == Some(stem);
    let known: Vec<&str> = result.metrics.keys().filter(of_stem).map(String::as_str).collect();
    if known.is_empty() {
        return format!("no figure is called `{metric}`");
    }
    format!("no figure is called `{metric}`; there are: {}", known.join(", "))
}

/// Families read at a time.
const PAGE: u32 = 128;

/// Before anybody is asked: a figure of a stratum that no family is in will have no value, whatever is answered.
pub async fn check_strata(run: &Run<'_>) -> Result<(), EngineError> {
    // A benchmark cut short lacks strata by chance.
    if run.limit.is_some() || run.store.meta(LIMIT).await?.is_some_and(|limit| !limit.is_empty()) {
        return Ok(());
    }
    for demanded in &run.plan.demanded {
        let Some((suite, metric)) = demanded.figure.split_once('.') else { continue };
        let Some(planned) = run.plan.suites.iter().find(|planned| planned.id().as_str() == suite) else { continue };
        let Some((stem, stratum)) = metric.split_once('.') else { continue };
        let Some(by) = planned.suite().strata(stem).and_then(|strata| strata.key_of(stratum)) else { continue };
        // That there are none at all is told by who needs them.
        let Some(known) = values(run, planned, by).await? else { continue };
        if !known.contains(stratum) {
            return Err(no_family(demanded, stratum, by, &known));
        }
    }
    Ok(())
}

fn no_family(demanded: &Demanded, stratum: &str, by: &str, known: &BTreeSet<String>) -> EngineError {
    let Demanded { figure, what, place } = demanded;
    let problem = format!("{what} `{figure}`: no family is in the stratum `{stratum}`");
    let names = || known.iter().map(String::as_str);
    let list = format!("there are: {}", names().collect::<Vec<_>>().join(", "));
    // One number is as near as another.
    let is_word = !stratum.ends_with(|last: char| last.is_ascii_digit());
    let hint = match slip::did_you_mean(stratum, names()).filter(|_| is_word) {
        Some(meant) => format!("{meant} {list}"),
        None if known.is_empty() => format!("no family of this source has a stratum `{by}_…`"),
        None => list,
    };
    EngineError::study(place.as_str(), problem).with_hint(hint)
}

/// `edits_1`, `edits_2`: what the families have of a stratum. Nothing where there are no families.
async fn values(run: &Run<'_>, planned: &PlannedSuite, by: &str) -> Result<Option<BTreeSet<String>>, EngineError> {
    let mut known: Option<BTreeSet<String>> = None;
    let mut after = 0;
    loop {
        let page = run.store.told_page(planned.id(), after, PAGE).await?;
        for variant in page.items.iter().flat_map(|family| &family.variants) {
            let value = variant.strata.get(by).map(|value| format!("{by}_{value}"));
            known.get_or_insert_default().extend(value);
        }
        match page.next {
            Some(next) => after = next,
            None => return Ok(known),
        }
    }
}
