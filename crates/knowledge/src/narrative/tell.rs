//! Findings → words.

use super::{ANTECEDENTS, SYMPTOMS, VALUE};
use crate::{Detail, Finding, KnowledgeBase, Place};
use waterjar_core::{Facts, FindingState, Observation};

/// The patient's story. Findings come in the order of `facts`, each under its parent where that is told too.
pub fn tell(base: &KnowledgeBase, facts: &Facts) -> String {
    let mut out = format!("Sex: {:?}, Age: {}\n", facts.sex, facts.age);
    for (title, place) in [(SYMPTOMS, Place::Symptoms), (ANTECEDENTS, Place::Antecedents)] {
        let told: Vec<Told<'_>> = facts
            .findings
            .iter()
            .filter_map(|seen| Some((base.finding(&seen.finding)?, seen)))
            .filter(|(finding, _)| finding.kind.place() == place)
            .collect();
        if told.is_empty() {
            continue;
        }
        out.push_str(title);
        out.push('\n');
        for &(finding, seen) in &told {
            if parent_is_told(finding, &told) {
                continue;
            }
            push(&mut out, finding, seen, 0);
            for &(child, seen) in &told {
                if child.parent.as_ref() == Some(&finding.id) && child.id != finding.id {
                    push(&mut out, child, seen, 1);
                }
            }
        }
    }
    out
}

/// What the patient says of one finding, without its bullet. Values of a multi follow on lines of their own.
pub fn sentence(finding: &Finding, seen: &Observation) -> String {
    match (&finding.detail, seen.state) {
        (Detail::None, FindingState::Denied) => finding.denied.clone().unwrap_or_default(),
        (Detail::None | Detail::Multi(_), _) => finding.present.clone(),
        (Detail::Scale, _) => finding.present.replace(VALUE, &first(seen)),
        (Detail::Choice(words), _) => {
            let value = first(seen);
            finding.present.replace(VALUE, words.get(&value).unwrap_or(&value))
        }
    }
}

type Told<'a> = (&'a Finding, &'a Observation);

/// One level of children is all the layout has, so a grandchild is told beside its parent's siblings.
fn parent_is_told(finding: &Finding, told: &[Told<'_>]) -> bool {
    finding.parent.as_ref().is_some_and(|parent| {
        *parent != finding.id
            && told.iter().any(|(other, _)| other.id == *parent && other.parent.as_ref().is_none_or(|p| *p == other.id))
    })
}

fn push(out: &mut String, finding: &Finding, seen: &Observation, depth: usize) {
    let indent = "  ".repeat(depth);
    out.push_str(&format!("{indent}- {}\n", sentence(finding, seen)));
    if let Detail::Multi(words) = &finding.detail {
        for value in &seen.values {
            let word = words.get(value).unwrap_or(value);
            out.push_str(&format!("{indent}  * {word}\n"));
        }
    }
}

fn first(seen: &Observation) -> String {
    seen.values.first().cloned().unwrap_or_default()
}
