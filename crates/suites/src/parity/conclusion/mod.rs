//! What a reasoning ends in, by rule, and whether two of them end in the same.

mod condition;
mod sentence;

use super::words::{sentences, stem, tells, words};
use condition::{MARKS, is_generic, is_mark, option, same_words};
use sentence::{FITS, NAMES, said, whole};
use std::collections::BTreeSet;
use waterjar_vignettes::Choice;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conclusion {
    /// The option it names, where it names one alone.
    option: Option<String>,
    /// What tells of the condition that is named, and of the one that is denied: `gout, not asthma`.
    named: BTreeSet<String>,
    denied: BTreeSet<String>,
    /// Numbers and words that make two conditions out of one: type 1, left, chronic.
    marks: BTreeSet<String>,
}

/// What follows is denied.
const DENIALS: &[&str] = &[
    "unlikely to be",
    "unlikely",
    "rather than",
    "instead of",
    "not consistent with",
    "and not ",
    "but not ",
    "not ",
    "excludes",
    "ruled out",
    "over ",
];

/// Shared by the smaller of two conclusions that are the same.
const SAME: f64 = 0.5;

impl Conclusion {
    /// The last sentence that names a diagnosis; where none does, the last that says what the picture fits. `options` are the vignette's:
    /// the option that is named decides.
    pub fn of(trace: &str, options: &[Choice]) -> Self {
        let told: Vec<String> = sentences(trace).map(|it| same_words(&it.to_lowercase().replace('’', "'"))).collect();
        let found = [NAMES, FITS].iter().find_map(|cues| {
            told.iter()
                .rev()
                .filter_map(|it| said(it, cues))
                .map(|it| Self::read(it, options))
                .find(|it| !it.is_empty())
        });
        found.unwrap_or_default()
    }

    fn read(said: &str, options: &[Choice]) -> Self {
        let denial = DENIALS.iter().filter_map(|it| whole(said, it)).min();
        let (said, denied) = denial.map_or((said, ""), |at| said.split_at(at));
        let parted = |text: &str| words(&text.replace('-', " "));
        let telling = |text: &str| -> BTreeSet<String> {
            let told = parted(text).into_iter().filter(|word| tells(word) && !is_mark(word));
            told.map(|word| stem(&word).to_owned()).filter(|word| !is_generic(word)).collect()
        };
        let all = parted(said);
        // A letter after its noun, `hepatitis B`; at the front it is an article.
        let marks = all.iter().enumerate().filter(|(at, word)| is_mark(word) && (*at > 0 || word.len() > 1));
        Self {
            option: option(said, options),
            named: telling(said),
            denied: telling(denied),
            marks: marks.map(|(_, word)| word.clone()).collect(),
        }
    }

    fn is_empty(&self) -> bool {
        self.named.is_empty() && self.denied.is_empty() && self.option.is_none()
    }

    /// `None` where one of them concludes nothing.
    pub fn differs_from(&self, other: &Self) -> Option<bool> {
        if let (Some(mine), Some(others)) = (&self.option, &other.option) {
            return Some(mine != others);
        }
        if self.named.is_empty() || other.named.is_empty() {
            let denied = |a: &Self, b: &Self| !a.named.is_empty() && share(&a.named, &b.denied) >= SAME;
            return (denied(self, other) || denied(other, self)).then_some(true);
        }
        let clash = |kind: &[&str]| {
            let of = |it: &Self| kind.iter().filter(|mark| it.marks.contains(**mark)).count();
            let common = kind.iter().filter(|mark| self.marks.contains(**mark) && other.marks.contains(**mark)).count();
            of(self) > 0 && of(other) > 0 && common == 0
        };
        Some(share(&self.named, &other.named) < SAME || MARKS.iter().any(|kind| clash(kind)))
    }
}

/// What two have in common, of the smaller.
fn share(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    a.intersection(b).count() as f64 / a.len().min(b.len()).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Vec<Choice> {
        [("A", "Gout"), ("B", "Asthma")]
            .map(|(label, text)| Choice { label: label.to_owned(), text: text.to_owned() })
            .into()
    }

    fn check(a: &str, b: &str, differs: Option<bool>) {
        for options in [Vec::new(), options()] {
            let of = |text: &str| Conclusion::of(text, &options);
            assert_eq!(of(a).differs_from(&of(b)), differs, "{a} | {b} | {:?} | {:?}", of(a), of(b));
            assert_eq!(of(b).differs_from(&of(a)), differs, "{b} | {a}");
        }
    }

    const GOUT: &str = "The toe is red and hot with crystals. The most likely diagnosis is gout.";

    fn named(diagnosis: &str) -> String {
        format!("The most likely diagnosis is {diagnosis}.")
    }

    #[test]
    fn what_is_said_after_the_diagnosis_changes_no_conclusion() {
        check(GOUT, &format!("{GOUT} This is consistent with her history of beer and red meat."), Some(false));
        check(GOUT, &format!("{GOUT} Therefore, I would start colchicine."), Some(false));
        let reason =
            "gout, given the crystals, so this is a classic case in which treatment with colchicine should start";
        check(GOUT, &named(reason), Some(false));
        check(GOUT, "Gout is the most likely diagnosis.", Some(false));
        check(GOUT, "On balance the most likely diagnosis is possibly gout.", Some(false));
    }

    #[test]
    fn one_condition_may_have_two_names() {
        check(&named("hyperthyroidism due to Graves disease"), &named("Graves disease"), Some(false));
        check(&named("heart attack"), &named("myocardial infarction"), Some(false));
        check(&named("acute gouty arthritis"), &named("gout"), Some(false));
    }

    #[test]
    fn one_word_may_make_another_condition() {
        check(&named("type 1 diabetes mellitus"), &named("type 2 diabetes mellitus"), Some(true));
        check(
            &named("right-sided heart failure with effusion"),
            &named("left-sided heart failure with effusion"),
            Some(true),
        );
        check(&named("hepatitis A"), &named("hepatitis B"), Some(true));
        check(&named("gout"), &named("asthma"), Some(true));
    }

    #[test]
    fn what_is_denied_is_not_concluded() {
        check(&named("gout, not asthma"), &named("asthma, not gout"), Some(true));
        check(&named("acute gouty arthritis"), &named("unlikely to be gouty arthritis"), Some(true));
        check(&named("gout rather than asthma"), &named("gout"), Some(false));
    }

    #[test]
    fn without_a_conclusion_nobody_can_say() {
        check("The toe is red.", GOUT, None);
        check("The differential diagnosis is wide.", GOUT, None);
    }
}
