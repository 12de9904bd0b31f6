//! The result of a suite in plain sentences, made from the figures and from nothing else.

use crate::number::{count, counted, in_words};
use crate::ranking::{Front, Telling, front, primary, ranked};
use crate::{MetricColumn, SuiteSection};
use waterjar_core::metric::FEWEST;
use waterjar_core::{Metric, SubjectResult};

/// Who did best, who did worst, how sure one can be of it, the reference, and what is missing.
pub(super) fn sentences(section: &SuiteSection) -> Vec<String> {
    let columns = &section.headline;
    let Some(primary) = primary(columns) else {
        return Vec::new();
    };
    let competitors: Vec<_> = section.results.iter().filter(|result| !result.reference).collect();
    let ranked = ranked(&section.results, primary);
    let mut sentences = Vec::new();
    match ranked.as_slice() {
        [(best, high), .., (worst, low)] if high != low => {
            // An abbreviation stays as it is.
            let is_short = primary.title.chars().all(char::is_uppercase);
            let measure =
                if is_short { primary.title.clone() } else { format!("the {}", primary.title.to_lowercase()) };
            sentences.extend(told(best, columns, |did| {
                format!("Best of {} on {measure}: {} {did}.", ranked.len(), best.subject)
            }));
            sentences.extend(told(worst, columns, |did| format!("Worst: {} {did}.", worst.subject)));
            sentences.extend(front(&section.results, primary, &section.leads).and_then(|it| caution(&it)));
            sentences.extend(unranked(&competitors, &ranked, primary));
        }
        _ => {
            for result in competitors.iter().take(3) {
                sentences.extend(told(result, columns, |did| format!("{} {did}.", result.subject)));
            }
        }
    }
    for result in section.results.iter().filter(|result| result.reference) {
        sentences.extend(told(result, columns, |did| {
            format!("The reference, {}, which is not ranked, {did}.", result.subject)
        }));
    }
    sentences.push(missing(&section.results));
    sentences
}

/// What a subject did, as far as it can be said; nothing where no column has both a phrase and a value.
fn told(result: &SubjectResult, columns: &[MetricColumn], sentence: impl Fn(String) -> String) -> Option<String> {
    let parts: Vec<(String, Option<String>)> = columns
        .iter()
        .filter_map(|column| {
            let phrase = column.phrase.as_ref()?;
            let figure = result.metrics.get(&column.name)?;
            Some((phrase.replacen("{}", &in_words(figure.value?, column.kind), 1), on_few(figure)))
        })
        .collect();
    // What is the same for all is said once, at the end.
    let is_same = parts.windows(2).all(|two| two[0].1 == two[1].1);
    let last = parts.len().saturating_sub(1);
    let parts: Vec<String> = parts
        .into_iter()
        .enumerate()
        .map(|(at, (part, few))| match few {
            Some(few) if !is_same || at == last => format!("{part} (on {few} only)"),
            _ => part,
        })
        .collect();
    let (last, rest) = parts.split_last()?;
    Some(sentence(match rest {
        [] => last.clone(),
        rest => format!("{} and {last}", rest.join(", ")),
    }))
}

/// `5 independent cases`, where a figure rests on so few that it says little.
fn on_few(figure: &Metric) -> Option<String> {
    let cases = figure.cases();
    (1..FEWEST).contains(&cases).then(|| counted(cases, "independent case", "independent cases"))
}

/// Who cannot be told from the best may be as good or better: not much should be read into the order.
fn caution(front: &Front<'_>) -> Option<String> {
    let (best, others) = front.subjects.split_first()?;
    let names: Vec<&str> = others.iter().map(|it| it.subject.as_str()).collect();
    let (last, rest) = names.split_last()?;
    let others = if rest.is_empty() { (*last).to_owned() } else { format!("{} and {last}", rest.join(", ")) };
    let what = match front.telling {
        Telling::Paired => {
            format!("The paired test of waterjar compare does not tell {} from {others}", best.subject)
        }
        Telling::Intervals => {
            let theirs = if rest.is_empty() { "that" } else { "those" };
            format!("The 95 % interval of {} overlaps {theirs} of {others}", best.subject)
        }
    };
    Some(format!("{what}: read their order with care."))
}

/// Who is in the table and not among those ranked, and why.
fn unranked(
    competitors: &[&SubjectResult],
    ranked: &[(&SubjectResult, f64)],
    primary: &MetricColumn,
) -> Option<String> {
    let is_ranked = |result: &SubjectResult| ranked.iter().any(|(it, _)| it.subject == result.subject);
    let why = |result: &SubjectResult| match result.metrics.get(&primary.name) {
        Some(figure) if figure.value.is_some() => {
            format!("{} (too few cases, {})", result.subject, count(figure.cases()))
        }
        _ => format!("{} (no figure)", result.subject),
    };
    let left_out: Vec<String> = competitors.iter().filter(|it| !is_ranked(it)).map(|it| why(it)).collect();
    (!left_out.is_empty()).then(|| format!("Not ranked: {}.", left_out.join(", ")))
}

fn missing(results: &[SubjectResult]) -> String {
    let short: Vec<String> = results
        .iter()
        .filter(|result| result.missing > 0)
        .map(|result| {
            let families = counted(result.missing, "family", "families");
            format!("{} in {families}", result.subject)
        })
        .collect();
    if short.is_empty() {
        return "No answer is missing.".to_owned();
    }
    format!("Answers are missing and counted neither as right nor as wrong: {}.", short.join(", "))
}
