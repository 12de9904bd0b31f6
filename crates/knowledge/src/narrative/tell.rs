//! Findings → words.

use super::{ANSWERS_FROM, ANTECEDENTS, BY_PARENT, SYMPTOMS, VALUE};
use crate::{Detail, Finding, KnowledgeBase, Place};
use waterjar_core::{Facts, FindingState, Observation};

/// The patient's story. Findings come in the order of `facts`, each under its parent where that is told too.
pub fn tell(base: &KnowledgeBase, facts: &Facts) -> String {
    let teller = if base.parents_answer() && facts.age < ANSWERS_FROM { BY_PARENT } else { "" };
    let mut out = format!("Sex: {:?}, Age: {}{teller}\n", facts.sex, facts.age);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrative::Reader;
    use crate::starter;
    use waterjar_core::{ConditionId, Sex};

    fn check(base: &KnowledgeBase, age: u8, header: &str) {
        let condition = ConditionId::from("croup");
        let facts = Facts { sex: Sex::M, age, findings: Vec::new(), condition, differential: Vec::new() };
        let told = tell(base, &facts);
        assert_eq!(told, format!("{header}\n"));
        let read = Reader::new(base).read(&told);
        assert_eq!((read.sex, read.age, read.unread), (Some(Sex::M), Some(age), Vec::new()));
    }

    #[test]
    fn a_parent_answers_for_a_small_child() {
        let base = starter::base().unwrap();
        check(&base, 0, "Sex: M, Age: 0, a parent answers for the child (\"I\" is the child)");
        check(&base, 7, "Sex: M, Age: 7, a parent answers for the child (\"I\" is the child)");
        check(&base, 8, "Sex: M, Age: 8");
    }

    #[test]
    fn who_comes_from_elsewhere_is_told_as_there() {
        check(&KnowledgeBase::nothing(), 3, "Sex: M, Age: 3");
    }
}
