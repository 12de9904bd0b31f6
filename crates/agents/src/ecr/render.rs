//! A record as a clinician would want to read it in a terminal.

use super::graph::Drawn;
use super::reasoner::stages::Verdict;
use super::record::{Mark, Record, Row};
use std::fmt::Write;

/// `None` where the JSON is no record of this agent.
pub fn render(record: &serde_json::Value) -> Option<String> {
    let record: Record = serde_json::from_value(record.clone()).ok()?;
    let mut out = String::new();
    write_record(&mut out, &record).expect("writing to a String cannot fail");
    Some(out)
}

fn write_record(out: &mut String, record: &Record) -> std::fmt::Result {
    let audit = &record.audit;
    writeln!(out, "{}", record.one_liner)?;
    let first: Vec<String> = record.intuition.iter().map(|(name, weight)| format!("{name} ({weight:.2})")).collect();
    writeln!(out, "\nFirst impression   {}", first.join(", "))?;
    writeln!(out, "Evidence           {}", audit.evidence.as_deref().unwrap_or("nothing is known of any candidate"))?;
    let experience =
        audit.experience.as_ref().map(|(name, share)| format!("{name} ({:.0} % of the cases recalled)", share * 100.0));
    writeln!(
        out,
        "Experience         {}",
        experience.as_deref().unwrap_or("no case recalled shares a deciding finding")
    )?;
    let verdict = match audit.verdict {
        Verdict::Keep => "KEPT",
        Verdict::Overturn => "OVERTURNED",
    };
    let also = audit.also.as_ref().map_or(String::new(), |also| format!(", and perhaps {also} as well"));
    writeln!(out, "Audit              first impression {verdict}: {}{also}", audit.diagnosis)?;
    for reason in &audit.reasons {
        writeln!(out, "                   - {reason}")?;
    }
    let w = &record.weights;
    writeln!(
        out,
        "\nEvidence balance sheet   S = {}·match − {}·conflict − {}·missing + {}·pivot + {}·experience   (◆ pivot, ✗ denied)",
        w.matching, w.conflict, w.shadow, w.pivot, w.experience
    )?;
    for row in &record.balance {
        write_row(out, row, &record.graph)?;
    }
    if !record.checklist.is_empty() {
        writeln!(out, "\nFor the next visit: not mentioned so far, and would help")?;
        for check in &record.checklist {
            writeln!(out, "  [ ] {}   → {}", words(&record.graph, check.feature), check.speaks_for)?;
        }
    }
    for note in &record.notes {
        writeln!(out, "\nNote: {note}")?;
    }
    writeln!(out, "\nIllustrative, not for patient care.")
}

fn write_row(out: &mut String, row: &Row, graph: &Drawn) -> std::fmt::Result {
    let s = &row.score;
    writeln!(
        out,
        "\n  {}   S = {:.2}  (match {:.2}, conflict {:.2}, missing {:.2}, pivot {:.2})",
        row.candidate, s.total, s.matching, s.conflict, s.shadow, s.pivot
    )?;
    for (title, items) in [("supports", &row.supporting), ("conflicts", &row.conflicting), ("missing", &row.missing)] {
        for (place, item) in items.iter().enumerate() {
            let title = if place == 0 { title } else { "" };
            let mark = match item.2 {
                Mark::Denied => "✗",
                Mark::Pivot => "◆",
                Mark::None => " ",
            };
            writeln!(out, "    {title:<10} {mark} {:>5.2}  {}", item.1, words(graph, item.0))?;
        }
    }
    Ok(())
}

fn words(graph: &Drawn, node: u32) -> &str {
    graph.nodes.get(node as usize).map_or("?", |node| graph.text_of(node))
}
