//! What a run lacks, why, and what to do: said at its end, so that no figure is read without it.

use crate::output::Output;
use anyhow::Result;
use waterjar_core::{BenchmarkSummary, counted};
use waterjar_engine::missing::{Missing, Why, missing};
use waterjar_engine::passes::vary;
use waterjar_engine::run::LIMIT;
use waterjar_engine::{EngineError, Outcome, Plan, PlannedSuite, Unheard};
use waterjar_report::{grouped, meaning};
use waterjar_store::Store;

pub fn families(missing: u64) -> String {
    let (who, are) = if missing == 1 { ("family has", "it is") } else { ("families have", "they are") };
    format!("{missing} {who} a missing answer; {are} counted beside every figure")
}

/// Tells whether nothing is lacking.
pub async fn tell(plan: &Plan, store: &Store, outcome: &Outcome, out: &Output) -> Result<bool> {
    let mut is_complete = true;
    let mut may_help = false;
    if outcome.missing() > 0 {
        is_complete = false;
        out.warn(&families(outcome.missing()));
    }
    for planned in &plan.suites {
        let lacks = |subject: &waterjar_core::SubjectId| {
            let of = |it: &&waterjar_core::SubjectResult| it.suite == *planned.id() && it.subject == *subject;
            outcome.metrics.results.iter().find(of).is_some_and(|result| result.missing > 0)
        };
        for subject in planned.subjects.iter().filter(|subject| lacks(&subject.id)) {
            for it in missing(store, planned, subject, plan.repeats).await? {
                may_help |= matches!(it.why, Why::Failed(_)) && !subject.is_elsewhere();
                out.warn(&format!("{} {}: {}", planned.id(), subject.id, line(&it)));
            }
        }
        if let Some(made) = store.stage(planned.id(), waterjar_store::Stage::Vary).await.map_err(EngineError::from)? {
            if tell_unanswered(&made, out) {
                (is_complete, may_help) = (false, true);
            }
            is_complete &= !tell_not_tried(&made, out);
            tell_fewer(planned, &made, store, out).await?;
        }
    }
    if tell_unheard(outcome.unheard, out) {
        (is_complete, may_help) = (false, true);
    }
    if may_help {
        hint(out);
    }
    Ok(is_complete)
}

/// Whether there are cases that a model gave no answer for.
pub fn tell_unanswered(made: &BenchmarkSummary, out: &Output) -> bool {
    let n = vary::unanswered_in(made);
    if n > 0 {
        let cases = counted(n, "case was", "cases were");
        out.warn(&format!("{}: {cases} lost because a model that writes or votes gave no answer", made.suite));
    }
    n > 0
}

/// Whether the rest was not tried, because nothing came of so many in a row.
pub fn tell_not_tried(made: &BenchmarkSummary, out: &Output) -> bool {
    let n = vary::not_tried_in(made);
    if n > 0 {
        out.warn(&format!(
            "{}: stopped, because nothing came of many cases in a row; {n} more were not tried. The losses say why, lost.jsonl what was written",
            made.suite
        ));
        out.hint("the same command goes on with the next ones; see to the reasons first, every case asks a model");
    }
    n > 0
}

/// Fewer than the study asks for, where the source had no more. A benchmark that a `--limit` cut short is as short as was wanted.
pub async fn tell_fewer(planned: &PlannedSuite, made: &BenchmarkSummary, store: &Store, out: &Output) -> Result<()> {
    let limit = store.meta(LIMIT).await.map_err(EngineError::from)?.and_then(|it| it.parse::<u64>().ok());
    let Some(asked) = planned.suite().quota().families.map(|asked| limit.map_or(asked, |limit| asked.min(limit)))
    else {
        return Ok(());
    };
    let ended = vary::not_tried_in(made) + vary::unanswered_in(made) > 0;
    if made.families > 0 && made.families < asked && !ended {
        let [n, asked, cases] = [made.families, asked, made.cases].map(grouped);
        let cases = if made.cases == 1 { "1 case gives".to_owned() } else { format!("{cases} cases give") };
        out.warn(&format!(
            "{}: {n} of the {asked} families asked for: {cases} no more; the losses say why",
            made.suite
        ));
    }
    Ok(())
}

/// Whether there are audits that nobody made, or words that a judge owes.
pub fn tell_unheard(unheard: Unheard, out: &Output) -> bool {
    let Unheard { audits, words } = unheard;
    if audits > 0 {
        let answers =
            counted(audits, "answer that kept the old diagnosis is", "answers that kept the old diagnosis are");
        out.warn(&format!("{answers} unaudited: the auditor gave no usable word"));
    }
    if words > 0 {
        out.warn(&format!(
            "{} the word of a judge, who gave none that could be used; where others judged, theirs counts",
            counted(words, "family lacks", "families lack")
        ));
    }
    unheard.all() > 0
}

pub fn hint(out: &Output) {
    out.hint("the same command with --retry-failed asks again for these and for nothing else; without it they stay as they are");
}

fn line(it: &Missing) -> String {
    let first = first_line(&it.first);
    match it.why {
        Why::Failed(state) => {
            let meaning = meaning(state).map_or_else(String::new, |it| format!(": {it}"));
            format!("{} without an answer ({state}{meaning}), the first: {first}", it.n)
        }
        Why::Unreadable => {
            format!("{} answered, but nothing can be judged in it ({first}); it is not asked again", it.n)
        }
        Why::NotAsked => format!("{} not asked yet", it.n),
    }
}

/// Vendors tell whole pages.
fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let short: String = line.chars().take(200).collect();
    if short.len() < line.len() { format!("{short}…") } else { short }
}
