//! The names conditions go by.

use super::harmless::{course_of, is_harmless};
use super::words::{core, normalised, wide_core};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use waterjar_core::ConditionId;

/// How much farther away than the one taken any other condition must be, in letters.
const MARGIN: usize = 1;
/// Shorter words must be written rightly: hepatitis A is not hepatitis B, and one letter makes another abbreviation.
const LONG_WORD: usize = 5;
/// A slip is forgiven after so many right letters: macrocytic is not microcytic.
const RIGHT_START: usize = 3;

#[derive(Clone, Debug, Default)]
pub struct Labels {
    pub(super) by_name: HashMap<String, ConditionId>,
    /// Without soft words, where that leaves no doubt.
    by_core: HashMap<String, ConditionId>,
    /// Without spaces: heart burn, non-tropical.
    by_letters: HashMap<String, ConditionId>,
    by_code: HashMap<String, ConditionId>,
    /// Names that fit several conditions, each under the first of its names, and which those are.
    umbrellas: BTreeMap<ConditionId, Vec<ConditionId>>,
    /// All names with and without soft words, sorted, so that ties fall the same way every time.
    names: Vec<(String, ConditionId)>,
    /// Of the longest of them, in words.
    most_words: usize,
}

impl Labels {
    /// Each condition with its names: the proper one first, then synonyms and ICD-10 codes. A synonym that is another's
    /// proper name belongs to the other; one that two conditions claim tells neither.
    pub fn new(conditions: impl IntoIterator<Item = (ConditionId, Vec<String>)>) -> Self {
        Self::with_umbrellas(conditions, [])
    }

    /// The same with names that fit several of the conditions, whoever else claims them: stroke, gastroenteritis. Like conditions, they go by
    /// several names and codes.
    pub fn with_umbrellas(
        conditions: impl IntoIterator<Item = (ConditionId, Vec<String>)>,
        umbrellas: impl IntoIterator<Item = (Vec<String>, Vec<ConditionId>)>,
    ) -> Self {
        let conditions: Vec<(ConditionId, Vec<String>)> = conditions.into_iter().collect();
        let mut by_name = Claims::default();
        for (condition, names) in &conditions {
            let id_as_words = condition.as_str().replace('_', " ");
            for name in names.first().into_iter().chain([&id_as_words]) {
                by_name.claim(normalised(name), condition);
            }
        }
        let proper: BTreeSet<String> = by_name.0.keys().cloned().collect();
        let mut by_code = Claims::default();
        for (condition, names) in &conditions {
            for name in names.iter().skip(1) {
                match code(name) {
                    Some(code) => by_code.claim(code, condition),
                    None if proper.contains(&normalised(name)) => {}
                    None => by_name.claim(normalised(name), condition),
                }
            }
        }
        let mut members_of = BTreeMap::new();
        for (names, members) in umbrellas {
            let Some(first) = names.first() else { continue };
            let umbrella = ConditionId::new(first.as_str());
            for name in &names {
                match code(name) {
                    Some(code) => by_code.give(code, &umbrella),
                    None => by_name.give(normalised(name), &umbrella),
                }
            }
            members_of.insert(umbrella, members);
        }
        let names = by_name.decided();
        let (mut by_core, mut doubts, mut by_letters) = (Claims::default(), Claims::default(), Claims::default());
        for (name, condition) in &names {
            by_core.claim(core(name).to_owned(), condition);
            doubts.claim(wide_core(name).to_owned(), condition);
            by_letters.claim(letters(name), condition);
        }
        let undoubted = |core: &String| doubts.0.get(wide_core(core)).is_some_and(|claimants| claimants.len() == 1);
        let by_core: Vec<_> = by_core.decided().into_iter().filter(|(core, _)| undoubted(core)).collect();
        let all: BTreeSet<_> = names.iter().chain(&by_core).cloned().collect();
        let most_words = all.iter().map(|(name, _)| name.split(' ').count()).max().unwrap_or(0);
        Self {
            by_name: names.into_iter().collect(),
            by_core: by_core.into_iter().collect(),
            by_letters: by_letters.decided().into_iter().collect(),
            by_code: by_code.decided().into_iter().collect(),
            umbrellas: members_of,
            names: all.into_iter().collect(),
            most_words,
        }
    }

    /// The condition these words name, and nothing beside it. A name that fits several is found under the first of its own names.
    pub fn find(&self, words: &str) -> Option<&ConditionId> {
        let exact = || self.exact(words).or_else(|| self.inverted(words));
        exact()
            .or_else(|| self.in_brackets(words))
            .or_else(|| self.slashed(words))
            .or_else(|| self.coded(words))
            .or_else(|| self.near(words))
    }

    /// The same where more is said after the name and this mark, which may tell what kind: `stroke in the posterior circulation`.
    pub(super) fn find_before(&self, words: &str, mark: &str, more: &str) -> Option<&ConditionId> {
        self.find(words).and_then(|found| self.qualified(found, mark, more))
    }

    /// Whether it is a name that fits several conditions.
    pub(super) fn is_wide(&self, name: &ConditionId) -> bool {
        self.umbrellas.contains_key(name)
    }

    /// Whether the one is a name that fits the other, and more than that.
    pub(super) fn covers(&self, wide: &ConditionId, condition: &ConditionId) -> bool {
        self.umbrellas.get(wide).is_some_and(|members| members.contains(condition))
    }

    /// The same of a name that fits several: whether it fits fewer.
    pub(super) fn is_within(&self, wide: &ConditionId, name: &ConditionId) -> bool {
        let narrower = |members: &Vec<ConditionId>| {
            members.len() < self.umbrellas[wide].len() && members.iter().all(|it| self.covers(wide, it))
        };
        self.covers(wide, name) || self.umbrellas.get(name).is_some_and(narrower)
    }

    /// Whether some condition goes by both names.
    pub(super) fn shares(&self, wide: &ConditionId, name: &ConditionId) -> bool {
        self.umbrellas.get(name).is_some_and(|members| members.iter().any(|it| self.covers(wide, it)))
    }

    /// What is meant where these conditions are asked about: of those that a name fits, the ones asked about, and all of them where none is.
    pub(super) fn meant<'a>(&'a self, said: &'a ConditionId, asked: &[&ConditionId]) -> Vec<&'a ConditionId> {
        let Some(members) = self.umbrellas.get(said) else { return vec![said] };
        let among: Vec<&ConditionId> = members.iter().filter(|it| asked.contains(it)).collect();
        if among.is_empty() { members.iter().collect() } else { among }
    }

    /// By name, written rightly but for soft words, spaces and punctuation.
    pub(super) fn exact(&self, words: &str) -> Option<&ConditionId> {
        let name = normalised(words);
        let by_core = || self.by_core.get(core(&name));
        let by_letters = || self.by_letters.get(&letters(&name));
        self.by_name
            .get(&name)
            .or_else(by_core)
            .or_else(by_letters)
            .or_else(|| self.by_name.get(course_of(core(&name))?))
    }

    /// `Rhinitis, allergic`, as catalogs put it: the words the other way round are a name as it is written.
    fn inverted(&self, words: &str) -> Option<&ConditionId> {
        let (noun, kind) = words.split_once(", ").filter(|(_, kind)| !kind.contains(','))?;
        self.by_name.get(&normalised(&format!("{kind} {noun}")))
    }

    /// `I26.99`, `Embolism of the lung (ICD-10: I26)`: the code as it stands, else its category.
    pub(super) fn coded(&self, words: &str) -> Option<&ConditionId> {
        let parts = words.split([' ', '(', ')', ',', ';', ':', '[', ']']).filter(|part| !part.is_empty());
        let (codes, others): (Vec<&str>, Vec<&str>) = parts.partition(|part| code(part).is_some());
        let [code] = codes.into_iter().filter_map(code).collect::<Vec<_>>().try_into().ok()?;
        let category = code.split('.').next().unwrap_or(&code);
        let found = self.by_code.get(&code).or_else(|| self.by_code.get(category))?;
        if !self.is_wide(found) {
            return Some(found);
        }
        // Anaemia of kidney disease (D64.9): a wide code is what was said only where the words say nothing else.
        let said = others.join(" ");
        let agrees = is_harmless(&said) || self.exact(&said) == Some(found);
        (agrees && self.is_in_category(found, &code)).then_some(found)
    }

    /// Whether a code that is no name belongs to the name that has its category: one of ICD-10's *unspecified* (I63.9), or one that stands below a
    /// code of the name or of a condition it fits. H81.4 is central vertigo, and H81 here is the peripheral one.
    fn is_in_category(&self, wide: &ConditionId, code: &str) -> bool {
        let Some((category, detail)) = code.split_once('.') else { return true };
        let Some(first) = detail.chars().next() else { return true };
        let above = self.by_code.get(&format!("{category}.{first}"));
        first == '9' || above.is_some_and(|it| it == wide || self.covers(wide, it))
    }

    /// A slip of spelling: the same words, at most one letter amiss in a word, and no other condition near.
    fn near(&self, words: &str) -> Option<&ConditionId> {
        let name = normalised(words);
        let bare = core(&name);
        // Slips are of names that have as many words.
        if bare.split(' ').count() > self.most_words {
            return None;
        }
        let forms = [name.as_str(), bare];
        let candidates: Vec<(usize, &ConditionId)> = forms
            .iter()
            .flat_map(|form| self.alike(form).filter_map(|(known, id)| Some((slips(form, known)?, id))))
            .collect();
        let (best, condition) = *candidates.iter().min_by_key(|(slips, _)| *slips)?;
        let tied = candidates.iter().any(|(slips, other)| *slips == best && *other != condition);
        let far = |known: &str| strsim::damerau_levenshtein(bare, known) >= best + MARGIN;
        let alone = || self.names.iter().all(|(known, other)| other == condition || far(known));
        (!tied && alone()).then_some(condition)
    }

    /// The names that begin with the same letters: no slip is forgiven there.
    fn alike(&self, name: &str) -> impl Iterator<Item = &(String, ConditionId)> {
        let start: String = name.chars().take_while(|c| *c != ' ').take(RIGHT_START).collect();
        let from = self.names.partition_point(|(known, _)| known.as_str() < start.as_str());
        self.names[from..].iter().take_while(move |(known, _)| known.starts_with(&start))
    }
}

/// How many words have one letter amiss; `None` where more is.
fn slips(name: &str, known: &str) -> Option<usize> {
    let (words, known): (Vec<&str>, Vec<&str>) = (name.split(' ').collect(), known.split(' ').collect());
    if words.len() != known.len() {
        return None;
    }
    let mut slips = 0;
    for (word, known) in words.into_iter().zip(known) {
        if word == known {
            continue;
        }
        let right = word.chars().zip(known.chars()).take_while(|(a, b)| a == b).count();
        let long = word.chars().count() >= LONG_WORD && !word.contains(|c: char| c.is_ascii_digit());
        if !long || right < RIGHT_START || strsim::damerau_levenshtein(word, known) > 1 {
            return None;
        }
        slips += 1;
    }
    Some(slips)
}

/// Who claims a name.
#[derive(Default)]
struct Claims(BTreeMap<String, BTreeSet<ConditionId>>);

impl Claims {
    fn claim(&mut self, name: String, condition: &ConditionId) {
        if !name.is_empty() {
            self.0.entry(name).or_default().insert(condition.clone());
        }
    }

    /// Whoever claimed it before.
    fn give(&mut self, name: String, to: &ConditionId) {
        self.0.insert(name, BTreeSet::from([to.clone()]));
    }

    /// The names with one claimant, sorted.
    fn decided(&self) -> Vec<(String, ConditionId)> {
        let only = |claimants: &BTreeSet<ConditionId>| claimants.first().filter(|_| claimants.len() == 1).cloned();
        self.0.iter().filter_map(|(name, claimants)| Some((name.clone(), only(claimants)?))).collect()
    }
}

fn letters(name: &str) -> String {
    name.replace(' ', "")
}

/// An ICD-10 code: a letter, a digit, a digit or letter, perhaps a point and up to four more.
pub(super) fn code(word: &str) -> Option<String> {
    let word = word.trim().to_uppercase();
    let (category, rest) = word.split_once('.').map_or((word.as_str(), None), |(head, rest)| (head, Some(rest)));
    let mut chars = category.chars();
    let shaped = category.len() == 3
        && chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.next().is_some_and(|c| c.is_ascii_digit())
        && chars.next().is_some_and(|c| c.is_ascii_alphanumeric());
    let detail =
        rest.is_none_or(|rest| (1..=4).contains(&rest.len()) && rest.chars().all(|c| c.is_ascii_alphanumeric()));
    (shaped && detail).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, names: &[&str]) -> (ConditionId, Vec<String>) {
        (ConditionId::from(id), names.iter().map(|&name| name.to_owned()).collect())
    }

    fn labels() -> Labels {
        Labels::new([
            entry("pe", &["Pulmonary embolism", "PE", "I26"]),
            entry("hypertension", &["Pulmonary hypertension", "I27.0"]),
            entry("hepatitis_a", &["Hepatitis A", "B15"]),
            entry("microcytic", &["Microcytic anaemia", "anaemia"]),
            entry("macrocytic", &["Macrocytic anaemia", "anaemia"]),
            entry("heart_sac", &["Acute pericarditis"]),
            entry("new_pancreas", &["Acute pancreatitis"]),
            entry("old_pancreas", &["Chronic pancreatitis"]),
            entry("stable_angina", &["Stable angina", "I20"]),
            entry("unstable_angina", &["Unstable angina", "I20"]),
            entry("heartburn", &["Heartburn"]),
        ])
    }

    fn check(words: &str, expected: Option<&str>) {
        assert_eq!(labels().find(words).map(ConditionId::as_str), expected, "{words}");
    }

    /// The place of the condition found among these, each with its names.
    fn check_among(conditions: &[&[&str]], words: &str, expected: Option<&str>) {
        let ids = ["first", "second", "third", "fourth"];
        let labels = Labels::new(ids.into_iter().zip(conditions).map(|(id, names)| entry(id, names)));
        assert_eq!(labels.find(words).map(ConditionId::as_str), expected, "{words}");
    }

    #[test]
    fn a_code_is_a_name_with_or_without_its_detail() {
        check("I26", Some("pe"));
        check("i26.99", Some("pe"));
        check("ICD-10: I26.9", Some("pe"));
        check("I27.0", Some("hypertension"));
        check("I27", None);
        check("The code is I26", Some("pe"));
        check("I26.12345", None);
    }

    #[test]
    fn a_code_or_synonym_of_two_conditions_tells_neither() {
        check("I20", None);
        check("anemia", None);
    }

    #[test]
    fn a_synonym_that_is_the_proper_name_of_another_is_the_others() {
        check_among(&[&["Croup"], &["Laryngitis", "croup"]], "croup", Some("first"));
    }

    #[test]
    fn a_name_in_brackets_counts_when_the_one_before_is_unknown() {
        check("Pyrosis (also known as heartburn)", Some("heartburn"));
        check("Pulmonary (arterial) hypertension", Some("hypertension"));
        check("Pulmonary embolism (PE) or heartburn", None);
    }

    #[test]
    fn a_soft_word_more_or_less_is_the_same_condition() {
        check("pericarditis", Some("heart_sac"));
        check("Suspected acute pulmonary embolism", Some("pe"));
        check("severe heartburn", Some("heartburn"));
        check("heart burn", Some("heartburn"));
    }

    #[test]
    fn a_bare_name_that_could_be_acute_or_chronic_is_neither() {
        check("pancreatitis", None);
        check("acute pancreatitis", Some("new_pancreas"));
        check("chronic pericarditis", None);
        check("severe chronic pancreatitis", Some("old_pancreas"));
        check_among(&[&["MI"], &["Chronic MI"]], "suspected MI", Some("first"));
    }

    #[test]
    fn one_letter_amiss_in_a_long_word_is_forgiven() {
        check("Pulmonary embolsim", Some("pe"));
        check("pulmonry embolism", Some("pe"));
        check("Microcytic anaemias", Some("microcytic"));
        check("Acute pancreatitiss", Some("new_pancreas"));
    }

    #[test]
    fn a_slip_is_forgiven_after_three_right_letters() {
        check("Pulmonary embalism", Some("pe"));
        check("Pulmonary ambolism", None);
    }

    #[test]
    fn a_slip_that_could_be_of_two_names_is_of_neither() {
        check_among(&[&["Gastritis"], &["Mastitis"]], "gastitis", None);
        let kinds: [&[&str]; 4] =
            [&["Acute dermatitis"], &["Chronic dermatitis"], &["Acute dermatosis"], &["Chronic dermatosis"]];
        check_among(&kinds, "acute dermatisis", None);
    }

    #[test]
    fn names_that_differ_by_what_matters_stay_apart() {
        check("Pulmonary hypotension", None);
        check("Hepatitis B", None);
        check("Normocytic anaemia", None);
        check("unstable angina", Some("unstable_angina"));
        check("PI", None);
        check_among(&[&["MRSA"]], "MRSE", None);
    }
}
