//! Which other diseases may distract: those that are neither the same by another name nor its parent or child (specs 1.9.2).

use crate::words::{is_cjk, words};
use waterjar_core::Sex;
use waterjar_knowledge::KnowledgeBase;

/// A disease by its names and, where there is one, its ICD-10 code.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    pub names: &'a [String],
    pub code: Option<&'a str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// A name of the one is a name of the other.
    SameName,
    /// They differ in words such as acute alone.
    QualifierOnly,
    /// The words of the one are in the other: a parent or child.
    Within,
    /// The code of the one is the other's or holds it.
    Code,
}

/// Words that tell no two diseases apart, in the language of the bases.
pub(crate) const QUALIFIERS: [&str; 12] = [
    "acute",
    "chronic",
    "subacute",
    "recurrent",
    "primary",
    "secondary",
    "severe",
    "mild",
    "early",
    "late",
    "of",
    "the",
];

pub fn gate(root: Candidate<'_>, other: Candidate<'_>, qualifiers: &[String]) -> Result<(), Refused> {
    let same = |a: &String| other.names.iter().any(|b| words(a) == words(b));
    if root.names.iter().any(same) {
        return Err(Refused::SameName);
    }
    let (Some(a), Some(b)) = (root.names.first(), other.names.first()) else { return Ok(()) };
    let (a, b) = (bare(a, qualifiers), bare(b, qualifiers));
    if a == b {
        return Err(Refused::QualifierOnly);
    }
    if holds(&a, &b) || holds(&b, &a) {
        return Err(Refused::Within);
    }
    match root.code.zip(other.code) {
        Some((a, b)) if a == b || is_below(a, b) || is_below(b, a) => Err(Refused::Code),
        _ => Ok(()),
    }
}

/// Without qualifiers. Scripts without spaces are cut by the letters.
fn bare(name: &str, qualifiers: &[String]) -> Vec<String> {
    if name.chars().any(is_cjk) {
        let cut = |name: String, qualifier: &String| name.replace(qualifier.as_str(), "");
        return vec![qualifiers.iter().fold(name.to_lowercase(), cut)];
    }
    words(name).into_iter().filter(|word| !qualifiers.contains(word)).collect()
}

fn holds(whole: &[String], part: &[String]) -> bool {
    match (whole, part) {
        ([whole], [part]) if whole.chars().any(is_cjk) => !part.is_empty() && whole.contains(part.as_str()),
        _ => !part.is_empty() && part.iter().all(|word| whole.contains(word)),
    }
}

/// `I63.2` is below `I63`.
fn is_below(code: &str, category: &str) -> bool {
    code.strip_prefix(category).is_some_and(|rest| rest.starts_with('.'))
}

/// How alike two conditions must look to be mistaken for each other, where nobody named them rivals.
const ALIKE: f64 = 0.5;
/// The most that are looked at.
const MOST: usize = 10;

/// What a condition can be mistaken for in this person: its rivals, then those that look most alike. By place in the base.
pub fn differentials(base: &KnowledgeBase, condition: usize, who: Option<(Sex, u8)>) -> Vec<usize> {
    let rivals = base.conditions()[condition].rivals.iter().filter_map(|rival| base.condition_index(rival));
    let mut found: Vec<usize> = rivals.collect();
    let mut alike: Vec<(f64, usize)> = (0..base.conditions().len())
        .filter(|&other| other != condition && !found.contains(&other))
        .map(|other| (likeness(base, condition, other), other))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .collect();
    alike.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    found.extend(alike.into_iter().map(|(_, other)| other));
    found.retain(|&other| who.is_none_or(|(sex, age)| base.conditions()[other].weight(sex, age) > 0.0));
    found.truncate(MOST);
    found
}

/// The cosine of how often findings are there.
fn likeness(base: &KnowledgeBase, a: usize, b: usize) -> f64 {
    let (mut dot, mut of_a, mut of_b) = (0.0, 0.0, 0.0);
    for finding in 0..base.findings().len() {
        let (x, y) = (base.chance(a, finding), base.chance(b, finding));
        dot += x * y;
        of_a += x * x;
        of_b += y * y;
    }
    if dot > 0.0 { dot / (of_a * of_b).sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(root: (&[&str], Option<&str>), other: (&[&str], Option<&str>), expected: Result<(), Refused>) {
        let names = |of: &[&str]| of.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let (a, b) = (names(root.0), names(other.0));
        let qualifiers = names(&["acute", "chronic", "急性", "小儿"]);
        let found = gate(Candidate { names: &a, code: root.1 }, Candidate { names: &b, code: other.1 }, &qualifiers);
        assert_eq!(found, expected, "{a:?} {b:?}");
    }

    #[test]
    fn a_disease_under_another_name_distracts_nobody() {
        check((&["Heart attack", "MI"], None), (&["Myocardial infarction", "mi"], None), Err(Refused::SameName));
    }

    #[test]
    fn acute_and_chronic_are_no_two_diseases() {
        check((&["Acute pancreatitis"], None), (&["Chronic pancreatitis"], None), Err(Refused::QualifierOnly));
        check((&["小儿腹泻"], None), (&["腹泻"], None), Err(Refused::QualifierOnly));
    }

    #[test]
    fn a_parent_or_child_distracts_nobody() {
        check((&["Bacterial pneumonia"], None), (&["Pneumonia"], None), Err(Refused::Within));
        check((&["哺乳期乳腺炎"], None), (&["乳腺炎"], None), Err(Refused::Within));
        check(
            (&["Ischaemic stroke"], Some("I63")),
            (&["Posterior circulation stroke"], Some("I63.2")),
            Err(Refused::Code),
        );
    }

    #[test]
    fn siblings_may() {
        check((&["Viral pharyngitis"], Some("J02.9")), (&["Streptococcal pharyngitis"], Some("J02.0")), Ok(()));
        check((&["肺炎"], None), (&["过敏性鼻炎"], None), Ok(()));
    }
}
