//! What a recommendation names: drugs, regimens and their parts, classes, operations, by any of their names.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use waterjar_charts::boards::Formulary;
use waterjar_core::{Recommendation, Recommendations};

/// Everything one recommendation stands for, in lower case: `folfox`, `oxaliplatin`, `platinum`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Named {
    /// As the table calls it, without the parts.
    pub names: BTreeSet<String>,
    /// The parts and classes too.
    all: BTreeSet<String>,
    text: String,
}

struct Table {
    /// A name in lower case, and what the table calls those who bear it; the longest first.
    names: Vec<(String, Vec<String>)>,
    drugs: BTreeMap<String, Vec<String>>,
    classes: BTreeMap<String, String>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { names: Vec::new(), drugs: BTreeMap::new(), classes: BTreeMap::new() };
    let Ok(formulary) = Formulary::get() else { return table };
    let all = formulary.drugs().map(|(name, _)| name).chain(formulary.treatments().map(|(name, _)| name));
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in all {
        for called in formulary.names(name) {
            names.entry(called.to_lowercase()).or_default().push(name.to_lowercase());
        }
        let drugs = formulary.drugs_of(name).into_iter().map(str::to_lowercase).collect();
        table.drugs.insert(name.to_lowercase(), drugs);
    }
    for (name, drug) in formulary.drugs() {
        table.classes.insert(name.to_lowercase(), drug.class.to_lowercase());
    }
    table.names = names.into_iter().collect();
    table.names.sort_by_key(|(called, _)| std::cmp::Reverse(called.len()));
    table
});

/// Words before a treatment that make it one not to give.
const AGAINST: [&str; 12] = [
    "avoid",
    "no ",
    "not ",
    "stop",
    "discontinue",
    "hold",
    "omit",
    "withhold",
    "do not",
    "against",
    "defer",
    "contraindicated",
];

impl Named {
    /// Nothing where the treatment is one to leave out.
    pub fn of(recommendation: &Recommendation) -> Self {
        let text = recommendation.treatment.trim().to_lowercase();
        if AGAINST.iter().any(|word| text.starts_with(word)) {
            return Self::default();
        }
        Self::in_text(&text)
    }

    pub fn in_text(text: &str) -> Self {
        let text = text.to_lowercase();
        let mut free = text.clone();
        let mut names = BTreeSet::new();
        for (called, of) in &TABLE.names {
            let found = names_at(&free, called);
            if !found.is_empty() {
                names.extend(of.iter().cloned());
            }
            // What a longer name has used is not there for a shorter one.
            for at in found {
                free.replace_range(at..at + called.len(), &"\u{1}".repeat(called.len()));
            }
        }
        let parts = names.iter().filter_map(|name| TABLE.drugs.get(name)).flatten().cloned();
        let mut all: BTreeSet<String> = names.iter().cloned().chain(parts).collect();
        let classes: Vec<String> = all.iter().filter_map(|name| TABLE.classes.get(name)).cloned().collect();
        all.extend(classes);
        Self { names, all, text }
    }

    /// Whether it is the treatment, holds the drug, is of the class, or at least says the words.
    pub fn is(&self, wanted: &str) -> bool {
        let wanted = wanted.trim().to_lowercase();
        if self.all.contains(&wanted) {
            return true;
        }
        // A combination recommended as a whole is the regimen of its drugs.
        let parts = TABLE.drugs.get(&wanted).filter(|parts| parts.len() > 1);
        if let Some(parts) = parts {
            return parts.iter().all(|part| self.all.contains(part));
        }
        // Another name for one in the table, or words the table does not know.
        match TABLE.names.iter().find(|(called, _)| *called == wanted) {
            Some((_, of)) => of.iter().any(|name| self.all.contains(name)),
            None if TABLE.classes.values().any(|class| *class == wanted) => false,
            None => !names_at(&self.text, &wanted).is_empty(),
        }
    }
}

/// Where a name stands as whole words.
fn names_at(text: &str, name: &str) -> Vec<usize> {
    let is_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let whole =
        |at: &usize| !is_word(text[..*at].chars().next_back()) && !is_word(text[at + name.len()..].chars().next());
    text.match_indices(name).map(|(at, _)| at).filter(whole).collect()
}

/// The list as it is judged.
pub(super) struct Judged<'a> {
    pub items: Vec<(&'a Recommendation, Named)>,
}

impl<'a> Judged<'a> {
    pub fn new(list: &'a Recommendations) -> Self {
        Self { items: list.recommendations.iter().map(|it| (it, Named::of(it))).collect() }
    }

    pub fn names(&self, wanted: &str) -> bool {
        self.items.iter().any(|(_, named)| named.is(wanted)) || self.holds_all_drugs_of(wanted)
    }

    /// A regimen may be recommended drug by drug.
    fn holds_all_drugs_of(&self, wanted: &str) -> bool {
        let parts = TABLE.drugs.get(&wanted.trim().to_lowercase()).filter(|parts| parts.len() > 1);
        parts.is_some_and(|parts| parts.iter().all(|part| self.items.iter().any(|(_, named)| named.all.contains(part))))
    }

    /// Of what the lists say, for telling whether anything changed at all.
    pub fn all_names(&self) -> BTreeSet<String> {
        let told = self.items.iter().map(|(it, named)| match named.names.is_empty() {
            true => it.treatment.trim().to_lowercase(),
            false => named.names.iter().cloned().collect::<Vec<_>>().join(" + "),
        });
        told.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, is: &[&str], is_not: &[&str]) {
        let named = Named::in_text(text);
        for wanted in is {
            assert!(named.is(wanted), "{text} is {wanted}: {named:?}");
        }
        for other in is_not {
            assert!(!named.is(other), "{text} is not {other}: {named:?}");
        }
    }

    #[test]
    fn a_regimen_holds_its_drugs_and_their_classes() {
        check("mFOLFOX6", &["FOLFOX", "oxaliplatin", "platinum", "fluoropyrimidine"], &["irinotecan", "CAPOX"]);
    }

    #[test]
    fn a_longer_name_is_not_the_shorter_one() {
        check("Trastuzumab deruxtecan (Enhertu)", &["trastuzumab deruxtecan"], &["trastuzumab", "HER2 antibody"]);
        check("nab-paclitaxel", &["nab-paclitaxel", "taxane"], &["paclitaxel"]);
    }

    #[test]
    fn brands_and_combinations_are_read() {
        check(
            "Keytruda plus carboplatin and pemetrexed",
            &["pembrolizumab", "PD-1 inhibitor", "platinum"],
            &["cisplatin"],
        );
        check("fluorouracil, leucovorin and oxaliplatin", &["FOLFOX"], &["FOLFIRI"]);
    }

    #[test]
    fn what_the_table_does_not_know_is_read_by_its_words() {
        check("EGFR testing of the tumor", &["EGFR testing"], &["BRCA testing"]);
    }

    #[test]
    fn what_is_to_be_left_out_is_not_recommended() {
        let told = |text: &str| {
            let text = format!(
                r#"{{"treatment":"{text}","class":"drug","intent":"palliative","timing":"systemic","rationale":""}}"#
            );
            Named::of(&serde_json::from_str(&text).unwrap())
        };
        assert!(!told("Avoid pembrolizumab").is("pembrolizumab"));
        assert!(told("pembrolizumab").is("pembrolizumab"));
    }
}
