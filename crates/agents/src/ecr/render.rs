//! A record as a clinician would want to read it in a terminal.

use super::graph::Drawn;
use super::reasoner::stages::Verdict;
use super::record::{Entry, Mark, Record, Row, Tiers};
use std::fmt::Write;

/// Candidates the tiers and the balance sheet are told of.
const TOLD: usize = 3;

impl Record {
    /// In a terminal.
    pub fn render(&self) -> String {
        let mut out = String::new();
        write_record(&mut out, self).expect("writing to a String cannot fail");
        out
    }

    /// `first impression OVERTURNED: Pseudogout`
    pub fn verdict(&self) -> String {
        let verdict = match self.audit.verdict {
            Verdict::Keep => "KEPT",
            Verdict::Overturn => "OVERTURNED",
        };
        let also = self.audit.also.as_ref().map_or(String::new(), |also| format!(", and perhaps {also} as well"));
        format!("first impression {verdict}: {}{also}", self.audit.diagnosis)
    }

    /// What the two other streams say.
    pub fn streams(&self) -> [(&'static str, String); 2] {
        let evidence = self.audit.evidence.clone();
        let experience = self.audit.experience.as_ref();
        let experience =
            experience.map(|(name, share)| format!("{name} ({:.0} % of the cases recalled)", share * 100.0));
        [
            ("Evidence", evidence.unwrap_or_else(|| "nothing is known of the first impression".to_owned())),
            ("Experience", experience.unwrap_or_else(|| "no case recalled shares a deciding finding".to_owned())),
        ]
    }

    /// What the audit looked at, in its order: a title, and a line for each of the first candidates.
    pub fn tiers(&self) -> [(&'static str, Vec<String>); 3] {
        let told = || self.balance.iter().take(TOLD);
        let fatal = |row: &Row| {
            let denied = row.tiers.fatal.iter().map(|it| format!("“{}”", it.trim_end_matches('.')));
            let denied = denied.collect::<Vec<_>>().join(", ");
            (!denied.is_empty()).then(|| format!("{}: excluded, the patient denies {denied}", row.candidate))
        };
        let mut excluded: Vec<String> = self.balance.iter().filter_map(fatal).collect();
        if excluded.is_empty() {
            excluded.push("none: the patient denies nothing a candidate cannot be without".to_owned());
        }
        let pivots = |Tiers { won, lost, .. }: &Tiers| match (won, lost) {
            (0, 0) => "no pivot speaks for it or against it".to_owned(),
            (won, lost) => format!("{won} verified for it, {lost} against it"),
        };
        let coverage = |tiers: &Tiers| {
            let explained = format!("explains {:.0} % of the facts", tiers.coverage * 100.0);
            match tiers.shadows {
                0 => format!("{explained}; nothing expected is missing"),
                1 => format!("{explained}; 1 expected feature is not mentioned"),
                n => format!("{explained}; {n} expected features are not mentioned"),
            }
        };
        let each = |say: &dyn Fn(&Tiers) -> String| {
            told().map(|row| format!("{}: {}", row.candidate, say(&row.tiers))).collect::<Vec<_>>()
        };
        [("Fatal conflicts", excluded), ("Pivots", each(&pivots)), ("Coverage and gaps", each(&coverage))]
    }

    /// `S = 1·match − 1·conflict − …`
    pub fn formula(&self) -> String {
        let w = &self.weights;
        format!(
            "S = {}·match − {}·conflict − {}·missing + {}·pivot + {}·experience",
            w.matching, w.conflict, w.shadow, w.pivot, w.experience
        )
    }

    /// The words of a node of the graph.
    pub fn words(&self, node: u32) -> &str {
        words(&self.graph, node)
    }
}

fn write_record(out: &mut String, record: &Record) -> std::fmt::Result {
    writeln!(out, "{}", record.one_liner)?;
    let first: Vec<String> = record.intuition.iter().map(|(name, weight)| format!("{name} ({weight:.2})")).collect();
    writeln!(out, "\nFirst impression   {}", first.join(", "))?;
    for (name, said) in record.streams() {
        writeln!(out, "{name:<18} {said}")?;
    }
    writeln!(out, "Verdict            {}", record.verdict())?;
    for reason in &record.audit.reasons {
        writeln!(out, "                   - {reason}")?;
    }
    writeln!(out, "\nAudit")?;
    for (number, (title, lines)) in (1..).zip(record.tiers()) {
        for (place, line) in lines.iter().enumerate() {
            let head = if place == 0 { format!("{number} {title}") } else { String::new() };
            writeln!(out, "  {head:<20} {line}")?;
        }
    }
    writeln!(out, "\nEvidence balance sheet (◆ pivot, ✗ denied; the strongest of each)\n  {}", record.formula())?;
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
    let experience = if s.experience > 0.0 { format!(", experience {:.2}", s.experience) } else { String::new() };
    writeln!(
        out,
        "\n  {}   S = {:.2}  (match {:.2}, conflict {:.2}, missing {:.2}, pivot {:.2}{experience})",
        row.candidate, s.total, s.matching, s.conflict, s.shadow, s.pivot
    )?;
    for (title, items) in [("supports", &row.supporting), ("conflicts", &row.conflicting), ("missing", &row.missing)] {
        for (place, Entry(node, weight, mark)) in items.iter().enumerate() {
            let title = if place == 0 { title } else { "" };
            let mark = match mark {
                Mark::Denied => "✗",
                Mark::Pivot => "◆",
                Mark::None => " ",
            };
            writeln!(out, "    {title:<10} {mark} {weight:>5.2}  {}", words(graph, *node))?;
        }
    }
    Ok(())
}

fn words(graph: &Drawn, node: u32) -> &str {
    graph.nodes.get(node as usize).map_or("?", |node| graph.text_of(node))
}
