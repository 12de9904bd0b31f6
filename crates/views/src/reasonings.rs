//! Which answers a report follows from the first impression to the verdict.

use crate::reasoning::{Heading, view};
use waterjar_agents::ecr::Record;
use waterjar_agents::ecr::reasoner::stages::Verdict;
use waterjar_core::{Outcome, SubjectResult};
use waterjar_engine::{EngineError, PlannedSuite};
use waterjar_report::ReasoningView;
use waterjar_store::{Bench, Store};

/// Families looked through for an example of each verdict.
const LOOKED_THROUGH: u32 = 400;
const PAGE: u32 = 40;

/// Of the subject that keeps records and is most often right on both texts of a pair, the first answer to a trap that overturned its first impression, and the
/// first that kept it.
pub async fn examples(
    store: &Store,
    planned: &PlannedSuite,
    results: &[SubjectResult],
) -> Result<(Vec<ReasoningView>, String), EngineError> {
    let rate = |result: &SubjectResult| result.metrics.get("robust_accuracy").and_then(|it| it.value).unwrap_or(0.0);
    let mut subjects: Vec<&SubjectResult> = results.iter().filter(|it| !it.reference).collect();
    subjects.sort_by(|a, b| rate(b).total_cmp(&rate(a)));
    for result in subjects {
        let found = of_subject(store, planned, result).await?;
        if !found.is_empty() {
            let chosen = format!(
                "Of {}, of those that leave a record the one most often right on both texts of a pair: the first answer to a trap, in the \
                 benchmark’s order of chance, that overturned the first impression, and the first that kept it.",
                result.subject
            );
            return Ok((found, chosen));
        }
    }
    Ok((Vec::new(), String::new()))
}

async fn of_subject(
    store: &Store,
    planned: &PlannedSuite,
    result: &SubjectResult,
) -> Result<Vec<ReasoningView>, EngineError> {
    let suite = planned.suite();
    let judge = suite.judge_id();
    let bench = Bench { suite: suite.id(), subject: &result.subject, repeat: 0, judge: &judge };
    let mut found: [Option<ReasoningView>; 2] = [None, None];
    let (mut after, mut seen) = (0, 0);
    loop {
        let page = store.judging_page(bench, after, PAGE).await?;
        let verdicts = store.verdicts_on(suite.id(), &result.subject, &judge, after, PAGE);
        let verdicts = verdicts.await?.items;
        for to_judge in &page.items {
            let variants: Vec<_> = to_judge.family.members.iter().map(|it| it.variant.clone()).collect();
            let mut traps = to_judge.family.members.iter().filter(|it| it.variant.role() == "trap");
            let Some(trap) = traps.next() else { continue };
            let record = trap.conclusion().and_then(|it| Record::read(it.record.as_ref()?));
            let Some(record) = record else {
                // One without a record: the subject keeps none.
                if found.iter().all(Option::is_none) && trap.conclusion().is_some() {
                    return Ok(Vec::new());
                }
                continue;
            };
            let (place, what) = match record.audit.verdict {
                Verdict::Overturn => (0, "first impression overturned"),
                Verdict::Keep => (1, "first impression kept"),
            };
            let verdict = verdicts.iter().find(|it| it.position == to_judge.position && it.verdict.repeat == 0);
            let ruling = verdict.and_then(|it| it.verdict.rulings.iter().find(|it| it.variant == trap.variant.id));
            found[place].get_or_insert_with(|| {
                let title = format!("{}, trap {}: {what}", suite.title_of(&variants), to_judge.family.id);
                let outcome = ruling.map_or("", |it| outcome(it.outcome)).to_owned();
                view(&record, Heading { title, subject: result.subject.to_string(), outcome })
            });
        }
        seen += PAGE;
        match page.next.filter(|_| seen < LOOKED_THROUGH && found.iter().any(Option::is_none)) {
            Some(next) => after = next,
            None => return Ok(found.into_iter().flatten().collect()),
        }
    }
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Right => "right",
        Outcome::Partly => "partly right",
        Outcome::Trapped => "trapped",
        Outcome::Missed => "missed",
        Outcome::Missing => "no answer",
    }
}
