//! CMS: how much of what a board agreed on is recommended. `.6 strong + .2 tacit + .15 (1 − refusals violated) + .05 plausible extras`

use super::treatments::{Judged, Named};
use std::collections::{BTreeMap, BTreeSet};
use waterjar_charts::boards::ConsensusClass;
use waterjar_core::{Recommendation, Shift, TreatmentClass};

/// One item of a consensus list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreed {
    /// Parted by ` | ` where one of several is enough.
    pub treatment: String,
    pub class: ConsensusClass,
    /// What else it is called, where the list says so.
    pub synonyms: Vec<String>,
}

impl Agreed {
    /// The treatments of which one is enough.
    pub fn alternatives(&self) -> impl Iterator<Item = &str> {
        self.treatment.split('|').map(str::trim)
    }

    /// Whatever it is called.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.alternatives().chain(self.synonyms.iter().map(String::as_str))
    }
}

/// The four parts. A part is `None` where the case has no items of its class.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coverage {
    pub strong: Option<f64>,
    pub tacit: Option<f64>,
    /// The share of treatments not to be offered that were offered.
    pub refusal: Option<f64>,
    /// The share of what else was recommended that is plausible.
    pub extra: Option<f64>,
}

/// The parts by their names in rows, rulings and figures.
pub(super) const PARTS: [&str; 4] = ["strong_recall", "tacit_recall", "refusal_rate", EXTRA_PLAUSIBILITY];
pub(super) const EXTRA_PLAUSIBILITY: &str = "extra_plausibility";

const STRONG: f64 = 0.6;
const TACIT: f64 = 0.2;
const REFUSAL: f64 = 0.15;
const EXTRA: f64 = 0.05;

impl Coverage {
    /// The weights of parts that a case does not have go to the others; without anything strong there is no figure.
    pub fn cms(&self) -> Option<f64> {
        self.strong?;
        let parts = [
            (STRONG, self.strong),
            (TACIT, self.tacit),
            (REFUSAL, self.refusal.map(|violated| 1.0 - violated)),
            (EXTRA, self.extra),
        ];
        let there = parts.iter().filter_map(|(weight, part)| Some((weight, (*part)?)));
        let (sum, weights) =
            there.fold((0.0, 0.0), |(sum, weights), (weight, part)| (sum + weight * part, weights + weight));
        Some(sum / weights)
    }

    /// As a ruling keeps them.
    pub(super) fn of_parts(parts: &BTreeMap<String, f64>) -> Self {
        let [strong, tacit, refusal, extra] = PARTS.map(|name| parts.get(name).copied());
        Self { strong, tacit, refusal, extra }
    }

    pub(super) fn parts(&self) -> BTreeMap<String, f64> {
        let values = [self.strong, self.tacit, self.refusal, self.extra];
        PARTS.into_iter().zip(values).filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }

    /// `usual` says whether a treatment is one that boards of this cancer name at all.
    pub(super) fn of(list: &Judged<'_>, agreed: &[Agreed], usual: &BTreeSet<String>) -> Self {
        let said = |item: &Agreed| item.names().any(|name| list.names(name));
        let share = |class: ConsensusClass| {
            let items: Vec<&Agreed> = agreed.iter().filter(|item| item.class == class).collect();
            (!items.is_empty()).then(|| items.iter().filter(|item| said(item)).count() as f64 / items.len() as f64)
        };
        let extras = extras(list, agreed);
        let plausible = |class: TreatmentClass, named: &Named| {
            class == TreatmentClass::Care || named.names.iter().any(|name| usual.contains(name))
        };
        let extra = match (list.items.is_empty(), extras.len()) {
            // Nothing at all is not a list without faults: the paper gives it .15.
            (true, _) => 0.0,
            (false, 0) => 1.0,
            (false, n) => extras.iter().filter(|(it, named)| plausible(it.class, named)).count() as f64 / n as f64,
        };
        Self {
            strong: share(ConsensusClass::Strong),
            tacit: share(ConsensusClass::Tacit),
            refusal: share(ConsensusClass::Refusal),
            extra: Some(extra),
        }
    }
}

/// What is recommended beyond the list.
pub(super) fn extras<'a>(list: &'a Judged<'a>, agreed: &[Agreed]) -> Vec<&'a (&'a Recommendation, Named)> {
    let is_agreed = |named: &Named| agreed.iter().flat_map(Agreed::names).any(|name| named.is(name));
    list.items.iter().filter(|(_, named)| !is_agreed(named)).collect()
}

/// How a board stands to what a change is about: to what must go or, where nothing must, to what must come. The firmest where it
/// is about several; `None` where the board's list is silent on it.
pub(super) fn class_of(shift: &Shift, agreed: &[Agreed]) -> Option<ConsensusClass> {
    let timed: Vec<String> = shift.timing.iter().filter_map(|it| it.treatment.clone()).collect();
    let concerned = [&shift.must_drop, &shift.must_add, &timed].into_iter().find(|it| !it.is_empty())?;
    let is_concerned = |item: &&Agreed| {
        let named = Named::in_text(&item.treatment);
        let names = concerned.iter().flat_map(|it| it.split('|'));
        names.map(str::trim).any(|name| named.is(name) || item.synonyms.iter().any(|it| it.eq_ignore_ascii_case(name)))
    };
    agreed.iter().filter(is_concerned).map(|item| item.class).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_of_the_class_of_what_must_go() {
        let agreed = |treatment: &str, class| Agreed { treatment: treatment.to_owned(), class, synonyms: Vec::new() };
        let list = [agreed("FOLFOX", ConsensusClass::Tacit), agreed("pembrolizumab", ConsensusClass::Refusal)];
        let class = |drop: &[&str], add: &[&str]| {
            let names = |of: &[&str]| of.iter().map(|it| (*it).to_owned()).collect();
            class_of(&Shift { must_drop: names(drop), must_add: names(add), ..Shift::default() }, &list)
        };
        assert_eq!(class(&["oxaliplatin"], &["pembrolizumab"]), Some(ConsensusClass::Tacit));
        assert_eq!(class(&[], &["pembrolizumab | nivolumab"]), Some(ConsensusClass::Refusal));
        assert_eq!(class(&["osimertinib"], &[]), None);
    }

    #[test]
    fn one_of_several_alternatives_is_enough() {
        let list = serde_json::from_str(
            r#"{"recommendations":[{"treatment":"adagrasib","class":"drug","intent":"palliative","timing":"systemic","rationale":""}]}"#,
        )
        .unwrap();
        let agreed = [Agreed {
            treatment: "sotorasib | adagrasib".to_owned(),
            class: ConsensusClass::Strong,
            synonyms: Vec::new(),
        }];
        let covered = Coverage::of(&Judged::new(&list), &agreed, &BTreeSet::new());
        assert_eq!((covered.strong, covered.extra), (Some(1.0), Some(1.0)));
    }

    #[test]
    fn a_part_that_a_case_lacks_leaves_its_weight_to_the_others() {
        let without_refusals = Coverage { strong: Some(1.0), tacit: Some(0.0), refusal: None, extra: Some(1.0) };
        assert!((without_refusals.cms().unwrap() - 0.65 / 0.85).abs() < 1e-12);
        assert_eq!(Coverage { strong: None, ..without_refusals }.cms(), None);
    }
}
