//! Which other diseases may distract: those that are neither the same by another name nor its parent or child (specs 1.9.2).

use crate::kinship::Kinship;
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
    /// The one is known to be a form of the other.
    Form,
    /// Nobody can have both.
    OtherPerson,
    /// It tells no disease.
    NoDisease,
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

pub fn gate(root: Candidate<'_>, other: Candidate<'_>, qualifiers: &[String], kin: &Kinship) -> Result<(), Refused> {
    if !other.names.iter().all(|it| kin.is_disease(it)) {
        return Err(Refused::NoDisease);
    }
    // Under any of their names.
    for (a, b) in root.names.iter().flat_map(|a| other.names.iter().map(move |b| (a, b))) {
        if words(a) == words(b) || kin.is_same(a, b) {
            return Err(Refused::SameName);
        }
        if kin.is_form_of(a, b) || kin.is_form_of(b, a) {
            return Err(Refused::Form);
        }
        let (a, b) = (bare(a, qualifiers), bare(b, qualifiers));
        if a == b {
            return Err(Refused::QualifierOnly);
        }
        if holds(&a, &b) || holds(&b, &a) {
            return Err(Refused::Within);
        }
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
        ([whole], [part]) if whole.chars().any(is_cjk) => !part.is_empty() && is_spread_over(whole, part),
        _ => !part.is_empty() && part.iter().all(|word| whole.contains(word)),
    }
}

/// Whether all letters of the one stand in the other in their order: 肺癌 in 肺腺癌.
fn is_spread_over(whole: &str, part: &str) -> bool {
    let mut letters = whole.chars();
    part.chars().all(|wanted| letters.any(|it| it == wanted))
}

/// Who has the one cannot have the other: they are of one sex or of children alone.
pub fn is_of_others(kin: &Kinship, disease: &str, complaints: &[String], other: &str) -> bool {
    let own = kin.sex(std::iter::once(disease).chain(complaints.iter().map(String::as_str)));
    let sexes = own.zip(kin.sex([other]));
    sexes.is_some_and(|(own, other)| own != other) || (kin.is_of_children(other) && !kin.is_of_children(disease))
}

/// `I63.2` is below `I63`.
fn is_below(code: &str, category: &str) -> bool {
    code.strip_prefix(category).is_some_and(|rest| rest.starts_with('.'))
}

/// How alike two conditions must look to be mistaken for each other, where nobody named them rivals.
const ALIKE: f64 = 0.5;
/// The most that are looked at.
pub(crate) const MOST: usize = 10;

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
        let (one, two) = (Candidate { names: &a, code: root.1 }, Candidate { names: &b, code: other.1 });
        let found = gate(one, two, &qualifiers, &Kinship::default());
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
        check((&["肺癌"], None), (&["肺腺癌"], None), Err(Refused::Within));
        check((&["Gout", "Gouty arthritis"], None), (&["Arthritis"], None), Err(Refused::Within));
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
