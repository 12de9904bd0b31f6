//! responses → verdict, by rule: does the variant's list differ from the control's as the catalog declared?

use super::addition::{Addition, listed};
use super::calls;
use super::coverage::Coverage;
use super::treatments::Judged;
use super::{RULES, Sensitivity};
use std::collections::BTreeMap;
use waterjar_core::{
    Expectation, Family, FamilyVerdict, JudgeId, Member, Outcome, Recommendations, Ruling, Shift, TimingShift,
};

impl Sensitivity {
    pub(super) fn verdict(&self, family: &Family) -> FamilyVerdict {
        let control = family.members.iter().find(|member| member.variant.is_control());
        let before = control.map(list_of);
        let rulings = family.members.iter().map(|member| {
            let mut ruling = match &member.variant.expectation {
                Expectation::Shifts(shift) => shifted(member, shift, before.as_ref()),
                _ => self.covered(member),
            };
            ruling.parts.extend(calls::parts(member));
            ruling
        });
        let cancer = control.and_then(|control| control.variant.strata.get_key_value("cancer"));
        FamilyVerdict {
            family: family.id.clone(),
            subject: family.subject.clone(),
            repeat: family.repeat,
            judge: JudgeId::from(RULES),
            rulings: rulings.collect(),
            strata: cancer.map(|(key, value)| (key.clone(), value.clone())).into_iter().collect(),
        }
    }

    /// The control is held against what the board agreed on.
    fn covered(&self, member: &Member) -> Ruling {
        let variant = &member.variant;
        let ruling = |outcome, reason: String| Ruling::new(variant.id.clone(), variant.role(), outcome, reason);
        let list = match list_of(member) {
            Ok(list) => list,
            Err(why) => return ruling(Outcome::Missing, why),
        };
        let listed = list.recommendations.len() as u32;
        let Some(agreed) = self.agreed(&variant.case) else {
            let reason = "there is no consensus list for this case".to_owned();
            let strata = variant.strata.clone();
            return Ruling { listed, strata, without_standard: true, ..ruling(Outcome::Right, reason) };
        };
        let usual = self.usual(variant.strata.get("cancer").map_or("", String::as_str));
        let coverage = Coverage::of(&Judged::new(&list), agreed, usual);
        let (strong, refused) = (coverage.strong.unwrap_or(0.0), coverage.refusal.unwrap_or(0.0));
        let outcome = match strong {
            all if all >= 1.0 && refused == 0.0 => Outcome::Right,
            0.0 => Outcome::Missed,
            _ => Outcome::Partly,
        };
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        let reason = format!(
            "names {} of what the board agreed on strongly and {} of what must not be offered",
            percent(strong),
            percent(refused)
        );
        Ruling {
            listed,
            score: coverage.cms(),
            // A list on which nothing is strong is no figure, whatever the answer names of it.
            without_standard: coverage.cms().is_none(),
            parts: coverage.parts(),
            strata: variant.strata.clone(),
            ..ruling(outcome, reason)
        }
    }
}

/// The recommendations of an answer, or why there are none.
pub(super) fn list_of(member: &Member) -> Result<Recommendations, String> {
    let conclusion = member.conclusion().ok_or("there is no answer")?;
    let schema = waterjar_structured::schema_of::<Recommendations>();
    waterjar_structured::read::<Recommendations>(&conclusion.text, &schema)
        .map(|read| read.value)
        .map_err(|_| "no list of recommendations could be read".to_owned())
}

fn shifted(member: &Member, shift: &Shift, before: Option<&Result<Recommendations, String>>) -> Ruling {
    let variant = &member.variant;
    let ruling = |outcome, reason: String| Ruling {
        strata: variant.strata.clone(),
        ..Ruling::new(variant.id.clone(), variant.role(), outcome, reason)
    };
    let after = match list_of(member) {
        Ok(list) => list,
        Err(why) => return ruling(Outcome::Missing, why),
    };
    let Some(Ok(before)) = before else {
        return ruling(Outcome::Missing, "the control has no list to compare with".to_owned());
    };
    if after.recommendations.is_empty() {
        // Whoever gives up drops everything, also what had to go: that is no reading of the chart.
        let reason = "recommends nothing at all, so nothing was followed".to_owned();
        return Ruling { score: Some(0.0), ..ruling(Outcome::Missed, reason) };
    }
    let (before, after) = (Judged::new(before), Judged::new(&after));
    if gives_up(shift, &before, &after) {
        let reason = "recommends no treatment and no test any more, so nothing was followed".to_owned();
        return Ruling { score: Some(0.0), listed: after.items.len() as u32, ..ruling(Outcome::Missed, reason) };
    }
    let contrast = Contrast::of(shift, &before, &after);
    let outcome = match contrast.score() {
        all if all >= 1.0 => Outcome::Right,
        some if some > 0.0 => Outcome::Partly,
        _ => Outcome::Missed,
    };
    Ruling {
        listed: after.items.len() as u32,
        score: Some(contrast.score()),
        parts: contrast.parts(),
        ..ruling(outcome, contrast.reason())
    }
}

/// Comfort alone, or a word that there is no answer, where there was treatment before. Who says that what must go is left out has read it.
pub(super) fn gives_up(shift: &Shift, before: &Judged<'_>, after: &Judged<'_>) -> bool {
    !before.gives_up() && after.gives_up() && !may_go(shift).any(|one| after.leaves_out(one))
}

/// What must go, and what may instead of something that comes.
fn may_go(shift: &Shift) -> impl Iterator<Item = &str> {
    let gone = shift.must_drop.iter().flat_map(|item| item.split('|'));
    gone.chain(shift.must_add.iter().flat_map(|item| Addition::of(item).goes))
}

/// What was required, and whether control and variant do it.
pub(super) struct Contrast {
    required: Vec<Required>,
}

struct Required {
    what: String,
    before: bool,
    after: bool,
}

impl Contrast {
    pub fn of(shift: &Shift, before: &Judged<'_>, after: &Judged<'_>) -> Self {
        let check =
            |what: String, met: &dyn Fn(&Judged<'_>) -> bool| Required { what, before: met(before), after: met(after) };
        let mut required = Vec::new();
        for item in &shift.must_drop {
            // One that goes for another has not gone.
            let none = |list: &Judged<'_>| !item.split('|').any(|one| list.names(one));
            let what = listed(&item.split('|').collect::<Vec<_>>(), "and");
            required.push(check(format!("drop {what}"), &none));
        }
        for item in &shift.must_add {
            let addition = Addition::of(item);
            let has_come = |list: &Judged<'_>| addition.comes.iter().any(|one| list.names(one));
            let has_gone = |list: &Judged<'_>| addition.goes.iter().any(|one| !list.names(one));
            // Who never had what may go can still follow by what comes.
            let by_absence = has_gone(before) && !has_come(after);
            required.push(Required {
                what: addition.in_words(),
                before: has_come(before) || by_absence,
                // Who names no treatment has not said what is left.
                after: has_come(after) || (has_gone(after) && after.names_any()),
            });
        }
        for shift in &shift.timing {
            required.push(check(format!("move to {}", shift.to), &|list| is_at(list, shift)));
        }
        for word in &shift.rationale {
            required.push(check(format!("mention {word}"), &|list| is_mentioned(list, word)));
        }
        Self { required }
    }

    /// 1 when all that was required is so and some of it was not before, 0.5 when only some of it moved, 0 when nothing did.
    /// A list that never held what must go shows no reading of the chart.
    pub fn score(&self) -> f64 {
        let moved = self.required.iter().any(|it| it.after && !it.before);
        match moved {
            true if self.required.iter().all(|it| it.after) => 1.0,
            true => 0.5,
            false => 0.0,
        }
    }

    fn parts(&self) -> BTreeMap<String, f64> {
        let count = |of: fn(&Required) -> bool| self.required.iter().filter(|it| of(it)).count() as f64;
        let already = self.required.iter().all(|it| it.before);
        BTreeMap::from([
            ("required".to_owned(), self.required.len() as f64),
            ("met".to_owned(), count(|it| it.after)),
            ("moved".to_owned(), count(|it| it.after && !it.before)),
            ("already_met".to_owned(), f64::from(already)),
        ])
    }

    fn reason(&self) -> String {
        let list = |of: fn(&Required) -> bool| {
            let items: Vec<&str> = self.required.iter().filter(|it| of(it)).map(|it| it.what.as_str()).collect();
            items.join(", ")
        };
        let moved = list(|it| it.after && !it.before);
        let open = list(|it| !it.after);
        match (moved.is_empty(), open.is_empty()) {
            (false, true) => format!("did what was required: {moved}"),
            (false, false) => format!("did: {moved}; did not: {open}"),
            (true, false) => format!("did not: {open}"),
            (true, true) => "the control's list already did all that was required, so nothing could follow".to_owned(),
        }
    }
}

/// The treatment, or anything, is at the new time and no longer at the old one.
fn is_at(list: &Judged<'_>, shift: &TimingShift) -> bool {
    let concerned = || list.items.iter().filter(|(_, named)| shift.treatment.as_ref().is_none_or(|it| named.is(it)));
    let is_there = concerned().any(|(it, _)| it.timing == shift.to);
    is_there && shift.from.is_none_or(|from| concerned().all(|(it, _)| it.timing != from))
}

fn is_mentioned(list: &Judged<'_>, word: &str) -> bool {
    let word = word.to_lowercase();
    word.split('|').any(|one| list.items.iter().any(|(it, _)| it.rationale.to_lowercase().contains(one.trim())))
}
