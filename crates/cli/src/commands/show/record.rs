//! How a subject came to its answer, in the terminal and as a drawing.

use crate::cli::CaseArgs;
use crate::outlet;
use anyhow::Result;
use std::path::Path;
use waterjar_agents::ecr::Record;
use waterjar_agents::ecr::graph::to_dot;
use waterjar_core::{Family, SubjectId};
use waterjar_engine::{EngineError, PlannedSuite, export};
use waterjar_store::{Bench, Store};
use waterjar_views::graph_of;

/// A record, and whose answer to what it is about.
pub struct Found {
    pub subject: SubjectId,
    pub variant: String,
    pub record: Record,
    /// Other subjects that keep records.
    pub others: Vec<SubjectId>,
}

/// The record of the wanted subject's answer to the wanted variant; of the first subject that keeps one when none is named.
pub async fn find(store: &Store, planned: &PlannedSuite, position: i64, args: &CaseArgs) -> Result<Option<Found>> {
    let judge = planned.suite().judge_id();
    let mut found: Option<Found> = None;
    for subject in &planned.subjects {
        let bench = Bench { suite: planned.id(), subject: &subject.id, repeat: 0, judge: &judge };
        let page = store.judging_page(bench, position - 1, 1).await.map_err(EngineError::from)?;
        let Some(record) = page.items.first().and_then(|it| record_of(&it.family, &args.variant)) else { continue };
        match &mut found {
            Some(found) if args.subject.as_deref() != Some(subject.id.as_str()) => {
                found.others.push(subject.id.clone())
            }
            _ => {
                let mut others: Vec<SubjectId> =
                    found.into_iter().flat_map(|it| [vec![it.subject], it.others].concat()).collect();
                others.retain(|it| *it != subject.id);
                found = Some(Found { subject: subject.id.clone(), variant: args.variant.clone(), record, others });
            }
        }
    }
    match (&args.subject, &found) {
        (Some(wanted), Some(found)) if found.subject.as_str() == wanted => {}
        (Some(wanted), _) => {
            let problem = format!("`{wanted}` left no record of an answer to the {} of this case", args.variant);
            let known: Vec<&str> = planned.subjects.iter().map(|it| it.id.as_str()).collect();
            let hint = format!("agents of the kind `ecr` leave one; the subjects are: {}", known.join(", "));
            return Err(EngineError::file(store.path(), problem).with_hint(hint).into());
        }
        (None, _) => {}
    }
    Ok(found)
}

fn record_of(family: &Family, role: &str) -> Option<Record> {
    let member = family.members.iter().find(|it| it.variant.role() == role)?;
    Record::read(member.conclusion()?.record.as_ref()?)
}

pub fn rendered(found: &Found) -> String {
    let others: Vec<&str> = found.others.iter().map(SubjectId::as_str).collect();
    let more = match others.as_slice() {
        [] => String::new(),
        others => format!("\nRecords of others with --subject: {}\n", others.join(", ")),
    };
    format!("\n== how {} came to its answer to the {}\n{}{more}", found.subject, found.variant, found.record.render())
}

/// SVG, DOT or JSON, by the ending of the file's name.
pub fn write_graph(found: &Found, case: &str, path: &Path) -> Result<()> {
    let ending = path.extension().and_then(|it| it.to_str());
    // A drawing may be drawn again; other files may be anybody's, a run's figures among them.
    if !matches!(ending, Some("svg" | "dot")) {
        outlet::check(path)?;
    }
    let text = match ending {
        Some("svg") => {
            let title = format!("{case}, {}: {}", found.variant, found.record.verdict());
            waterjar_report::graph_svg(&graph_of(&found.record), &title)
        }
        Some("dot") => to_dot(&found.record.graph),
        Some("json") => serde_json::to_string_pretty(&graph_of(&found.record))? + "\n",
        _ => {
            let problem = "is no name for a graph";
            return Err(EngineError::file(path, problem).with_hint("end it in .svg, .dot or .json").into());
        }
    };
    Ok(export::write_text(path, &text)?)
}
