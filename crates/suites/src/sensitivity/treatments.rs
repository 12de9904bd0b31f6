//! What a recommendation names: drugs, regimens and their parts, classes, operations, by any of their names.

use super::actions::{asks_for, asks_for_any};
use super::names::{TABLE, is_btk_drug, is_either_btk, with_parts};
use super::past::past;
use super::refused::refused;
use regex::Regex;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;
use waterjar_core::{Recommendation, Recommendations};

/// Everything one recommendation stands for, in lower case: `folfox`, `oxaliplatin`, `platinum`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Named {
    /// As the table calls it, without the parts.
    pub names: BTreeSet<String>,
    /// The parts and classes too.
    all: BTreeSet<String>,
    /// What is named to be left out, with its parts and classes.
    left_out: BTreeSet<String>,
    text: String,
    /// What is to be left out is not among them.
    only_recommended: bool,
}

impl Named {
    /// What is to be left out is not recommended.
    pub fn of(recommendation: &Recommendation) -> Self {
        Self::read(&recommendation.treatment, true)
    }

    /// All that is named, for whatever reason.
    pub fn in_text(text: &str) -> Self {
        Self::read(text, false)
    }

    fn read(text: &str, only_recommended: bool) -> Self {
        let text = text.trim().to_lowercase();
        let mut free = text.clone();
        let mut found: Vec<Found> = Vec::new();
        for (called, of) in &TABLE.names {
            // What a longer name has used is not there for a shorter one.
            for at in names_at(&free, called) {
                free.replace_range(at..at + called.len(), &"\u{1}".repeat(called.len()));
                found.push((at..at + called.len(), of));
            }
        }
        found.sort_by_key(|(at, _)| at.start);
        let places: Vec<Range<usize>> = found.iter().map(|(at, _)| at.clone()).collect();
        let mut left_out = if only_recommended { refused(&text, &places) } else { vec![false; places.len()] };
        if only_recommended {
            left_out.iter_mut().zip(past(&text, &places)).for_each(|(out, past)| *out |= past);
        }
        let found = without_what_is_told_twice(&text, found, &mut left_out);
        let named = |out: bool| {
            let of = found.iter().zip(&left_out).filter(|(_, left_out)| **left_out == out);
            // "avoid A toxicity" is for A no more than against it.
            let of = of.filter(|((at, _), _)| !(out && HARM.is_match(&text[at.end..])));
            of.flat_map(|((_, of), _)| of.iter().cloned()).collect::<BTreeSet<String>>()
        };
        let names = named(false);
        let (all, left_out) = (with_parts(&names), with_parts(&named(true)));
        Self { names, all, left_out, text, only_recommended }
    }

    /// Whether it says that this is to be left out.
    pub fn leaves_out(&self, wanted: &str) -> bool {
        self.left_out.contains(&wanted.trim().to_lowercase())
    }

    /// Whether it recommends anything that is done, and not only that nothing is.
    fn is_something(&self) -> bool {
        let is_unknown = self.names.is_empty() && self.left_out.is_empty() && !IDLE.is_match(&self.text);
        self.is_treatment() || is_unknown || asks_for_any(&self.text)
    }

    /// Whether it recommends what the table knows, and not comfort alone.
    fn is_treatment(&self) -> bool {
        const SUPPORT: [&str; 2] = ["best supportive care", "palliative care referral"];
        self.names.iter().any(|name| !SUPPORT.contains(&name.as_str()))
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
        let names_drug = self.names.iter().any(|name| TABLE.classes.contains_key(name));
        if let Some(asked) = asks_for(&self.text, &wanted, names_drug, self.only_recommended) {
            return asked;
        }
        // Another name for one in the table, or words the table does not know.
        match TABLE.names.iter().find(|(called, _)| *called == wanted) {
            Some((_, of)) => of.iter().any(|name| self.all.contains(name)),
            None if TABLE.classes.values().any(|class| *class == wanted) => false,
            None => self.says(&wanted),
        }
    }

    /// Words that are in no table.
    fn says(&self, words: &str) -> bool {
        let places: Vec<Range<usize>> =
            names_at(&self.text, words).into_iter().map(|at| at..at + words.len()).collect();
        match self.only_recommended {
            true => refused(&self.text, &places).contains(&false),
            false => !places.is_empty(),
        }
    }
}

type Found = (Range<usize>, &'static [String]);

/// In "pirtobrutinib (BTK inhibitor)" the class, which may be of either kind, is the drug's; "another BTK inhibitor" is none that is named.
fn without_what_is_told_twice(text: &str, found: Vec<Found>, left_out: &mut Vec<bool>) -> Vec<Found> {
    let drugs = found.iter().zip(left_out.iter()).filter(|((_, of), _)| of.iter().any(|name| is_btk_drug(name)));
    let drugs: BTreeSet<bool> = drugs.map(|(_, out)| *out).collect();
    let kept = found.into_iter().zip(std::mem::take(left_out)).filter(|((at, _), out)| {
        let is_another = text[..at.start].trim_end().ends_with("other");
        !(drugs.contains(out) && is_either_btk(&text[at.clone()]) && !is_another)
    });
    let (found, out) = kept.unzip();
    *left_out = out;
    found
}

/// Behind a treatment, what it does or may not go with.
static HARM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^(?:\s?[-–/+]\s?\w+|\s(?:and|plus|with)\s\w+)?[\s-](?:drug[\s-])?(?:related\s|associated\s|induced\s)?(?:interactions?|toxicit\w+|side effects?|adverse|allerg\w+|hypersensitiv\w+|reactions?|contraindications?)\b",
    )
    .expect("a constant")
});

/// Words of who recommends nothing, or no more than comfort.
static IDLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"\b(?:cannot|can['’]?t|unable|not able|decline\w*|refuse\w*|sorry|as an ai|no (?:\w+ )?(?:recommendations?|treatment|therapy)|nothing|none|n/a|supportive care|comfort|symptom\w*|hospice|palliative care|consult (?:a|your))\b",
    )
    .expect("a constant")
});

/// Where a name stands as whole words.
pub(super) fn names_at(text: &str, name: &str) -> Vec<usize> {
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

    /// Whether nothing is recommended any more: comfort at most, or a word that there is no answer.
    pub fn gives_up(&self) -> bool {
        !self.items.iter().any(|(_, named)| named.is_something())
    }

    /// Whether a treatment is named at all, to be given or to be left out.
    pub fn names_any(&self) -> bool {
        self.items.iter().any(|(_, named)| named.is_treatment() || !named.left_out.is_empty())
    }

    pub fn leaves_out(&self, wanted: &str) -> bool {
        self.items.iter().any(|(_, named)| named.leaves_out(wanted))
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
pub(super) mod tests {
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
        check("Opdualag", &["nivolumab", "relatlimab", "PD-1 inhibitor", "LAG-3 inhibitor"], &["ipilimumab"]);
        check("Nivolumab-relatlimab", &["nivolumab", "relatlimab"], &["ipilimumab"]);
        check("Phesgo", &["trastuzumab", "pertuzumab", "HER2 antibody"], &["tucatinib"]);
    }

    #[test]
    fn what_the_table_does_not_know_is_read_by_its_words() {
        check("EGFR testing of the tumor", &["EGFR testing"], &["BRCA testing"]);
    }

    fn told(treatment: &str) -> Named {
        let mut list: Recommendation = serde_json::from_str(
            r#"{"treatment":"","class":"drug","intent":"palliative","timing":"systemic","rationale":""}"#,
        )
        .unwrap();
        treatment.clone_into(&mut list.treatment);
        Named::of(&list)
    }

    pub fn check_left_out(text: &str, out: &[&str], recommended: &[&str]) {
        let named = told(text);
        for wanted in out {
            assert!(!named.is(wanted), "`{text}` leaves out {wanted}: {named:?}");
        }
        for wanted in recommended {
            assert!(named.is(wanted), "`{text}` recommends {wanted}: {named:?}");
        }
    }

    #[test]
    fn what_is_to_be_left_out_is_not_recommended_wherever_it_is_said() {
        const THREE: [&str; 3] = ["trastuzumab", "pertuzumab", "tucatinib"];
        check_left_out("Avoid pembrolizumab", &["pembrolizumab"], &[]);
        check_left_out("OMIT trastuzumab", &["trastuzumab"], &[]);
        check_left_out("Capecitabine instead of trastuzumab, pertuzumab and tucatinib", &THREE, &["capecitabine"]);
        check_left_out("Docetaxel without trastuzumab, pertuzumab or tucatinib", &THREE, &["docetaxel"]);
        check_left_out("Trastuzumab is contraindicated; pertuzumab and tucatinib too", &THREE, &[]);
        check_left_out("Trastuzumab/pertuzumab/tucatinib: discontinue", &THREE, &[]);
        check_left_out("Trastuzumab no longer indicated (HER2-negative)", &["trastuzumab"], &[]);
        check_left_out("Don't give trastuzumab", &["trastuzumab"], &[]);
        check_left_out("Switch from trastuzumab to capecitabine", &["trastuzumab"], &["capecitabine"]);
        check_left_out("Never re-challenge with trastuzumab", &["trastuzumab"], &[]);
        check_left_out("Cease trastuzumab", &["trastuzumab"], &[]);
        check_left_out("Replace trastuzumab with capecitabine", &["trastuzumab"], &["capecitabine"]);
        check_left_out("Stop trastuzumab and start capecitabine", &["trastuzumab"], &["capecitabine"]);
        check_left_out("Instead of trastuzumab, capecitabine", &["trastuzumab"], &["capecitabine"]);
        check_left_out("Capecitabine, trastuzumab contraindicated", &["trastuzumab"], &["capecitabine"]);
        check_left_out("Trastuzumab, pertuzumab and tucatinib are contraindicated", &THREE, &[]);
        check_left_out("Trastuzumab should not be given, but capecitabine may", &["trastuzumab"], &["capecitabine"]);
        check_left_out("No anthracycline; paclitaxel", &["anthracycline"], &["paclitaxel"]);
        check_left_out("No EGFR testing needed", &["EGFR testing"], &[]);
    }

    #[test]
    fn a_word_against_something_else_leaves_the_treatment_recommended() {
        check_left_out("Trastuzumab without delay", &[], &["trastuzumab"]);
        check_left_out("Continue trastuzumab, do not stop", &[], &["trastuzumab"]);
        check_left_out("Do not stop trastuzumab", &[], &["trastuzumab"]);
        check_left_out("Pertuzumab instead of nothing", &[], &["pertuzumab"]);
        check_left_out("Trastuzumab is not contraindicated", &[], &["trastuzumab"]);
        check_left_out("No contraindication to trastuzumab", &[], &["trastuzumab"]);
        check_left_out("Continue trastuzumab; hold if the ejection fraction falls", &[], &["trastuzumab"]);
        check_left_out("Continue trastuzumab, hold if the ejection fraction falls", &[], &["trastuzumab"]);
        check_left_out("Trastuzumab, avoid anthracycline", &["anthracycline"], &["trastuzumab"]);
        check_left_out("Trastuzumab should not be stopped", &[], &["trastuzumab"]);
        check_left_out("HER2 not amplified: capecitabine", &[], &["capecitabine"]);
        check_left_out("FOLFOX without bevacizumab", &["bevacizumab"], &["FOLFOX", "oxaliplatin"]);
        check_left_out("Stop smoking; start capecitabine", &[], &["capecitabine"]);
        check_left_out("EGFR testing, no delay", &[], &["EGFR testing"]);
    }

    #[test]
    fn refusals_and_recommendations_of_a_reviewer_are_told_apart() {
        for text in [
            "Capecitabine, not trastuzumab",
            "Capecitabine (no trastuzumab)",
            "Capecitabine but not trastuzumab",
            "Trastuzumab withheld",
            "Remove trastuzumab from plan",
            "Trastuzumab not given",
            "Capecitabine; HER2-targeted therapy such as trastuzumab has no role",
            "Capecitabine; patient is not a trastuzumab candidate",
            "Not a candidate for trastuzumab",
            "Trastuzumab is of no benefit here",
            "Trastuzumab would be futile",
            "Lack of benefit from trastuzumab: use capecitabine",
            "Paclitaxel monotherapy (previously planned trastuzumab removed)",
            "Capecitabine, no anti-HER2 therapy (trastuzumab)",
            "De-escalate: trastuzumab off",
            "There is no indication for trastuzumab",
            "Stop adding trastuzumab",
            "Trastuzumab (STOP)",
            "Capecitabine (trastuzumab not appropriate in HER2-negative disease)",
            "Trastuzumab-free chemotherapy",
            "Not recommended: trastuzumab",
        ] {
            check_left_out(text, &["trastuzumab", "HER2 antibody"], &[]);
            if text.starts_with("Capecitabine") || text.ends_with("capecitabine") {
                check_left_out(text, &[], &["capecitabine"]);
            }
        }
        for text in [
            "Replace lapatinib by trastuzumab",
            "Without further delay start trastuzumab",
            "Not a surgical candidate: trastuzumab",
            "Avoid anthracyclines with trastuzumab given weekly",
            "Avoid delay in trastuzumab",
            "Trastuzumab as chemotherapy alone is not appropriate",
            "Trastuzumab rather than capecitabine",
            "Continue trastuzumab, stop smoking",
            "Stop aspirin and give trastuzumab",
            "Trastuzumab (hold if LVEF falls)",
            "Trastuzumab until progression",
            "Trastuzumab; no further imaging needed",
            "Trastuzumab not only now but for one year",
            "No contraindication to trastuzumab: give it",
            "Trastuzumab, with surgery deferred until afterwards",
            "Defer surgery and give trastuzumab first",
            "Surgery no longer planned; trastuzumab",
            "Hold surgery: trastuzumab",
            "Trastuzumab - no dose adjustment",
            "Add trastuzumab, discontinue if LVEF < 45%",
            "Trastuzumab should not be delayed",
            "Trastuzumab cannot be omitted",
            "Trastuzumab; endocrine therapy is not indicated",
            "Trastuzumab without chemotherapy",
        ] {
            check_left_out(text, &[], &["trastuzumab"]);
        }
    }

    #[test]
    fn a_class_is_named_without_a_drug() {
        check("CAR T-cell therapy", &["CAR T-cell therapy"], &["glofitamab"]);
        check("Anti-CD19 CAR-T (axi-cel)", &["CAR T-cell therapy", "axicabtagene ciloleucel"], &[]);
        check("PD-1 inhibitors", &["PD-1 inhibitor"], &["pembrolizumab"]);
        check_left_out("Anthracycline-free regimen", &["anthracycline"], &[]);
        check_left_out("Weekly paclitaxel for platinum-resistant disease", &["platinum"], &["paclitaxel"]);
        check_left_out("Docetaxel after progression on abiraterone", &["abiraterone"], &["docetaxel"]);
        check_left_out("Docetaxel (prior ARPI)", &["androgen receptor inhibitor"], &["docetaxel"]);
        check_left_out("Imaging prior to breast surgery", &[], &["breast surgery"]);
        check_left_out("Progress to cystectomy", &[], &["cystectomy"]);
        check("PARP-inhibitors", &["PARP inhibitor"], &[]);
        check("Pirtobrutinib (BTK inhibitor)", &["non-covalent BTK inhibitor"], &["covalent BTK inhibitor"]);
        check("BTKi (ibrutinib)", &["ibrutinib", "covalent BTK inhibitor"], &["non-covalent BTK inhibitor"]);
        check("Pirtobrutinib or another BTK inhibitor", &["pirtobrutinib", "covalent BTK inhibitor"], &[]);
        check_left_out("Stop zanubrutinib and give a BTK inhibitor", &["zanubrutinib"], &["covalent BTK inhibitor"]);
        check("Noncovalent BTKi", &["non-covalent BTK inhibitor"], &["covalent BTK inhibitor", "pirtobrutinib"]);
        check("PD-(L)1 inhibitor", &["PD-1 inhibitor", "PD-L1 inhibitor"], &["pembrolizumab"]);
    }
}
